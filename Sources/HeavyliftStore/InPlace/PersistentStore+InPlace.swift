import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

/// The reasons why a store cannot be changed in place.
package struct InPlaceRefusal: Error, Hashable, Sendable {
  package var reasons: [String]

  package init(_ reasons: [String]) { self.reasons = reasons }
}

extension PersistentStore {
  /// Returns the statements that turn this store into one of another version, without changing anything.
  ///
  /// - Parameters:
  ///   - blueprint: The new version.
  ///   - entities: The entities whose objects stay.
  ///   - defersCleanup: True to only rename the tables and columns that are no longer needed.
  /// - Throws: `InPlaceRefusal` with all reasons if the change cannot be made in place.
  package func inPlaceChange(
    to blueprint: StoreBlueprint, _ entities: [InPlaceEntity], defersCleanup: Bool
  ) throws -> InPlaceChange {
    try reporting {
      var builder = try InPlaceBuilder(self, to: blueprint.layout, entities, defersCleanup: defersCleanup)
      let change = try builder.build()
      guard builder.refusals.isEmpty else {
        var seen: Set<String> = []
        throw InPlaceRefusal(builder.refusals.filter { seen.insert($0).inserted })
      }
      return change
    }
  }

  /// Returns a check for links of a one-to-one relationship that only one of its ends has.
  package func oneSidedLinks(of name: String, entity: String, inverse: String) -> InPlaceChange.Check? {
    guard let here = layout.entity(named: entity)?.toOne(named: name),
      let table = layout.entity(named: entity)?.tableName,
      let there = layout.entity(named: here.destinationEntityName)?.toOne(named: inverse)
    else { return nil }
    let (one, other) = (SQLName(here.column), SQLName(there.column))
    func unanswered(_ table: String, _ column: SQLName, _ otherTable: String, _ otherColumn: SQLName) -> String {
      "(SELECT count(*) FROM \(SQLName(table)) a JOIN \(SQLName(otherTable)) b ON b.Z_PK = a.\(column) "
        + "WHERE b.\(otherColumn) IS NOT a.Z_PK)"
    }
    return InPlaceChange.Check(
      sql: "SELECT \(unanswered(table, one, here.destinationTableName, other)) "
        + "+ \(unanswered(here.destinationTableName, other, table, one))",
      problem: "relationship '\(name)' of entity '\(entity)' has a link that its inverse does not have")
  }

  /// Returns the damage in the tables that an in-place change reads or writes.
  ///
  /// Rows of other tables are not read: the change leaves them as they are, whatever is in them.
  package func damage(blocking change: InPlaceChange) throws -> [String] {
    try reporting {
      let findings = try database.damage(ofTables: change.touchedTables)
      if findings.isEmpty { try refuseForeignRows(in: change.touchedTables) }
      return findings
    }
  }

  /// Throws `InPlaceRefusal` if rows make an in-place change impossible.
  package func refuseRows(blocking change: InPlaceChange) throws {
    try reporting {
      let problems = try change.checks.compactMap { check -> String? in
        guard case .integer(let count)? = try database.firstValue(check.sql), count > 0 else { return nil }
        return "\(check.problem), \(Int(count).counted(as: "time"))"
      }
      guard problems.isEmpty else { throw InPlaceRefusal(problems) }
    }
  }

  /// Runs the statements of an in-place change up to the last change of a row, and gives the store its new version.
  ///
  /// - Parameter willRun: Called before each statement.
  /// - Returns: The number of rows that each statement has changed; nil for statements that change no rows.
  package func perform(
    _ change: InPlaceChange, model: ManagedObjectModel, layout new: PhysicalLayout, configuration: String?,
    applicationValues: [String: PropertyList], willRun: () throws -> Void
  ) throws -> [Int?] {
    try reporting {
      var counts: [Int?] = []
      for statement in change.statements {
        try willRun()
        try database.run(statement.sql, statement.bindings)
        counts.append(statement.effect.changesRows ? database.changes : nil)
      }
      try willRun()
      try writePrimaryKeys(of: new, change)
      if try database.tableExists("Z_MODELCACHE") { try database.execute("DELETE FROM Z_MODELCACHE") }
      var metadata = metadata
      metadata.setVersion(of: model, entityNames: configuration.map(model.entityNames(of:)))
      metadata.values.merge(applicationValues) { $1 }
      metadata.deferredCleanup = change.stillDeferred + change.deferred
      try database.writeMetadata(metadata)
      return counts
    }
  }

  /// Creates the indexes and triggers of the new version.
  package func finish(_ change: InPlaceChange, willRun: () throws -> Void) throws {
    try reporting {
      for statement in change.finishing {
        try willRun()
        try database.execute(statement.sql)
      }
    }
  }

  private func writePrimaryKeys(of new: PhysicalLayout, _ change: InPlaceChange) throws {
    if !change.keepsNumbers {
      // History names entities by their numbers.
      for table in ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING"] {
        try database.execute("DROP TABLE IF EXISTS \(table)")
      }
      try database.run(
        "DELETE FROM Z_PRIMARYKEY WHERE Z_ENT >= ? AND 'A' || upper(Z_NAME) NOT IN (SELECT upper(name) FROM sqlite_schema)",
        .integer(Int64(PrimaryKeyRow.firstHistoryNumber)))
    }
    try database.run("DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < ?", .integer(Int64(PrimaryKeyRow.firstHistoryNumber)))
    for entity in new.entities {
      let highest = entity.superNumber == 0 ? change.highestKeys[entity.name] ?? 0 : 0
      try database.run(
        "INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        .integer(Int64(entity.number)), .text(entity.name), .integer(Int64(entity.superNumber)), .integer(highest))
    }
  }
}

extension StoreFile {
  /// Drops the tables and columns that are waiting for it.
  ///
  /// - Parameters:
  ///   - limit: The number of tables and columns to drop; nil for all.
  ///   - willRun: Called before each is dropped.
  /// - Returns: True if more remain.
  package func performDeferredCleanup(limit: Int? = nil, willRun: () throws -> Void = {}) throws -> Bool {
    do {
      for _ in 0..<(limit ?? metadata.deferredCleanup.count) {
        guard let task = metadata.deferredCleanup.first else { break }
        try willRun()
        try database.transaction {
          try database.perform(task)
          metadata.deferredCleanup.removeFirst()
          try database.writeMetadata(metadata)
        }
      }
      return !metadata.deferredCleanup.isEmpty
    } catch let error as SQLiteError {
      throw StoreOpening.diagnostic(for: error, url: url)
    }
  }
}

/// A table or column that a migration in place no longer needs but has not dropped yet.
package struct CleanupTask: Hashable, Sendable {
  /// The table to drop, or the table of the column.
  package var table: String
  /// The column to drop; nil for the whole table.
  package var column: String?
  /// The former name of the table or column.
  package var formerName: String

  /// Creates a task.
  package init(table: String, column: String? = nil, formerName: String) {
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
  package var description: String { "drop \(subject)" }

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
  package var deferredCleanup: [CleanupTask] {
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
