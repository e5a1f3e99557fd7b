import Foundation
import Heavylift
import HeavyliftTestSupport
import HeavyliftTesting
import HeavyliftVerification
import Testing

/// Runs each recipe of the cookbook, with the models and mapping files of the page, on the graphs in `Fixtures/Cookbook`.
struct CookbookTests {
  private static let graphs = Corpus.project.appending(path: "Fixtures/Cookbook")

  private func recipe(_ title: String) throws -> CookbookRecipe {
    try #require(CookbookRecipe.all().first { $0.title == title })
  }

  private func pair(_ recipe: CookbookRecipe, mapping text: String) throws -> MigrationPair {
    let manager = MigrationManager(sourceModel: recipe.old, destinationModel: recipe.new)
    CookbookExamples.addFunctions(to: manager)
    return MigrationPair(
      sourceModel: recipe.old, destinationModel: recipe.new, mappings: [try recipe.mapping(text)],
      policies: PolicyRegistry(OnePerValue.self), functions: manager.functions)
  }

  private static let recipes = [
    ("Split an entity", ["split"]), ("Merge two entities", ["merge"]), ("Merge an entity into its owner", ["owner"]),
    ("Remove duplicates", ["duplicates"]),
    ("Turn text into an entity", ["text"]), ("Turn a to-one into a to-many", ["many"]), ("Convert units", ["units"]),
    ("Turn a string into a date", ["dates"]), ("Rename the cases of an enumeration", ["cases"]),
    ("Drop data on purpose", ["drop"]),
    ("Move objects to another store", ["archive", "rest"]), ("Carry opaque data", ["opaque"]),
  ]

  @Test func `every recipe is tested`() throws {
    #expect(try CookbookRecipe.all().map(\.title) == Self.recipes.map(\.0))
  }

  @Test(arguments: recipes)
  func `a recipe has the expected result, without errors or warnings`(title: String, files: [String]) throws {
    let recipe = try recipe(title)
    #expect(recipe.mappings.count == files.count)
    for (text, name) in zip(recipe.mappings, files) {
      let pair = try pair(recipe, mapping: text)
      let manager = MigrationManager(
        sourceModel: recipe.old, destinationModel: recipe.new, policies: pair.policies)
      manager.functions = pair.functions
      let findings = pair.mappings[0].complete(from: recipe.old, to: recipe.new)
        .check(manager.checkEnvironment(forPoliciesNamed: ["OnePerValue"]))
      #expect(findings.filter { $0.severity != .note }.map(\.description) == [])
      try expectMigration(
        pair, of: Self.graphs.appending(path: "\(files[0])-1.json"),
        gives: Self.graphs.appending(path: "\(name)-2.json"))
    }
  }

  /// A line of a recipe, and the code of the error without that line; nil if there is none.
  @Test(arguments: [
    ("Drop data on purpose", #"    <drop name="html"/>"#, "mapping.possible-renaming"),
    ("Drop data on purpose", #"  <entity-mapping type="remove" source="Session"/>"#, "mapping.dropped-entity"),
    (
      "Convert units", #"    <attribute name="kilometers" value="$source.miles * 1.609344"/>"#,
      "mapping.possible-renaming"
    ),
    ("Split an entity", #"    <relationship name="address" from="$source" mapping="CustomerToAddress"/>"#, nil),
  ])
  func `the check refuses a recipe that lacks a line, except for a new relationship`(
    title: String, line: String, code: String?
  ) throws {
    let recipe = try recipe(title)
    #expect(recipe.mappings[0].contains(line + "\n"))
    let mapping = try recipe.mapping(recipe.mappings[0].replacing(line + "\n", with: ""))
    let errors = mapping.complete(from: recipe.old, to: recipe.new).check().filter { $0.severity == .error }
    #expect(errors.map(\.code) == (code.map { [$0] } ?? []))
  }

  @Test func `the archived objects are in one store, and the rest is in the other`() throws {
    let recipe = try recipe("Move objects to another store")
    let folder = try TemporaryFolder()
    let (storeURL, archiveURL) = (folder.appending("Notes.sqlite"), folder.appending("Archive.sqlite"))
    let mappingsURL = folder.appending("Mappings")
    try FileManager.default.createDirectory(at: mappingsURL, withIntermediateDirectories: true)
    for (name, text) in zip(["archive", "rest"], recipe.mappings) {
      try text.write(to: mappingsURL.appending(path: "\(name).xml"), atomically: true, encoding: .utf8)
    }
    var creation = PersistentStore.CreationOptions()
    creation.identifier = "8F9F3F0A-6C3F-4E0C-9B0C-0D6C7E3B5A10"
    try ObjectGraph(contentsOf: Self.graphs.appending(path: "archive-1.json"), model: recipe.old)
      .build(at: storeURL, model: recipe.old, options: creation)

    try CookbookExamples.archive(storeURL, to: archiveURL, models: [recipe.old, recipe.new], mappings: mappingsURL)

    let texts = try [archiveURL, storeURL].map { url in
      let context = ManagedObjectContext(store: try PersistentStore(url: url, models: [recipe.new]))
      #expect(context.store.metadata.identifier == "8F9F3F0A-6C3F-4E0C-9B0C-0D6C7E3B5A10")
      return try context.fetch(FetchRequest(entityName: "Note")).map { $0["text"] }
    }
    #expect(texts == [["old"], ["new", "unknown"]])
    let error = #expect(throws: MigrationError.self) {
      try CookbookExamples.archive(storeURL, to: archiveURL, models: [recipe.old, recipe.new], mappings: mappingsURL)
    }
    #expect(error?.kind == .destinationExists)
  }

  @Test func `objects can be moved without a change of the model`() throws {
    let recipe = try recipe("Move objects to another store")
    var model = recipe.old
    model.name = "Notes 2"
    for (text, name) in zip(recipe.mappings, ["archive", "rest"]) {
      let pair = MigrationPair(
        sourceModel: model, destinationModel: model,
        mappings: [try recipe.mapping(text.replacing("Notes 1", with: "Notes 2"))])
      try expectMigration(
        pair, of: Self.graphs.appending(path: "archive-1.json"), gives: Self.graphs.appending(path: "\(name)-2.json"))
    }
  }

  @Test func `an inverse fills the to-many on its own`() throws {
    let recipe = try recipe("Turn a to-one into a to-many")
    let line = #"    <relationship name="cards" from="$source.card"/>"# + "\n"
    #expect(recipe.mappings[0].contains(line))
    try expectMigration(
      pair(recipe, mapping: recipe.mappings[0].replacing(line, with: "")),
      of: Self.graphs.appending(path: "many-1.json"), gives: Self.graphs.appending(path: "many-2.json"))
  }

  @Test func `a forgotten entity is refused`() throws {
    let recipe = try recipe("Merge two entities")
    var mapping = try recipe.mapping(recipe.mappings[0])
    mapping.entityMappings.removeAll { $0.sourceEntityName == "Email" }
    let errors = mapping.complete(from: recipe.old, to: recipe.new).check().filter { $0.severity == .error }
    #expect(errors.map(\.code) == ["mapping.dropped-entity"])
  }

  @Test func `data that cannot be decoded fails the migration`() throws {
    let recipe = try recipe("Carry opaque data")
    let graph = try ObjectGraph(
      json: #"{"objects": {"Secret": {"broken": {"key": "AAA="}}}}"#, model: recipe.old)
    let error = #expect(throws: HopError.self) {
      try pair(recipe, mapping: recipe.mappings[0]).migrate(graph)
    }
    #expect(error?.place.mapping == "SecretToSecret" && error?.place.property == "key")
  }
}
