import Foundation
import HeavyliftModel

/// Reads a file; errors name the file and the reason.
package enum FileContents {
  package static func read(_ url: URL, _ origin: RegularFile.Origin, subject: String) throws(Diagnostic) -> Data {
    do {
      return try RegularFile.read(url, origin)
    } catch {
      guard SystemErrorNumber(error)?.isMissing == true else { throw .unreadable(subject, because: error) }
      throw Diagnostic(
        .error, code: "file.missing", problem: "\(subject) does not exist",
        remedy: "looked for it in '\(url.deletingLastPathComponent().path)'")
    }
  }
}
