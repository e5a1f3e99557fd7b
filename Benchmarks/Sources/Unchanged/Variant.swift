import Foundation
import Heavylift
import Measuring

/// One variant of the migration: a row of the table.
enum Variant: String, CaseIterable {
  case plain
  case copied
  case fresh
  case inPlace
  case copy

  /// The variant's name in the table.
  var title: String {
    switch self {
    case .plain: "plain SQL, no checks, all rows"
    case .copied: "from a copy, all checks"
    case .fresh: "every row written, all checks"
    case .inPlace: "from a copy, store replaced"
    case .copy: "file copy"
    }
  }

  static func source(in folder: URL) -> URL { folder.appending(path: "source.sqlite") }
  static func template(in folder: URL) -> URL { folder.appending(path: "template.sqlite") }
  func destination(in folder: URL) -> URL { folder.appending(path: "\(rawValue).sqlite") }

  func run(in folder: URL) throws {
    let (source, destination) = (Self.source(in: folder), destination(in: folder))
    switch self {
    case .plain: try runPlainSQL(from: source, to: destination, template: Self.template(in: folder))
    case .copied: try migrate(source, to: destination)
    case .fresh:
      var options = MigrationOptions()
      options.startsFresh = true
      try migrate(source, to: destination, options)
    case .inPlace:
      try IncrementalMigrationManager(
        models: [LargeModel.model(isNew: false), LargeModel.model(isNew: true)],
        mappings: MappingSearch([MappingCandidate(file: "1.xml", mappingModel: try LargeModel.mapping())])
      ).migrate(destination)
    case .copy:
      try FileManager.default.copyItem(at: source, to: destination)
      let file = try FileHandle(forUpdating: destination)
      try file.synchronize()
      try file.close()
    }
  }

  /// Removes the files of an earlier round, and creates the store to replace.
  func prepare(in folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("\(rawValue).sqlite") {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    if self == .inPlace {
      try FileManager.default.copyItem(at: Self.source(in: folder), to: destination(in: folder))
    }
  }

  private func migrate(_ source: URL, to destination: URL, _ options: MigrationOptions = MigrationOptions()) throws {
    let manager = MigrationManager(
      sourceModel: LargeModel.model(isNew: false), destinationModel: LargeModel.model(isNew: true))
    try manager.migrateStore(from: source, to: destination, with: LargeModel.mapping(), options: options)
  }

  /// The same migration as a script would do it.
  private func runPlainSQL(from source: URL, to destination: URL, template: URL) throws {
    let connection = PlainConnection(destination.path)
    connection.execute("PRAGMA page_size = 4096; PRAGMA auto_vacuum = INCREMENTAL")
    connection.execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE")
    connection.execute("PRAGMA temp_store = FILE; PRAGMA cache_size = -8192")
    connection.attach(source.path, as: "src")
    connection.attach(template.path, as: "template")
    connection.execute("BEGIN")
    let schema = "FROM template.sqlite_master WHERE sql IS NOT NULL AND type"
    for table in connection.texts("SELECT sql \(schema) = 'table'") { connection.execute(table) }
    for place in 0..<LargeModel.entities {
      let table = "Z\(LargeModel.name(place).uppercased())"
      let columns = "Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZOWNER, ZADDED, ZRATING, ZNAME, ZNOTE"
      connection.execute(
        place == 0
          ? "INSERT INTO main.\(table) (\(columns), ZSORTNAME) SELECT \(columns), upper(ZNAME) FROM src.\(table)"
          : "INSERT INTO main.\(table) (\(columns)) SELECT \(columns) FROM src.\(table)")
    }
    for index in connection.texts("SELECT sql \(schema) = 'index'") { connection.execute(index) }
    connection.execute(
      """
      INSERT INTO main.Z_METADATA SELECT * FROM template.Z_METADATA;
      INSERT INTO main.Z_PRIMARYKEY SELECT Z_ENT, Z_NAME, Z_SUPER,
        (SELECT Z_MAX FROM src.Z_PRIMARYKEY s WHERE s.Z_ENT = t.Z_ENT) FROM template.Z_PRIMARYKEY t;
      COMMIT
      """)
    let file = try FileHandle(forUpdating: destination)
    try file.synchronize()
    try file.close()
  }
}
