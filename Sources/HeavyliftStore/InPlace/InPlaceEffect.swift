/// A change that a migration in place makes in the store.
public enum InPlaceEffect: String, Hashable, Sendable, CaseIterable {
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
  /// Derived attributes are computed.
  case derivesColumn = "derives"
}

extension InPlaceEffect {
  /// True for changes of rows, as opposed to the schema.
  package var changesRows: Bool {
    switch self {
    case .fillsColumn, .movesRows, .fillsLinks, .ordersLinks, .removesLinks, .removesRows, .renumbersRows: true
    case .createsTable, .addsColumn, .dropsTrigger, .dropsIndex, .dropsColumn, .dropsTable, .defersColumn,
      .defersTable, .renamesColumn, .renamesTable, .createsIndex, .createsTrigger, .derivesColumn:
      false
    }
  }

  /// True if all rows of the table are read or written.
  package var readsRows: Bool {
    changesRows || [.dropsColumn, .dropsTable, .createsIndex, .derivesColumn].contains(self)
  }
}
