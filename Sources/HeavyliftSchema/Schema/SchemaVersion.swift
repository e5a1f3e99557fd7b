extension Schema {
  /// The version of a schema: `2.0.0`.
  public struct Version: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The first number.
    public var major: Int
    /// The second number.
    public var minor: Int
    /// The third number.
    public var patch: Int

    /// Creates a version.
    ///
    /// - Parameters:
    ///   - major: The first number.
    ///   - minor: The second number.
    ///   - patch: The third number.
    public init(_ major: Int, _ minor: Int, _ patch: Int) {
      (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    /// Compares number by number.
    public static func < (lhs: Version, rhs: Version) -> Bool {
      (lhs.major, lhs.minor, lhs.patch) < (rhs.major, rhs.minor, rhs.patch)
    }

    /// The three numbers, separated by dots, as stores record them.
    public var description: String { "\(major).\(minor).\(patch)" }
  }
}

/// A version of a schema, as a type that contains the version's classes.
///
/// ```swift
/// enum MusicV2: VersionedSchema {
///   static let versionIdentifier = Schema.Version(2, 0, 0)
///   static var models: [Entity.Type] { [Track.self, Artist.self] }
///
///   final class Track: Entity { … }
///   final class Artist: Entity { … }
/// }
/// ```
///
/// `MusicV1.Track` and `MusicV2.Track` are different types to the compiler, and one entity, `Track`, to the store.
public protocol VersionedSchema {
  /// The version, which stores record among their version identifiers.
  static var versionIdentifier: Schema.Version { get }
  /// The classes of all entities.
  static var models: [Entity.Type] { get }
  /// The form of enumerations, `Codable` values and arrays: `.coreData` unless you choose otherwise.
  static var storageProfile: StorageProfile { get }
  /// An identifier that distinguishes the version from another one with the same version hashes; nil unless you state
  /// one.
  ///
  /// Hashes do not cover initial values, delete rules, and `Codable` types that are stored as a whole. A store keeps the
  /// identifier in its metadata.
  static var versionID: String? { get }
}

extension VersionedSchema {
  /// Core Data's form.
  public static var storageProfile: StorageProfile { .coreData }
  /// None: the version's hashes are enough.
  public static var versionID: String? { nil }
}
