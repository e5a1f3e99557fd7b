import HeavyliftModel
import HeavyliftSQLite

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
        table: entity.tableName, column: bad.column.column, property: property.name, problem: bad.problem)
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
    StoreMistake.badValue(
      entity: entity.name, key: key, table: table, column: column, attribute: property, problem: problem
    ).diagnostic(store.url)
  }
}
