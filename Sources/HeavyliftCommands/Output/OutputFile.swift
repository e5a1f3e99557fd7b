import Foundation
import HeavyliftModel
import HeavyliftStore

/// A file that appears under its name when it is whole, and not before.
enum OutputFile {
  static func write<Result>(
    to url: URL, shownAs path: String, _ body: (any ByteSink) throws -> Result
  ) throws -> Result {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
      throw failure(path, "it is a folder")
    }
    let temporary = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
    let descriptor = open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw failure(path, String(cString: strerror(errno)).lowercased()) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let result = try body(FileSink(handle))
      try handle.close()
      guard rename(temporary.path, url.path) == 0 else {
        throw failure(path, String(cString: strerror(errno)).lowercased())
      }
      return result
    } catch {
      unlink(temporary.path)
      if let error = error as? POSIXError {
        throw failure(path, String(cString: strerror(error.code.rawValue)).lowercased())
      }
      throw error
    }
  }

  private static func failure(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .error, code: "file.unwritable", problem: "file '\(path)' cannot be written: \(reason)",
      remedy: "choose a place where there is room and you may write; nothing was changed")
  }
}
