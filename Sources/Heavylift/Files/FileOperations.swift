import Foundation

/// Everything that the engine does to files and folders, one small step at a time.
///
/// A test hands in an interceptor that makes any step fail; there is no other way from the engine to the disk but SQLite's.
struct FileOperations: Sendable {
  /// One step.
  enum Step: Hashable, Sendable {
    case makeFolder(URL)
    case move(from: URL, to: URL)
    case remove(URL)
    case synchronize(URL)
  }

  /// Called before each step; what it throws is what the step throws.
  var interceptor: (@Sendable (Step) throws -> Void)?

  init(interceptor: (@Sendable (Step) throws -> Void)? = nil) { self.interceptor = interceptor }

  /// Makes a folder that is not there yet.
  func makeFolder(_ url: URL) throws {
    try interceptor?(.makeFolder(url))
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: false)
  }

  /// Gives a file or folder another name on the same disk; nothing may be there.
  func move(_ url: URL, to target: URL) throws {
    try interceptor?(.move(from: url, to: target))
    guard !exists(target) else { throw posixError(EEXIST) }
    guard rename(url.path, target.path) == 0 else { throw posixError(errno) }
  }

  /// Removes a file, or a folder with everything in it; that it is gone already is no mistake.
  func remove(_ url: URL) throws {
    try interceptor?(.remove(url))
    guard exists(url) else { return }
    try FileManager.default.removeItem(at: url)
  }

  /// Waits until what was written to a file, or which names a folder holds, is on disk.
  func synchronize(_ url: URL) throws {
    try interceptor?(.synchronize(url))
    let descriptor = open(url.path, O_RDONLY)
    guard descriptor >= 0 else { throw posixError(errno) }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw posixError(errno) }
  }

  func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  private func posixError(_ code: Int32) -> POSIXError { POSIXError(POSIXErrorCode(rawValue: code) ?? .EIO) }
}
