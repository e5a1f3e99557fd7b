import CFileSystem
import Foundation

/// The owner, group, permissions and access control list of a store's file. The store's other files get the same
/// rights.
///
/// A file gets them before it has any contents: it is created so that only its creator has access, then given to the
/// store's owner and group, and only then opened to them. At no moment can it be read by a user who cannot read the
/// store.
package struct FileRights: Hashable, Sendable {
  /// An error: the rights cannot be kept, so a user of the store could not use the new file.
  package struct Lockout: Error, Hashable, CustomStringConvertible {
    enum Party: Hashable, Sendable {
      case owner(UInt32)
      case group(UInt32)
      /// The users and groups in an access control list.
      case accessList
    }

    var party: Party

    package var description: String {
      switch party {
      case .owner(let number): "its owner, user \(number), could no longer use it"
      case .group(let number): "members of its group \(number) could no longer use it"
      case .accessList: "users and groups of its access control list could no longer use it"
      }
    }
  }

  var owner: UInt32
  var group: UInt32
  var mode: mode_t
  var accessList: AccessList?

  private init(_ status: stat, _ accessList: AccessList?) {
    owner = status.st_uid
    group = status.st_gid
    mode = status.st_mode & 0o777
    self.accessList = accessList
  }

  /// The rights of an open file.
  package init(of file: Int32) throws {
    self.init(try Self.status(of: file), try AccessList(ofFileAt: "/proc/self/fd/\(file)"))
  }

  /// The rights of the file at a path; `nil` if it is missing.
  package init?(of url: URL) throws {
    var status = stat()
    guard stat(url.path, &status) == 0 else {
      let error = POSIXError(number: errno)
      guard error.meansAbsence else { throw error }
      return nil
    }
    self.init(status, try AccessList(ofFileAt: url.path))
  }

  /// The same rights for a folder: users who may read the file may enter the folder.
  package var ofFolder: FileRights {
    var rights = self
    rights.mode |= (mode & 0o444) >> 2
    rights.accessList = accessList?.ofFolder
    return rights
  }

  /// Gives an open file or folder these rights as far as the system permits.
  ///
  /// Only the superuser can give files to other users; others can only give them to groups of their own. If the group
  /// cannot be kept, no other group gets its permissions.
  ///
  /// - Parameter refusesLockout: True to throw a `Lockout` if a user would lose access.
  package func apply(to file: Int32, refusesLockout: Bool = false) throws {
    var status = try Self.status(of: file)
    if status.st_uid != owner { _ = fchown(file, owner, gid_t.max) }
    if status.st_gid != group { _ = fchown(file, uid_t.max, group) }
    status = try Self.status(of: file)
    if refusesLockout, let party = lockedOut(by: status.st_uid, status.st_gid) { throw Lockout(party: party) }
    let mode = try permissions(for: file, keepsGroup: status.st_gid == group, refusesLockout: refusesLockout)
    status = try Self.status(of: file)
    guard status.st_mode & 0o777 != mode else { return }
    guard fchmod(file, mode) == 0 else { throw POSIXError(number: errno) }
  }

  /// Sets the access control list, and returns the matching permissions.
  ///
  /// The list is set before the mode. The mode has the list's mask in place of the group's permissions: without the
  /// list, it would open the file to a group that the list excludes.
  private func permissions(for file: Int32, keepsGroup: Bool, refusesLockout: Bool) throws -> mode_t {
    var mode = mode
    if let accessList {
      // With another group, the list's entry for the group would apply to the wrong group.
      if keepsGroup, accessList.apply(to: file) { return mode }
      if refusesLockout { throw Lockout(party: .accessList) }
      mode &= ~0o070 | accessList.groupPermissions << 3
    }
    try AccessList.remove(from: file)
    // Another group gets no more permissions than other users.
    return keepsGroup ? mode : mode & ~0o070 | (mode & mode << 3 & 0o070)
  }

  /// Returns the users who would lose access if the file had another owner and group.
  private func lockedOut(by newOwner: UInt32, _ newGroup: UInt32) -> Lockout.Party? {
    let (ofGroup, ofOthers) = ((mode >> 3) & 7, mode & 7)
    if newGroup != group, ofGroup & ~ofOthers != 0 { return .group(group) }
    // Only members of a group can give files to it, so the store's owner is a member of its group.
    let left = newGroup == group ? ofGroup : ofOthers
    return newOwner != owner && (mode >> 6) & 7 & ~left != 0 ? .owner(owner) : nil
  }

  private static func status(of file: Int32) throws -> stat {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw POSIXError(number: errno) }
    return status
  }

  /// Creates an empty file with these rights; the name must be free.
  package func makeFile(at url: URL) throws {
    let file = open(url.path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard file >= 0 else { throw POSIXError(number: errno) }
    defer { close(file) }
    do {
      try apply(to: file)
    } catch {
      unlink(url.path)
      throw error
    }
  }
}

/// A POSIX access control list in the form in which Linux stores it: a four-byte version, then eight-byte entries, each
/// with a tag, permissions and an ID (`linux/posix_acl_xattr.h`).
struct AccessList: Hashable, Sendable {
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

/// The extended attributes of a file that are copied with it: the user's own and security labels.
///
/// Access control lists belong to `FileRights`. Attributes that describe the bytes of one file, such as
/// `security.ima` and `security.capability`, are not copied: they would be wrong for another file.
package struct ExtendedAttributes: Hashable, Sendable {
  /// An error: an attribute cannot be set although the file system supports attributes.
  package struct Refusal: Error, Hashable, CustomStringConvertible {
    package var name: String
    var code: POSIXErrorCode

    package var description: String {
      "its extended attribute '\(name)' cannot be copied: "
        + String(cString: strerror(code.rawValue)).lowercased()
    }
  }

  package private(set) var values: [String: Data] = [:]

  /// Security labels, which only some users may set. The system labels new files.
  private static let labels: Set = ["security.selinux", "security.SMACK64"]

  /// Reads the attributes of the file at a path.
  ///
  /// By path: opening and closing the file would drop SQLite's locks on the store
  /// (https://sqlite.org/howtocorrupt.html, 2.2).
  package init(of url: URL) throws { self = try url.path.withCString { try Self(at: $0) } }

  /// Reads the attributes of an open file.
  package init(of file: Int32) throws { self = try "/proc/self/fd/\(file)".withCString { try Self(at: $0) } }

  private init(at path: UnsafePointer<CChar>) throws {
    guard let names = try Self.bytes({ listxattr(path, $0, $1) }) else { return }
    for name in names.split(separator: 0).map({ String(decoding: $0, as: UTF8.self) })
    where name.hasPrefix("user.") || Self.labels.contains(name) {
      values[name] = try Self.bytes { getxattr(path, name, $0, $1) }
    }
  }

  /// Sets the attributes of an open file. It is not an error if the file system does not support attributes.
  package func apply(to file: Int32) throws {
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let result = value.withUnsafeBytes { fsetxattr(file, name, $0.baseAddress, $0.count, 0) }
      guard result != 0, errno != EOPNOTSUPP, !Self.labels.contains(name) else { continue }
      throw Refusal(name: name, code: POSIXError(number: errno).code)
    }
  }

  /// Reads an attribute or the list of names, even if another process changes its size meanwhile; `nil` if there is
  /// none.
  static func bytes(_ read: (UnsafeMutablePointer<CChar>?, Int) -> Int) throws -> Data? {
    while true {
      var count = read(nil, 0)
      var bytes = [CChar](repeating: 0, count: max(count, 0))
      if count > 0 { count = read(&bytes, bytes.count) }
      if count >= 0 { return Data(bytes.prefix(count).map { UInt8(bitPattern: $0) }) }
      switch errno {
      case ERANGE: continue
      case EOPNOTSUPP, ENODATA, ENOENT, ENOTDIR: return nil
      default: throw POSIXError(number: errno)
      }
    }
  }
}
