import Foundation
import HeavyliftArchive
import HeavyliftModel

/// Transformable attributes are opaque bytes, moved as they are. Mostly they are keyed archives, and these look inside.
///
/// A program that has the archived classes can hand the bytes to `NSKeyedUnarchiver` itself. On Linux that ends the process
/// when an archive holds a class that it was not told of, which is why nothing here does so with what a store holds.
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
