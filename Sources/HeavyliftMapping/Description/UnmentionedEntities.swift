/// What happens to the objects of source entities that no entity mapping mentions.
public enum UnmentionedEntities: String, Hashable, Sendable, CaseIterable {
  /// They are copied into the destination entity of the same name, or the one that a renaming identifier leads to, as far
  /// as `ConservativeCopy` allows. An entity without a counterpart is a mistake until the mapping removes it by name.
  case copied
  /// They are not migrated. Xcode's mapping models mean that.
  case dropped
}
