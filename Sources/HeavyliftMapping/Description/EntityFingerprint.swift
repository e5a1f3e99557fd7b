/// Short digests of an entity's properties as they were when a mapping was written, to name what has changed since.
public struct EntityFingerprint: Hashable, Sendable {
  /// The digests by the names of the entity's own properties.
  public var properties: [String: String]

  /// Creates a fingerprint.
  public init(properties: [String: String]) { self.properties = properties }
}
