/// What an entity's properties were when a mapping was written: a short digest of each, enough to name what has changed.
public struct EntityFingerprint: Hashable, Sendable {
  /// By the names of the entity's own properties.
  public var properties: [String: String]

  /// Creates a fingerprint.
  public init(properties: [String: String]) { self.properties = properties }
}
