/// The treatment of destination properties that a mapping does not mention.
public enum ConservativeCopy: String, Hashable, Sendable, CaseIterable {
  /// Copied from the source property with the same name or renaming identifier, if its type is compatible.
  case everything
  /// Copied from the source property with the same name.
  case sameName = "same-name"
  /// Skipped: only listed properties are mapped. A property listed without a value is copied by name.
  case listed
}
