import Foundation
import HeavyliftCommands

// A reader who closes the pipe makes writing fail, and the tool then ends quietly; the signal would leave files behind.
signal(SIGPIPE, SIG_IGN)
// If a file reaches its size limit, writing fails, too.
signal(SIGXFSZ, SIG_IGN)
exit(CommandLineTool.heavylift.run(Array(CommandLine.arguments.dropFirst()), .standard).rawValue)
