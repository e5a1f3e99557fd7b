/// The model version that a mapping was written for.
///
/// The name selects a version. The checksum pins its exact contents. Fingerprints of the entities, if the file has
/// them, show what has changed since, down to the property.
public struct ModelReference: Hashable, Sendable {
  /// The name of the version in its bundle; nil if any name fits.
  public var name: String?
  /// The checksum as returned by `ManagedObjectModel.versionChecksum`.
  public var checksum: String?
  /// The fingerprints by entity name.
  package var fingerprints: [String: EntityFingerprint]

  /// Creates a reference; an empty one fits every model.
  public init(name: String? = nil, checksum: String? = nil) {
    self.init(name: name, checksum: checksum, fingerprints: [:])
  }

  package init(name: String? = nil, checksum: String? = nil, fingerprints: [String: EntityFingerprint]) {
    self.name = name
    self.checksum = checksum
    self.fingerprints = fingerprints
  }
}
