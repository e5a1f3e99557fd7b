import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

@Suite struct CompiledModelWriterTests {
  @Test func `a model that was written reads back equal, as archive and as model cache`() throws {
    let model = SampleModels.library
    let archive = try CompiledModel(data: CompiledModelWriter.archive(of: model))
    #expect(archive.diagnostics == [])
    #expect(archive.model == model)
    let cache = try CompiledModel(modelCache: CompiledModelWriter.modelCache(for: model))
    #expect(cache.model == model)
    #expect(cache.model.versionHashes == model.versionHashes)
  }

  @Test(arguments: Seeds.some(of: 1..<61))
  func `any model that can be written reads back equal`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let model = SampleModels.generated(using: &random)
    let read = try CompiledModel(modelCache: CompiledModelWriter.modelCache(for: model))
    #expect(read.model == model, "seed \(seed)")
    #expect(read.diagnostics == [], "seed \(seed)")
  }

  /// Each part whose archived form is unknown, and the words for it.
  static let obstacles: [(String, @Sendable (inout ManagedObjectModel) -> Void)] = [
    ("attribute 'name' of 'Author' is derived", { $0.entities[0].attributes[0].derivationExpression = "now()" }),
    ("attribute 'name' of 'Author' is composite", { $0.entities[0].attributes[0].type = .composite }),
    (
      "attribute 'name' of 'Author' allows external storage",
      { $0.entities[0].attributes[0].allowsExternalBinaryDataStorage = true }
    ),
    ("attribute 'name' of 'Author' is validated", { $0.entities[0].attributes[0].validation.minimumLength = 1 }),
    (
      "attribute 'name' of 'Author' is indexed by Spotlight",
      { $0.entities[0].attributes[0].isIndexedBySpotlight = true }
    ),
    (
      "attribute 'name' of 'Author' is stored in an external record",
      { $0.entities[0].attributes[0].isStoredInExternalRecord = true }
    ),
    ("relationship 'items' of 'Author' has no inverse", { $0.entities[0].relationships[0].inverseName = nil }),
    ("relationship 'items' of 'Author' is indexed", { $0.entities[0].relationships[0].isIndexed = true }),
    (
      "fetched property 'all' of 'Author'",
      { $0.entities[0].fetchedProperties = [FetchedPropertyDescription(name: "all", fetchRequest: nil)] }
    ),
    (
      "index 'i' of 'Author' has a predicate or an expression",
      {
        $0.entities[0].fetchIndexes = [
          FetchIndexDescription(
            name: "i", elements: [.init(propertyName: "name")], partialIndexPredicate: "name != nil")
        ]
      }
    ),
    (
      "fetch request 'all'", { $0.fetchRequestTemplates = [FetchRequestDescription(name: "all", entityName: "Author")] }
    ),
    (
      "property 'title' of 'Book' hides an inherited one",
      { model in
        guard let book = model.entities.firstIndex(where: { $0.name == "Book" }) else { return }
        model.entities[book].attributes.append(AttributeDescription(name: "title", type: .integer64))
      }
    ),
    ("composite type 'Point'", { $0.composites = [CompositeDescription(name: "Point", elements: [])] }),
  ]

  @Test(arguments: obstacles.indices)
  func `a part whose form is not known is named, and nothing is written`(index: Int) {
    let (part, change) = Self.obstacles[index]
    var model = SampleModels.library
    change(&model)
    let error = #expect(throws: DiagnosticList.self) { try CompiledModelWriter.modelCache(for: model) }
    #expect(
      error?.description
        == "error[archive.not-representable]: \(part): how a compiled model stores this is unknown\n"
        + "  create the store without its model: like older stores, it works just as well without one")
  }

  static let broken: [(String, @Sendable (inout ManagedObjectModel) -> Void)] = [
    (
      "entity 'Author' inherits from 'Nobody', which does not exist or inherits from this entity",
      { $0.entities[0].superentityName = "Nobody" }
    ),
    (
      "entity 'Author' inherits from 'Author', which does not exist or inherits from this entity",
      { $0.entities[0].superentityName = "Author" }
    ),
    (
      "relationship 'items' of 'Author' has no destination entity in the model",
      { $0.entities[0].relationships[0].destinationEntityName = "Nothing" }
    ),
    (
      "relationship 'items' of 'Author' has the inverse 'writers', which 'Item' does not have",
      { $0.entities[0].relationships[0].inverseName = "writers" }
    ),
    ("the model has two entities named 'Author'", { $0.entities.append($0.entities[0]) }),
    (
      "configuration 'Cloud' has entity 'Nothing', which is not in the model",
      { $0.configurations[0].entityNames.insert("Nothing") }
    ),
  ]

  @Test(arguments: broken.indices)
  func `a broken model is not written`(index: Int) {
    let (problem, change) = Self.broken[index]
    var model = SampleModels.library
    change(&model)
    let error = #expect(throws: DiagnosticList.self) { try CompiledModelWriter.modelCache(for: model) }
    #expect(error?.description == "error[archive.broken-model]: \(problem)\n  check the model first")
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
  func `the caches of real stores are written as Core Data wrote them`() throws {
    var count = 0
    for (store, _) in CompiledModelCorpusTests.caches {
      let blobs = try StoreBlobs(Corpus.root.appending(path: store))
      let cache = try #require(blobs.modelCache)
      let model = try CompiledModel(modelCache: cache).model
      let written = try CompiledModelWriter.modelCache(for: model)
      #expect(try CompiledModel(modelCache: written).model == model)
      // More than the meaning: every object has Core Data's class, keys and plain values.
      let (theirs, ours) = try (ArchiveShape(modelCache: cache), ArchiveShape(modelCache: written))
      #expect(ours.objects == theirs.objects, "\(store)")
      count += 1
    }
    #expect(count == 9)
  }
}
