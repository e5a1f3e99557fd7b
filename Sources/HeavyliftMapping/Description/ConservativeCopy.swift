/// What happens to a destination property that a mapping does not mention.
public enum ConservativeCopy: String, Hashable, Sendable, CaseIterable {
  /// It is copied from the source property of the same name, or the one that a renaming identifier leads to, if that has
  /// a compatible type.
  case everything
  /// It is copied from the source property of the same name.
  case sameName = "same-name"
  /// It is left alone: only what is listed is mapped. What is listed without a value is copied by name.
  case listed
}
