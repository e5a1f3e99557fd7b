import Foundation
import HeavyliftCommands

// If the reader closes the pipe, writing fails, and the tool ends quietly; the signal would kill it and leave files
// behind.
signal(SIGPIPE, SIG_IGN)
// If a file reaches its size limit, writing fails, too.
signal(SIGXFSZ, SIG_IGN)
exit(CommandLineTool.heavylift.run(Array(CommandLine.arguments.dropFirst()), .standard).rawValue)
