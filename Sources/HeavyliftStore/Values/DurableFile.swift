import Foundation

/// Writes a file so that it is there whole, or not at all, whenever the machine stops.
enum DurableFile {
  static func write(_ data: Data, to url: URL) throws {
    let temporary = url.deletingLastPathComponent().appending(path: ".\(url.lastPathComponent).\(UUID().uuidString)")
    do {
      try data.write(to: temporary, options: .withoutOverwriting)
      try synchronize(temporary)
      guard rename(temporary.path, url.path) == 0 else { throw posixError() }
      try synchronize(url.deletingLastPathComponent())
    } catch {
      try? FileManager.default.removeItem(at: temporary)
      throw error
    }
  }

  private static func synchronize(_ url: URL) throws {
    let descriptor = open(url.path, O_RDONLY)
    guard descriptor >= 0 else { throw posixError() }
    defer { close(descriptor) }
    guard fsync(descriptor) == 0 else { throw posixError() }
  }

  private static func posixError() -> POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
