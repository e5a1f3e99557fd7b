import Foundation
import HeavyliftCommands

// A reader who closes the pipe makes writing fail, and the tool then ends quietly; the signal would leave files behind.
signal(SIGPIPE, SIG_IGN)
// A file that may not grow makes writing fail, too.
signal(SIGXFSZ, SIG_IGN)
exit(CommandLineTool.heavylift.run(Array(CommandLine.arguments.dropFirst()), .standard).rawValue)
