import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// The objects of one entity sorted by key, each with all its values, in one scan of the store.
///
/// Collects nothing in memory: neither objects nor the targets of an object.
final class ObjectStream {
  /// A stored property: an attribute or a relationship.
  final class Property {
    let name: String
    fileprivate let source: Source

    fileprivate init(name: String, source: Source) {
      self.name = name
      self.source = source
    }
  }

  fileprivate enum Source {
    case attribute(AttributeDump)
    case toOne(ToOneDump)
    case toMany(LinkCursor)
  }

  let entity: EntityLayout
  let store: PersistentStore
  /// The attributes, sorted by name.
  let attributes: [Property]
  /// The relationships, sorted by name.
  let relationships: [Property]
  private var cursor: RowCursor
  private let files: DumpedFiles
  /// The values written so far whose external files are missing.
  private(set) var missingFiles: [MissingExternalFile] = []
  /// The rows so far with the number of another entity. They are only in tables that have a single entity.
  private(set) var misnumbered: MisnumberedRows?
  /// The key of the current object.
  private(set) var key: Int64 = 0

  /// Read the stream within one transaction: otherwise, its cursors could see different states of the store.
  ///
  /// - Parameters:
  ///   - names: The names to write for the entities of targets, by the entities' own names, if they differ.
  ///   - refusesMissingFiles: True if a missing external file is an error.
  init(
    _ entity: EntityLayout, in store: PersistentStore, names: [String: String] = [:], refusesMissingFiles: Bool = false
  ) throws {
    self.entity = entity
    self.store = store
    files = DumpedFiles(store.externalData, refusesMissing: refusesMissingFiles)
    var columns = ["Z_PK", "Z_ENT"]
    attributes = entity.attributes.map { attribute in
      Property(name: attribute.name, source: .attribute(AttributeDump(attribute, columns: &columns)))
    }
    var expressions = columns.map { "s.\($0.asSQLIdentifier)" }
    let toOnes = entity.toOnes.map { toOne in
      Property(
        name: toOne.name, source: .toOne(ToOneDump(toOne, in: store.layout, names: names, expressions: &expressions)))
    }
    let toManys = try entity.toManys.map { toMany in
      Property(name: toMany.name, source: .toMany(try LinkCursor(toMany, of: entity, in: store, names: names)))
    }
    relationships = (toOnes + toManys).sorted { $0.name.precedesInCodeUnits($1.name) }
    cursor = try store.database.prepare(
      "SELECT \(expressions.joined(separator: ", ")) FROM \(entity.tableName.asSQLIdentifier) s "
        + "WHERE \(entity.numberSQL("s")) = \(entity.number) ORDER BY s.Z_PK"
    ).query()
  }

  /// Moves to the next object; returns false at the end.
  func next() throws -> Bool {
    guard try cursor.next() else { return false }
    key = cursor.row.integer(at: 0)
    if cursor.row.type(at: 1) != .integer || cursor.row.integer(at: 1) != Int64(entity.number) {
      misnumbered = MisnumberedRows(entity: entity.name, table: entity.tableName, count: (misnumbered?.count ?? 0) + 1)
    }
    return true
  }

  /// Writes a property of the current object. Call it at most once for each property of an object.
  func write(_ property: Property, to writer: inout JSONWriter) throws {
    do {
      switch property.source {
      case .attribute(let dump):
        try dump.write(cursor.row, to: &writer, files: files)
        if !files.missing.isEmpty { noteMissingFiles(of: property) }
      case .toOne(let dump): try dump.write(cursor.row, to: &writer)
      case .toMany(let links): try links.writeTargets(of: key, to: &writer)
      }
    } catch let bad as BadColumn {
      throw badValue(
        table: entity.tableName, column: bad.column, property: property.name, problem: bad.problem)
    } catch let missing as UnreadableFile {
      throw Diagnostic(
        .error, code: "store.external-file",
        problem: "external file '\(missing.name)' of attribute '\(property.name)' of \(entity.name)/p\(key) "
          + "cannot be read: \(missing.reason)",
        remedy: "the folder '\(store.externalData.url.path)' belongs to the store: copy it along with the store's file")
    } catch let bad as BadLink {
      throw badValue(
        table: bad.storage.tableName, column: bad.storage.targetColumn, property: property.name, problem: bad.problem)
    }
  }

  private func noteMissingFiles(of property: Property) {
    missingFiles += files.missing.map {
      MissingExternalFile(entity: entity.name, key: key, attribute: property.name, file: $0)
    }
    files.missing = []
  }

  private func badValue(table: String, column: String, property: String, problem: String) -> Diagnostic {
    store.badValue(
      entity: entity.name, key: key, table: table, column: column, property: property, problem: problem)
  }
}

extension PersistentStore {
  /// Runs `body` on a consistent snapshot of the store, and converts SQLite errors into errors about the store.
  package func readingConsistently<Result>(_ body: () throws -> Result) throws -> Result {
    try reporting {
      if !database.isInTransaction {
        // Lets SQLite sort big relationships on disk. The setting cannot be changed within a transaction.
        try database.execute("PRAGMA temp_store = FILE")
      }
      return try database.transaction(.deferred, body)
    }
  }

  /// Divides a stream's memory among SQLite's page cache and its sorters, each of which may use as much as the page
  /// cache (https://sqlite.org/pragma.html#pragma_cache_size).
  func prepareCaches(for entity: EntityLayout) throws {
    let sorters = entity.toManys.count { $0.orderColumn != nil || $0.isReflexive }
    try database.execute("PRAGMA cache_size = -\(max(1_024, 24_576 / (1 + sorters)))")
  }

  /// Throws if a hierarchy has rows of an unknown entity, which would be lost.
  ///
  /// In tables with only one entity, every row is one of its objects.
  func refuseUnknownRows(in entities: [EntityLayout]) throws {
    for table in Set(entities.map(\.tableName)).sorted() {
      let numbers = layout.entities.filter { $0.tableName == table }.map { String($0.number) }
      guard numbers.count > 1 else { continue }
      var cursor = try database.prepare(
        "SELECT Z_ENT, Z_PK FROM \(table.asSQLIdentifier) "
          + "WHERE Z_ENT IS NULL OR Z_ENT NOT IN (\(numbers.joined(separator: ", "))) ORDER BY Z_PK LIMIT 1"
      ).query()
      guard try cursor.next() else { continue }
      throw unknownEntityNumber(cursor.row.integer(at: 0), table: table, key: cursor.row.integer(at: 1))
    }
  }
}

extension PhysicalLayout {
  /// The entities sorted by name, by code units.
  var entitiesInOrderOfName: [EntityLayout] { entities.sorted { $0.name.precedesInCodeUnits($1.name) } }
}

/// Writes targets as `"Author/p12"`, with the target's own entity and key.
struct ObjectReferences {
  /// The start of a reference, by entity number: `"Author/p`.
  private let prefixes: [Int64: [UInt8]]
  private let declared: [UInt8]
  /// The `Z_ENT` of every target, if only one is possible.
  let onlyNumber: Int64?
  private var lastNumber: Int64 = -1
  private var lastPrefix: [UInt8] = []

  /// - Parameters:
  ///   - tableName: The table of the targets.
  ///   - destinationEntityName: The relationship's destination entity.
  ///   - names: The names to write for entities, by the entities' own names; entities that are not included keep their
  ///     names.
  init(
    to tableName: String, destinationEntityName: String, in layout: PhysicalLayout, names: [String: String] = [:]
  ) {
    let entities = layout.entities.filter { $0.tableName == tableName }
    prefixes = Dictionary(
      entities.map { (Int64($0.number), Self.prefix(names[$0.name] ?? $0.name)) },
      uniquingKeysWith: { first, _ in first })
    onlyNumber = entities.count == 1 ? entities.first.map { Int64($0.number) } : nil
    declared = Self.prefix(names[destinationEntityName] ?? destinationEntityName)
  }

  /// - Parameter number: The target's `Z_ENT`; nil if the target is missing or of an unknown entity.
  mutating func write(_ key: Int64, number: Int64?, to writer: inout JSONWriter) {
    guard let number, let prefix = prefix(number) else {
      writer.raw("{\"dangling\":")
      writer.raw(declared)
      writer.integer(key)
      writer.raw("\"}")
      return
    }
    writer.raw(prefix)
    writer.integer(key)
    writer.byte(UInt8(ascii: "\""))
  }

  /// Remembers the last prefix, because adjacent rows mostly have the same entity.
  private mutating func prefix(_ number: Int64) -> [UInt8]? {
    if number == lastNumber { return lastPrefix }
    guard let prefix = prefixes[number] else { return nil }
    (lastNumber, lastPrefix) = (number, prefix)
    return prefix
  }

  private static func prefix(_ entityName: String) -> [UInt8] { JSONText.string("\(entityName)/p").dropLast() }
}
