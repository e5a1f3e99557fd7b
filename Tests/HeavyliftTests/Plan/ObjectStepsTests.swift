import Foundation
import Heavylift
import HeavyliftTestSupport
import SamplePolicies
import Testing

/// The entity mappings of real migrations that run object by object, and the reasons, so that a new one is noticed.
@Suite struct ObjectStepsTests {
  /// A placeholder for a policy whose behavior does not matter to the plan.
  private final class SomePolicy: EntityMigrationPolicy {}

  /// One line per entity mapping, with the reasons why its rows and relationships need objects.
  private func steps(
    from old: ManagedObjectModel, to new: ManagedObjectModel, _ mappings: [MappingModel],
    _ policies: PolicyRegistry = PolicyRegistry(), functions: [String: MigrationFunction] = [:], store: URL? = nil
  ) throws -> [String] {
    let execution = MappingHopExecution(policies: policies) { manager, _ in manager.functions = functions }
    let hop = MigrationHop(sourceModel: old, destinationModel: new, mappings: mappings)
    return try execution.plan(from: store, hop: hop).steps.compactMap { step in
      func text(_ pass: String, _ strategy: MigrationPlan.Strategy, _ reasons: [MigrationPlan.Reason]) -> String? {
        guard strategy == .objects else { return nil }
        return "\(pass): \(reasons.map(\.description).joined(separator: "; "))"
      }
      let parts = [
        text("rows", step.rows, step.rowReasons), text("relationships", step.relationships, step.relationshipReasons),
      ].compactMap(\.self)
      return parts.isEmpty ? nil : "\(step.name), " + parts.joined(separator: ", ")
    }
  }

  /// The line of an entity mapping with a policy.
  private func line(_ mapping: String, policy: String) -> String {
    let reason = "policy '\(policy)' works with objects"
    return "\(mapping), rows: \(reason), relationships: \(reason)"
  }

  private func expect(_ found: [String], _ wanted: [String], at location: SourceLocation = #_sourceLocation) {
    #expect(found == wanted, sourceLocation: location)
  }

  private func sample(
    _ name: String, _ old: String, _ new: String, _ mapping: String, bundles: (String, String)? = nil,
    _ policies: PolicyRegistry = PolicyRegistry(), functions: [String: MigrationFunction] = [:]
  ) throws -> [String] {
    func model(_ version: String, _ bundle: String) throws -> ManagedObjectModel {
      let url = Corpus.project.appending(path: "MappingModels/\(name)/\(bundle).xcdatamodeld")
      return try #require(try ModelBundle(contentsOf: url).versions.first { $0.model.name == version }?.model)
    }
    let file = Corpus.project.appending(path: "MappingModels/\(name)/\(mapping).xml")
    return try steps(
      from: model(old, bundles?.0 ?? name), to: model(new, bundles?.1 ?? name),
      [MappingReader.read(contentsOf: file).validMappingModel()], policies, functions: functions)
  }

  @Test func `in the samples, only policies, functions and expressions without SQL need objects`() throws {
    let other = "its expression does not refer to the counterparts of a source relationship's objects"
    let music = PolicyRegistry(ArtistsFromJSON.self)
    expect(try sample("Music", "Music 1", "Music 2", "1-2", music), [line("TrackToTrack", policy: "ArtistsFromJSON")])
    expect(try sample("Music", "Music 2", "Music 3", "2-3"), [])
    expect(
      try sample("Bank", "Bank 1", "Bank 2", "1-2", functions: BankFunctions.all),
      ["CardToCard, rows: 'expiresAt': function 'dateFromNumericRepresentation:' is called on objects"])
    let fitness = PolicyRegistry(PerformedSetsFromSummary.self)
    expect(
      try sample("Fitness", "Fitness 1", "Fitness 2", "1-2", fitness),
      [line("WeightDataToPerformedSets", policy: "PerformedSetsFromSummary")])
    expect(
      try sample("Fitness", "Fitness 2", "Fitness 3", "2-3"),
      ["PerformedSetToPerformedSet, relationships: 'exercise': \(other); 'workout': \(other)"])
    let points = PolicyRegistry(SpacePointPolicy.self)
    expect(
      try sample("Points", "Points 1", "Points 2", "1-2", points), [line("MarkerToMarker", policy: "SpacePointPolicy")])
    let songs = PolicyRegistry(SongPolicy.self, SongPartPolicy.self)
    let bundles = ("Classic", "Songbook")
    expect(
      try sample("Songbook", "Classic", "Songbook", "classic", bundles: bundles, songs),
      [
        line("SongToSong", policy: "SongPolicy"), line("SongToSongData", policy: "SongPartPolicy"),
        line("SongToSongViewPreferences", policy: "SongPartPolicy"),
      ])
  }

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
  func `in the books, only policies need objects`() throws {
    let bundle = "BookMigration/Model.xcdatamodeld"
    let models = try ["Model1", "Model2", "Model3"].map { try CorpusMigrations.model($0, of: bundle) }
    var policies = PolicyRegistry()
    for name in ["MHWBookToBookPolicy", "MHWUserToUserPolicy"] { policies.register(SomePolicy.self, as: name) }
    let first = try CorpusMigrations.mapping("BookMigration/Model1_to_Model2.xcmappingmodel")
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(Corpus.root.appending(path: "BookMigration/Model1.sqlite"))
    expect(
      try steps(from: models[0], to: models[1], [first], policies, store: store),
      [line("BookToBook", policy: "MHWBookToBookPolicy")])
    let next = try ["Model2_to_Model3_User", "Model2_to_Model3"].map {
      try CorpusMigrations.mapping("BookMigration/\($0).xcmappingmodel")
    }
    expect(
      try steps(from: models[1], to: models[2], next, policies), [line("BookToBook", policy: "MHWBookToBookPolicy")])
  }

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
  func `in the cars, only the policy needs objects`() throws {
    let bundle = "\(CorpusMigrations.sample)/SampleModel.xcdatamodeld"
    let (old, new) = (
      try CorpusMigrations.model("SampleModel2", of: bundle), try CorpusMigrations.model("SampleModel3", of: bundle)
    )
    let mapping = try CorpusMigrations.mapping("\(CorpusMigrations.sample)/MappingModels/V2toV3.xcmappingmodel")
    let folder = try TemporaryFolder()
    let store = try folder.copyStore(
      Corpus.root.appending(path: "\(CorpusMigrations.sample)/Fixtures/SampleModel_V2.sqlite"))
    var policies = PolicyRegistry()
    policies.register(SomePolicy.self, as: "V2to3MakerPolicy")
    expect(
      try steps(from: old, to: new, [mapping], policies, store: store),
      ["CarToCar", "LuxuryCarToLuxuryCar", "SportCarToSportCar"].map {
        line($0, policy: "REPLACE_AT_RUNTIME.V2to3MakerPolicy")
      })
  }

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
  func `in the bookmarks, whose mappings are inferred, nothing needs objects`() throws {
    for store in CorpusMigrations.stores where store.path.contains("Bookmarks_V") {
      let models = try ModelBundle(contentsOf: Corpus.root.appending(path: store.bundle)).versions.map(\.model)
      let place = try #require(models.firstIndex { $0.name == store.version })
      guard place + 1 < models.count else { continue }
      let folder = try TemporaryFolder()
      let mapping = try MappingModel.inferred(from: models[place], to: models[place + 1])
      let found = try steps(
        from: models[place], to: models[place + 1], [mapping], store: folder.copyStore(store.url))
      #expect(found == [], "\(store)")
    }
  }
}
