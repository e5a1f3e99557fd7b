import Foundation

/// Which file a name leads to, and in which state it is: what tells one from another without reading it.
struct FileIdentity: Codable, Hashable, Sendable {
  var device: UInt64
  var inode: UInt64
  var size: Int64
  var modifiedSeconds: Int64
  var modifiedNanoseconds: Int64

  /// Looks at what the name leads to; nil if there is nothing.
  init?(_ url: URL) {
    var status = stat()
    guard stat(url.path, &status) == 0 else { return nil }
    self.init(status)
  }

  init(_ status: stat) {
    device = UInt64(status.st_dev)
    inode = UInt64(status.st_ino)
    size = Int64(status.st_size)
    modifiedSeconds = Int64(status.st_mtim.tv_sec)
    modifiedNanoseconds = Int64(status.st_mtim.tv_nsec)
  }

  /// Whether both are one file, in whatever state.
  func isSameFile(as other: FileIdentity) -> Bool { device == other.device && inode == other.inode }
}
