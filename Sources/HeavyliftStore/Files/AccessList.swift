import CFileSystem
import Foundation

/// A POSIX access control list in the form in which Linux stores it: a four-byte version, then eight-byte entries, each
/// with a tag, permissions and an ID (`linux/posix_acl_xattr.h`).
package struct AccessList: Hashable, Sendable {
  private static let name = "system.posix_acl_access"
  private static let header = 4
  private static let entry = 8
  private static let owningGroup: UInt8 = 0x04

  private var bytes: [UInt8]

  /// Reads the list of the file at a path; `nil` if it has none.
  init?(ofFileAt path: String) throws {
    guard let data = try ExtendedAttributes.bytes({ getxattr(path, Self.name, $0, $1) }),
      data.count > Self.header, (data.count - Self.header).isMultiple(of: Self.entry)
    else { return nil }
    bytes = Array(data)
  }

  /// The offsets of the entries' permissions.
  private var permissions: StrideTo<Int> { stride(from: Self.header + 2, to: bytes.count, by: Self.entry) }

  /// The same list for a folder: users who may read a file may enter the folder.
  var ofFolder: AccessList {
    var list = self
    for index in permissions { list.bytes[index] |= (bytes[index] & 4) >> 2 }
    return list
  }

  /// The permissions of the file's group. In the file's mode, the list's mask is in their place.
  var groupPermissions: mode_t {
    permissions.first { bytes[$0 - 2] == Self.owningGroup }.map { mode_t(bytes[$0]) } ?? 0
  }

  /// Sets the list of an open file; returns false if it cannot be set.
  func apply(to file: Int32) -> Bool { fsetxattr(file, Self.name, bytes, bytes.count, 0) == 0 }

  /// Removes the list that a file inherited from its folder.
  static func remove(from file: Int32) throws {
    guard fremovexattr(file, name) != 0, errno != ENODATA, errno != EOPNOTSUPP else { return }
    throw POSIXError(number: errno)
  }
}
