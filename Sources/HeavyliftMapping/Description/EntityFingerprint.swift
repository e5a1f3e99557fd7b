/// Short digests of an entity's properties, recorded when a mapping was written, to report what has changed since.
package struct EntityFingerprint: Hashable, Sendable {
  /// The digests of the entity's own properties, by name.
  package var properties: [String: String]

  /// Creates a fingerprint.
  package init(properties: [String: String]) { self.properties = properties }
}
