import Foundation
import Heavylift
import HeavyliftTestSupport
import Testing

/// A real store with its real mapping models, and its policies in Swift.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)")) struct BookMigrationTests {
  private var policies: PolicyRegistry {
    var policies = PolicyRegistry()
    policies.register(BookToBookPolicy.self, as: "MHWBookToBookPolicy")
    policies.register(UserToUserPolicy.self, as: "MHWUserToUserPolicy")
    return policies
  }

  private func manager(_ old: String, _ new: String) throws -> MigrationManager {
    let bundle = "BookMigration/Model.xcdatamodeld"
    return MigrationManager(
      sourceModel: try CorpusMigrations.model(old, of: bundle),
      destinationModel: try CorpusMigrations.model(new, of: bundle), policies: policies)
  }

  @Test func `books reach version 3 through version 2`() throws {
    let folder = try TemporaryFolder()
    let first = try folder.copyStore(Corpus.root.appending(path: "BookMigration/Model1.sqlite"))
    let before = try Data(contentsOf: first)
    let (second, third) = (folder.appending("2.sqlite"), folder.appending("3.sqlite"))

    let toSecond = try manager("Model1", "Model2")
    let mapping = try CorpusMigrations.mapping("BookMigration/Model1_to_Model2.xcmappingmodel")
    let report = try toSecond.migrateStore(from: first, to: second, with: mapping)
    #expect(report.objects == ["Author": 3, "Book": 4, "User": 3])
    let old = ManagedObjectContext(
      store: try PersistentStore(url: first, models: [toSecond.sourceModel], mode: .readOnly))
    let oldBooks = try old.fetch(FetchRequest(entityName: "Book"))
    do {
      let store = try PersistentStore(url: second, models: [toSecond.destinationModel])
      let context = ManagedObjectContext(store: store)
      let kafka = try FetchRequest(entityName: "Author", where: "name LIKE 'Franz Kafka'")
      #expect(try context.count(for: kafka) == 1)
      let byKafka = try FetchRequest(entityName: "Book", where: "ANY authors.name LIKE 'Franz Kafka'")
      #expect(try context.fetch(byKafka).map { $0["title"] } == ["The Trial", "Metamorphosis"])
      let books = try context.fetch(FetchRequest(entityName: "Book"))
      #expect(books.map { $0["title"] } == oldBooks.map { $0["title"] })
      #expect(books.map { $0["fileURL"] } == oldBooks.map { $0["fileURL"] })
      let users = try context.fetch(FetchRequest(entityName: "User"))
      #expect(users.map { $0[toMany: "books"].count } == [0, 0, 4])
      #expect(users.map(\.objectID.key) == [1, 2, 3])
      try store.close()
    }

    let toThird = try manager("Model2", "Model3")
    // The mapping of users is in a mapping model of its own; the other mapping model does not include it.
    let next = try ["Model2_to_Model3_User", "Model2_to_Model3"].map {
      try CorpusMigrations.mapping("BookMigration/\($0).xcmappingmodel")
    }
    let last = try toThird.migrateStore(from: second, to: third, with: next)
    #expect(last.objects == ["Author": 3, "Book": 4, "File": 4, "User": 3])
    let context = ManagedObjectContext(store: try PersistentStore(url: third, models: [toThird.destinationModel]))
    let files = try context.fetch(FetchRequest(entityName: "File"))
    let titles = files.compactMap { $0[toOne: "book"]?["title"] }
    #expect(Set(titles) == Set(oldBooks.map { $0["title"] }))
    for file in files {
      let book = oldBooks.first { $0["title"] == file[toOne: "book"]?["title"] }
      #expect(file["fileURL"] == book?["fileURL"])
      #expect(file[toOne: "user"] != nil)
    }
    let byKafka = try FetchRequest(entityName: "Book", where: "ANY authors.name LIKE 'Franz Kafka'")
    #expect(try context.count(for: byKafka) == 2)
    #expect(try Data(contentsOf: first) == before)
  }

  private func chain(in folder: URL) throws -> IncrementalMigrationManager {
    IncrementalMigrationManager(
      models: try ModelBundle(contentsOf: folder.appending(path: "Model.xcdatamodeld")).versions.map(\.model),
      mappings: try MappingSearch(contentsOf: folder).choosing(Self.passes),
      execution: MappingHopExecution(policies: policies))
  }

  /// Books look up users that must exist by then. Xcode's files cannot specify the order.
  private static let passes = ["Model2_to_Model3_User.xcmappingmodel", "Model2_to_Model3.xcmappingmodel"]

  @Test func `each hop uses exactly the mapping models for it`() throws {
    let folder = Corpus.root.appending(path: "BookMigration")
    let copy = try TemporaryFolder()
    let plan = try chain(in: folder).plan(for: try copy.copyStore(folder.appending(path: "Model1.sqlite")))
    // Every version has users, so the mapping model of users alone could lead from the first version to the last.
    #expect(
      plan.hops.map { "\($0.title), \($0.reason)" } == [
        "'Model1' → 'Model2', by 'Model1_to_Model2.xcmappingmodel'",
        "'Model2' → 'Model3', by 'Model2_to_Model3_User.xcmappingmodel' and 'Model2_to_Model3.xcmappingmodel', "
          + "one after the other",
      ])
  }

  @Test func `two files for one hop are reported as ambiguous`() throws {
    let folder = Corpus.root.appending(path: "BookMigration")
    let copy = try TemporaryFolder()
    let manager = IncrementalMigrationManager(
      models: try ModelBundle(contentsOf: folder.appending(path: "Model.xcdatamodeld")).versions.map(\.model),
      mappings: try MappingFolder(contentsOf: folder, file: "BookMigration").search,
      execution: MappingHopExecution(policies: policies))
    #expect(
      failure { try manager.plan(for: try copy.copyStore(folder.appending(path: "Model1.sqlite"))) } == """
        error[mapping.several-mappings]: 2 mappings in 'BookMigration' lead from model 'Model2' to model 'Model3': \
        'Model2_to_Model3.xcmappingmodel' and 'Model2_to_Model3_User.xcmappingmodel'
          keep one of them, or choose one with '--mapping FILE' (in Swift: MappingSearch.choosing). Xcode's files cannot \
        declare passes: to run several, name each with '--mapping', in order
        """)
  }

  @Test func `the folder's chain has the same result as its hops, with passes in the named order`() throws {
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Corpus.root.appending(path: "BookMigration/Model1.sqlite"))
    let report = try chain(in: Corpus.root.appending(path: "BookMigration")).migrate(store)
    #expect(report.hops.last?.report?.objects == ["Author": 3, "Book": 4, "File": 4, "User": 3])
    let model = try CorpusMigrations.model("Model3", of: "BookMigration/Model.xcdatamodeld")
    let context = ManagedObjectContext(store: try PersistentStore(url: store, models: [model], mode: .readOnly))
    let files = try context.fetch(FetchRequest(entityName: "File"))
    // All users have the same 'userId', and the policy takes the first one.
    #expect(files.map { $0[toOne: "user"]?.objectID.key } == [1, 1, 1, 1])
    #expect(files.allSatisfy { $0[toOne: "book"] != nil && $0["fileURL"] != .null })
  }
}

/// Copies the attributes that both versions have, except nil.
private func copyAttributes(_ source: ManagedObject, _ destination: ManagedObject, _ mapping: EntityMapping) throws {
  for property in mapping.attributeMappings where source.attributesByName[property.name] != nil {
    let value: Value = try source.value(forKey: property.name)
    if !value.isNull { try destination.setValue(value, forKey: property.name) }
  }
}

final class BookToBookPolicy: EntityMigrationPolicy {
  private var authors: [String: ManagedObject] = [:]

  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let context = try manager.destinationContext
    let book = try context.insert(mapping.destinationEntityName ?? "")
    try copyAttributes(source, book, mapping)
    switch mapping.userInfo["modelVersion"] {
    case "2":
      let name = source["authorName"].string ?? ""
      let author = try authors[name] ?? context.insert("Author")
      author["name"] = .string(name)
      authors[name] = author
      try book.add(author, to: "authors")
    case "3":
      for user in source[toMany: "users"] {
        let file = try context.insert("File")
        file["fileURL"] = source["fileURL"]
        file[toOne: "book"] = book
        let request = try FetchRequest(entityName: "User", where: "userId = %d", user["userId"].integer ?? 0)
        file[toOne: "user"] = try context.fetch(request).first
      }
    default: Issue.record("unknown version")
    }
    try manager.associate(sourceInstance: source, withDestinationInstance: book, for: mapping)
  }
}

final class UserToUserPolicy: EntityMigrationPolicy {
  override func createDestinationInstances(
    forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
  ) throws {
    let user = try manager.destinationContext.insert(mapping.destinationEntityName ?? "")
    try copyAttributes(source, user, mapping)
    try manager.associate(sourceInstance: source, withDestinationInstance: user, for: mapping)
  }
}
