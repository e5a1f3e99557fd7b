import Foundation
import Heavylift
import HeavyliftCommands
import SamplePolicies
import SampleSchemas

var tool = CommandLineTool.heavylift
tool.name = "sample-tool"
// The stages are found by their versions: models of other tools are called 'Music', too.
tool.code = MigrationCode(
  policies: .samples, functions: BankFunctions.all, stagesByModel: ["MusicHistory": MusicHistory.stages])
do {
  tool.code.versionsByModel = try SampleVersions.all
  tool.code.stagesByModel.merge(try SampleVersions.stages) { first, _ in first }
} catch {
  // A mistake in the classes of a schema, or in a plan.
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(ExitCode.failure.rawValue)
}

// If the reader closes the pipe, writing fails, and the tool ends quietly.
signal(SIGPIPE, SIG_IGN)
// If a file reaches its size limit, writing fails, too.
signal(SIGXFSZ, SIG_IGN)
exit(tool.run(Array(CommandLine.arguments.dropFirst()), .standard).rawValue)
