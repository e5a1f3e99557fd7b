import Foundation
import HeavyliftSQLite
import HeavyliftSchema

/// The contents of a store as text.
enum StoreText {
  /// Returns the objects as JSON lines.
  static func dump(_ container: ModelContainer) throws -> String {
    let store = try PersistentStore(file: StoreFile(url: container.url), model: container.schema.model)
    let sink = MemorySink()
    try StoreDump(store).write(to: sink)
    try store.close()
    return sink.text
  }

  /// Returns the statements that created the entities' tables and indexes, sorted, with the columns separated by single
  /// spaces.
  static func schema(_ url: URL) throws -> [String] {
    let file = try StoreFile(url: url)
    defer { try? file.close() }
    return file.schema.compactMap(\.sql).filter {
      $0.contains(" Z") && !$0.contains("Z_METADATA") && !$0.contains("Z_PRIMARYKEY")
    }
    .filter { !$0.contains("Z_MODELCACHE") && !$0.contains("ATRANSACTION") && !$0.contains("ACHANGE") }
    .map { $0.replacing("( ", with: "(").replacing(" )", with: ")") }.sorted()
  }
}
