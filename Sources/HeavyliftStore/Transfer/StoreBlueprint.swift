import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// The runtime and the layout of a store, which need not exist yet.
package struct StoreBlueprint {
  let runtime: StoreRuntime
  package let layout: PhysicalLayout
  /// The folder of its large values; nil for a store that does not exist yet.
  private(set) var externalData: ExternalDataFolder?

  /// Creates the blueprint of a new store.
  package init(
    model: ManagedObjectModel, configuration: String?, joinTableChoices: JoinTableChoices = JoinTableChoices()
  ) {
    let held = model.restricted(to: configuration)
    layout = PhysicalLayout(model: held, choices: joinTableChoices)
    runtime = StoreRuntime(model: held, layout: layout)
  }

  /// Creates the blueprint of an existing store.
  init(of store: PersistentStore) {
    layout = store.layout
    runtime = store.runtime
    externalData = store.externalData
  }

  /// Creates the blueprint of a store that statements will read, and gives its schema the name that they use, on its own
  /// connection as on one to which it is attached.
  package init(ofSource store: PersistentStore) {
    self.init(of: store)
    store.database.nameMain(SourceAttachment.lastingName)
  }
}

extension EntityLayout {
  /// Returns the column of a to-one relationship, including one that a to-many relationship without an inverse implies.
  package func toOne(named name: String) -> ToOneColumn? {
    toOnes.first { $0.name == name } ?? ownerColumns.first { $0.name == name }
  }

  /// Returns the table and the columns of a to-many relationship's links.
  package func toMany(named name: String) -> ToManyStorage? { toManys.first { $0.name == name } }
}

/// A migration's source, attached to the destination's connection, so that one statement can read the source and write
/// the destination.
///
/// All statements read one snapshot of the source until it is detached.
package final class SourceAttachment {
  /// The name of the source's schema in statements, on its own connection, too.
  static let name = "\(lastingName)"
  /// The same in static memory: SQLite keeps a pointer to the name of a schema.
  static let lastingName: StaticString = "heavylift_source"
  /// The code of the error for a source that was changed before its snapshot could be attached.
  package static let changedCode = "store.changed-while-read"

  private let database: Database
  /// A statement at its first row, which keeps the snapshot open.
  private var holder: Statement?

  /// - Parameter detector: Created before the source's own connection took its snapshot.
  package init(_ source: PersistentStore, to destination: PersistentStore, _ detector: ChangeDetector) throws {
    database = destination.database
    let database = database
    // Reading an attached file takes locks, which this source cannot have.
    guard !source.database.isUnlocked else { throw StoreMistake.needsRecovery.diagnostic(source.url) }
    try destination.reporting {
      // An attached file inherits the connection's locking mode, and other processes must not be locked out of the
      // source.
      try database.execute("PRAGMA locking_mode = NORMAL")
      try database.attach(
        path: source.url.path, as: Self.name, readOnly: true, immutable: source.database.isImmutable)
      try database.execute("PRAGMA main.locking_mode = EXCLUSIVE")
    }
    let holder = try database.prepare("SELECT name FROM \(Self.name).sqlite_master")
    _ = try holder.step()
    self.holder = holder
    guard try detector.isUnchanged() else {
      try detach()
      throw Diagnostic(
        .error, code: Self.changedCode,
        problem: "store '\(source.url.path)' was changed just as the migration started to read it",
        remedy: "migrate it again, preferably while no other process writes to it")
    }
  }

  /// Detaches the source, and ends its snapshot.
  package func detach() throws {
    guard let holder else { return }
    holder.reset()
    self.holder = nil
    try database.detach(Self.name)
  }
}

/// Detects whether another connection has written to a store since the detector was created.
package final class ChangeDetector {
  private let url: URL
  private let database: Database?
  private let version: SQLiteValue?
  /// The sizes and times of the files, if `data_version` alone is not enough.
  private let stamps: [FileStamp?]?

  package init(_ store: StoreFile) throws(SQLiteError) {
    // Without a write-ahead log, a reader keeps all other connections from writing.
    let usesLog = try store.database.firstValue("PRAGMA journal_mode") == .text("wal")
    database =
      usesLog && !store.database.isImmutable ? try Database(path: store.url.path, mode: .readOnly) : nil
    // If the `-shm` file is not writable and no other process uses it, SQLite cannot rule out changes: it assumes one
    // at the start of each transaction.
    stamps = database?.keepsSharedMemory == true ? FileStamp.stamps(of: store.url) : nil
    version = try database?.firstValue("PRAGMA data_version")
    url = store.url
  }

  func isUnchanged() throws(SQLiteError) -> Bool {
    if try database?.firstValue("PRAGMA data_version") == version { return true }
    return stamps.map { $0 == FileStamp.stamps(of: url) } ?? false
  }
}

/// The state of a file without opening it: closing the file would release SQLite's locks.
private struct FileStamp: Equatable {
  var number: UInt64
  var size: Int64
  /// Seconds and nanoseconds of the last modification of its contents. `st_ctim` is not suitable: SQLite changes it
  /// each time root opens a log.
  var written: [Int]

  static func stamps(of store: URL) -> [FileStamp?] {
    ["", "-wal"].map { suffix in
      var status = stat()
      guard stat(store.resolvingSymlinksInPath().path + suffix, &status) == 0 else { return nil }
      return FileStamp(
        number: UInt64(status.st_ino), size: Int64(status.st_size),
        written: [Int(status.st_mtim.tv_sec), Int(status.st_mtim.tv_nsec)])
    }
  }
}
