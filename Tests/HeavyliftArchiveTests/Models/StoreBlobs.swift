import CSQLite
import Foundation
import HeavyliftTestSupport

/// The two blobs of a store that this layer reads, read with plain SQLite from a copy of the store.
struct StoreBlobs {
  var metadata: Data
  var modelCache: Data?

  init(_ store: URL) throws {
    let folder = try TemporaryFolder()
    let copy = try folder.copyStore(store)
    var database: OpaquePointer?
    defer { sqlite3_close(database) }
    guard sqlite3_open(copy.path, &database) == SQLITE_OK,
      let metadata = Self.blob("SELECT Z_PLIST FROM Z_METADATA", database)
    else { throw CocoaError(.fileReadCorruptFile) }
    self.metadata = metadata
    modelCache = Self.blob("SELECT Z_CONTENT FROM Z_MODELCACHE", database)
  }

  private static func blob(_ sql: String, _ database: OpaquePointer?) -> Data? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK,
      sqlite3_step(statement) == SQLITE_ROW, let bytes = sqlite3_column_blob(statement, 0)
    else { return nil }
    return Data(bytes: bytes, count: Int(sqlite3_column_bytes(statement, 0)))
  }
}
