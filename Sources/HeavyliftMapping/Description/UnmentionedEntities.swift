/// The treatment of source entities that no entity mapping mentions.
public enum UnmentionedEntities: String, Hashable, Sendable, CaseIterable {
  /// Objects of such entities are copied into the destination entity with the same name or renaming identifier, as far
  /// as `ConservativeCopy` allows. An entity without a counterpart is an error unless the mapping removes it by name.
  case copied
  /// Objects of such entities are not migrated, as in Xcode's mapping models.
  case dropped
}
