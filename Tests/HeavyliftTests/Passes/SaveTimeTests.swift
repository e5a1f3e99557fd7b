import Foundation
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Attributes that are derived from `now()`: when an object was last saved cannot be computed again.
@Suite struct SaveTimeTests {
  private static func model(
    _ name: String, comment: [AttributeDescription] = [], post: (inout EntityDescription) -> Void = { _ in }
  ) -> ManagedObjectModel {
    var entity = EntityDescription(
      name: "Post",
      attributes: [
        Models.attribute("title", .string),
        AttributeDescription(name: "mod", type: .date, derivationExpression: "now()"),
      ])
    post(&entity)
    return ManagedObjectModel(
      name: name,
      entities: [
        EntityDescription(name: "Comment", attributes: [Models.attribute("text", .string)] + comment), entity,
      ])
  }

  private static let first = model("1")
  /// Only comments have changed.
  private static let second = model("2", comment: [Models.attribute("likes", .integer32)])

  private static func fill(_ context: ManagedObjectContext) throws {
    for number in 1...3 {
      let post = try context.insert("Post")
      try post.setValue(.string("p\(number)"), forKey: "title")
      if number < 3 {
        try post.setValue(.date(Date(timeIntervalSinceReferenceDate: Double(number))), forKey: "mod")
      }
    }
    try context.insert("Comment").setValue(.string("c"), forKey: "text")
  }

  /// The times of all posts, in the order of their keys.
  private static func times(_ store: URL, _ model: ManagedObjectModel, _ name: String = "mod") throws -> [Double?] {
    let opened = try PersistentStore(url: store, models: [model], mode: .readOnly)
    defer { try? opened.close() }
    let context = ManagedObjectContext(store: opened)
    return try context.fetch(FetchRequest(entityName: "Post")).sorted { $0.primaryKey < $1.primaryKey }.map {
      try $0.value(forKey: name).date?.timeIntervalSinceReferenceDate
    }
  }

  private static func note(_ count: String, _ name: String = "mod") -> String {
    "attribute '\(name)' of entity 'Post' is the time of the migration in \(count) without an old value"
  }

  private static func notes(_ report: MigrationReport?) -> [String] {
    report?.notes.filter { $0.code == "migration.time-of-migration" }.map(\.problem) ?? []
  }

  @Test(arguments: [false, true]) func `a time of saving is carried over`(forcesObjects: Bool) throws {
    let test = try MigrationTest(from: Self.first, to: Self.second, fill: Self.fill)
    let mapping = try MappingModel.inferred(from: Self.first, to: Self.second)
    var options = MigrationOptions()
    options.forcesObjects = forcesObjects
    let report = try test.migrate(mapping, options: options)
    let times = try Self.times(test.destination, Self.second)
    #expect(times.prefix(2) == [1, 2])
    #expect(try #require(times[2]) > 2)
    #expect(Self.notes(report) == [Self.note("1 object")])
    let (old, new) = try test.bothStores()
    let verified = try StoreVerifier(source: old, destination: new, mappings: [mapping]).verify()
    #expect(verified.isClean, "\(verified)")
    try new.close()
    let database = try Database(path: test.destination.path, mode: .readWrite)
    try database.execute("UPDATE ZPOST SET ZMOD = 5 WHERE Z_PK = 1")
    try database.close()
    let (before, changed) = try test.bothStores()
    #expect(try !StoreVerifier(source: before, destination: changed, mappings: [mapping]).verify().isClean)
  }

  @Test func `a renamed time of saving is carried over`() throws {
    let renamed = Self.model("2") {
      $0.mod = AttributeDescription(
        name: "changed", type: .date, derivationExpression: "now()", renamingIdentifier: "mod")
    }
    let test = try MigrationTest(from: Self.first, to: renamed, fill: Self.fill)
    try test.migrate(try MappingModel.inferred(from: Self.first, to: renamed))
    #expect(try Self.times(test.destination, renamed, "changed").prefix(2) == [1, 2])
  }

  @Test func `a stored date that becomes a time of saving is carried over`() throws {
    let stored = Self.model("0") { $0.mod = Models.attribute("mod", .date) }
    let test = try MigrationTest(from: stored, to: Self.first, fill: Self.fill)
    let report = try test.migrate(try MappingModel.inferred(from: stored, to: Self.first))
    #expect(try Self.times(test.destination, Self.first).prefix(2) == [1, 2])
    #expect(report.losses == [])
  }

  @Test(arguments: [ConservativeCopy.everything, .listed])
  func `a mapping's value for a time of saving is respected`(copying: ConservativeCopy) throws {
    let renamed = Self.model("2") { $0.mod.name = "changed" }
    let test = try MigrationTest(from: Self.first, to: renamed, fill: Self.fill)
    try test.migrate(
      EntityMappingDescription(
        source: "Post", destination: "Post",
        properties: [.attribute("title", .source(key: "title")), .attribute("changed", .source(key: "mod"))]),
      EntityMappingDescription(
        source: "Comment", destination: "Comment", properties: [.attribute("text", .source(key: "text"))]),
      copying: copying)
    #expect(try Self.times(test.destination, renamed, "changed").prefix(2) == [1, 2])
  }

  @Test func `a new time of saving is the time of the migration, as the plan and the report say`() throws {
    let before = Self.model("0") { $0.attributes.removeAll { $0.name == "mod" } }
    let test = try MigrationTest(from: before, to: Self.first) { context in
      for _ in 1...3 { _ = try context.insert("Post") }
    }
    let mapping = try MappingModel.inferred(from: before, to: Self.first)
    let plan = try test.manager.plan(from: test.source, with: [mapping])
    #expect(plan.steps.map(\.timesOfMigration) == [[], ["mod"]])
    #expect("\(plan)".contains("  'mod': the time of the migration\n"))
    let report = try test.migrate(mapping)
    #expect(Self.notes(report) == [Self.note("3 objects")])
    #expect(try !Self.times(test.destination, Self.first).contains(nil))
    let explanation = mapping.complete(from: before, to: Self.first).explanation().description
    #expect(explanation.contains("the time of the migration"), "\(explanation)")
  }

  @Test func `a time of saving that is dropped is a loss`() throws {
    let after = Self.model("2") { $0.attributes.removeAll { $0.name == "mod" } }
    let test = try MigrationTest(from: Self.first, to: after, fill: Self.fill)
    let report = try test.migrate(try MappingModel.inferred(from: Self.first, to: after))
    #expect(report.losses.map(\.property) == ["mod"])
    #expect(report.losses.map(\.count) == [2])
  }

  @Test func `a migration in place does not touch a time of saving`() throws {
    let test = try MigrationTest(from: Self.first, to: Self.second, fill: Self.fill)
    func rows() throws -> SQLiteValue? {
      let database = try Database(path: test.source.path, mode: .readOnly)
      defer { try? database.close() }
      return try database.firstValue(
        "SELECT group_concat(Z_PK || ' ' || Z_ENT || ' ' || Z_OPT || ' ' || ZTITLE || ' ' || quote(ZMOD)) FROM ZPOST")
    }
    let before = try rows()
    let report = try IncrementalMigrationManager(models: [Self.first, Self.second], infersMissingMappings: true)
      .migrate(test.source, options: .init(mode: .inPlace))
    #expect(try rows() == before)
    #expect(Self.notes(report.hops[0].report) == [])
    #expect(try Self.times(test.source, Self.second) == [1, 2, nil])
  }

  @Test(arguments: [false, true]) func `a chain of hops carries a time of saving over`(composes: Bool) throws {
    let third = Self.model("3", comment: [Models.attribute("likes", .integer32), Models.attribute("rank", .integer32)])
    {
      $0.mod = AttributeDescription(
        name: "changed", type: .date, derivationExpression: "now()", renamingIdentifier: "mod")
    }
    let test = try MigrationTest(from: Self.first, to: third, fill: Self.fill)
    var options = IncrementalMigrationOptions()
    options.composesHops = composes
    try IncrementalMigrationManager(models: [Self.first, Self.second, third], infersMissingMappings: true)
      .migrate(test.source, options: options)
    let times = try Self.times(test.source, third, "changed")
    #expect(times.prefix(2) == [1, 2])
    #expect(times[2] != nil)
  }

  @Test(arguments: [false, true]) func `a stage carries a time of saving over`(needsIntermediate: Bool) throws {
    let after = Self.model(
      "2",
      comment: [
        AttributeDescription(
          name: "likes", type: .integer32, isOptional: !needsIntermediate)
      ])
    let stage = CustomMigrationStage(
      migratingFrom: ManagedObjectModelReference(model: Self.first, versionChecksum: Self.first.versionChecksum),
      to: ManagedObjectModelReference(model: after, versionChecksum: after.versionChecksum))
    stage.didMigrateHandler = { manager, _ in
      guard let context = manager.container?.newBackgroundContext() else { return }
      for comment in try context.fetch(FetchRequest(entityName: "Comment")) { comment["likes"] = .integer(1) }
      try context.insert("Post")["title"] = .string("new")
      try context.save()
    }
    let test = try MigrationTest(from: Self.first, to: after, fill: Self.fill)
    try IncrementalMigrationManager(stages: StagedMigrationManager([stage], versions: [Self.first, after]))
      .migrate(test.source)
    let times = try Self.times(test.source, after)
    #expect(times.prefix(2) == [1, 2])
    #expect(times.count == 4 && !times.contains(nil))
  }
}

extension EntityDescription {
  /// The attribute that is the time of saving.
  fileprivate var mod: AttributeDescription {
    get { attributes.first { $0.name == "mod" } ?? AttributeDescription(name: "mod", type: .date) }
    set {
      attributes.removeAll { $0.name == "mod" }
      attributes.append(newValue)
    }
  }
}
