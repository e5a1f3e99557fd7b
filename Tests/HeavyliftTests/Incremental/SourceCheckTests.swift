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
}
