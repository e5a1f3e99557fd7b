import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport

@testable import HeavyliftStore

/// A new store in its own folder, with ways to inspect it without objects.
final class TestStore {
  let folder: TemporaryFolder
  let model: ManagedObjectModel
  let url: URL
  private(set) var store: PersistentStore
  private(set) var context: ManagedObjectContext

  init(_ model: ManagedObjectModel, in folder: TemporaryFolder? = nil, name: String = "store.sqlite") throws {
    let folder = try folder ?? TemporaryFolder()
    self.folder = folder
    self.model = model
    url = folder.appending(name)
    store = try PersistentStore.create(at: url, model: model)
    context = ManagedObjectContext(store: store)
  }

  /// Closes and reopens the store, with a new context.
  func reopen() throws {
    try store.close()
    store = try PersistentStore(url: url, models: [model], busyTimeout: 0)
    context = ManagedObjectContext(store: store)
  }

  /// The rows of a query, each as a line of its values.
  func rows(_ sql: String) throws -> [String] {
    var cursor = try store.database.prepare(sql).query()
    var rows: [String] = []
    while try cursor.next() { rows.append(try cursor.row.values().map(Self.text).joined(separator: " ")) }
    return rows
  }

  func run(_ sql: String) throws { try store.database.execute(sql) }

  static func text(_ value: SQLiteValue) -> String {
    switch value {
    case .null: "-"
    case .integer(let value): "\(value)"
    case .real(let value): "\(value)r"
    case .text(let value): value
    case .blob(let value): "x" + value.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
  }

  func insert(_ entity: String, _ values: [String: Value] = [:]) throws -> ManagedObject {
    let object = try context.insert(entity)
    for (name, value) in values { try object.setValue(value, forKey: name) }
    return object
  }

  func fetch(_ entity: String, _ change: (inout FetchRequest) -> Void = { _ in }) throws -> [ManagedObject] {
    var request = FetchRequest(entityName: entity)
    change(&request)
    return try context.fetch(request)
  }
}

/// The message of the error that was thrown; nil for none.
func message(_ body: () throws -> Void) -> String? {
  do {
    try body()
    return nil
  } catch {
    return "\(error)"
  }
}
