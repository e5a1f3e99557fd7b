import HeavyliftStore

/// A change that a lightweight migration makes in the store itself.
public struct InPlaceStep: Hashable, Sendable {
  /// The kind of change.
  public typealias Kind = InPlaceEffect

  /// The kind of change.
  public var kind: Kind
  /// The table, by its new name.
  public var table: String
  /// The column, index or trigger; `nil` if the step is about the table itself.
  public var part: String?
  /// The number of rows that were changed; `nil` in a plan, and for steps that change no rows.
  public var rows: Int?

  init(_ statement: InPlaceChange.Statement, rows: Int? = nil) {
    (kind, table, part, self.rows) = (statement.effect, statement.table, statement.part, rows)
  }

  init(_ kind: Kind, table: String, part: String?) {
    (self.kind, self.table, self.part) = (kind, table, part)
  }

  /// A Boolean value that indicates whether the step reads or writes all rows of its table.
  public var readsRows: Bool { kind.readsRows }
}

extension InPlaceStep: CustomStringConvertible {
  /// One line: `adds column 'ZRATING' of table 'ZTRACK'`.
  public var description: String {
    let thing =
      switch kind {
      case .createsTable, .dropsTable, .defersTable, .renamesTable: "'\(table)'"
      case .movesRows, .fillsLinks, .removesLinks, .removesRows, .renumbersRows: "table '\(table)'"
      case .fillsColumn, .ordersLinks, .derivesColumn: part.map { "\($0) of table '\(table)'" } ?? "table '\(table)'"
      case .addsColumn, .dropsTrigger, .dropsIndex, .dropsColumn, .defersColumn, .renamesColumn, .createsIndex,
        .createsTrigger:
        "'\(part ?? "")' of table '\(table)'"
      }
    return "\(kind.rawValue) \(thing)" + (rows.map { ", \($0.counted(as: "row"))" } ?? "")
  }
}
