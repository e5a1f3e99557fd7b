/// Where an entity mapping comes from.
public enum EntityMappingOrigin: String, Hashable, Sendable, CaseIterable {
  /// The mapping model has it.
  case written
  /// No entity mapping mentions the source entity, and the destination model still has it: its objects are copied.
  case implied
}
