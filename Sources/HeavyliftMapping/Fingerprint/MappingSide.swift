/// One of the two models of a mapping.
public enum MappingSide: String, Hashable, Sendable, CaseIterable {
  /// What is migrated.
  case source
  /// What comes of it.
  case destination
}
