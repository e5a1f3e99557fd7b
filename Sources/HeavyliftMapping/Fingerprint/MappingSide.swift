/// One of the two models of a mapping.
public enum MappingSide: String, Hashable, Sendable, CaseIterable {
  /// The model to migrate from.
  case source
  /// The model to migrate to.
  case destination
}
