import HeavyliftModel
import HeavyliftSQLite

/// Facts about the columns of an entity's rows: where its links lead, and what decides whether the rows can stay in
/// their table. A survey of the rows finds them out.
package final class ColumnFacts {
  /// The way to judge the values of a column.
  enum Kind: Hashable {
    /// The key of an object.
    case link
    /// The number of changes of an object.
    case version
    /// The number of the table's only entity.
    case number(Int)
    /// A Boolean attribute.
    case flag
    /// A date.
    case date
    /// A column of another entity in the same table.
    case foreign
  }

  struct Column {
    var name: String
    var kind: Kind
    /// True if some row has a value.
    var hasValues = false
    /// True if a statement would write some row's value in another form.
    var isIrregular = false
    /// The keys in a link column.
    var keys = KeySet()
  }

  package let tableName: String
  private(set) var columns: [Column]
  init(_ tableName: String, _ columns: [Column]) { (self.tableName, self.columns) = (tableName, columns) }

  func column(named name: String) -> Column? { columns.first { $0.name == name } }

  /// Returns the keys in a link column.
  package func keys(inColumn name: String) -> KeySet? { column(named: name)?.keys }

  /// Facts about the same columns, before any row has been read.
  var blank: ColumnFacts { ColumnFacts(tableName, columns.map { Column(name: $0.name, kind: $0.kind) }) }

  /// Adds the facts about other rows.
  func formUnion(_ other: ColumnFacts) {
    for (index, column) in other.columns.enumerated() {
      columns[index].hasValues = columns[index].hasValues || column.hasValues
      columns[index].isIrregular = columns[index].isIrregular || column.isIrregular
      columns[index].keys.formUnion(column.keys)
    }
  }

  /// Calls a function that notes the values of rows. Reading all rows in one call saves a check of exclusive access for
  /// each.
  func noting<Failure: Error>(_ body: (inout Noting) throws(Failure) -> Void) throws(Failure) {
    var noting = Noting(columns: columns)
    columns = []
    defer { columns = noting.columns }
    try body(&noting)
  }

  struct Noting {
    fileprivate var columns: [Column]

    /// Takes note of the values of a row.
    ///
    /// - Parameter positions: The position in the row of each column's value.
    mutating func note(_ row: borrowing RowView, at positions: [Int]) {
      for index in columns.indices {
        let value = row.view(at: positions[index])
        let (type, kind) = (value.type, columns[index].kind)
        if type == .null {
          switch kind {
          case .version, .number: columns[index].isIrregular = true
          case .link, .flag, .date, .foreign: break
          }
          continue
        }
        columns[index].hasValues = true
        switch kind {
        case .foreign: continue
        case .number(let expected):
          if type != .integer || value.integer != Int64(expected) { columns[index].isIrregular = true }
        case .date:
          // A date is copied as a floating-point number, and stored as an integer if it has no fraction.
          if type == .integer, value.integer.magnitude > 1 << 53 { columns[index].isIrregular = true }
        case .link, .version, .flag:
          guard type == .integer else {
            columns[index].isIrregular = true
            continue
          }
          if kind == .version { continue }
          let number = value.integer
          if kind == .link {
            columns[index].keys.insert(number)
          } else if number != 0, number != 1 {
            columns[index].isIrregular = true
          }
        }
      }
    }
  }
}

extension RowTransfer {
  /// Creates the facts to find out about the source rows' columns; nil if there are none, or too many columns.
  ///
  /// - Parameter forCarrying: True to find out whether the rows can stay in their table, unless it is clear that they
  ///   cannot. Otherwise, only links are noted.
  package func columnFacts(forCarrying: Bool) -> ColumnFacts? {
    let layout = source.layout
    let links = (layout.toOnes + layout.ownerColumns).map { ColumnFacts.Column(name: $0.column, kind: .link) }
    let columns = forCarrying && filter == nil && !callsFunctions ? links + carriedColumns : links
    guard !columns.isEmpty, columns.count + survey().arguments.count <= RowSurvey.mostValues else {
      return nil
    }
    return ColumnFacts(layout.tableName, columns)
  }

  /// The columns besides links that decide whether the rows can stay in their table.
  private var carriedColumns: [ColumnFacts.Column] {
    let layout = source.layout
    var columns = [ColumnFacts.Column(name: "Z_OPT", kind: .version)]
    if layout.ownsTable { columns.append(.init(name: "Z_ENT", kind: .number(layout.number))) }
    var own: Set<String> = ["Z_PK", "Z_ENT", "Z_OPT"]
    for toOne in layout.toOnes + layout.ownerColumns {
      own.formUnion(toOne.columns)
    }
    for attribute in layout.attributes {
      own.formUnion(attribute.leafColumns)
      if attribute.type == .boolean { columns.append(.init(name: attribute.column, kind: .flag)) }
      if attribute.type == .date { columns.append(.init(name: attribute.column, kind: .date)) }
    }
    for other in blueprint.layout.entities where other.tableName == layout.tableName && other.number != layout.number {
      for name in other.columnNames where own.insert(name).inserted {
        columns.append(.init(name: name, kind: .foreign))
      }
    }
    return columns
  }
}

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
