import Foundation
import HeavyliftModel

/// Replaces a file atomically: readers see, and a crash leaves, either the whole old file or the whole new one.
enum FileReplacement {
  static func write(_ data: Data, to url: URL) throws(DiagnosticList) {
    // Next to the target, because a rename is atomic only within one file system.
    let temporary = url.deletingLastPathComponent()
      .appending(path: ".\(url.lastPathComponent).\(UUID().uuidString).new", directoryHint: .notDirectory)
    do {
      guard FileManager.default.createFile(atPath: temporary.path(percentEncoded: false), contents: nil) else {
        throw CocoaError(.fileWriteUnknown)
      }
      let handle = try FileHandle(forWritingTo: temporary)
      defer { try? handle.close() }
      try handle.write(contentsOf: data)
      try handle.synchronize()
      guard rename(temporary.path(percentEncoded: false), url.path(percentEncoded: false)) == 0 else {
        throw CocoaError(.fileWriteUnknown)
      }
    } catch {
      try? FileManager.default.removeItem(at: temporary)
      throw DiagnosticList([
        Diagnostic(
          .error, code: "file.unwritable", problem: "the file '\(url.relativePath)' cannot be written",
          remedy: "check that its folder exists and is writable, and that the disk has space")
      ])
    }
  }
}
