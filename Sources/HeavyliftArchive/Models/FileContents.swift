import Foundation
import HeavyliftModel

/// Reading a file, with an error that says which and why.
enum FileContents {
  static func read(_ url: URL, subject: String) throws(Diagnostic) -> Data {
    do {
      return try Data(contentsOf: url)
    } catch {
      let isMissing = (error as? CocoaError)?.code == .fileReadNoSuchFile
      throw Diagnostic(
        .error, code: isMissing ? "archive.no-such-file" : "archive.unreadable",
        problem: isMissing ? "\(subject) does not exist" : "\(subject) cannot be read",
        remedy: "looked for it in '\(url.deletingLastPathComponent().path)'")
    }
  }
}
