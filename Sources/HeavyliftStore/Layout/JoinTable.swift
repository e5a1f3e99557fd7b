import HeavyliftModel

/// One end of a many-to-many relationship, by the entity that declares it.
struct JoinEnd: Hashable, Sendable {
  var entity: String
  var relationship: String
}

/// The table of a many-to-many relationship, and the two ends that it joins.
struct JoinTable: Hashable, Sendable {
  /// One side of the table: an end of the relationship, and the columns for its targets.
  struct Side: Hashable, Sendable {
    var end: JoinEnd
    /// The column with the `Z_PK` of the relationship's targets.
    var column: String
    /// `column` without the number that distinguishes it from another table's column of the same name.
    var baseColumn: String
    /// The number at the end of `column`; 0 for none.
    var number: Int
    /// The column that sorts an owner's targets, for an ordered relationship.
    var orderColumn: String?
    /// The table's name if it is named after this side.
    var tableName: String
  }

  var layout: TableLayout
  /// The side that the table is named after.
  var first: Side
  /// The other side, whose column comes first in the table. If the relationship is its own inverse, both sides have the
  /// same end.
  var second: Side

  /// True for a relationship that is its own inverse: each link is stored in both directions.
  var isReflexive: Bool { first.end == second.end }

  /// The index for the opposite direction, from the second column to the first.
  var index: IndexLayout {
    IndexLayout(
      name: "\(layout.name)_\(first.column)_INDEX", tableName: layout.name,
      columns: [.init(name: first.column, order: nil), .init(name: second.column, order: nil)])
  }
}
