import HeavyliftModel

/// One end of a many-to-many relationship, by the entity that declares it.
struct JoinEnd: Hashable, Sendable {
  var entity: String
  var relationship: String
}

/// The table of a many-to-many relationship, and the two ends that it joins.
struct JoinTable: Hashable, Sendable {
  /// One direction, and the columns that it fills.
  struct Side: Hashable, Sendable {
    var end: JoinEnd
    /// Holds the `Z_PK` of the objects that the relationship leads to.
    var column: String
    /// `column` without the number that tells it from another table's column of the same name.
    var baseColumn: String
    /// That number; 0 for none.
    var number: Int
    /// Sorts the targets of one owner, for an ordered relationship.
    var orderColumn: String?
    /// The table's name if this side gives it.
    var tableName: String
  }

  var layout: TableLayout
  /// The side that names the table.
  var first: Side
  /// The inverse. Its column comes first. For a relationship that is its own inverse, the same relationship again.
  var second: Side

  /// True for a relationship that is its own inverse: each link is stored in both directions.
  var isReflexive: Bool { first.end == second.end }

  /// The index of the way back, from the second column to the first.
  var index: IndexLayout {
    IndexLayout(
      name: "\(layout.name)_\(first.column)_INDEX", tableName: layout.name,
      columns: [.init(name: first.column, order: nil), .init(name: second.column, order: nil)])
  }
}
