import CFileSystem
package import Foundation

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
