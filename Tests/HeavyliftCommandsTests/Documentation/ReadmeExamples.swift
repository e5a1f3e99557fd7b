import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import HeavyliftTesting
import SamplePolicies
import Testing

/// The README's Swift code, word for word: `ReadmeTests` checks that every block of it is here.
struct ReadmeExamples {
  private let fixture: ToolFixture
  private var modelURL: URL { fixture.folder.appending("Library.xcdatamodeld") }
  private var storeURL: URL { fixture.folder.appending("Library.sqlite") }

  init() throws { fixture = try ToolFixture() }

  @Test func `a store is read`() throws {
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }

    let bundle = try ModelBundle(contentsOf: modelURL)
    let store = try PersistentStore(url: storeURL, models: bundle.versions.map(\.model))
    // throws if no version fits, and says how the nearest one differs

    let context = ManagedObjectContext(store: store)
    var request = FetchRequest(entityName: "Book")
    request.predicate = try MappingPredicate(parsing: "title != 'Letters'")
    request.sortKeys = [.init(keyPath: "author.name"), .init(keyPath: "title")]
    for book in try context.fetch(request) {
      print(book["title"].string ?? "untitled", "by", book[toOne: "author"]?["name"].string ?? "an unknown author")
    }

    #expect(printed == ["Amerika by Franz Kafka", "The Trial by Franz Kafka"])
  }

  @Test func `a store is changed`() throws {
    let store = try PersistentStore(url: storeURL, models: ModelBundle(contentsOf: modelURL).versions.map(\.model))
    let context = ManagedObjectContext(store: store)

    let author = try context.insert("Author")
    author["name"] = "Jane Austen"
    let book = try context.insert("Book")
    book["title"] = "Emma"
    book[toOne: "author"] = author  // author[toMany: "books"] now has the book
    try context.save()  // all or nothing; throws if a rule of the model is violated

    #expect(author[toMany: "books"] == [book])
    let dump = fixture.run("dump", "Library.sqlite", "--model", "Library.xcdatamodeld", "--entity", "Author")
    #expect(
      dump.output == """
        {"entity":"Author","key":1,"attributes":{"name":"Franz Kafka"},\
        "relationships":{"books":["Book/p1","Novel/p2","Book/p3"]}}
        {"entity":"Author","key":2,"attributes":{"name":"Jane Austen"},"relationships":{"books":["Book/p4"]}}

        """)
  }

  @Test func `a store is made`() throws {
    let newURL = fixture.folder.appending("New.sqlite")

    let model = try ManagedObjectModel(contentsOf: modelURL)  // the current version of the bundle
    let store = try PersistentStore.create(at: newURL, model: model)

    try store.close()
    #expect(
      fixture.run("inspect", "New.sqlite", "--model", "Library.xcdatamodeld").output
        .contains("  version     'Library 2' of Library.xcdatamodeld, according to its version hashes\n"))
  }

  @Test func `an expression is evaluated`() throws {
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }

    var environment = EvaluationEnvironment()
    let source = environment.declare("source")
    let expression = try MappingExpression(parsing: "$source.seconds * 1000")
    let compiled = try CompiledExpression(expression, in: environment)

    var context = EvaluationContext(environment)
    context[source] = .dictionary(["seconds": 215])
    print(try compiled.evaluate(in: &context))  // integer(215000)

    #expect(printed == ["integer(215000)"])
  }

  @Test func `a mapping file is read, completed and checked`() throws {
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }
    let bundle = try ModelBundle(contentsOf: Corpus.project.appending(path: "MappingModels/Bank/Bank.xcdatamodeld"))
    let mappingURL = Corpus.project.appending(path: "MappingModels/Bank/1-2.xml")
    let (old, new) = (bundle.versions[0].model, bundle.versions[1].model)

    let mapping = try MappingModel(contentsOf: mappingURL)
    let diagnostics = mapping.check(from: old, to: new)
    guard !diagnostics.hasErrors else { throw DiagnosticList(diagnostics) }
    print(mapping.explanation(from: old, to: new))  // what each property gets, and why, as 'heavylift explain' does

    #expect(diagnostics == [])
    #expect(printed.count == 1 && printed[0].hasPrefix("Bank 1 → Bank 2\n\nAccountToAccount (transform): "))
  }

  @Test func `a store is migrated`() async throws {
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }
    let mappingsURL = Corpus.project.appending(path: "MappingModels/Bank")
    let modelURL = mappingsURL.appending(path: "Bank.xcdatamodeld")
    let storeURL = fixture.folder.appending("Bank.sqlite")
    let versions = try ModelBundle(contentsOf: modelURL).versions.map(\.model)
    let old = try PersistentStore.create(at: storeURL, model: versions[0])
    let objects = ManagedObjectContext(store: old)
    let (account, card) = (try objects.insert("Account"), try objects.insert("Card"))
    (account["holder"], account["number"], card["number"]) = ("Ada", "1", "2")
    card["expiry"] = 86_400.0
    account[toOne: "card"] = card
    try objects.save()
    try old.close()

    let code = MigrationCode(functions: [
      "dateFromNumericRepresentation:": MigrationFunction { (seconds: Double) in Date(timeIntervalSince1970: seconds) }
    ])
    let migrations = IncrementalMigrationManager(models: modelURL, mappings: mappingsURL, code: code)
    print(try await migrations.plan(for: storeURL))
    try await migrations.migrate(storeURL)  // If the process dies, you have the old store or the new one, intact.

    #expect(printed.count == 1 && printed[0].contains("Bank 2"))
    let new = ManagedObjectContext(store: try PersistentStore(url: storeURL, models: [versions[1]]))
    let accounts = try new.fetch(FetchRequest(entityName: "Account"))
    #expect(accounts.first?[toMany: "cards"].first?["expiresAt"] == .date(Date(timeIntervalSince1970: 86_400)))
  }

  @Test func `a tool has policies`() throws {
    let music = try MusicFixture()
    let file = music.folder.appending("Music/1-2.xml").path
    let CommandLine = (arguments: ["music-tool", "check", file], count: 3)

    var tool = CommandLineTool.heavylift
    tool.name = "music-tool"
    tool.code = MigrationCode(
      policies: PolicyRegistry(ArtistsFromJSON.self),
      functions: ["secondsFromMinutes:": MigrationFunction { (minutes: Double) in minutes * 60 }])
    let code = tool.run(Array(CommandLine.arguments.dropFirst()), .standard)

    #expect(code == .success)
    #expect(
      music.run("check", "Music/1-2.xml", code: MigrationCode(policies: PolicyRegistry(SongPolicy.self))).code
        == .negative)
  }

  @Test func `two versions of a model are compared`() throws {
    var printed: [String] = []
    func print(_ things: Any...) { printed.append(things.map { "\($0)" }.joined(separator: " ")) }
    let (old, new) = (ToolFixture.firstModel, ToolFixture.secondModel)

    let difference = ModelDifference(from: old, to: new)
    print(difference)  // as 'heavylift diff' does
    print(difference.changesVersionHashes)  // true: a store of one does not match the other

    #expect(printed == [difference.description, "true"])
    let lines = fixture.run("diff", "Library.xcdatamodeld", "--from", "Library", "--to", "Library 2").output
    #expect(lines.hasSuffix("\n\n\(difference)\n"))
  }
}

private let music = Corpus.project.appending(path: "MappingModels/Music")
private let graphs = Corpus.project.appending(path: "Fixtures/Samples/Music")

final class Music1To2Tests: MigrationTestCase {
  override func makePair() throws -> MigrationPair {
    try MigrationPair(
      models: music.appending(path: "Music.xcdatamodeld"), from: "Music 1", to: "Music 2",
      mappings: [music.appending(path: "1-2.xml")], policies: PolicyRegistry(ArtistsFromJSON.self))
  }

  func testMigration() throws {
    try assertMigration(of: graphs.appending(path: "graph-1.json"), gives: graphs.appending(path: "graph-2.json"))
  }

  func testMutations() throws {  // does things wrong on purpose: does the test notice each of them?
    try assertNoMutationSurvives(
      of: graphs.appending(path: "graph-1.json"), gives: graphs.appending(path: "graph-2.json"))
  }

  func testLaws() throws {  // what holds of every right migration, on stores that follow from seeds
    try assertLaws(MigrationLawOptions(values: ["Track.json": [#"{"artists": ["Ann", "Bob"]}"#, "not JSON", .null]]))
  }
}

final class MusicStage1To2Tests: MigrationTestCase {
  override func makePair() throws -> MigrationPair {
    try MigrationPair(
      models: music.appending(path: "Music.xcdatamodeld"), from: "Music 1", to: "Music 2", stages: MusicHistory.stages)
  }

  func testMigration() throws {
    try assertMigration(of: graphs.appending(path: "graph-1.json"), gives: graphs.appending(path: "graph-2.json"))
  }
}
