import Foundation
import HeavyliftConcurrency
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// The manager as a program uses it: models, mappings and code; tasks, events and errors.
struct AdoptionTests {
  private let folder: TemporaryFolder
  private let bank = Corpus.project.appending(path: "MappingModels/Bank")
  private var model: URL { bank.appending(path: "Bank.xcdatamodeld") }
  private var store: URL { folder.appending("Bank.sqlite") }

  private static let code = MigrationCode(functions: [
    "dateFromNumericRepresentation:": MigrationFunction { (seconds: Double) in Date(timeIntervalSince1970: seconds) }
  ])

  init() throws { folder = try TemporaryFolder() }

  private func make(_ url: URL? = nil) throws {
    let models = try ModelBundle(contentsOf: model).versions.map(\.model)
    let store = try PersistentStore.create(at: url ?? self.store, model: models[0])
    let context = ManagedObjectContext(store: store)
    let (account, card) = (try context.insert("Account"), try context.insert("Card"))
    (account["holder"], account["number"], card["number"]) = ("Ada", "1", "2")
    card["expiry"] = 86_400.0
    account[toOne: "card"] = card
    try context.save()
    try store.close()
  }

  private func error(_ body: () throws(MigrationError) -> Void) -> MigrationError? {
    do {
      try body()
      return nil
    } catch { return error }
  }

  // MARK: Models, mappings, code

  @Test func `a manager finds the models and the mappings`() throws {
    for (models, mappings) in [
      (model, bank), (model, nil), (bank, nil), (model, bank.appending(path: "1-2.xml")),
    ] as [(URL, URL?)] {
      try make()
      let manager = IncrementalMigrationManager(models: models, mappings: mappings, code: Self.code)
      #expect(try manager.plan(for: store).hops.map(\.title) == ["'Bank 1' → 'Bank 2'"])
      #expect(try manager.migrate(store).hops.count == 1)
      #expect(try manager.plan(for: store).isCurrent)
      try FileManager.default.removeItem(at: store)
    }
  }

  @Test func `a plan shows how each entity mapping is carried out`() throws {
    try make()
    let plan = try IncrementalMigrationManager(models: bank, code: Self.code).plan(for: store)
    #expect(plan.hopPlans[0].steps.map(\.name) == ["AccountToAccount", "CardToCard", "RemoveSession"])
    #expect("\(plan)".contains("AccountToAccount: by SQL, 1 object\n"), "\(plan)")
  }

  @Test func `a plan finds code that is missing`() throws {
    try make()
    let found = error { () throws(MigrationError) in
      _ = try IncrementalMigrationManager(models: bank).plan(for: store)
    }
    #expect(found?.kind == .mistakes)
    #expect(found?.diagnostics.map(\.code) == ["expression.unknown-function"])
  }

  @Test func `mistakes name the parameters, not the options of the tool`() throws {
    try make()
    for name in ["A", "B"] {
      try FileManager.default.createDirectory(
        at: folder.appending("Project/\(name)"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(at: model, to: folder.appending("Project/\(name)/\(name).xcdatamodeld"))
    }
    let contents = folder.appending("Project/B/B.xcdatamodeld/Bank 2.xcdatamodel/contents")
    let text = try String(contentsOf: contents, encoding: .utf8)
    try text.replacing("holder", with: "owner").write(to: contents, atomically: true, encoding: .utf8)
    let found = error { () throws(MigrationError) in
      _ = try IncrementalMigrationManager(models: folder.appending("Project")).plan(for: store)
    }
    let remedy = try #require(found?.recoverySuggestion)
    #expect(remedy.contains("'models'") && !remedy.contains("--"), "\(remedy)")
  }

  @Test func `opening creates a store, or migrates it`() async throws {
    let manager = IncrementalMigrationManager(models: bank, code: Self.code)
    let new = try await manager.open(store)
    #expect(new.model.name == "Bank 2")
    try new.close()
    let old = folder.appending("Old.sqlite")
    try make(old)
    let opened = try await manager.open(old)
    let cards = try ManagedObjectContext(store: opened).fetch(FetchRequest(entityName: "Card"))
    #expect(cards.map { $0["expiresAt"] } == [.date(Date(timeIntervalSince1970: 86_400))])
    try opened.close()
  }

  // MARK: Tasks

  @Test func `several stores are migrated at once by one manager, on threads of their own`() async throws {
    let areOwn = Locked<[Bool]>([])
    var manager = IncrementalMigrationManager(models: bank, code: Self.code)
    manager.eventHandler = { _ in
      areOwn.withLock { $0.append(OwnThread.isCurrent) }
    }
    let stores = try (0..<4).map { number in
      let url = folder.appending("\(number).sqlite")
      try make(url)
      return url
    }
    try await withThrowingTaskGroup { [manager] group in
      for store in stores { group.addTask { try await manager.migrate(store).hops.count } }
      for try await count in group { #expect(count == 1) }
    }
    for store in stores { #expect(try await manager.plan(for: store).isCurrent) }
    // Six events of each migration.
    #expect(areOwn.current == Array(repeating: true, count: 24) && !OwnThread.isCurrent)
  }

  @Test func `cancelling the task cancels the migration`() async throws {
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withoutLog)
    let manager = NoteStores.manager(MappingHopExecution())
    let reached = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await manager.migrate(
        url,
        monitor: MigrationMonitor { event in
          guard case .preparing = event.step else { return }
          reached.continuation.yield()
          // The migration waits for its observer, so it is cancelled before it goes on.
          while !Task.isCancelled, !finished.current { usleep(1_000) }
        })
    }
    for await _ in reached.stream { break }
    task.cancel()
    finished.current = true
    let result = await task.result
    #expect(throws: MigrationError.self) { try result.get() }
    #expect(try NoteStores.contents(url) == NoteStores.oldest)
  }

  private let finished = Locked(false)

  // MARK: Events

  @Test func `events tell what a log should contain`() throws {
    try make()
    let events = Locked<[String]>([])
    var manager = IncrementalMigrationManager(models: bank, code: Self.code)
    manager.eventHandler = { event in events.withLock { $0.append("\(event.level.rawValue) \(event)") } }
    try manager.rehearse(store) { _ in }
    #expect(events.current == [], "a rehearsal is no migration")
    try manager.migrate(store)
    let path = store.resolvingLinks.path
    let found = events.current.map { $0.replacing(/after [0-9.e-]+ s/, with: "after T s") }
    #expect(
      found == [
        "info migrating store '\(path)' from 'Bank 1' to 'Bank 2'",
        "info hop 1 of 1: 'Bank 1' → 'Bank 2', by '\(bank.path)/1-2.xml'",
        "debug hop 1: AccountToAccount: by SQL, 1 object; CardToCard: object by object, 1 object; because of 'expiresAt': "
          + "function 'dateFromNumericRepresentation:' is called on objects; RemoveSession: nothing to do, 0 objects",
        "info hop 1 is done after T s: 2 objects", "info moving the new store into place: '\(path)'",
        "info store '\(path)' was migrated in 1 hop",
      ])
    events.current = []
    try manager.migrate(store)
    #expect(events.current == ["info store '\(path)' is current"])
    events.current = []
    _ = error { () throws(MigrationError) in try manager.migrate(folder.appending("missing.sqlite")) }
    #expect(events.current.count == 1 && events.current[0].hasPrefix("error "))
  }

  // MARK: Errors

  @Test func `errors are Foundation's, with Core Data's domain and numbers`() throws {
    struct Refusal: Error, Equatable {}
    let policies = PolicyRegistry(Refusing.self)
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withoutLog)
    var mapping = NoteStores.mapping(1, 2)
    mapping.entityMappings[0].policyClassName = "Refusing"
    let manager = IncrementalMigrationManager(
      models: Array(NoteStores.models.prefix(2)),
      mappings: MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)]),
      code: MigrationCode(policies: policies))
    let found = try #require(error { () throws(MigrationError) in try manager.migrate(url) })
    #expect(found.kind == .hop && found.number == 134_170 && found.cause is Refusing.Refusal)
    #expect(found.localizedDescription.contains("entity mapping 'NoteToNote', in 'populate', object 'Note/p1'"))
    #expect(found.localizedDescription.contains(url.resolvingLinks.path))
    let cocoa = found as NSError
    #expect(cocoa.domain == "NSCocoaErrorDomain" && cocoa.code == 134_170)
    #expect(cocoa.localizedRecoverySuggestion == "nothing was changed")
    let missing = try #require(error { () throws(MigrationError) in try manager.migrate(folder.appending("none")) })
    #expect(missing.kind == .unreadable && missing.localizedDescription.contains("none"), "\(missing)")
  }

  final class Refusing: EntityMigrationPolicy {
    struct Refusal: Error {}
    override func populate(_ new: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
      throw Refusal()
    }
  }

  // MARK: Policies

  /// A counter that two policies share.
  private final class Numbers: MigrationState {
    var next: Int64 = 0
  }

  final class Counting: EntityMigrationPolicy {
    override func populate(_ new: ManagedObject, from old: ManagedObject, in manager: MigrationManager) throws {
      let numbers = manager.state(Numbers.self)
      #expect(numbers === manager.state(Numbers.self))
      numbers.next += 1
      new["added2"] = .integer(numbers.next)
      #expect(manager.currentEntityMapping?.name == "NoteToNote" && new["text"] == old["text"])
    }
  }

  @Test func `each migration has a state of its own`() throws {
    var mapping = NoteStores.mapping(1, 2)
    mapping.entityMappings[0].policyClassName = "Counting"
    let manager = IncrementalMigrationManager(
      models: Array(NoteStores.models.prefix(2)),
      mappings: MappingSearch([MappingCandidate(file: "1-2.xml", mappingModel: mapping)]),
      code: MigrationCode(policies: PolicyRegistry(Counting.self)))
    for name in ["A", "B"] {
      let url = folder.appending("\(name).sqlite")
      try NoteStores.make(at: url, .withoutLog)
      let store = try manager.open(url)
      let notes = try ManagedObjectContext(store: store).fetch(FetchRequest(entityName: "Note"))
      #expect(notes.map { $0["added2"] } == [1, 2, 3])
      try store.close()
    }
  }

  @Test func `nothing of a manager can be used before its migration`() throws {
    let manager = MigrationManager(sourceModel: NoteStores.models[0], destinationModel: NoteStores.models[1])
    #expect(throws: Diagnostic.self) { _ = try manager.sourceContext }
    #expect(throws: Diagnostic.self) { _ = try manager.destinationContext }
    #expect(throws: Diagnostic.self) {
      try manager.destinationInstances(forEntityMappingName: "NoteToNote", sourceInstances: nil)
    }
  }
}
