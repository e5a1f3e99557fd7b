/// Short digests of an entity's properties, recorded when a mapping was written, to report what has changed since.
public struct EntityFingerprint: Hashable, Sendable {
  /// The digests of the entity's own properties, by name.
  public var properties: [String: String]

  /// Creates a fingerprint.
  public init(properties: [String: String]) { self.properties = properties }
}
