import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// A file that appears under its name only when it is complete; pipes and devices are written to directly.
enum OutputFile {
  static func write<Result>(
    to url: URL, shownAs path: String, _ body: (any ByteSink) throws -> Result
  ) throws -> Result {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
      throw failure(path, "it is a folder")
    }
    // Follow a symbolic link: write to its target.
    let target = url.resolvingSymlinksInPath()
    guard !isSpecial(target) else {
      return try write(to: target, flags: O_WRONLY | O_CLOEXEC, shownAs: path, body)
    }
    // A typo must not cost a store.
    guard !isDatabase(target) else { throw failure(path, "it is a database") }
    let temporary = target.deletingLastPathComponent()
      .appending(path: ".\(target.lastPathComponent).\(UUID().uuidString)")
    do {
      let result = try write(to: temporary, flags: O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, shownAs: path, body)
      guard rename(temporary.path, target.path) == 0 else { throw failure(path, errno) }
      return result
    } catch {
      unlink(temporary.path)
      throw error
    }
  }

  private static func write<Result>(
    to url: URL, flags: Int32, shownAs path: String, _ body: (any ByteSink) throws -> Result
  ) throws -> Result {
    let descriptor = open(url.path, flags, 0o666)
    guard descriptor >= 0 else { throw failure(path, errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let result = try body(FileSink(handle))
      try handle.close()
      return result
    } catch let error as POSIXError {
      throw failure(path, error.code.rawValue)
    }
  }

  /// True if the path exists and is not a regular file. Replacing `/dev/null` with a file would break the system.
  private static func isSpecial(_ url: URL) -> Bool {
    var status = stat()
    return stat(url.path, &status) == 0 && status.st_mode & S_IFMT != S_IFREG
  }

  private static func isDatabase(_ url: URL) -> Bool {
    (try? DatabaseFiles(path: url.path))?.hasDatabaseHeader ?? false
  }

  private static func failure(_ path: String, _ code: Int32) -> Diagnostic {
    failure(path, String(cString: strerror(code)).lowercased())
  }

  private static func failure(_ path: String, _ reason: String) -> Diagnostic {
    Diagnostic(
      .error, code: "file.unwritable", problem: "file '\(path)' cannot be written: \(reason)",
      remedy: "choose a writable place with enough space; nothing was changed")
  }
}
