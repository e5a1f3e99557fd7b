package import Foundation

/// The owner, group, permissions and access control list of a store's file. The store's other files get the same
/// rights.
///
/// A file gets them before it has any contents: it is created so that only its creator has access, then given to the
/// store's owner and group, and only then opened to them. At no moment can it be read by a user who cannot read the
/// store.
package struct FileRights: Hashable, Sendable {
  /// An error: the rights cannot be kept, so a user of the store could not use the new file.
  package struct Lockout: Error, Hashable, CustomStringConvertible {
    package enum Party: Hashable, Sendable {
      case owner(UInt32)
      case group(UInt32)
      /// The users and groups in an access control list.
      case accessList
    }

    package var party: Party

    package var description: String {
      switch party {
      case .owner(let number): "its owner, user \(number), could no longer use it"
      case .group(let number): "members of its group \(number) could no longer use it"
      case .accessList: "users and groups of its access control list could no longer use it"
      }
    }
  }

  package var owner: UInt32
  package var group: UInt32
  package var mode: mode_t
  package var accessList: AccessList?

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
