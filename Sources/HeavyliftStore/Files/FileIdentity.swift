import CFileSystem
import Foundation

/// Identifies a file and its state without reading it.
package struct FileIdentity: Codable, Hashable, Sendable {
  package var device: UInt64
  var inode: UInt64
  package var size: Int64
  var modifiedSeconds: Int64
  var modifiedNanoseconds: Int64

  /// Examines the file at a URL; `nil` if there is none. A symbolic link is not followed unless requested.
  ///
  /// - Throws: Any error except those that prove absence.
  package init?(_ url: URL, followingLink: Bool = false) throws {
    var status = stat()
    guard (followingLink ? stat(url.path, &status) : lstat(url.path, &status)) == 0 else {
      let error = POSIXError(number: errno)
      guard error.meansAbsence else { throw error }
      return nil
    }
    self.init(status)
  }

  /// Examines an open file; `nil` if the descriptor is not valid.
  init?(ofDescriptor descriptor: Int32) {
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return nil }
    self.init(status)
  }

  package init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modifiedSeconds = Int64(status.st_mtim.tv_sec)
    modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
  }

  /// Returns true if both are the same file, even if it has changed.
  package func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }

  /// Returns true if both have the same size and modification time, as a file and its copy by a backup program do.
  package func isSameState(as other: FileIdentity) -> Bool {
    size == other.size && modifiedSeconds == other.modifiedSeconds && modifiedNanoseconds == other.modifiedNanoseconds
  }
}

extension POSIXError {
  /// Creates an error from a system error number.
  package init(number: Int32) { self.init(POSIXErrorCode(rawValue: number) ?? .EIO) }

  /// True if the error means that a hard link cannot be created, so the file must be copied or moved instead.
  package var meansNoLinks: Bool {
    let codes: [POSIXErrorCode] = [.EPERM, .EXDEV, .EMLINK, .EOPNOTSUPP, .ENOSYS]
    return codes.contains(code)
  }

  /// True if the error proves that no such file exists. Other errors prove nothing: an unreadable disk is not an empty
  /// one.
  package var meansAbsence: Bool { code == .ENOENT || code == .ENOTDIR }
}

/// Reads and writes complete ranges of open files.
package enum FileBytes {
  /// Writes all bytes to an open file.
  package static func write(_ bytes: some ContiguousBytes, to file: Int32) throws {
    try bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let count = Glibc.write(file, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw POSIXError(number: count == 0 ? ENOSPC : errno) }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Makes a new, empty file share the blocks of another one until either changes; returns false if the file system cannot
  /// do that.
  package static func share(_ original: Int32, with copy: Int32) -> Bool { heavylift_clone(copy, original) == 0 }

  /// Reads bytes of an open file; returns fewer only at its end.
  package static func read(_ count: Int, of file: Int32, from offset: Int64 = 0) throws -> Data {
    var bytes = Data(count: count)
    var done = 0
    while done < count {
      let some = bytes.withUnsafeMutableBytes {
        pread(file, $0.baseAddress.map { $0 + done }, count - done, off_t(offset) + off_t(done))
      }
      if some < 0, errno == EINTR { continue }
      guard some >= 0 else { throw POSIXError(number: errno) }
      if some == 0 { break }
      done += some
    }
    return bytes.prefix(done)
  }
}
