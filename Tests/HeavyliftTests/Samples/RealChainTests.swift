import Foundation
import Heavylift
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import HeavyliftStore

/// Published histories of models with their mapping files, planned and run as their own programs would, with each hop
/// verified.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)")) struct RealChainTests {
  /// A history: its models, its mapping files, a store, and the expected hops.
  struct Chain: Sendable, CustomStringConvertible {
    var description: String
    /// Bundles or models, oldest first.
    var models: [String]
    /// The folder with its mapping files, if any.
    var mappings: String?
    /// Xcode mapping models that run as passes.
    var passes: [String] = []
    /// A real store; if nil, a store of generated objects of the first hop's source version.
    var store: String?
    /// The expected hops, as text.
    var hops: [String]
    /// The version of a generated store, if not the first.
    var start: String?
    /// The version to migrate to, if not the last.
    var end: String?
    /// The configuration that the store contains, if not all entities.
    var configuration: String?
  }

  private static let bookmarks = "BrowserServicesKit/Sources/Bookmarks/BookmarksModel.xcdatamodeld"
  private static let bookmarkStores = "BrowserServicesKit/Tests/BookmarksTests/Resources"
  private static let sync = "BrowserServicesKit/Sources/DDGSync/SyncMetadata.xcdatamodeld"
  private static let samples = "CoreDataPlus/Tests/Resources/SampleModel"
  private static let containers = "TMLPersistentContainer/Tests/TMLPersistentContainerTests"
  private static let evolution = "CoreStore/Demo/Sources/Demos/Advanced/EvolutionDemo"
  private static let inferred = "inferred, because it has no mapping file"

  private static func inferred(_ versions: [String]) -> [String] {
    zip(versions, versions.dropFirst()).map { "'\($0)' → '\($1)', \(inferred)" }
  }

  private static let bookmarkVersions = ["BookmarksModel"] + (2...6).map { "BookmarksModel \($0)" }

  static let chains =
    [
      Chain(
        description: "BookMigration", models: ["BookMigration/Model.xcdatamodeld"], mappings: "BookMigration",
        passes: ["Model2_to_Model3_User.xcmappingmodel", "Model2_to_Model3.xcmappingmodel"],
        store: "BookMigration/Model1.sqlite",
        hops: [
          "'Model1' → 'Model2', by 'Model1_to_Model2.xcmappingmodel'",
          "'Model2' → 'Model3', by 'Model2_to_Model3_User.xcmappingmodel' and 'Model2_to_Model3.xcmappingmodel', one "
            + "after the other",
        ]),
      Chain(
        description: "CoreDataPlus, from version 1", models: ["\(samples)/SampleModel.xcdatamodeld"],
        mappings: "\(samples)/MappingModels", store: "\(samples)/Fixtures/SampleModel_V1.sqlite",
        hops: [
          "'SampleModel' → 'SampleModel2', \(inferred)",
          "'SampleModel2' → 'SampleModel3', by 'V2toV3.xcmappingmodel'",
        ]),
      Chain(
        description: "CoreDataPlus, from version 2, compiled", models: ["\(samples)/SampleModel.xcdatamodeld"],
        mappings: "\(samples)/Fixtures", store: "\(samples)/Fixtures/SampleModel_V2.sqlite",
        hops: ["'SampleModel2' → 'SampleModel3', by 'V2toV3.cdm'"]),
      Chain(
        description: "CoreDataPlus, model 3", models: ["\(samples)3/SampleModel3.xcdatamodeld"],
        store: "\(samples)3/Fixtures/SampleModel3_V1.sqlite",
        hops: inferred(["SampleModel3", "SampleModel3_v2", "SampleModel3_v3"])),
      Chain(
        description: "SyncMetadata, from version 1", models: [sync],
        hops: inferred(["SyncMetadata"] + (2...4).map { "SyncMetadata \($0)" })),
      Chain(
        description: "SyncMetadata, a store of version 3", models: [sync],
        store: "BrowserServicesKit/Tests/DDGSyncTests/Resources/SyncMetadata_V3.sqlite",
        hops: inferred(["SyncMetadata 3", "SyncMetadata 4"])),
      Chain(
        description: "flapjack", models: ["flapjack/Tests/CoreData/Resources/TestMigrationModel.xcdatamodeld"],
        mappings: "flapjack/Tests/CoreData/Resources/Mapping Models",
        hops: [
          "'TestMigrationModel' → 'TestMigrationModel 2', \(inferred)",
          "'TestMigrationModel 2' → 'TestMigrationModel 3', by 'TestMigrationModel 3.xcmappingmodel'",
          "'TestMigrationModel 3' → 'TestMigrationModel 4', by 'TestMigrationModel 4.xcmappingmodel'",
        ]),
      Chain(
        description: "TMLPersistentContainer, simple",
        models: (1...3).map { "\(containers)/TestModel_Simple_\($0).xcdatamodeld" }, mappings: containers,
        hops: [
          "'TestModel_Simple_1' → 'TestModel_Simple_2', by 'TestModel_Simple_Mapping12.xcmappingmodel'",
          "'TestModel_Simple_2' → 'TestModel_Simple_3', \(inferred)",
        ]),
      Chain(
        description: "TMLPersistentContainer, several configurations",
        models: (1...2).map { "\(containers)/TestModel_MultiConfig_\($0).xcdatamodeld" }, mappings: containers,
        hops: ["'TestModel_MultiConfig_1' → 'TestModel_MultiConfig_2', by 'TestModel_MultiConfig_12.xcmappingmodel'"]),
    ]
    + ["Config1", "Config2"].map { (name: String) in
      Chain(
        description: "TMLPersistentContainer, configuration \(name)",
        models: (1...2).map { "\(containers)/TestModel_MultiConfig_\($0).xcdatamodeld" }, mappings: containers,
        hops: ["'TestModel_MultiConfig_1' → 'TestModel_MultiConfig_2', by 'TestModel_MultiConfig_12.xcmappingmodel'"],
        configuration: name)
    }
    + [
      Chain(
        description: "CoreStore, forth", models: ["\(evolution)/Advanced.EvolutionDemo.V1.xcdatamodeld"],
        mappings: evolution,
        hops: [
          "'Advanced.EvolutionDemo.V1' → 'Advanced.EvolutionDemo.V2', by "
            + "'Advanced.EvolutionDemo.V2.FromV1.xcmappingmodel'"
        ]),
      Chain(
        description: "CoreStore, back", models: ["\(evolution)/Advanced.EvolutionDemo.V1.xcdatamodeld"],
        mappings: evolution,
        hops: [
          "'Advanced.EvolutionDemo.V2' → 'Advanced.EvolutionDemo.V1', by "
            + "'Advanced.EvolutionDemo.V1.FromV2.xcmappingmodel'"
        ], start: "Advanced.EvolutionDemo.V2", end: "Advanced.EvolutionDemo.V1"),
      Chain(
        description: "CareKit", models: ["CareKit/CareKitStore.xcdatamodeld"], store: "CareKit/SampleStore2.1.sqlite",
        hops: inferred(["CareKitStore2.1", "CareKitStore3.0"])),
    ]
    + (1...5).map { version in
      Chain(
        description: "Bookmarks, from version \(version)", models: [bookmarks],
        store: "\(bookmarkStores)/Bookmarks_V\(version).sqlite",
        hops: inferred(Array(bookmarkVersions[(version - 1)...])))
    }

  /// The policies that the mapping files name. Where only a policy's name is public, its stand-in does what the
  /// mapping declares.
  private var policies: PolicyRegistry {
    var policies = PolicyRegistry(V2to3MakerPolicy.self)
    policies.register(BookToBookPolicy.self, as: "MHWBookToBookPolicy")
    policies.register(UserToUserPolicy.self, as: "MHWUserToUserPolicy")
    for name in [
      "Advanced_EvolutionDemo_V2_FromV1MigrationPolicy", "MockMigrationPolicy", "MultiItem1MigrationPolicy1to2",
      "MultiItem2MigrationPolicy1to2", "SimpleItemMigrationPolicy1to2",
    ] { policies.register(EntityMigrationPolicy.self, as: name) }
    return policies
  }

  func manager(of chain: Chain) throws -> IncrementalMigrationManager {
    let models = try chain.models.flatMap { path in
      try ModelSource(path: path, url: Corpus.root.appending(path: path)).validVersions().map(\.model)
    }
    let folder = try chain.mappings.map { try MappingFolder(contentsOf: Corpus.root.appending(path: $0), file: $0) }
    return IncrementalMigrationManager(
      models: models, mappings: try folder?.search.choosing(chain.passes) ?? MappingSearch([]),
      infersMissingMappings: true, execution: MappingHopExecution(policies: policies))
  }

  func store(of chain: Chain, _ first: ManagedObjectModel, in folder: TemporaryFolder) throws -> URL {
    if let store = chain.store { return try folder.copyStore(Corpus.root.appending(path: store)) }
    let url = folder.appending("Generated.sqlite")
    let contained = first.restricted(to: chain.configuration)
    try VariedGraph(contained).graph.build(at: url, model: contained)
    return url
  }

  @Test(arguments: chains) func `a real chain runs as published, and each hop is verified`(chain: Chain) throws {
    let folder = try TemporaryFolder()
    let manager = try manager(of: chain)
    let models = try manager.models
    let end = try models.named(chain.end)
    let url = try store(of: chain, try #require(try models.named(chain.start) ?? models.first), in: folder)
    let plan = try manager.plan(for: url, to: end, options: .init(composesHops: false))
    #expect(plan.hops.map { "\($0.title), \($0.reason)" } == chain.hops)
    #expect(plan.configuration == chain.configuration)
    var source = url
    for (number, hop) in plan.hops.enumerated() {
      let destination = folder.appending("hop-\(number + 1).sqlite")
      let provenance = folder.appending("hop-\(number + 1).origins")
      try manager.migrate(
        source, into: destination, to: hop.destinationModel,
        options: IncrementalMigrationOptions(provenance: provenance))
      #expect(try differences(hop, source, destination, provenance) == [], "\(hop.title)")
      source = destination
    }
    let counts = try counts(source, plan.destinationModel)
    // In one go, hops are composed and fused.
    #expect(try manager.migrate(url, to: end).hops.count <= plan.hops.count)
    #expect(try self.counts(url, plan.destinationModel) == counts)
    #expect(try manager.plan(for: url, to: end).isCurrent)
  }

  @Test func `the plan of a real store counts the dropped values`() throws {
    let folder = try TemporaryFolder()
    let url = try folder.copyStore(Corpus.root.appending(path: "BookMigration/Model1.sqlite"))
    let versions = try ModelBundle(contentsOf: Corpus.root.appending(path: "BookMigration/Model.xcdatamodeld")).versions
    let manager = IncrementalMigrationManager(
      models: versions.map(\.model), mappings: MappingSearch([]), infersMissingMappings: true)
    let hop = try #require(try manager.plan(for: url, options: .init(composesHops: false)).hops.first)
    #expect(
      try MappingHopExecution().plan(from: url, hop: hop).losses.map(\.description) == [
        "4 values of 'authorName' of entity 'Book' are not migrated: the destination does not have it"
      ])
  }

  private func differences(
    _ hop: MigrationHop, _ source: URL, _ destination: URL, _ provenance: URL
  ) throws -> [String] {
    let old = try PersistentStore(url: source, models: [hop.sourceModel], mode: .readOnly)
    defer { try? old.close() }
    let new = try PersistentStore(url: destination, models: [hop.destinationModel], mode: .readOnly)
    defer { try? new.close() }
    let verifier = StoreVerifier(
      source: old, destination: new, mappings: hop.mappings, policies: policies, functions: [:],
      provenance: try MigrationProvenance(contentsOf: provenance))
    let report = try verifier.verify()
    return report.isClean ? [] : report.examples.map { "\($0)" }
  }

  private func counts(_ url: URL, _ model: ManagedObjectModel) throws -> [String: Int] {
    let store = try PersistentStore(url: url, models: [model], mode: .readOnly)
    defer { try? store.close() }
    let graph = try ObjectGraph(store)
    return Dictionary(grouping: graph.objects, by: \.entityName).mapValues(\.count)
  }
}

extension [ManagedObjectModel] {
  /// The version with a name, if there is a name.
  fileprivate func named(_ name: String?) throws -> ManagedObjectModel? {
    try name.map { name in try #require(first { $0.name == name }) }
  }
}
