import HeavyliftModel
import HeavyliftSQLite

/// The columns of one entity's rows, if the rows stay in their table.
package struct CarriedRows {
  /// A to-one relationship whose targets keep their keys.
  package struct Link {
    package var relationship: String
    package var sourceRelationship: String
    /// The entity numbers of its targets, by their numbers in the source.
    package var numbers: [Int: Int]

    package init(relationship: String, sourceRelationship: String, numbers: [Int: Int]) {
      (self.relationship, self.sourceRelationship) = (relationship, sourceRelationship)
      self.numbers = numbers
    }
  }

  var oldNumber: Int
  var newNumber: Int
  /// The new names of the columns that keep their values, by their names in the source.
  var copied: [String: String] = [:]
  /// The values of the other columns, which are the same in all rows.
  var constants: [String: SQLiteValue] = [:]
  /// The columns with the entity numbers of targets, by their new names.
  var targetNumbers: [String: [Int: Int]] = [:]
  /// The facts about the rows.
  var facts: ColumnFacts
  /// Conditions that are true for rows that would come out differently, as far as the facts do not tell.
  var differences: [String] = []
}

extension RowTransfer {
  /// Returns the columns of the rows for the case that they stay in their table.
  ///
  /// - Parameters:
  ///   - table: The rows' table in the destination.
  ///   - links: The to-one relationships that are written with the rows.
  ///   - facts: The facts about the source's rows.
  /// - Throws: `NotCarried` if a column gets computed values.
  package func carriedRows(
    in table: TableLayout, _ links: [CarriedRows.Link], _ facts: ColumnFacts
  ) throws(NotCarried) -> CarriedRows {
    guard filter == nil else { throw NotCarried("only some of its objects are migrated") }
    var rows = CarriedRows(oldNumber: source.layout.number, newNumber: destination.layout.number, facts: facts)
    try rows.requireRegular("Z_OPT")
    if source.layout.ownsTable { try rows.requireRegular("Z_ENT") }
    for link in links { try carry(link, &rows) }
    let linked = Set(rows.copied.values)
    let attributes = Dictionary(
      destination.attributes.compactMap { attribute in attribute.column.map { ($0.column, $0) } },
      uniquingKeysWith: { first, _ in first })
    for column in table.columns.dropFirst(3).map(\.name) where !linked.contains(column) {
      guard let value = values[column] else {
        rows.constants[column] = .null
        continue
      }
      if let old = value.sources.rowColumn, value.externalColumn == nil {
        try rows.carry(old, as: column)
      } else if let attribute = attributes[column], let old = copies[attribute.name].flatMap(self.column(ofAttribute:)),
        attribute.type == .boolean || attribute.type == .date
      {
        try rows.carry(old, as: column)
        try rows.requireRegular(old)
      } else if let constant = value.constant {
        rows.constants[column] = SQLiteValue(constant)
      } else {
        throw NotCarried("the values of column '\(column)' are computed or may be stored in files")
      }
    }
    return rows
  }

  private func column(ofAttribute name: String) -> String? {
    guard case .attribute(let slot)? = source.slots[name] else { return nil }
    return source.attributes[slot].column?.column
  }

  private func carry(_ link: CarriedRows.Link, _ rows: inout CarriedRows) throws(NotCarried) {
    guard let new = destination.layout.toOne(named: link.relationship),
      let old = source.layout.toOne(named: link.sourceRelationship)
    else { throw NotCarried("relationship '\(link.relationship)' is not stored") }
    guard new.orderColumn == nil, old.orderColumn == nil else {
      throw NotCarried("relationship '\(link.relationship)' is ordered from the other end")
    }
    try rows.carry(old.column, as: new.column)
    let (key, table) = (SQLName(old.column), SQLName(old.destinationTableName))
    try rows.requireRegular(old.column)
    guard let newNumber = new.entityColumn else { return }
    guard let oldNumber = old.entityColumn else {
      throw NotCarried("the source lacks the column '\(newNumber)' of relationship '\(link.relationship)'")
    }
    try rows.carry(oldNumber, as: newNumber)
    rows.differences.append(
      "\(SQLName(oldNumber)) IS NOT (SELECT d.Z_ENT FROM \(table) d WHERE d.Z_PK = \(key))")
    rows.targetNumbers[newNumber] = link.numbers
  }
}

extension CarriedRows {
  /// Throws if a statement would write some value of a column in another form.
  fileprivate func requireRegular(_ column: String) throws(NotCarried) {
    guard let fact = facts.column(named: column), !fact.isIrregular else {
      throw NotCarried("some values of column '\(column)' would be written in another form")
    }
  }

  fileprivate mutating func carry(_ old: String, as new: String) throws(NotCarried) {
    guard copied.updateValue(new, forKey: old) == nil else {
      throw NotCarried("column '\(old)' is copied to several columns")
    }
  }
}
