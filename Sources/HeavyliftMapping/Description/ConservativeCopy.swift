/// The treatment of destination properties that a mapping does not mention.
public enum ConservativeCopy: String, Hashable, Sendable, CaseIterable {
  /// They are copied from the source property with the same name or renaming identifier, if its type is compatible.
  case everything
  /// They are copied from the source property with the same name.
  case sameName = "same-name"
  /// They are skipped: only listed properties are mapped. A property listed without a value is copied by name.
  case listed
}
