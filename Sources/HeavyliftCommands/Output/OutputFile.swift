import CFileSystem
import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftReports

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
      return try write(to: open(target.path, O_WRONLY | O_CLOEXEC), shownAs: path, body)
    }
    // A typo must not cost a store.
    guard !isDatabase(target) else { throw failure(path, "it is a database") }
    let folder = target.deletingLastPathComponent()
    let temporary = folder.appending(path: ".\(target.lastPathComponent).\(UUID().uuidString)")
    // A file without a name leaves nothing behind if the process is killed while it writes.
    let unnamed = heavylift_open_unnamed(folder.path, 0o666)
    let isUnnamed = unnamed >= 0
    let descriptor = isUnnamed ? unnamed : open(temporary.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    do {
      let result = try write(to: descriptor, shownAs: path, body) {
        if isUnnamed, linkat(AT_FDCWD, "/proc/self/fd/\(descriptor)", AT_FDCWD, temporary.path, AT_SYMLINK_FOLLOW) != 0
        {
          throw failure(path, errno)
        }
      }
      guard rename(temporary.path, target.path) == 0 else { throw failure(path, errno) }
      return result
    } catch {
      unlink(temporary.path)
      throw error
    }
  }

  /// - Parameter complete: Called when everything is written, before the file is closed.
  private static func write<Result>(
    to descriptor: Int32, shownAs path: String, _ body: (any ByteSink) throws -> Result,
    complete: () throws -> Void = {}
  ) throws -> Result {
    guard descriptor >= 0 else { throw failure(path, errno) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      let result = try body(FileSink(handle))
      try complete()
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
