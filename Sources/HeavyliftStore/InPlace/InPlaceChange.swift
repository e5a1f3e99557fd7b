import HeavyliftSQLite

/// The statements that turn a store into one of the next version without copying it. They run in one transaction.
package struct InPlaceChange: Hashable, Sendable {
  /// One statement, with its effect in a form that a plan can show.
  package struct Statement: Hashable, Sendable {
    package var effect: InPlaceEffect
    /// The table, under the name that the user knows.
    package var table: String
    /// The column, index or trigger that the statement is about; nil for the table itself.
    package var part: String?
    package var sql: String
    package var bindings: [SQLiteValue] = []
  }

  /// A query for the number of rows that make the change impossible.
  package struct Check: Hashable, Sendable {
    package var sql: String
    package var problem: String
  }

  /// The statements up to the last change of a row, in order.
  package internal(set) var statements: [Statement] = []
  /// The statements that create indexes and triggers, for after the validation: a unique index would stop at the first
  /// duplicate.
  package internal(set) var finishing: [Statement] = []
  /// The checks, which must run before the first statement.
  package var checks: [Check] = []
  /// The store's tables whose rows are read or changed.
  package internal(set) var touchedTables: Set<String> = []
  /// The tables and columns that are only renamed, and dropped later.
  package internal(set) var deferred: [CleanupTask] = []
  /// The tables and columns that earlier changes have left to be dropped, as far as they are still there.
  package internal(set) var stillDeferred: [CleanupTask] = []
  /// The indexes with a user's own name that the change removes.
  package internal(set) var lostIndexes: [String] = []
  /// The properties whose values or links stay exactly as they are, by the entity's new name.
  package internal(set) var untouched: [String: Set<String>] = [:]
  /// The properties among them that rows can have values or links of, by the entity's new name. The others are empty.
  package internal(set) var inherited: [String: Set<String>] = [:]
  /// The number of objects to remove, by the entity's old name.
  package internal(set) var removedObjects: [String: Int] = [:]
  /// True if no entity has another number, and none is gone.
  package internal(set) var keepsNumbers = true
  /// The highest key ever used in each hierarchy, by the name of its new root entity.
  package internal(set) var highestKeys: [String: Int64] = [:]
}

/// An entity whose objects stay in the store, as part of an in-place change.
package struct InPlaceEntity {
  /// The source of a relationship's links.
  package enum Link: Hashable, Sendable {
    /// A relationship of the same objects.
    case same(String)
    /// A relationship that leads from other objects to these.
    case reverse(entity: String, relationship: String)
  }

  let transfer: RowTransfer
  /// The links, by the names of the new relationships, including the implied inverses of to-many relationships.
  let links: [String: Link]

  /// - Parameter transfer: The values of the objects.
  package init(_ transfer: RowTransfer, links: [String: Link]) {
    (self.transfer, self.links) = (transfer, links)
  }

  var source: EntityLayout { transfer.source.layout }
  var destination: EntityLayout { transfer.destination.layout }
}

/// The statements that change tables where they are.
///
/// While rows are read and written, everything in the store still has its old name, and new tables and columns have
/// names that are free. Tables and columns get their final names at the end. So no statement depends on the order in
/// which names become free.
struct ChangeProgram {
  /// The phases, in the order in which they run.
  enum Phase: CaseIterable {
    /// Triggers must not run while rows change.
    case dropTriggers
    /// Rows get the number of their table's only entity if they have another one: the statements find rows by number.
    case correctNumbers
    /// Tables and columns are added.
    case create
    /// New tables get rows and links, while the old tables still have their old values.
    case fill
    /// Rows that stay get new values.
    case update
    /// Links of objects that do not keep them are removed, while the rows of all objects are still there.
    case unlink
    /// Rows of removed entities, and of those that have moved, are removed.
    case remove
    /// Rows get their new entity numbers, by which nothing looks for them any more.
    case renumber
    /// Tables and columns that the new version does not have are dropped, or put aside to be dropped later.
    case drop
    case renameColumns
    case renameTables
  }

  private var phases: [Phase: [InPlaceChange.Statement]] = [:]

  mutating func add(
    _ effect: InPlaceEffect, in phase: Phase, table: String, part: String? = nil, sql: String,
    bindings: [SQLiteValue] = []
  ) {
    phases[phase, default: []].append(
      .init(effect: effect, table: table, part: part, sql: sql, bindings: bindings))
  }

  mutating func renameColumns(of working: String, _ table: String, _ pairs: [(old: String, new: String)]) {
    for pair in pairs {
      add(
        .renamesColumn, in: .renameColumns, table: table, part: pair.new,
        sql: "ALTER TABLE \(SQLName(working)) RENAME COLUMN \(SQLName(pair.old)) TO \(SQLName(pair.new))")
    }
  }

  /// Gives tables their final names.
  mutating func renameTables(
    _ wanted: [(old: String, new: String)], taken: [String], _ names: inout FreeNames
  ) {
    for pair in names.renamings(wanted.sorted { $0.new < $1.new }, taken: taken, "table") {
      add(
        .renamesTable, in: .renameTables, table: pair.new,
        sql: "ALTER TABLE \(SQLName(pair.old)) RENAME TO \(SQLName(pair.new))")
    }
  }

  /// All statements, in order.
  var statements: [InPlaceChange.Statement] { Phase.allCases.flatMap { phases[$0] ?? [] } }

  func isEmpty(_ phases: Phase...) -> Bool { phases.allSatisfy { self.phases[$0] == nil } }
}

/// A change that a migration in place makes in the store.
package enum InPlaceEffect: String, Hashable, Sendable, CaseIterable {
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
    case .fillsColumn, .movesRows, .fillsLinks, .removesLinks, .removesRows, .renumbersRows: true
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
