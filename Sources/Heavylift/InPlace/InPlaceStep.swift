import HeavyliftStore

/// A change that a lightweight migration makes in the store itself.
public struct InPlaceStep: Hashable, Sendable {
  /// The kind of change.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A table is created.
    case createsTable = "creates table"
    /// A column is added.
    case addsColumn = "adds column"
    /// Rows get values in columns: defaults, or values from other columns.
    case fillsColumn = "fills"
    /// Rows move to another table, because their entity has moved to another hierarchy.
    case movesRows = "moves rows to"
    /// Links move to another table.
    case fillsLinks = "writes links to"
    /// Links get an order.
    case ordersLinks = "orders"
    /// Links of removed objects, or of removed relationships, are removed.
    case removesLinks = "removes links from"
    /// Rows of removed entities are removed.
    case removesRows = "removes rows from"
    /// Rows get the new number of their entity.
    case renumbersRows = "renumbers"
    /// A trigger of a derived attribute is dropped.
    case dropsTrigger = "drops trigger"
    /// An index is dropped.
    case dropsIndex = "drops index"
    /// A column is dropped, which rewrites its table.
    case dropsColumn = "drops column"
    /// A table is dropped.
    case dropsTable = "drops table"
    /// A column gets a name under which it waits to be dropped.
    case defersColumn = "defers dropping column"
    /// A table gets a name under which it waits to be dropped.
    case defersTable = "defers dropping table"
    /// A column is renamed.
    case renamesColumn = "renames column"
    /// A table is renamed.
    case renamesTable = "renames table"
    /// An index is created, which sorts the rows of its table.
    case createsIndex = "creates index"
    /// A trigger of a derived attribute is created.
    case createsTrigger = "creates trigger"

    init(_ effect: InPlaceChange.Statement.Effect) {
      self =
        switch effect {
        case .createsTable: .createsTable
        case .addsColumn: .addsColumn
        case .fillsColumn: .fillsColumn
        case .movesRows: .movesRows
        case .fillsLinks: .fillsLinks
        case .ordersLinks: .ordersLinks
        case .removesLinks: .removesLinks
        case .removesRows: .removesRows
        case .renumbersRows: .renumbersRows
        case .dropsTrigger: .dropsTrigger
        case .dropsIndex: .dropsIndex
        case .dropsColumn: .dropsColumn
        case .dropsTable: .dropsTable
        case .defersColumn: .defersColumn
        case .defersTable: .defersTable
        case .renamesColumn: .renamesColumn
        case .renamesTable: .renamesTable
        case .createsIndex: .createsIndex
        case .createsTrigger: .createsTrigger
        }
    }
  }

  /// The kind of change.
  public var kind: Kind
  /// The table, by its new name.
  public var table: String
  /// The column, index or trigger; `nil` if the step is about the table itself.
  public var part: String?
  /// The number of rows that were changed; `nil` in a plan, and for steps that change no rows.
  public var rows: Int?

  init(_ statement: InPlaceChange.Statement, rows: Int? = nil) {
    kind = Kind(statement.effect)
    (table, part, self.rows) = (statement.table, statement.part, rows)
  }

  /// A Boolean value that indicates whether the step reads or writes all rows of its table.
  public var readsRows: Bool {
    switch kind {
    case .fillsColumn, .movesRows, .fillsLinks, .ordersLinks, .removesLinks, .removesRows, .renumbersRows,
      .dropsColumn, .dropsTable, .createsIndex:
      true
    case .createsTable, .addsColumn, .dropsTrigger, .dropsIndex, .defersColumn, .defersTable, .renamesColumn,
      .renamesTable, .createsTrigger:
      false
    }
  }
}

extension InPlaceStep: CustomStringConvertible {
  /// One line: `adds column 'ZRATING' of table 'ZTRACK'`.
  public var description: String {
    let thing =
      switch kind {
      case .createsTable, .dropsTable, .defersTable, .renamesTable: "'\(table)'"
      case .movesRows, .fillsLinks, .removesLinks, .removesRows, .renumbersRows: "table '\(table)'"
      case .fillsColumn, .ordersLinks: part.map { "\($0) of table '\(table)'" } ?? "table '\(table)'"
      case .addsColumn, .dropsTrigger, .dropsIndex, .dropsColumn, .defersColumn, .renamesColumn, .createsIndex,
        .createsTrigger:
        "'\(part ?? "")' of table '\(table)'"
      }
    return "\(kind.rawValue) \(thing)" + (rows.map { ", \($0.counted(as: "row"))" } ?? "")
  }
}
