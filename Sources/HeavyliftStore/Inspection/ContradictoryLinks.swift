import HeavyliftModel

/// Links of a one-to-one relationship whose targets do not link back.
///
/// Each end has its own column. Core Data writes both together, so only a damaged store has such links. There, one end has
/// a link that the other end lacks, or two objects have a link to the same target.
package struct ContradictoryLinks: Hashable, Sendable {
  /// The entity that declares the relationship.
  package var entity: String
  package var relationship: String
  /// The number of such links, counted from both ends.
  package var count: Int

  /// Creates an entry.
  package init(entity: String, relationship: String, count: Int) {
    (self.entity, self.relationship, self.count) = (entity, relationship, count)
  }
}

extension PersistentStore {
  /// Returns the number of links between existing objects, from both ends of a one-to-one relationship, whose targets
  /// do not link back; `nil` if an end has no column.
  package func contradictoryLinkCount(
    _ entity: String, _ relationship: String, _ otherEntity: String, _ otherRelationship: String
  ) throws -> Int? {
    guard let first = layout.entity(named: entity), let second = layout.entity(named: otherEntity),
      let column = first.toOne(named: relationship), let other = second.toOne(named: otherRelationship)
    else { return nil }
    func count(_ from: EntityLayout, _ key: ToOneColumn, _ to: EntityLayout, _ back: ToOneColumn) -> String {
      "(SELECT count(*) FROM \(SQLName(from.tableName)) a JOIN \(SQLName(to.tableName)) b "
        + "ON b.Z_PK = a.\(SQLName(key.column)) WHERE b.\(SQLName(back.column)) IS NOT a.Z_PK)"
    }
    // A relationship may be its own inverse.
    let isItsOwn = first.tableName == second.tableName && column.column == other.column
    let counts = [count(first, column, second, other)] + (isItsOwn ? [] : [count(second, other, first, column)])
    return try reporting {
      guard case .integer(let count)? = try database.firstValue("SELECT \(counts.joined(separator: " + "))") else {
        return 0
      }
      return Int(count)
    }
  }
}

extension [ContradictoryLinks] {
  /// Returns one warning about all links in the list; `nil` if there are none.
  ///
  /// - Parameter areKept: True if the new store has them, too.
  package func diagnostic(areKept: Bool) -> Diagnostic? {
    let found = filter { $0.count > 0 }
    guard !found.isEmpty else { return nil }
    let total = found.reduce(0) { $0 + $1.count }
    let list = found.map { "\($0.count) in '\($0.entity).\($0.relationship)'" }
    return Diagnostic(
      .warning, code: "store.contradictory-links",
      problem:
        "\(total) \(total == 1 ? "link of a one-to-one relationship is" : "links of one-to-one relationships are") "
        + "not matched by the object at the other end: " + list.joined(separator: ", "),
      remedy: areKept
        ? "the store is damaged, and the new store has the same links; to repair a link, set it again"
        : "the store is damaged: of two links that contradict each other, the new store has the one that is set last")
  }
}
