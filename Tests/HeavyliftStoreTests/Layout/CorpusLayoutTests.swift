import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
struct CorpusLayoutTests {
  /// The differences between a real store's schema and that of a new store of its model, and the reasons.
  static let expected: [String: [String]] = [
    // Written by a framework that did not embed the model in the store yet.
    "Model1.sqlite": ["+ CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"]
  ]

  @Test(arguments: CorpusStore.all) func `a store of the corpus has the layout that we would create`(store: CorpusStore)
    throws
  {
    let folder = try TemporaryFolder()
    let database = try Database(path: folder.copyStore(store.url).path, mode: .readWrite)
    // Persistent history does not belong to a model.
    let real = try SchemaText.of(database).filter {
      !$0.contains(#/ (ON )?(ACHANGE|ATRANSACTION|ATRANSACTIONSTRING) \(/#)
    }
    let layout = PhysicalLayout(model: try store.model())
    #expect(layout.omissions.map(\.problem) == [])
    #expect(
      SchemaText.differences(real: real, ours: SchemaText.of(layout)) == Self.expected[store.description] ?? [])
  }

  @Test(arguments: CorpusStore.all) func `entities are numbered as in the real store`(store: CorpusStore) throws {
    let folder = try TemporaryFolder()
    let file = try StoreFile(url: folder.copyStore(store.url))
    let layout = PhysicalLayout(model: try store.model())
    var real = file.primaryKeys.filter { !$0.isHistory }.map { "\($0.number) \($0.name) < \($0.superNumber)" }
    // Migrated in place from a version in which the entity had another name; the row kept it.
    if store.description == "SampleModel_V2.sqlite" {
      #expect(real[2] == "3 ExpensiveSportCar < 2")
      real[2] = "3 LuxuryCar < 2"
    }
    #expect(layout.entities.map { "\($0.number) \($0.name) < \($0.superNumber)" } == real)
  }

  @Test(arguments: CorpusStore.all) func `a store that we create has that layout`(store: CorpusStore) throws {
    let folder = try TemporaryFolder()
    let model = try store.model()
    let created = try PersistentStore.create(at: folder.appending("new.sqlite"), model: model)
    #expect(try SchemaText.of(created.database) == SchemaText.of(PhysicalLayout(model: model)))
    try created.close()
    let file = try StoreFile(url: folder.appending("new.sqlite"))
    #expect(
      file.primaryKeys.map { "\($0.number) \($0.name) < \($0.superNumber) max \($0.maximum)" }
        == PhysicalLayout(model: model).entities.map { "\($0.number) \($0.name) < \($0.superNumber) max 0" })
    for (pragma, value) in [
      ("user_version", 0), ("application_id", 0), ("page_size", 4096), ("auto_vacuum", 2),
    ] as [(String, Int64)] {
      #expect(try file.database.firstValue("PRAGMA \(pragma)") == .integer(value), "\(pragma)")
    }
    #expect(try file.database.firstValue("PRAGMA encoding") == "UTF-8")
    #expect(try file.database.firstValue("PRAGMA journal_mode") == "wal")
  }
}
