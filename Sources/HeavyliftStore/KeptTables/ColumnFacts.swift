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
  /// - Parameter forKeeping: True to find out whether the rows can stay in their table, unless it is clear that they
  ///   cannot. Otherwise, only links are noted.
  package func columnFacts(forKeeping: Bool) -> ColumnFacts? {
    let layout = source.layout
    let links = (layout.toOnes + layout.ownerColumns).map { ColumnFacts.Column(name: $0.column, kind: .link) }
    let columns = forKeeping && filter == nil && !callsFunctions ? links + keptColumns : links
    guard !columns.isEmpty, columns.count + survey().arguments.count <= RowSurvey.mostValues else {
      return nil
    }
    return ColumnFacts(layout.tableName, columns)
  }

  /// The columns besides links that decide whether the rows can stay in their table.
  private var keptColumns: [ColumnFacts.Column] {
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
