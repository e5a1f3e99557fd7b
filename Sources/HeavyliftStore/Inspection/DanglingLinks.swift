import HeavyliftModel
import HeavyliftSQLite

/// Links of a relationship to rows that are missing from the store.
///
/// ```swift
/// for links in try store.danglingLinks() { print(links.entity, links.relationship, links.count) }
/// ```
package struct DanglingLinks: Hashable, Sendable {
  /// The entity that declares the relationship.
  package var entity: String
  /// The relationship; for a one-to-many, its to-one end.
  package var relationship: String
  /// The number of links.
  package var count: Int

  /// Creates an entry.
  package init(entity: String, relationship: String, count: Int) {
    (self.entity, self.relationship, self.count) = (entity, relationship, count)
  }
}

extension PersistentStore {
  /// Returns the relationships with dangling links, sorted by entity and relationship.
  ///
  /// Core Data leaves such links behind when it deletes the target of a relationship without an inverse, and reads them
  /// as nil.
  package func danglingLinks() throws -> [DanglingLinks] {
    var found: [DanglingLinks] = []
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        guard isCounted(relationship, of: entity) else { continue }
        let count = try danglingLinkCount(ofEntity: entity.name, relationship: relationship.name)
        if count > 0 {
          found.append(DanglingLinks(entity: entity.name, relationship: relationship.name, count: count))
        }
      }
    }
    return found.sorted { ($0.entity, $0.relationship) < ($1.entity, $1.relationship) }
  }

  /// Returns false if the links are counted at the other end: the to-one end or, in a many-to-many, the first end by
  /// name.
  private func isCounted(_ relationship: RelationshipDescription, of entity: EntityDescription) -> Bool {
    let end = RelationshipEnd(entity: entity.name, name: relationship.name)
    // Each end of a one-to-one relationship has links of its own.
    return !relationship.isToMany || model.canonicalEnd(of: end) == end
  }
}

extension [DanglingLinks] {
  /// Returns one diagnostic about all links in the list; `nil` if the list is empty.
  public func diagnostic(_ severity: Diagnostic.Severity) -> Diagnostic? {
    guard !isEmpty else { return nil }
    let total = reduce(0) { $0 + $1.count }
    let list = map { "\($0.count) in '\($0.entity).\($0.relationship)'" }
    return Diagnostic(
      severity, code: "store.dangling-links",
      problem: (total == 1 ? "1 link leads to an object that is" : "\(total.grouped) links lead to objects that are")
        + " not in the store: "
        + list.joined(separator: ", "),
      remedy: "Core Data reads such a link as nil, and a migration does not carry it over")
  }
}

/// Links of a one-to-one relationship whose targets do not link back.
///
/// Each end has its own column. Core Data writes both together, so only a damaged store has such links. There, one end has
/// a link that the other end lacks, or two objects have a link to the same target.
package struct ContradictoryLinks: Hashable, Sendable {
  /// The entity that declares the relationship.
  var entity: String
  var relationship: String
  /// The number of such links, counted from both ends.
  var count: Int

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

/// Rows with the number of another entity in a table that has only one. They are read like the table's other rows.
///
/// ```swift
/// for rows in try store.misnumberedRows() { print(rows.table, rows.count) }
/// ```
package struct MisnumberedRows: Hashable, Sendable {
  /// The table's only entity.
  package var entity: String
  /// The table's name.
  package var table: String
  /// The number of such rows.
  package var count: Int

  /// Creates an entry.
  package init(entity: String, table: String, count: Int) {
    (self.entity, self.table, self.count) = (entity, table, count)
  }
}

extension PersistentStore {
  /// Returns the rows with the number of another entity, by table, sorted by entity. Reads all tables with one entity.
  package func misnumberedRows() throws -> [MisnumberedRows] {
    try reporting {
      try layout.entities.filter(\.ownsTable).compactMap { entity in
        guard
          case .integer(let count)? = try database.firstValue(
            "SELECT count(*) FROM \(SQLName(entity.tableName)) WHERE Z_ENT IS NOT \(entity.number)"), count > 0
        else { return nil }
        return MisnumberedRows(entity: entity.name, table: entity.tableName, count: Int(count))
      }.sorted { $0.entity < $1.entity }
    }
  }
}

extension [MisnumberedRows] {
  /// Returns one warning about all rows in the list; `nil` if the list is empty.
  public var diagnostic: Diagnostic? {
    guard !isEmpty else { return nil }
    let total = reduce(0) { $0 + $1.count }
    return Diagnostic(
      .warning, code: "store.unknown-entity-number",
      problem: (total == 1 ? "1 row has" : "\(total.grouped) rows have")
        + " the number of another entity than the only one of the table: "
        + map { "\($0.count) in \($0.table)" }.joined(separator: ", "),
      remedy: "nothing needs to be done: they are read as objects of "
        + map { "'\($0.entity)'" }.joined(separator: ", ") + ", and a migration gives them its number")
  }
}
