import Foundation
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// Three versions of a model, stores of the first, and hops that copy rows.
enum NoteStores {
  static let models = [1, 2, 3].map { version in
    ManagedObjectModel(
      name: "Notes \(version)",
      entities: [
        EntityDescription(
          name: "Note",
          attributes: [
            Models.attribute("text", .string),
            AttributeDescription(name: "picture", type: .binaryData, allowsExternalBinaryDataStorage: true),
          ] + (2..<(version + 1)).map { Models.attribute("added\($0)", .integer64) })
      ])
  }

  /// The log of a store before its migration.
  enum Kind: String, CaseIterable, Codable, Sendable {
    case withoutLog, withLog
    /// The state after an application was killed: everything is only in the log.
    case withUnmergedLog

    /// Closes a store that was created, so that it has such a log.
    func close(_ store: PersistentStore) throws {
      let url = store.url
      switch self {
      case .withLog: try store.close()
      case .withoutLog:
        try store.database.execute("PRAGMA journal_mode = DELETE")
        try store.close()
      case .withUnmergedLog:
        // Copies the log before closing the store checkpoints it.
        for suffix in ["", "-wal"] {
          try FileManager.default.copyItem(at: url.appendingToName(suffix), to: url.appendingToName(suffix + ".kept"))
        }
        try store.close()
        for suffix in ["", "-wal"] {
          try? FileManager.default.removeItem(at: url.appendingToName(suffix))
          try FileManager.default.moveItem(at: url.appendingToName(suffix + ".kept"), to: url.appendingToName(suffix))
        }
      }
    }
  }

  static let mappings = MappingSearch(
    [(1, 2), (2, 3)].map { source, destination in
      MappingCandidate(file: "\(source)-\(destination).xml", mappingModel: mapping(source, destination))
    })

  static func mapping(_ source: Int, _ destination: Int) -> MappingModel {
    MappingModel(
      source: ModelReference(name: "Notes \(source)"), destination: ModelReference(name: "Notes \(destination)"),
      entityMappings: [EntityMappingDescription(source: "Note", destination: "Note")])
  }

  static let picture = Data(repeating: 7, count: 200_000)

  /// Creates a store of the first version with three notes. One has a picture in an external file.
  static func make(at url: URL, _ kind: Kind) throws {
    let store = try PersistentStore.create(at: url, model: models[0])
    let context = ManagedObjectContext(store: store)
    for index in 1...3 {
      let note = try context.insert("Note")
      try note.setValue(.string("note \(index)"), forKey: "text")
      if index == 2 { try note.setValue(.data(picture), forKey: "picture") }
    }
    try context.save()
    try kind.close(store)
  }

  static func manager(_ execution: any HopExecution = RowCopy(), files: FileOperations = FileOperations())
    -> IncrementalMigrationManager
  {
    var manager = IncrementalMigrationManager(models: models, mappings: mappings, execution: execution)
    manager.files = files
    return manager
  }

  /// A policy that leaves everything to its superclass.
  final class KeepingPolicy: EntityMigrationPolicy {}

  /// A manager whose first hop has a policy. The second one adds an attribute, so it does not write a store.
  static func continuingManager(files: FileOperations = FileOperations()) -> IncrementalMigrationManager {
    var first = mapping(1, 2)
    first.entityMappings[0].policyClassName = "KeepingPolicy"
    var manager = IncrementalMigrationManager(
      models: models,
      mappings: MappingSearch([
        MappingCandidate(file: "1-2.xml", mappingModel: first),
        MappingCandidate(file: "2-3.xml", mappingModel: mapping(2, 3)),
      ]), execution: MappingHopExecution(policies: PolicyRegistry(KeepingPolicy.self)))
    manager.files = files
    return manager
  }

  /// The contents of a store, one line per note, with its version.
  static func contents(_ url: URL) throws -> [String] {
    let store = try PersistentStore(url: url, models: models, mode: .readOnly)
    defer { try? store.close() }
    let context = ManagedObjectContext(store: store)
    defer { withExtendedLifetime(context) {} }
    let notes = try context.fetch(FetchRequest(entityName: "Note"))
    return [store.model.name ?? ""]
      + (try notes.map { note in
        var line = "\(try note.value(forKey: "text").string ?? "-")"
        if case .data(let data) = try note.value(forKey: "picture") {
          line += data == picture ? " picture" : " damaged"
        }
        return line
      })
      .sorted()
  }

  static let newest = ["Notes 3", "note 1", "note 2 picture", "note 3"]
  static let oldest = ["Notes 1"] + newest.dropFirst()

  /// Every file below a folder with its bytes, except the log's index and an empty log.
  static func listing(_ folder: URL, withWorkFolder: Bool = false) throws -> [String: Data] {
    var files: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) {
      if !withWorkFolder, name.contains(".heavylift") { continue }
      let url = folder.appending(path: name)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      if isFolder.boolValue || name.hasSuffix("-shm") { continue }
      let data = try Data(contentsOf: url)
      if name.hasSuffix("-wal"), data.isEmpty { continue }
      files[name] = data
    }
    return files
  }
}

/// A hop that copies the rows of notes, without mappings.
struct RowCopy: HopExecution {
  /// True if pictures are written again, as by a policy that changes them.
  var rewritesPictures = false
  /// Called during a hop, with the number of its destination version.
  var inTheMiddle: (@Sendable (String) throws -> Void)?

  func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport {
    let old = try PersistentStore(url: source, models: [hop.sourceModel], mode: .readOnly)
    defer { try? old.close() }
    let new = try PersistentStore.create(at: destination, model: hop.destinationModel)
    defer { try? new.close() }
    var rows = try old.database.prepare("SELECT Z_PK, Z_ENT, Z_OPT, ZTEXT, ZPICTURE FROM ZNOTE ORDER BY Z_PK").query()
    var report = MigrationReport()
    try new.database.transaction {
      while try rows.next() {
        var values = try rows.row.values()
        if case .blob(let bytes) = values[4], bytes.first == 2 {
          let name = String(decoding: bytes.dropFirst().prefix { $0 != 0 }, as: UTF8.self)
          if rewritesPictures {
            let written = try new.externalData.write(try old.externalData.read(name))
            values[4] = .blob([2] + Data(written.utf8) + [0])
          } else {
            try new.externalData.share(name, from: old.externalData)
          }
        }
        try new.database.run(
          "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTEXT, ZPICTURE) VALUES (?, ?, ?, ?, ?)", values)
        report.objects["Note", default: 0] += 1
      }
    }
    try inTheMiddle?(hop.destinationModel.name ?? "")
    return report
  }
}

/// Runs each hop with its own store.
struct WrittenHops: HopExecution {
  private let execution = MappingHopExecution()

  func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport {
    try execution.migrate(from: source, to: destination, hop: hop)
  }

  func migrate(
    from source: URL, to destination: URL, hop: MigrationHop, monitor: HopMonitor
  ) throws -> MigrationReport {
    try execution.migrate(from: source, to: destination, hop: hop, monitor: monitor)
  }
}
