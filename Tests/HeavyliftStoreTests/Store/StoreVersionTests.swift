import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

struct StoreVersionTests {
  static func renamed(
    _ model: ManagedObjectModel, _ name: String, _ change: (inout ManagedObjectModel) -> Void = { _ in }
  )
    -> ManagedObjectModel
  {
    var model = model
    model.name = name
    change(&model)
    return model
  }

  /// A store without version hashes.
  static func withoutHashes(_ model: ManagedObjectModel, in folder: TemporaryFolder) throws -> StoreFile {
    let store = try PersistentStore.create(at: folder.appending("a.sqlite"), model: model)
    try store.updateMetadata { $0.values[StoreMetadata.Key.versionHashes] = nil }
    try store.close()
    return try StoreFile(url: folder.appending("a.sqlite"))
  }

  @Test(
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
    arguments: CorpusStore.all.filter { $0.bundle != nil })
  func `a real store's version is found among its models by hash`(store: CorpusStore) throws {
    let folder = try TemporaryFolder()
    let file = try StoreFile(url: folder.copyStore(store.url))
    let fit = try file.model(among: try store.models())
    #expect(fit.evidence == .versionHashes)
    #expect(fit.configuration == nil)
    #expect(fit.model.name == store.version)
  }

  @Test(
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
    arguments: CorpusStore.all.filter { $0.description != "Model1.sqlite" })
  func `a real store that carries its model opens without any`(store: CorpusStore) throws {
    let folder = try TemporaryFolder()
    let opened = try PersistentStore(url: folder.copyStore(store.url), mode: .readOnly)
    let file = try StoreFile(url: opened.url)
    #expect(try file.model(among: []).evidence == .modelCache)
    #expect(opened.model.versionHashes == file.metadata.versionHashes)
    for entity in opened.layout.entities where entity.superNumber == 0 {
      let count = try file.database.firstValue("SELECT count(*) FROM \(entity.tableName)")
      let context = ManagedObjectContext(store: opened)
      #expect(try .integer(Int64(context.fetch(FetchRequest(entityName: entity.name)).count)) == count)
    }
  }

  @Test func `a store without a model is refused if none is given`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    try PersistentStore.create(at: url, model: Models.library).close()
    #expect {
      _ = try PersistentStore(url: url, mode: .readOnly)
    } throws: {
      "\($0)" == """
        error[store.no-model]: store '\(url.path)' contains no model, and none was given
          specify the model's file, e.g. --model Library.xcdatamodeld
        """
    }
  }

  @Test func `a store whose own model is unreadable or of another version is reported as such`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    try PersistentStore.create(at: url, model: Models.library).close()
    let other = Self.renamed(Models.library, "Other") { $0.entities[0].isAbstract.toggle() }
    let stale = try CompiledModelWriter.modelCache(for: other)
    let proxied = try CompiledModelWriter.modelCache(for: ManagedObjectModel(entities: [EntityDescription(name: "E")]))
    for (cache, expected) in [
      (
        Data(proxied.dropLast(9)),
        "error[store.unreadable-model]: store '\(url.path)' contains a model that cannot be read, and no other was "
          + "given: the model that 'a.sqlite' contains is not compressed data, or is truncated"
      ),
      (
        stale,
        "error[store.stale-model]: store '\(url.path)' contains a model of another version, "
          + "and no other model was given"
      ),
    ] {
      let database = try Database(path: url.path, mode: .readWrite)
      try database.execute("DELETE FROM Z_MODELCACHE")
      try database.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", .blob(cache))
      try database.close()
      #expect {
        _ = try PersistentStore(url: url, mode: .readOnly)
      } throws: {
        "\($0)" == expected + "\n  specify the model's file, e.g. --model Library.xcdatamodeld"
      }
    }
  }

  @Test func `models with the same store metadata are one version, the newest or the preferred one`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    try PersistentStore.create(at: url, model: Models.library).close()
    let other = Self.renamed(Models.library, "Library 2") { $0.entities[0].attributes[0].defaultValue = "nobody" }
    let file = try StoreFile(url: url)
    let fit = try file.model(among: [Models.library, other])
    #expect(fit.title == "'Library 2' (the same as 'Library')")
    #expect(fit.twins == [Models.library])
    let wanted = try file.model(among: [Models.library, other], preferring: Models.library)
    #expect(wanted.title == "'Library' (the same as 'Library 2')")
    #expect(try file.model(among: [Models.library, Models.library]).title == "'Library'")
    try PersistentStore(url: url, models: [Models.library, other], mode: .readOnly).close()
  }

  @Test func `a store of none of the models reports how the nearest one differs`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    try PersistentStore.create(at: url, model: Models.library).close()
    let near = Self.renamed(Models.library, "Near") {
      $0.entities[1].attributes.append(AttributeDescription(name: "isbn", type: .string))
      $0.entities[3].attributes[0].isOptional = false
    }
    let far = ManagedObjectModel(name: "Far", entities: (1...5).map { EntityDescription(name: "E\($0)") })
    let file = try StoreFile(url: url)
    #expect {
      _ = try file.model(among: [far, near])
    } throws: {
      "\($0)" == """
        error[store.unknown-version]: store '\(url.path)' fits none of the 2 models; the closest is 'Near':
          - entity 'Book' differs: attribute 'isbn' is not in the store, which lacks column ZISBN
          - entity 'Comic' differs: its parent entity 'Book' differs
          - entity 'Tag' differs: the columns match, so the difference is in a flag, a type or a relationship's \
        parameter
          specify the model that the store was written with; also tried: 'Far'; if the store was copied while its app was open, \
        copy 'a.sqlite-wal', too
        """
    }
    #expect {
      _ = try file.model(among: [far])
    } throws: {
      "\($0)" == """
        error[store.unknown-version]: store '\(url.path)' does not fit model 'Far':
          - entity 'Author' is only in the store
          - entity 'Book' is only in the store
          - entity 'Comic' is only in the store
          - entity 'E1' is only in the model
          - entity 'E2' is only in the model
          - entity 'E3' is only in the model
          - entity 'E4' is only in the model
          - entity 'E5' is only in the model
          - and 1 more
          specify the model that the store was written with; if the store was copied while its app was open, copy \
        'a.sqlite-wal', too
        """
    }
  }

  @Test func `matching tables do not outweigh different hashes`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    try PersistentStore.create(at: url, model: Models.library).close()
    let mandatory = Self.renamed(Models.library, "Mandatory") { $0.entities[3].attributes[0].isOptional = false }
    let file = try StoreFile(url: url)
    guard case .none(let misfits) = try file.version(among: [mandatory]) else {
      Issue.record("took a store for one of another version")
      return
    }
    #expect(
      misfits.map(\.reasons) == [
        [
          "entity 'Tag' differs: the columns match, so the difference is in a flag, a type or a relationship's "
            + "parameter"
        ]
      ])
  }

  @Test func `a store whose hash can only be assumed is recognized by its structure`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    let derived = Self.renamed(Models.library, "Derived") {
      $0.entities[0].attributes.append(
        AttributeDescription(name: "bookCount", type: .integer64, derivationExpression: "books.@sum.pages"))
    }
    let store = try PersistentStore.create(at: url, model: derived)
    try store.updateMetadata {
      var hashes = $0.versionHashes.mapValues(\.bytes)
      hashes["Author"] = Data(repeating: 7, count: 32)
      $0.values[StoreMetadata.Key.versionHashes] = .dictionary(hashes.mapValues { .data($0) })
    }
    try store.close()
    let file = try StoreFile(url: url)
    #expect(try file.model(among: [Models.library, derived]).model.name == "Derived")
    #expect(try file.model(among: [derived]).evidence == .structure)
  }

  /// A store that contains its own model, whose hash for entity 'Größe' can only be assumed and is another.
  private static func assumedStore(in folder: TemporaryFolder) throws -> (url: URL, model: ManagedObjectModel) {
    let url = folder.appending("a.sqlite")
    var model = ManagedObjectModel(
      name: "Sizes",
      entities: [
        EntityDescription(name: "Größe", attributes: [Models.attribute("value", .string)]),
        EntityDescription(name: "Tag", attributes: [Models.attribute("name", .string)]),
      ])
    let store = try PersistentStore.create(at: url, model: model)
    try store.updateMetadata {
      var hashes = $0.versionHashes.mapValues(\.bytes)
      hashes["Größe"] = Data(repeating: 7, count: 32)
      $0.values[StoreMetadata.Key.versionHashes] = .dictionary(hashes.mapValues { .data($0) })
    }
    try store.close()
    let cache = try CompiledModelWriter.modelCache(for: model)
    let database = try Database(path: url.path, mode: .readWrite)
    try database.execute("CREATE TABLE IF NOT EXISTS Z_MODELCACHE (Z_CONTENT BLOB); DELETE FROM Z_MODELCACHE")
    try database.run("INSERT INTO Z_MODELCACHE (Z_CONTENT) VALUES (?)", .blob(cache))
    try database.close()
    model.name = "Sizes"
    return (url, model)
  }

  @Test func `where only an assumed hash differs, the store's own model and its columns decide`() throws {
    let folder = try TemporaryFolder()
    let (url, model) = try Self.assumedStore(in: folder)
    let file = try StoreFile(url: url)
    // Alone, it opens with its own model.
    #expect(try file.model(among: []).evidence == .modelCache)
    #expect(try PersistentStore(url: url, mode: .readOnly).layout.entities.map(\.name) == ["Größe", "Tag"])
    // A given model that is the same as its own is its version. One with the same columns but another rule is not.
    let mandatory = Self.renamed(model, "Mandatory") { $0.entities[0].attributes[0].isOptional = false }
    #expect(try file.model(among: [model, mandatory]).model.name == "Sizes")
    #expect(try file.model(among: [mandatory]).evidence == .modelCache)
    // Without the columns, its own model is not believed.
    let database = try Database(path: url.path, mode: .readWrite)
    try database.execute("ALTER TABLE \"ZGRÖSSE\" RENAME COLUMN ZVALUE TO ZWERT")
    try database.close()
    guard case .stale(differing: ["Größe"]) = try StoreFile(url: url).carriedModel() else {
      Issue.record("believed a model whose columns are missing")
      return
    }
  }

  @Test func `of models with the same hashes, the store has the one with its columns`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    func version(_ name: String) -> ManagedObjectModel {
      Self.renamed(Models.library, name) {
        $0.entities[0].attributes.append(
          AttributeDescription(name: name, type: .integer64, derivationExpression: "books.@count"))
      }
    }
    let (first, second) = (version("bookCount"), version("bookNumber"))
    #expect(first.versionHashes == second.versionHashes)
    try PersistentStore.create(at: url, model: first).close()
    let file = try StoreFile(url: url)
    #expect(try file.model(among: [first, second]).title == "'bookCount'")
    #expect(try file.model(among: [first, second], preferring: second).title == "'bookCount'")
  }

  @Test func `a store whose relationship is its own inverse is recognized by its hashes`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    let model = ManagedObjectModel(
      name: "Friends",
      entities: [
        EntityDescription(
          name: "Person", attributes: [Models.attribute("name", .string)],
          relationships: [
            RelationshipDescription(
              name: "friends", destinationEntityName: "Person", inverseName: "friends", inverseEntityName: "Person")
          ])
      ])
    let store = try PersistentStore.create(at: url, model: model)
    // As Core Data writes it.
    #expect(store.metadata.versionHashes["Person"]?.hexadecimal.hasPrefix("0c969c2b") == true)
    try store.close()
    #expect(try StoreFile(url: url).model(among: [model]).evidence == .versionHashes)
    // Equal hashes do not show if the relationship has an inverse, but the tables do.
    let oneWay = Self.renamed(model, "One Way") { $0.entities[0].relationships[0].inverseName = nil }
    #expect(oneWay.versionHashes == model.versionHashes)
    #expect(try StoreFile(url: url).model(among: [model, oneWay]).title == "'Friends'")
  }

  @Test func `a store without hashes is recognized by its structure`() throws {
    let folder = try TemporaryFolder()
    let file = try Self.withoutHashes(Models.library, in: folder)
    let other = Self.renamed(Models.library, "Other") { $0.entities[0].attributes[0].name = "fullName" }
    let fit = try file.model(among: [other, Models.library])
    #expect(fit.model.name == "Library")
    #expect(fit.evidence == .structure)
    #expect {
      _ = try file.model(among: [other])
    } throws: {
      "\($0)" == """
        error[store.unknown-version]: store '\(file.url.path)' does not fit model 'Other':
          - entity 'Author': attribute 'fullName' is not in the store, which lacks column ZFULLNAME
          - entity 'Author': the model has no counterpart for column ZNAME of the store
          specify the model that the store was written with; if the store was copied while its app was open, copy \
        'a.sqlite-wal', too
        """
    }
    let optional = Self.renamed(Models.library, "Optional") { $0.entities[0].attributes[0].isOptional = false }
    #expect {
      _ = try file.model(among: [optional, Models.library])
    } throws: {
      "\($0)" == """
        error[store.ambiguous-version]: store '\(file.url.path)' fits 2 models by its structure: 'Optional', 'Library'
          specify which one you mean, e.g. --model 'Library 2.xcdatamodel': their tables and columns are the same, and \
        the store does not state which version it is
        """
    }
  }

  @Test func `a store of one configuration is recognized, and has only its entities`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a.sqlite")
    let model = ManagedObjectModel(
      name: "Two",
      entities: [
        EntityDescription(name: "Fact", attributes: [Models.attribute("text", .string)]),
        EntityDescription(name: "Note", attributes: [Models.attribute("text", .string)]),
        EntityDescription(name: "Zoo"),
      ],
      configurations: [
        ConfigurationDescription(name: "Local", entityNames: ["Note", "Zoo"]),
        ConfigurationDescription(name: "Shared", entityNames: ["Fact"]),
      ])
    var options = PersistentStore.CreationOptions()
    options.configuration = "Local"
    let created = try PersistentStore.create(at: url, model: model, options: options)
    #expect(created.layout.entities.map { "\($0.number) \($0.name)" } == ["1 Note", "2 Zoo"])
    try created.close()
    let store = try PersistentStore(url: url, models: [model])
    #expect(store.configuration == "Local")
    #expect(store.metadata.versionHashes.keys.sorted() == ["Note", "Zoo"])
    let context = ManagedObjectContext(store: store)
    _ = try context.insert("Note")
    try context.save()
    #expect {
      _ = try context.insert("Fact")
    } throws: {
      "\($0)" == """
        error[object.unknown-entity]: there is no entity 'Fact' in the store
          available: 'Note', 'Zoo'
        """
    }
  }

  @Test func `an unknown configuration is refused`() throws {
    let folder = try TemporaryFolder()
    var options = PersistentStore.CreationOptions()
    options.configuration = "Lokal"
    let model = ManagedObjectModel(
      entities: [EntityDescription(name: "A")],
      configurations: [ConfigurationDescription(name: "Local", entityNames: ["A"])])
    #expect {
      _ = try PersistentStore.create(at: folder.appending("a.sqlite"), model: model, options: options)
    } throws: {
      "\($0)" == """
        error[store.unknown-configuration]: the model has no configuration 'Lokal'
          did you mean 'Local'?
        """
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }
}
