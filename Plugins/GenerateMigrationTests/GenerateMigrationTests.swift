import Foundation
import PackagePlugin

/// `swift package generate-migration-tests MAPPING …`: runs `heavylift generate-tests` in the package's folder.
///
/// If a mapping names policies or functions, use your own tool that registers them: `--tool music-tool`
/// runs that product of the package instead.
@main
struct GenerateMigrationTests: CommandPlugin {
  func performCommand(context: PluginContext, arguments: [String]) throws {
    var extractor = ArgumentExtractor(arguments)
    let tool = extractor.extractOption(named: "tool").last ?? "heavylift"
    let process = Process()
    process.executableURL = try build(tool)
    process.arguments = ["generate-tests"] + extractor.remainingArguments
    process.currentDirectoryURL = context.package.directoryURL
    try process.run()
    process.waitUntilExit()
    // The tool has already reported the problem with its location.
    guard process.terminationReason == .exit, process.terminationStatus == 0 else {
      Diagnostics.error("no tests were generated")
      return
    }
  }

  /// Builds an executable product of the package, or of one that it depends on.
  private func build(_ name: String) throws -> URL {
    let parameters = PackageManager.BuildParameters(configuration: .debug, echoLogs: true)
    let result = try packageManager.build(.product(name), parameters: parameters)
    let executable = result.builtArtifacts.first { $0.kind == .executable && $0.url.lastPathComponent == name }
    guard result.succeeded, let executable else { throw Failure(tool: name) }
    return executable.url
  }

  private struct Failure: Error, CustomStringConvertible {
    let tool: String

    var description: String {
      "product '\(tool)' cannot be built; with '--tool', name an executable product of this package or of a dependency"
    }
  }
}
