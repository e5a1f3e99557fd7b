import CFileSystem
import Foundation
import HeavyliftConcurrency
import HeavyliftModel
import HeavyliftSQLite

/// An open folder.
///
/// Its contents are accessed through its descriptor, one name at a time, and never through a symbolic link: a link
/// that another process creates cannot redirect an operation.
package final class OpenFolder {
  /// The behavior of a rename if the new name is taken.
  package enum Renaming {
    /// Replaces the existing file atomically.
    case replacing
    /// Fails with `EEXIST`.
    case exclusive
    /// Exchanges the names of both files atomically.
    case exchanging
  }

  let descriptor: Int32

  private init(_ descriptor: Int32) throws {
    guard descriptor >= 0 else { throw POSIXError(number: errno) }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  // Linux's O_PATH, which Swift does not import: opens a folder that can be traversed even if it cannot be read.
  private static let passing: Int32 = 0o10_000_000
  private static let flags = O_DIRECTORY | O_CLOEXEC

  /// Opens a folder by a path from the user; symbolic links in it are followed.
  package convenience init(following url: URL) throws { try self.init(Glibc.open(url.path, O_RDONLY | Self.flags)) }

  /// Opens a folder by a path that contains no symbolic links.
  ///
  /// - Throws: `POSIXError` `ENOTDIR` for a link.
  package static func walking(to url: URL) throws -> OpenFolder {
    var folder = try OpenFolder(Glibc.open("/", passing | flags))
    for name in url.standardizedFileURL.path.split(separator: "/") {
      folder = try OpenFolder(openat(folder.descriptor, String(name), passing | O_NOFOLLOW | flags))
    }
    return folder
  }

  /// Opens a folder in this one.
  func folder(_ name: String) throws -> OpenFolder {
    try OpenFolder(openat(descriptor, name, O_RDONLY | O_NOFOLLOW | Self.flags))
  }

  /// Opens a file or a folder; the caller closes it. A pipe, a socket or a device is rejected without blocking.
  package func open(_ name: String, _ flags: Int32, mode: mode_t = 0o600) throws -> Int32 {
    let file = openat(descriptor, name, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, mode)
    guard file >= 0 else { throw POSIXError(number: errno) }
    var status = stat()
    let isKnown = fstat(file, &status) == 0
    let error = POSIXError(number: errno)
    let special = SpecialFile(mode: status.st_mode)
    if isKnown, special == nil { return file }
    close(file)
    throw special ?? error
  }

  /// Returns the status of the file with the given name; `nil` if there is none.
  func status(of name: String) throws -> stat? {
    var status = stat()
    guard fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else {
      let error = POSIXError(number: errno)
      guard error.meansAbsence else { throw error }
      return nil
    }
    return status
  }

  func has(_ name: String) throws -> Bool { try status(of: name) != nil }

  /// Returns the names in the folder, sorted.
  package func names() throws -> [String] {
    let own = openat(descriptor, ".", O_RDONLY | Self.flags)
    guard own >= 0 else { throw POSIXError(number: errno) }
    guard let stream = fdopendir(own) else {
      let error = POSIXError(number: errno)
      close(own)
      throw error
    }
    defer { closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else {
        guard errno == 0 else { throw POSIXError(number: errno) }
        return names.sorted()
      }
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if name != ".", name != ".." { names.append(name) }
    }
  }

  /// Creates a folder that only its owner can use.
  package func makeFolder(_ name: String) throws {
    guard mkdirat(descriptor, name, 0o700) == 0 else { throw POSIXError(number: errno) }
  }

  /// Creates a hard link to a file; the new name must be free.
  ///
  /// - Throws: `POSIXError` `EOPNOTSUPP` for a symbolic link, which might lead elsewhere from another folder.
  package func link(_ name: String, to target: OpenFolder, as other: String) throws {
    if let mode = try status(of: name)?.st_mode, mode & S_IFMT == S_IFLNK { throw POSIXError(.EOPNOTSUPP) }
    guard linkat(descriptor, name, target.descriptor, other, 0) == 0 else { throw POSIXError(number: errno) }
  }

  /// Renames a file or folder.
  package func rename(_ name: String, to target: OpenFolder, as other: String, _ renaming: Renaming) throws {
    let result =
      switch renaming {
      case .replacing: renameat(descriptor, name, target.descriptor, other)
      case .exclusive:
        heavylift_rename(descriptor, name, target.descriptor, other, UInt32(HEAVYLIFT_RENAME_NOREPLACE))
      case .exchanging:
        heavylift_rename(descriptor, name, target.descriptor, other, UInt32(HEAVYLIFT_RENAME_EXCHANGE))
      }
    guard result != 0 else { return }
    let error = POSIXError(number: errno)
    guard renaming == .exclusive, error.code == .EINVAL || error.code == .ENOSYS else { throw error }
    guard try !target.has(other) else { throw POSIXError(.EEXIST) }
    try rename(name, to: target, as: other, .replacing)
  }

  /// Removes a file or a link, or a folder with everything in it. A missing name is not an error.
  package func remove(_ name: String) throws {
    guard let status = try status(of: name) else { return }
    let isFolder = status.st_mode & S_IFMT == S_IFDIR
    if isFolder {
      let inner = try folder(name)
      for name in try inner.names() { try inner.remove(name) }
    }
    guard unlinkat(descriptor, name, isFolder ? AT_REMOVEDIR : 0) != 0 else { return }
    let error = POSIXError(number: errno)
    guard error.meansAbsence else { throw error }
  }

  /// Waits until a file's contents, or by default the folder's entries, are on disk.
  func synchronize(_ name: String = ".") throws {
    // A folder opened with O_PATH cannot be synced.
    let file = openat(descriptor, name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    guard file >= 0 else { throw POSIXError(number: errno) }
    defer { close(file) }
    guard fsync(file) == 0 else { throw POSIXError(number: errno) }
  }
}

/// Closes descriptors of a store's files, but not before SQLite has closed its own.
///
/// When a process closes any descriptor of a file, it loses all its locks on that file, including those of an app's own
/// SQLite connection (https://sqlite.org/howtocorrupt.html, 2.2).
package enum LateClosing {
  private struct Descriptors {
    var waiting: [Int32] = []
    /// Descriptors that are not SQLite's, and that hold no locks of the process.
    var harmless: Set<Int32> = []
  }

  private static let descriptors = Locked(Descriptors())

  /// Notes a descriptor that is not SQLite's, and that holds no locks of the process. It does not keep others of the same
  /// file waiting.
  package static func note(_ descriptor: Int32) { descriptors.withLock { _ = $0.harmless.insert(descriptor) } }

  /// Closes a descriptor as soon as the process has no other descriptor for the same file, except those that were noted.
  package static func close(_ descriptor: Int32) {
    descriptors.withLock { descriptors in
      descriptors.harmless.remove(descriptor)
      descriptors.waiting.append(descriptor)
      closeUnshared(&descriptors)
    }
  }

  /// Closes the waiting descriptors whose files the process no longer has open through any other descriptor, except those
  /// that were noted.
  package static func closeUnshared() { descriptors.withLock { closeUnshared(&$0) } }

  private static func closeUnshared(_ descriptors: inout Descriptors) {
    if descriptors.waiting.isEmpty { return }
    // Without the pause, a connection that opens the file after this check would lose its locks.
    PausedOpening.run {
      // If the process has no descriptor left for reading the list, or no '/proc', any file may be open. The descriptors
      // keep waiting.
      guard let names = try? OpenFolder(following: URL(filePath: "/proc/self/fd")).names() else { return }
      let own = descriptors.harmless.union(descriptors.waiting)
      let others = names.compactMap { Int32($0) }.filter { !own.contains($0) }
        .compactMap(FileIdentity.init(ofDescriptor:))
      descriptors.waiting.removeAll { descriptor in
        guard let file = FileIdentity(ofDescriptor: descriptor), !others.contains(where: file.isSameFile) else {
          return false
        }
        Foundation.close(descriptor)
        return true
      }
    }
  }
}
