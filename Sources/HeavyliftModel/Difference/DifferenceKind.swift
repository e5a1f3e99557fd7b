/// The kind of change to a part of a model from one version to the next.
package enum DifferenceKind: String, Hashable, Sendable, CaseIterable {
  /// Only the new version has the part.
  case added
  /// Only the old version has the part.
  case removed
  /// The name changed, and a renaming identifier leads to the old name.
  case renamed
  /// Both versions have the part under the same name, with other parameters.
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
