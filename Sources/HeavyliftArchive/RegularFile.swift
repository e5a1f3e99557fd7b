package import Foundation
import HeavyliftModel

/// Opens files for reading, and rejects pipes, sockets and devices without blocking.
package enum RegularFile {
  /// The origin of a path, which decides whether the path may lead to a pipe.
  package enum Origin: Hashable, Sendable {
    /// The user named it. Pipes such as `/dev/stdin` and `<(command)` are allowed.
    case given
    /// Heavylift found it in a folder or next to another file.
    case found
  }

  /// Opens a file; the caller closes it.
  package static func open(_ url: URL, _ origin: Origin = .found, flags: Int32 = 0) throws -> Int32 {
    var status = stat()
    // Also checked before opening: opening a pipe or a device can already have side effects.
    if origin == .found, stat(url.path, &status) == 0 { try refuseSpecial(status) }
    let waiting = origin == .found ? O_NONBLOCK : 0
    let file = Glibc.open(url.path, O_RDONLY | O_CLOEXEC | waiting | flags)
    guard file >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    guard origin == .found else { return file }
    do {
      guard fstat(file, &status) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
      try refuseSpecial(status)
    } catch {
      close(file)
      throw error
    }
    return file
  }

  /// Opens a file; the handle closes it.
  package static func handle(_ url: URL, _ origin: Origin = .found) throws -> FileHandle {
    FileHandle(fileDescriptor: try open(url, origin), closeOnDealloc: true)
  }

  /// Reads a file. `FileHandle` would read it in pieces of 4 kB.
  package static func read(_ url: URL, _ origin: Origin = .found) throws -> Data {
    let file = try open(url, origin)
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    // The size of a pipe is 0, and that of a file may be wrong.
    var data = Data(count: max(Int(status.st_size), 1 << 12) + 1)
    var count = 0
    while true {
      if count == data.count { data.append(Data(count: count)) }
      let received = data.withUnsafeMutableBytes { bytes in
        Glibc.read(file, bytes.baseAddress.map { $0 + count }, bytes.count - count)
      }
      guard received >= 0 else {
        if errno == EINTR { continue }
        throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
      }
      guard received > 0 else { return data.prefix(count) }
      count += received
    }
  }

  /// Maps a file into memory: only the bytes that are used are read from the disk.
  package static func map(_ url: URL) throws -> Data {
    let file = try open(url)
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    // A folder gets an error of its own.
    guard status.st_mode & S_IFMT != S_IFDIR else { throw POSIXError(.EISDIR) }
    let count = Int(status.st_size)
    guard count > 0 else { return Data() }
    guard let bytes = mmap(nil, count, PROT_READ, MAP_PRIVATE, file, 0), bytes != MAP_FAILED else {
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
    }
    return Data(bytesNoCopy: bytes, count: count, deallocator: .unmap)
  }

  private static func refuseSpecial(_ status: stat) throws {
    if let special = SpecialFile(mode: status.st_mode) { throw special }
  }
}
