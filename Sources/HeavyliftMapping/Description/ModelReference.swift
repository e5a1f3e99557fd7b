/// Which version of a model a mapping was written for.
///
/// A name says which version is meant. A checksum says that it is exactly this one, as it was; fingerprints of the
/// entities, if the file has them, tell what has changed since, down to the property.
public struct ModelReference: Hashable, Sendable {
  /// Of the version, as in its bundle; nil if that does not matter.
  public var name: String?
  /// As `ManagedObjectModel.versionChecksum` gives it.
  public var checksum: String?
  /// By entity.
  public var fingerprints: [String: EntityFingerprint]

  /// Creates a reference; an empty one fits every model.
  public init(name: String? = nil, checksum: String? = nil, fingerprints: [String: EntityFingerprint] = [:]) {
    self.name = name
    self.checksum = checksum
    self.fingerprints = fingerprints
  }
}
