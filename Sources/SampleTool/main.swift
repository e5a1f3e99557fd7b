import Foundation
import Heavylift
import HeavyliftCommands
import SamplePolicies

var tool = CommandLineTool.heavylift
tool.name = "sample-tool"
tool.code = MigrationCode(policies: .samples, functions: BankFunctions.all)

// A reader who closes the pipe makes writing fail, and the tool then ends quietly.
signal(SIGPIPE, SIG_IGN)
// A file that may not grow makes writing fail, too.
signal(SIGXFSZ, SIG_IGN)
exit(tool.run(Array(CommandLine.arguments.dropFirst()), .standard).rawValue)
