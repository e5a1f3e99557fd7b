import HeavyliftModel

/// The numbers of targets that a relationship allows.
struct CountRange: Hashable {
  var least: Int
  /// Nil if there is no limit.
  var most: Int?

  init(_ relationship: RelationshipDescription) {
    least = relationship.requiredCount
    most = relationship.isToMany ? (relationship.maxCount > 1 ? relationship.maxCount : nil) : 1
  }

  /// The range of the other end of a relationship that has no inverse.
  ///
  /// A store keeps the links of a to-many relationship without an inverse in its targets' rows, so a target has at most
  /// one owner.
  init(withoutInverseOf relationship: RelationshipDescription) {
    least = 0
    most = relationship.isToMany ? 1 : nil
  }

  init(least: Int, most: Int?) {
    self.least = least
    self.most = most
  }

  func contains(_ other: CountRange) -> Bool {
    guard least <= other.least else { return false }
    guard let most else { return true }
    return other.most.map { $0 <= most } ?? false
  }

  func union(_ other: CountRange) -> CountRange {
    CountRange(
      least: min(least, other.least), most: most.flatMap { most in other.most.map { max(most, $0) } })
  }
}
