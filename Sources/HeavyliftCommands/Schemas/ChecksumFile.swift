import Foundation
import HeavyliftModel

/// The checksums of frozen versions: a text file with one line for each version, sorted by name.
///
///     HYRwYpGVBFqgqYVHjTVqPJBJ8cV9oWHbjGj3MkqAyoM=  Music 1
struct ChecksumFile: Hashable {
  /// The checksum of each version, by name.
  var checksums: [String: String] = [:]

  init() {}

  /// - Parameter file: The file's name in messages.
  init(text: String, file: String) throws(DiagnosticList) {
    var mistakes: [Diagnostic] = []
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      guard !line.allSatisfy(\.isWhitespace) else { continue }
      let parts = line.split(separator: " ", maxSplits: 1)
      let name = parts.count == 2 ? parts[1].drop { $0 == " " } : ""
      if !name.isEmpty, Data(base64Encoded: String(parts[0]))?.count == 32, checksums[String(name)] == nil {
        checksums[String(name)] = String(parts[0])
      } else {
        mistakes.append(
          Diagnostic(
            .error, code: "schema.checksums-damaged",
            problem: "the line is not the checksum and the name of a version, or repeats a name",
            remedy: "restore the line from your repository; 'schema freeze' writes it",
            location: DiagnosticLocation(file: file, line: number + 1, column: 1)))
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
  }

  /// Returns the file without the checksums of some versions.
  func without(_ names: Set<String>) -> ChecksumFile {
    var file = self
    for name in names { file.checksums[name] = nil }
    return file
  }

  /// Returns true if the file can contain a version of that name.
  static func canList(_ name: String) -> Bool {
    // The bundle reports an empty name, with the other names that no folder can have.
    guard !name.isEmpty else { return true }
    var file = ChecksumFile()
    file.checksums[name] = Data(count: 32).base64EncodedString()
    return (try? ChecksumFile(text: file.text, file: "")) == file
  }

  var text: String {
    checksums.sorted { $0.key.compare($1.key, options: .numeric) == .orderedAscending }
      .map { "\($0.value)  \($0.key)\n" }.joined()
  }
}
