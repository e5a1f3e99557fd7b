import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A source store in its own folder, and its migrated counterpart.
final class MigrationTest {
  let folder: TemporaryFolder
  let source: URL
  let destination: URL
  let old: ManagedObjectModel
  let new: ManagedObjectModel
  let manager: MigrationManager

  /// Creates and fills a source store.
  init(
    from old: ManagedObjectModel, to new: ManagedObjectModel, policies: PolicyRegistry = PolicyRegistry(),
    fill: (ManagedObjectContext) throws -> Void = { _ in }
  ) throws {
    folder = try TemporaryFolder()
    source = folder.appending("old.sqlite")
    destination = folder.appending("new.sqlite")
    (self.old, self.new) = (old, new)
    let store = try PersistentStore.create(at: source, model: old)
    let context = ManagedObjectContext(store: store)
    try fill(context)
    try context.save()
    try store.close()
    manager = MigrationManager(sourceModel: old, destinationModel: new, policies: policies)
  }

  @discardableResult
  func migrate(_ mappings: EntityMappingDescription..., copying: ConservativeCopy = .everything) throws
    -> MigrationReport
  {
    try migrate(MappingModel(copying: copying, entityMappings: mappings))
  }

  @discardableResult
  func migrate(_ mappings: MappingModel..., options: MigrationOptions = MigrationOptions()) throws -> MigrationReport {
    try manager.migrateStore(from: source, to: destination, with: mappings, options: options)
  }

  /// Returns the thrown error; fails if there is none.
  func failure(_ body: () throws -> Void) -> HopError? {
    do {
      try body()
      Issue.record("nothing was thrown")
      return nil
    } catch let error as HopError {
      return error
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  /// Opens the destination.
  func opened() throws -> ManagedObjectContext {
    ManagedObjectContext(store: try PersistentStore(url: destination, models: [new]))
  }

  /// Returns one line per object of an entity, with the values of some properties: attributes, keys of to-ones, keys
  /// of to-manys.
  func lines(_ entity: String, _ keys: String...) throws -> [String] {
    let context = try opened()
    var request = FetchRequest(entityName: entity)
    request.includesSubentities = false
    return try context.fetch(request).map { object in
      let values = try keys.map { key in "\(key)=\(try Self.text(object, key))" }
      return ([object.description] + values).joined(separator: " ")
    }
  }

  /// All objects of the destination by entity, in the form of `lines`.
  func contents() throws -> [String: [String]] {
    try Self.contents(of: opened(), new)
  }

  /// All objects of a store by entity, in the form of `lines`.
  static func contents(
    of context: ManagedObjectContext, _ model: ManagedObjectModel
  ) throws -> [String: [String]] {
    try model.entities.filter { !$0.isAbstract }.reduce(into: [:]) { contents, entity in
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = false
      let names = model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
      contents[entity.name] = try context.fetch(request).map { object in
        let values = try names.sorted().map { "\($0)=\(try text(object, $0))" }
        return ([object.description] + values).joined(separator: " ")
      }
    }
  }

  private static func text(_ object: ManagedObject, _ key: String) throws -> String {
    let value: ExpressionValue = try object.value(forKey: key)
    return text(value)
  }

  private static func text(_ value: ExpressionValue) -> String {
    switch value {
    case .null: "nil"
    case .object(let object): "\(object)"
    case .array, .set, .orderedSet: "[" + (value.elements ?? []).map(text).joined(separator: " ") + "]"
    case .dictionary(let values):
      "{" + values.sorted { $0.key < $1.key }.map { "\($0.key)=\(text($0.value))" }.joined(separator: " ") + "}"
    case .string(let text): text
    case .integer(let number): "\(number)"
    case .double(let number): "\(number)"
    case .bool(let flag): "\(flag)"
    case .decimal(let number): "\(number)"
    case .date(let date): "\(date.timeIntervalSinceReferenceDate)"
    default: "\(value)"
    }
  }

  /// The rows of a query over the destination's file.
  func rows(_ sql: String) throws -> [String] {
    let database = try Database(path: destination.path, mode: .readOnly)
    var cursor = try database.prepare(sql).query()
    var rows: [String] = []
    while try cursor.next() { rows.append(try cursor.row.values().map { "\($0)" }.joined(separator: " ")) }
    return rows
  }

  /// The names of all files in the folder.
  func files() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
  }

  /// Every file of the source with its bytes.
  func sourceBytes() throws -> [String: Data] {
    var bytes: [String: Data] = [:]
    for name in try files() where name.hasPrefix("old") {
      bytes[name] = try Data(contentsOf: folder.appending(name))
    }
    return bytes
  }
}

extension MigrationTest {
  func bothStores() throws -> (PersistentStore, PersistentStore) {
    (
      try PersistentStore(url: source, models: [old], mode: .readOnly),
      try PersistentStore(url: destination, models: [new], mode: .readOnly)
    )
  }
}

extension PersistentStore {
  func highestKeysForTests() throws -> [String: Int64] { try highestKeys() }

  func rowsForTests(_ sql: String) throws -> [String] {
    var cursor = try database.prepare(sql).query()
    var rows: [String] = []
    while try cursor.next() { rows.append(try cursor.row.values().map { "\($0)" }.joined(separator: " ")) }
    return rows
  }
}

extension MigrationManager {
  /// Migrates without checking the mapping.
  func migrateUnchecked(
    from source: URL, to destination: URL, _ mapping: MappingModel, options: MigrationOptions = MigrationOptions()
  ) throws {
    _ = try migrateStore(
      from: source, to: destination, [mapping.complete(from: sourceModel, to: destinationModel)], options: options,
      caller: MigrationCaller())
  }
}
