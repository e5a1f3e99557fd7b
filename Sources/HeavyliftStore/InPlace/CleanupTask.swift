import HeavyliftArchive
import HeavyliftSQLite

/// A table or column that a migration in place no longer needs but has not dropped yet.
public struct CleanupTask: Hashable, Sendable {
  /// The table to drop, or the table of the column.
  public var table: String
  /// The column to drop; nil for the whole table.
  public var column: String?
  /// The former name of the table or column.
  public var formerName: String

  /// Creates a task.
  public init(table: String, column: String? = nil, formerName: String) {
    self.table = table
    self.column = column
    self.formerName = formerName
  }

  /// The beginning of the names of tables and columns that are waiting to be dropped. No model's property or entity
  /// has a table or column with such a name: those begin with `Z`.
  static let namePrefix = "HEAVYLIFT_LEFTOVER_"
}

extension CleanupTask: CustomStringConvertible {
  /// The task in words: `drop column 'ZROOM' of table 'ZLESSON'`.
  public var description: String { "drop \(subject)" }

  /// The table or column in words: `column 'ZROOM' of table 'ZLESSON'`.
  package var subject: String {
    column == nil ? "table '\(formerName)'" : "column '\(formerName)' of table '\(table)'"
  }
}

extension CleanupTask {
  private enum Key {
    static let (table, column, formerName) = ("table", "column", "formerName")
  }

  init?(_ value: PropertyList) {
    guard let entries = value.dictionary, let table = entries[Key.table]?.string,
      let formerName = entries[Key.formerName]?.string
    else { return nil }
    self.init(table: table, column: entries[Key.column]?.string, formerName: formerName)
  }

  var propertyList: PropertyList {
    var entries: [String: PropertyList] = [Key.table: .string(table), Key.formerName: .string(formerName)]
    if let column { entries[Key.column] = .string(column) }
    return .dictionary(entries)
  }
}

extension StoreMetadata {
  /// The tables and columns that a migration has left in the store, to be dropped later.
  public var deferredCleanup: [CleanupTask] {
    get { (values[Key.deferredCleanup]?.array ?? []).compactMap(CleanupTask.init) }
    set { values[Key.deferredCleanup] = newValue.isEmpty ? nil : .array(newValue.map(\.propertyList)) }
  }

  /// True if a table belongs neither to the model nor to the user: it is waiting to be dropped.
  func isLeftover(table: String) -> Bool {
    deferredCleanup.contains { $0.column == nil && $0.table.uppercased() == table.uppercased() }
  }

  /// True if a column of a table is waiting to be dropped.
  func isLeftover(column: String, of table: String) -> Bool {
    deferredCleanup.contains {
      $0.column?.uppercased() == column.uppercased() && $0.table.uppercased() == table.uppercased()
    }
  }
}

extension Database {
  /// Drops a table or column that is waiting for it. One that is no longer there counts as dropped: another program may
  /// have migrated the store since.
  func perform(_ task: CleanupTask) throws(SQLiteError) {
    guard let column = task.column else {
      return try execute("DROP TABLE IF EXISTS \(SQLName(task.table))")
    }
    guard try columns(of: task.table).contains(where: { $0.name.uppercased() == column.uppercased() }) else { return }
    try execute("ALTER TABLE \(SQLName(task.table)) DROP COLUMN \(SQLName(column))")
  }
}
