import Foundation
import HeavyliftStore

/// A lock that only one migration of a store can hold at a time, released when its process ends.
final class MigrationLock {
  let url: URL
  private let descriptor: Int32

  /// Takes the lock. The folder of the lock file must exist.
  ///
  /// - Returns: `nil` if the folder was removed in the meantime: the previous owner has finished, and the folder must
  ///   be created again.
  /// - Throws: an error that names the process that holds the lock.
  static func take(_ url: URL, store: URL, files: FileOperations) throws -> MigrationLock? {
    while true {
      try files.interceptor?(.lock(url))
      guard let descriptor = try open(url) else { return nil }
      let lock = MigrationLock(url, descriptor)
      guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
        guard errno == EWOULDBLOCK else { throw POSIXError(number: errno) }
        throw IncrementalMigrationError.alreadyRunning(store, process: lock.owner)
      }
      // The previous owner may have removed the file after we opened it but before we locked it; then our lock is
      // worthless.
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw POSIXError(number: errno) }
      guard let named = try FileIdentity(url), named.isSameFile(as: FileIdentity(status)) else { continue }
      lock.sign()
      return lock
    }
  }

  /// Opens the file without following links; returns `nil` if its folder is missing.
  private static func open(_ url: URL) throws -> Int32? {
    do {
      return try OpenFolder.walking(to: url.deletingLastPathComponent()).open(url.lastPathComponent, O_RDWR | O_CREAT)
    } catch let error as POSIXError where error.code == .ENOENT {
      return nil
    }
  }

  /// The process that holds the lock, or -1 if it is unknown; `nil` if no process holds it.
  static func owner(of url: URL) -> Int32? {
    let descriptor = Glibc.open(url.path, O_RDWR | O_NOFOLLOW | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    let lock = MigrationLock(url, descriptor)
    guard flock(descriptor, LOCK_SH | LOCK_NB) != 0 else { return nil }
    return lock.owner ?? -1
  }

  private init(_ url: URL, _ descriptor: Int32) {
    self.url = url
    self.descriptor = descriptor
  }

  deinit {
    // A child process that is starting shares our files for a moment, and would keep the lock if we only closed our
    // descriptor.
    _ = flock(descriptor, LOCK_UN)
    close(descriptor)
  }

  private var owner: Int32? {
    var buffer = [UInt8](repeating: 0, count: 20)
    let count = pread(descriptor, &buffer, buffer.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: buffer[..<count], as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines))
  }

  /// Writes the owner's process ID, which is used only in a message.
  private func sign() {
    let text = Array("\(getpid())\n".utf8)
    _ = ftruncate(descriptor, 0)
    _ = pwrite(descriptor, text, text.count, 0)
  }
}
