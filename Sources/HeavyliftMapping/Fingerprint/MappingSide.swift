/// One of the two models of a mapping.
public enum MappingSide: String, Hashable, Sendable, CaseIterable {
  case source
  case destination
}
