import Foundation
import HeavyliftArchive
import HeavyliftModel

/// Transformable attributes are opaque bytes, which a migration copies unchanged. Most of them are keyed archives,
/// which these methods read and write.
///
/// A program that has the archived classes can pass the bytes to `NSKeyedUnarchiver` itself. On Linux, an archive that
/// contains an unknown class then terminates the process, so these methods never do that with data from a store.
extension ManagedObject {
  /// Returns the keyed archive in a transformable or binary attribute, whatever classes it contains; nil for a null
  /// value.
  ///
  /// ```swift
  /// if case .object(let point)? = try pin.archive(forKey: "position")?.root {
  ///   print(point.className, point["x"])
  /// }
  /// ```
  public func archive(forKey name: String) throws -> KeyedArchive? {
    guard let data = try value(forKey: name).data else { return nil }
    return try KeyedArchive(data: data, subject: "attribute '\(name)' of \(self)")
  }

  /// Archives an object into a transformable or binary attribute.
  public func setArchived(_ object: (NSObject & NSCoding)?, forKey name: String) throws {
    guard let object else { return try setValue(.null, forKey: name) }
    let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: false)
    try setValue(.data(data), forKey: name)
  }
}
