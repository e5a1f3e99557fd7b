/// What became of a part of a model from one version to the next.
public enum DifferenceKind: String, Hashable, Sendable, CaseIterable {
  case added
  case removed
  /// It has another name, and a renaming identifier that leads to the old one.
  case renamed
  case changed

  init(from old: String?, to new: String?) {
    self =
      switch (old, new) {
      case (nil, _): .added
      case (_, nil): .removed
      case (let old?, let new?): old == new ? .changed : .renamed
      }
  }
}
