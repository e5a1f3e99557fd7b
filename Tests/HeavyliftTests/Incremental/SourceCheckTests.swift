import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import Heavylift

struct SourceCheckTests {
  /// A folder with a store that takes some thousand steps to read.
  private func store(in folder: TemporaryFolder) throws -> URL {
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withoutLog)
    let database = try Database(path: url.path, mode: .readWrite)
    try database.execute(
      """
      CREATE TABLE own (a INTEGER PRIMARY KEY, b VARCHAR);
      WITH RECURSIVE c(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < 20000) INSERT INTO own SELECT i, 'x' || i FROM c;
      """)
    try database.close()
    return url
  }

  @Test func `an undamaged store passes, and a check can be repeated`() throws {
    let folder = try TemporaryFolder()
    let check = SourceCheck(try store(in: folder), cancellation: MigrationCancellation())
    try check.end()
    try check.end()
    try check.explainFailure()
    check.abandon()
  }

  @Test func `a cancelled check ends with an interruption, which does not explain a failure`() throws {
    let folder = try TemporaryFolder()
    let cancellation = MigrationCancellation()
    cancellation.cancel()
    let check = SourceCheck(try store(in: folder), cancellation: cancellation)
    let error = #expect(throws: SQLiteError.self) { try check.end() }
    #expect(error?.isInterrupt == true)
    try check.explainFailure()
  }

  @Test func `a store that cannot be opened has its own error`() throws {
    let folder = try TemporaryFolder()
    let check = SourceCheck(folder.appending("Missing.sqlite"), cancellation: MigrationCancellation())
    #expect(throws: (any Error).self) { try check.end() }
    try check.explainFailure()
  }

  @Test func `a log of another store is named as the likely cause of damage`() throws {
    let folder = try TemporaryFolder()
    let (url, other) = (folder.appending("Notes.sqlite"), folder.appending("Other.sqlite"))
    for (url, count) in [(url, 40), (other, 300)] {
      let store = try PersistentStore.create(at: url, model: NoteStores.models[0])
      let context = ManagedObjectContext(store: store)
      for number in 1...count {
        try context.insert("Note")["text"] = .string("note \(number) " + String(repeating: "-", count: 300))
      }
      try context.save()
      guard url == other else {
        try store.close()
        continue
      }
      try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
      try store.database.execute("UPDATE ZNOTE SET ZTEXT = ZTEXT || hex(zeroblob(2000)) WHERE Z_PK % 50 = 0")
      try FileManager.default.copyItem(
        at: other.appendingToName("-wal"), to: folder.appending("Notes.sqlite").appendingToName("-wal"))
      try store.close()
    }
    let error = failure { try NoteStores.manager(MappingHopExecution()).migrate(url) }
    #expect(
      error?.contains(
        "without its -wal, the file is intact: if the -wal belongs to another store, move it away; otherwise, restore")
        == true, "\(error ?? "")")
  }
}
