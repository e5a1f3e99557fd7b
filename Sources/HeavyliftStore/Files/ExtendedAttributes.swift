import CFileSystem
package import Foundation

/// The extended attributes of a file that are copied with it: the user's own and security labels.
///
/// Access control lists belong to `FileRights`. Attributes that describe the bytes of one file, such as
/// `security.ima` and `security.capability`, are not copied: they would be wrong for another file.
package struct ExtendedAttributes: Hashable, Sendable {
  /// An error: an attribute cannot be set although the file system supports attributes.
  package struct Refusal: Error, Hashable, CustomStringConvertible {
    package var name: String
    package var code: POSIXErrorCode

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
