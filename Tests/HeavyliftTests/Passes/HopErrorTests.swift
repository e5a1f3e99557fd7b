import Foundation
import Testing

@testable import Heavylift

/// Errors name their place and leave no files.
@Suite struct HopErrorTests {
  struct OwnError: Error, Equatable { var number: Int }

  /// Fails at the third track, in the way that the user info names.
  final class Failing: EntityMigrationPolicy {
    override var functions: [String: PolicyFunction] {
      [
        "failing:": PolicyFunction { (rating: Int) -> Int in
          if rating == 3 { throw OwnError(number: 2) }
          return rating
        }
      ]
    }

    private func fail(_ hook: String, _ manager: MigrationManager) throws {
      guard manager.userInfo["fails"] as? String == hook else { return }
      throw OwnError(number: 1)
    }

    override func begin(_ mapping: EntityMapping, with manager: MigrationManager) throws { try fail("begin", manager) }

    override func createDestinationInstances(
      forSource source: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws {
      try super.createDestinationInstances(forSource: source, in: mapping, manager: manager)
      guard source["rating"] == 3 else { return }
      let tracks = try manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [source])
      switch manager.userInfo["fails"] as? String {
      case "subscript": tracks[0]["Title"] = "x"
      case "source": _ = source["Title"]
      case "name": _ = try manager.destinationInstances(forEntityMappingName: "Trcks", sourceInstances: nil)
      case "side": try manager.associate(sourceInstance: tracks[0], withDestinationInstance: source, for: mapping)
      case "cancel": manager.cancelMigration(with: OwnError(number: 7))
      default: try fail("createDestinationInstances", manager)
      }
    }

    override func endInstanceCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      try fail("endInstanceCreation", manager)
    }

    override func createRelationships(
      forDestination destination: ManagedObject, in mapping: EntityMapping, manager: MigrationManager
    ) throws { try fail("createRelationships", manager) }

    override func endRelationshipCreation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      try fail("endRelationshipCreation", manager)
    }

    override func performCustomValidation(forMapping mapping: EntityMapping, manager: MigrationManager) throws {
      try fail("performCustomValidation", manager)
    }

    override func end(_ mapping: EntityMapping, manager: MigrationManager) throws { try fail("end", manager) }
  }

  private func failure(_ way: String, _ properties: PropertyMappingDescription...) throws -> (
    HopError?, MigrationTest
  ) {
    let test = try PatternModels.test(Failing.self)
    test.manager.userInfo["fails"] = way
    let before = try test.sourceBytes()
    let error = test.failure {
      _ = try test.migrate(
        PatternModels.albums, PatternModels.removeSettings,
        EntityMappingDescription(
          name: "Tracks", source: "Track", destination: "Track", policy: "Failing", properties: properties))
    }
    #expect(try test.files() == ["old.sqlite"])
    #expect(try test.sourceBytes() == before)
    return (error, test)
  }

  @Test(
    arguments: [
      ("begin", nil), ("createDestinationInstances", "Track/p3"), ("endInstanceCreation", nil),
      ("createRelationships", "Track/p1"), ("endRelationshipCreation", nil), ("performCustomValidation", nil),
      ("end", nil),
    ] as [(String, String?)])
  func `a policy's own error is thrown with its place`(hook: String, object: String?) throws {
    let (error, _) = try failure(hook)
    #expect(error?.underlying as? OwnError == OwnError(number: 1))
    #expect(error?.code == .entityMigrationPolicy)
    #expect(error?.place == .init(mapping: "Tracks", hook: hook, object: object))
    #expect(
      error?.description == "error[migration.134170]: entity mapping 'Tracks', in '\(hook)'"
        + (object.map { ", object '\($0)'" } ?? "") + ": OwnError(number: 1)")
  }

  @Test func `the error of a function that an expression calls is thrown`() throws {
    let (error, _) = try failure(
      "", .attribute("rating", try MappingExpression(parsing: #"FUNCTION($entityPolicy, "failing:", $source.rating)"#)))
    #expect(error?.underlying as? OwnError == OwnError(number: 2))
    #expect(
      error?.place
        == .init(mapping: "Tracks", hook: "createDestinationInstances", property: "rating", object: "Track/p3"))
  }

  @Test(arguments: [
    ("subscript", "entity 'Track' has no attribute 'Title'\n  did you mean 'title'?"),
    ("source", "entity 'Track' has no attribute 'Title'\n  did you mean 'title'?"),
    ("name", "there is no entity mapping 'Trcks'\n  did you mean 'Tracks'?"),
    (
      "side",
      "object Track/p3 does not belong to the source context\n"
        + "  associate objects of manager.sourceContext with objects of manager.destinationContext"
    ),
  ])
  func `errors of functions that cannot throw are reported, too`(way: String, problem: String) throws {
    let (error, _) = try failure(way)
    #expect(
      error?.description
        == "error[migration.134170]: entity mapping 'Tracks', in 'createDestinationInstances', object 'Track/p3': "
        + problem)
  }

  @Test func `a policy cancels`() throws {
    let (error, test) = try failure("cancel")
    #expect(error?.code == .cancelled)
    #expect(error?.underlying as? OwnError == OwnError(number: 7))
    test.manager.reset()
    test.manager.userInfo["fails"] = nil
    try test.migrate(
      PatternModels.albums, EntityMappingDescription(source: "Track", destination: "Track", policy: "Failing"),
      PatternModels.removeSettings)
    #expect(test.manager.migrationProgress == 1)
  }

  @Test func `another caller cancels during a batch`() throws {
    let test = try PatternModels.test()
    let cancellation = test.manager.cancellation
    test.manager.progressHandler = { manager in if manager.migrationProgress > 0.3 { cancellation.cancel() } }
    let error = test.failure {
      _ = try test.migrate(PatternModels.albums, PatternModels.plainTracks, PatternModels.removeSettings)
    }
    #expect(error?.code == .cancelled)
    #expect(error?.underlying is CancellationError)
    #expect(try test.files() == ["old.sqlite"])
  }

  @Test(arguments: [
    (
      "number", "'five'",
      "attribute 'number' has type Integer 32 and cannot hold a string\n  write an expression whose value has type Integer 32"
    ),
    (
      "number", "$source.rating / 2.0",
      "attribute 'number' has type Integer 32 and cannot hold a floating-point number without loss\n"
        + "  write an expression whose value has type Integer 32"
    ),
    (
      "title", "FUNCTION($entityPolicy, \"failing:\", 1)",
      "attribute 'title' has type String and cannot hold an integer without loss\n  write an expression whose value has type String"
    ),
  ])
  func `a value that an attribute cannot hold`(attribute: String, expression: String, problem: String) throws {
    let test = try PatternModels.test(Failing.self)
    var mapping = PatternModels.tracks(
      "Failing", .attribute(attribute, try MappingExpression(parsing: expression)))
    mapping.givenName = "Tracks"
    let source = MappingModel(entityMappings: [PatternModels.albums, mapping, PatternModels.removeSettings])
    do {
      try test.migrate(source)
      Issue.record("nothing was thrown")
    } catch let error as HopError {
      #expect(error.code == .valueOfWrongType)
      #expect(
        error.description
          == "error[migration.1550]: entity mapping 'Tracks', in 'createDestinationInstances', "
          + "property '\(attribute)', object 'Track/p1': \(problem)")
    } catch is DiagnosticList {
      // The check reported it before anything was read.
    }
  }

  @Test func `mistakes in the mapping are reported before anything is read`() throws {
    let test = try PatternModels.test(Failing.self)
    #expect(throws: DiagnosticList.self) {
      try test.migrate(PatternModels.albums, PatternModels.tracks("Faling"), PatternModels.removeSettings)
    }
    do {
      try test.migrate(PatternModels.albums, PatternModels.tracks("Faling"), PatternModels.removeSettings)
    } catch let list as DiagnosticList {
      #expect(
        list.description == """
          error[mapping.unknown-policy]: entity mapping 'TrackToTrack' names policy 'Faling', which is not registered
            did you mean 'Failing'?
          """)
    }
    #expect(try test.files() == ["old.sqlite"])
  }

  @Test func `a store of another version is refused`() throws {
    let test = try PatternModels.test()
    let manager = MigrationManager(sourceModel: test.new, destinationModel: test.new)
    let error = test.failure {
      _ = try manager.migrateStore(
        from: test.source, to: test.destination, with: IdentityMigrationTests.mapping(of: test.new))
    }
    #expect(error?.code == .missingSourceModel)
  }

  @Test func `an existing destination is not touched`() throws {
    let test = try PatternModels.test()
    try Data("mine".utf8).write(to: test.destination)
    let error = test.failure {
      _ = try test.migrate(PatternModels.albums, PatternModels.plainTracks, PatternModels.removeSettings)
    }
    #expect(error?.code == .destinationStore)
    #expect(try Data(contentsOf: test.destination) == Data("mine".utf8))
    #expect(try test.files() == ["new.sqlite", "old.sqlite"])
  }

  @Test func `a failed step with files leaves no destination`() throws {
    struct Injected: Error {}
    let test = try PatternModels.test()
    let mapping = MappingModel(
      entityMappings: [PatternModels.albums, PatternModels.plainTracks, PatternModels.removeSettings])
    let counter = StepCounter()
    // The first run counts the steps; each of the others fails at one.
    _ = try test.manager.migrateStore(
      from: test.source, to: test.folder.appending("count.sqlite"), with: [mapping], options: MigrationOptions(),
      caller: MigrationCaller(files: FileOperations { _ in _ = counter.next() }))
    let total = counter.next() - 1
    #expect(total > 3)
    let before = try test.files()
    for failing in 1...total {
      let counter = StepCounter()
      let files = FileOperations { step in
        if counter.next() == failing { throw Injected() }
      }
      do {
        _ = try test.manager.migrateStore(
          from: test.source, to: test.destination, with: [mapping], options: MigrationOptions(),
          caller: MigrationCaller(files: files))
        // Only cleaning up may fail silently.
        #expect(failing == total)
        try FileManager.default.removeItem(at: test.destination)
      } catch let error as HopError {
        #expect(error.underlying is Injected)
        #expect(try test.files().filter { !$0.hasSuffix(".migrating") } == before)
      }
      for left in try test.files() where left.hasSuffix(".migrating") {
        try FileManager.default.removeItem(at: test.folder.appending(left))
      }
    }
  }

  @Test func `an error about an invalid value names only the property that has it`() throws {
    let attributes = ["name", "size"].map { Models.attribute($0, $0 == "name" ? .string : .integer32) }
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Item", attributes: attributes)])
    let test = try MigrationTest(from: model, to: model) { context in try context.insert("Item")["name"] = "x" }
    try Database(path: test.source.path, mode: .readWrite).execute("UPDATE ZITEM SET ZSIZE = 'large'")
    let error = test.failure { try test.migrate(EntityMappingDescription(source: "Item", destination: "Item")) }
    #expect(error?.place.property == nil && error?.problem.hasSuffix("attribute 'size' of Item/p1") == true)
  }
}

private final class StepCounter: @unchecked Sendable {
  // Not locked: one migration at a time uses it, on one thread.
  private var count = 0

  func next() -> Int {
    count += 1
    return count
  }
}
