import Foundation
import HeavyliftModel

/// The findings that a team has accepted, from a file that is reviewed like code.
///
/// ```
/// # code, path, and the reason
/// history.changed-version App/Music.xcdatamodeld/Music 2.xcdatamodel  # was never released
/// mapping.possible-renaming MappingModels/1-2.xml "'lyrics'"  # it is a new property
/// ```
struct AcceptedFindings {
  static let fileName = ".heavylift-check"

  private struct Entry {
    var code: String
    var path: String
    var words: String?
    var reason: String
    var location: DiagnosticLocation
    var isUsed = false
  }

  private var entries: [Entry] = []
  /// The folder of the file.
  private let folder: String
  private let io: CommandIO
  /// The mistakes of the file.
  private(set) var mistakes: [Diagnostic] = []

  /// Reads the file next to the project; there need not be one.
  ///
  /// - Parameter folder: The folder of the file, as the user named it.
  init(in folder: String, _ io: CommandIO) throws {
    (self.folder, self.io) = (CheckedPlaces.absolute(folder, io.directory), io)
    let path = folder == "." ? Self.fileName : (folder as NSString).appendingPathComponent(Self.fileName)
    guard FileManager.default.fileExists(atPath: io.url(path).path) else { return }
    let text: String
    do {
      text = try String(contentsOf: io.url(path), encoding: .utf8)
    } catch {
      throw Diagnostic.unreadable("the file '\(path)'", because: error)
    }
    for (number, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
      let line = line.trimmingCharacters(in: .whitespaces)
      if line.isEmpty || line.hasPrefix("#") { continue }
      add(line, DiagnosticLocation(file: path, line: number + 1, column: 1))
    }
  }

  private mutating func add(_ line: String, _ location: DiagnosticLocation) {
    let parts = line.split(separator: /\s#/, maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
    guard parts.count == 2, !parts[1].isEmpty else {
      mistakes.append(
        Diagnostic(
          .error, code: "accepted.no-reason", problem: "a finding is accepted without a reason",
          remedy: "write the reason after '#' at the end of the line", location: location))
      return
    }
    let match = parts[0].wholeMatch(of: /([a-z-]+\.[a-z-]+)\s+(.+?)(\s+"(.*)")?/)
    guard let match else {
      mistakes.append(
        Diagnostic(
          .error, code: "accepted.malformed", problem: "this line does not name a finding",
          remedy: "write 'CODE PATH  # REASON', such as 'model.no-inverse App/Music.xcdatamodeld  # imported once'",
          location: location))
      return
    }
    entries.append(
      Entry(
        code: String(match.1), path: String(match.2.hasPrefix("./") ? match.2.dropFirst(2) : match.2),
        words: match.4.map(String.init), reason: parts[1],
        location: location))
  }

  /// Returns the reason why a finding about a path was accepted; `nil` if it was not.
  mutating func reason(for finding: Diagnostic, about path: String) -> String? {
    let place = entries.firstIndex { entry in
      guard entry.code == finding.code, entry.words.map(finding.problem.contains) ?? true else { return false }
      return [path.components(separatedBy: ", version '")[0], finding.location?.file].compactMap(\.self).map(relative)
        .contains { path in
          path == entry.path || path.hasPrefix("\(entry.path)/") || fnmatch(entry.path, path, 0) == 0
        }
    }
    guard let place else { return nil }
    entries[place].isUsed = true
    return entries[place].reason
  }

  /// The path that starts from the file's folder, so that a line does not depend on the folder in which the check runs.
  private func relative(_ path: String) -> String {
    let absolute = CheckedPlaces.absolute(path, io.directory)
    return absolute.hasPrefix("\(folder)/") ? String(absolute.dropFirst(folder.count + 1)) : path
  }

  /// Warnings about lines that no finding needs.
  var unused: [Diagnostic] {
    entries.filter { !$0.isUsed }.map { entry in
      Diagnostic(
        .note, code: "accepted.unused", problem: "there is no finding '\(entry.code)' about '\(entry.path)'",
        remedy: "remove the line if it is not needed any more", location: entry.location)
    }
  }
}
