import Foundation

/// The source code of a test class for a mapping, or for a stage.
///
/// The code between the two markers is regenerated each time; the code outside of them is the user's.
package struct TestClassSource {
  static let start = "  // heavylift: begin generated"
  static let end = "  // heavylift: end generated"

  /// The name of the class.
  package var name: String
  /// The path of the models, as written in the class: relative to the class's `folder`.
  package var models: String
  /// The path of the destination model, if it is in a different file.
  package var destinationModels: String?
  /// The name of the source version; `nil` if the file has only one.
  package var sourceVersion: String?
  /// The name of the destination version; `nil` if the file has only one.
  package var destinationVersion: String?
  /// The mapping file's path; `nil` if stages lead from one version to the other.
  package var mapping: String?
  /// The path of the graph that is migrated.
  package var sourceGraph: String
  /// The path of the expected graph.
  package var destinationGraph: String
  /// The policies' class names, without modules.
  package var policies: [String]
  /// True if expressions call functions on `$manager` that the program registers.
  package var needsFunctions: Bool
  /// The number of folders from the class's file up to the folder where the paths start.
  package var levelsUp: Int

  /// Creates the description of a class.
  package init(
    name: String, models: String, destinationModels: String? = nil, sourceVersion: String?, destinationVersion: String?,
    mapping: String?, sourceGraph: String, destinationGraph: String, policies: [String], needsFunctions: Bool,
    levelsUp: Int
  ) {
    self.name = name
    self.models = models
    self.destinationModels = destinationModels
    self.sourceVersion = sourceVersion
    self.destinationVersion = destinationVersion
    self.mapping = mapping
    self.sourceGraph = sourceGraph
    self.destinationGraph = destinationGraph
    self.policies = policies
    self.needsFunctions = needsFunctions
    self.levelsUp = levelsUp
  }

  /// The source code of a new file.
  package var text: String {
    let stages = """

        /// The stages of the migration, as your program passes them to `StagedMigrationManager`.
        private func stages() throws -> [MigrationStage] { [] }

      """
    let code = mapping == nil ? stages : usesCode ? registered : ""
    return """
      import Foundation
      import Heavylift
      import HeavyliftTesting
      import XCTest

      final class \(name): MigrationTestCase {
      \(generated)
      \(code)
        // Mistakes that no graph can show: name the property in single quotes.
        override func mistakes(in migration: TestedMigration) throws -> [String] { [] }
      }

      """
  }

  private var usesCode: Bool { !policies.isEmpty || needsFunctions }

  private var registered: String {
    """

      /// The policies and functions that the mapping uses.
      private var policies: PolicyRegistry { PolicyRegistry(\(policies.map { "\($0).self" }.joined(separator: ", "))) }
      private var functions: [String: MigrationFunction] { [:] }

    """
  }

  /// Returns the source code of an existing file with the generated part replaced; `nil` if its markers are gone.
  ///
  /// If the mapping has used no policy or function until now, the code for them is added below the generated part.
  package func updating(_ text: String) -> String? {
    guard let first = text.range(of: Self.start),
      let last = text.range(of: Self.end, range: first.upperBound..<text.endIndex)
    else { return nil }
    let hasCode = text[first.lowerBound..<last.upperBound].contains(Self.codeArguments[0])
    let added = usesCode && !hasCode && !text.contains("var policies") ? "\n" + registered.dropLast() : ""
    return text.replacingCharacters(in: first.lowerBound..<last.upperBound, with: generated + added)
  }

  /// Returns the graphs that the generated part of a file names, as URLs; `nil` if the file has no such part.
  ///
  /// - Parameter file: The location of the file, which its paths are relative to.
  package static func graphs(in text: String, of file: URL) -> (source: URL, destination: URL)? {
    guard let first = text.range(of: start),
      let last = text.range(of: end, range: first.upperBound..<text.endIndex)
    else { return nil }
    let lines = text[first.upperBound..<last.lowerBound].split(separator: "\n")
    func line(_ name: String) -> Substring? { lines.first { $0.contains(" \(name)") } }
    guard let folderLine = line("let folder = ") else { return nil }
    var folder = file.standardizedFileURL
    for _ in 0..<folderLine.components(separatedBy: ".deletingLastPathComponent()").count - 1 {
      folder.deleteLastPathComponent()
    }
    func url(_ name: String) -> URL? {
      guard let line = line("var \(name): URL"), let open = line.firstIndex(of: "\""),
        let close = line.lastIndex(of: "\""), open < close
      else { return nil }
      let path = line[line.index(after: open)..<close].replacing("\\\"", with: "\"").replacing("\\\\", with: "\\")
      return folder.appending(path: path).standardizedFileURL
    }
    guard let source = url("sourceGraph"), let destination = url("destinationGraph") else { return nil }
    return (source, destination)
  }

  private static let codeArguments = ["policies: policies", "functions: functions"]

  private var generated: String {
    let up = String(repeating: ".deletingLastPathComponent()", count: levelsUp + 1)
    var arguments = ["models: folder.appending(path: \(quoted(models)))"]
    if let sourceVersion { arguments.append("from: \(quoted(sourceVersion))") }
    if let destinationModels {
      arguments.append("destinationModels: folder.appending(path: \(quoted(destinationModels)))")
    }
    if let destinationVersion { arguments.append("to: \(quoted(destinationVersion))") }
    if let mapping {
      arguments.append("mappings: [folder.appending(path: \(quoted(mapping)))]")
    } else {
      arguments.append("stages: stages()")
    }
    if usesCode { arguments += Self.codeArguments }
    return """
      \(Self.start)
        private let folder = URL(filePath: #filePath)\(up)

        override func makePair() throws -> MigrationPair {
          try MigrationPair(
            \(arguments.joined(separator: ",\n      ")))
        }

        func testMigration() throws { try assertMigration(of: sourceGraph, gives: destinationGraph) }

        // Breaks the migration on purpose in many ways, and fails for each one that the graphs do not detect. That
        // takes minutes in a debug build, so it does not run unless you copy it below the generated lines:
        //
        //   func testMutations() throws {
        //     try assertNoMutationSurvives(of: sourceGraph, gives: destinationGraph, atLeast: 1)
        //   }

        private var sourceGraph: URL { folder.appending(path: \(quoted(sourceGraph))) }
        private var destinationGraph: URL { folder.appending(path: \(quoted(destinationGraph))) }
      \(Self.end)
      """
  }

  private func quoted(_ text: String) -> String {
    var quoted = "\"".unicodeScalars
    for scalar in text.unicodeScalars {
      if scalar == "\"" || scalar == "\\" { quoted.append("\\") }
      quoted.append(scalar)
    }
    quoted.append("\"")
    return String(quoted)
  }
}
