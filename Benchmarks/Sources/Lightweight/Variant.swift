import Foundation
import Heavylift
import Measuring

/// One variant of the migration: a row of the table.
enum Variant: String, CaseIterable {
  case emptyByHand
  case emptyInPlace
  case emptyCopied
  case filledByHand
  case filledInPlace
  case filledCopied
  case handledByHand
  case handledByStage

  var addition: Addition {
    switch self {
    case .emptyByHand, .emptyInPlace, .emptyCopied: .empty
    case .filledByHand, .filledInPlace, .filledCopied: .filled
    case .handledByHand, .handledByStage: .handled
    }
  }

  /// The variant that this one is compared with.
  var base: Variant {
    switch addition {
    case .empty: .emptyByHand
    case .filled: .filledByHand
    case .handled: .handledByHand
    }
  }

  var title: String {
    switch self {
    case .emptyByHand, .filledByHand, .handledByHand: "by hand"
    case .emptyInPlace, .filledInPlace: "in place"
    case .emptyCopied, .filledCopied: "with a copy"
    case .handledByStage: "by a handler of a stage"
    }
  }

  static func source(in folder: URL) -> URL { folder.appending(path: "source.sqlite") }
  func store(in folder: URL) -> URL { folder.appending(path: "\(rawValue).sqlite") }
  func metadata(in folder: URL) -> URL { folder.appending(path: "\(addition.rawValue)-new.sqlite") }

  func run(in folder: URL, _ models: (ManagedObjectModel, ManagedObjectModel)) throws {
    switch self {
    case .emptyByHand, .filledByHand, .handledByHand: runByHand(in: folder)
    case .handledByStage: try runStage(in: folder, models)
    case .emptyInPlace, .filledInPlace: try migrate(in: folder, models, .inPlace)
    case .emptyCopied, .filledCopied: try migrate(in: folder, models, .copy)
    }
  }

  private func migrate(
    in folder: URL, _ models: (ManagedObjectModel, ManagedObjectModel), _ mode: IncrementalMigrationOptions.Mode
  ) throws {
    try IncrementalMigrationManager(models: [models.0, models.1], infersMissingMappings: true)
      .migrate(store(in: folder), options: IncrementalMigrationOptions(mode: mode))
  }

  private func runStage(in folder: URL, _ models: (ManagedObjectModel, ManagedObjectModel)) throws {
    let stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: models.0, versionChecksum: models.0.versionChecksum),
      to: ManagedObjectModelReference(model: models.1, versionChecksum: models.1.versionChecksum))
    stage.migrate("Track") { old, new in new["sortName"] = old["name"] }
    try IncrementalMigrationManager(stages: StagedMigrationManager([stage])).migrate(store(in: folder))
  }

  /// The same change as a script would make it, with the metadata of the new version, and on disk at the end.
  private func runByHand(in folder: URL) {
    let connection = PlainConnection(store(in: folder).path)
    connection.attach(metadata(in: folder).path, as: "template")
    connection.execute("PRAGMA synchronous = FULL; BEGIN IMMEDIATE")
    switch addition {
    case .empty: connection.execute("ALTER TABLE main.ZTRACK ADD COLUMN ZSORTNAME VARCHAR")
    case .filled:
      connection.execute("ALTER TABLE main.ZTRACK ADD COLUMN ZPLAYS INTEGER; UPDATE main.ZTRACK SET ZPLAYS = 0")
    case .handled:
      connection.execute(
        "ALTER TABLE main.ZTRACK ADD COLUMN ZSORTNAME VARCHAR; UPDATE main.ZTRACK SET ZSORTNAME = ZNAME")
    }
    connection.execute(
      """
      UPDATE main.Z_METADATA SET Z_PLIST = (SELECT Z_PLIST FROM template.Z_METADATA);
      DELETE FROM main.Z_MODELCACHE;
      COMMIT; PRAGMA main.wal_checkpoint(TRUNCATE)
      """)
  }

  /// Replaces the files of an earlier round with a new copy of the store.
  func prepare(in folder: URL) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasPrefix("\(rawValue).sqlite") {
      try FileManager.default.removeItem(at: folder.appending(path: name))
    }
    try FileManager.default.copyItem(at: Self.source(in: folder), to: store(in: folder))
    let file = try FileHandle(forUpdating: store(in: folder))
    try file.synchronize()
    try file.close()
  }
}
