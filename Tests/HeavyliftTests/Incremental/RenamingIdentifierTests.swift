import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A renaming identifier is the name that all later versions share: every path between versions leads to the same values.
@Suite struct RenamingIdentifierTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Store.sqlite") }

  init() throws { folder = try TemporaryFolder() }

  // MARK: Versions that a store cannot tell apart

  @Test func `a plan warns of versions that exchange names and have equal hashes`() throws {
    func version(_ name: String, _ attributes: AttributeDescription...) -> ManagedObjectModel {
      ManagedObjectModel(name: name, entities: [EntityDescription(name: "Item", attributes: attributes)])
    }
    let first = version("1", Self.attribute("a"), Self.attribute("b"))
    let exchanged = version("1b", Self.attribute("a<b"), Self.attribute("b<a"))
    let newest = version("2", Self.attribute("a<b"), Self.attribute("b<a"), Self.attribute("c"))
    try PersistentStore.create(at: store, model: first).close()
    func warnings(_ models: [ManagedObjectModel], to version: ManagedObjectModel) throws -> [String] {
      let plan = try IncrementalMigrationManager(models: models, infersMissingMappings: true).plan(
        for: store, to: version)
      for warning in plan.warnings { #expect(plan.description.hasSuffix("\n\(warning)")) }
      return plan.warnings.map(\.description)
    }
    let expected = """
      warning[migration.same-version]: versions '1b' and '1' have the same version hashes: a store does not show which one \
      it has, and a mapping between them never runs
        if there is something to migrate, give an entity of the newer version a different hash modifier
      """
    #expect(try warnings([first, exchanged, newest], to: newest) == [expected])
    #expect(try warnings([first, exchanged], to: exchanged) == [expected])
    #expect(try warnings([first, newest], to: newest) == [])
  }

  // MARK: Models

  /// `name` or `name<identifier`.
  private static func parts(_ text: String) -> (name: String, identifier: String?) {
    let parts = text.split(separator: "<").map(String.init)
    return (parts[0], parts.count > 1 ? parts[1] : nil)
  }

  private static func attribute(_ text: String, _ type: AttributeType = .string) -> AttributeDescription {
    var attribute = Models.attribute(parts(text).name, type)
    attribute.renamingIdentifier = parts(text).identifier
    return attribute
  }

  /// A version of `Item` with these attributes; the number makes its hash differ from those of other versions.
  private static func attributes(_ number: Int, _ names: String...) -> ManagedObjectModel {
    ManagedObjectModel(
      name: "\(number)",
      entities: [
        EntityDescription(name: "Item", attributes: names.map { attribute($0) } + [attribute("extra\(number)<extra")])
      ])
  }

  /// A version of `Item` with these to-one relationships.
  private static func relationships(_ number: Int, _ names: String...) -> ManagedObjectModel {
    let ends = names.map { name -> (RelationshipDescription, RelationshipDescription) in
      let (name, identifier) = parts(name)
      var relationship = Models.toOne(name, "Tag", "of_\(name)")
      relationship.renamingIdentifier = identifier
      var inverse = Models.toMany("of_\(name)", "Item", name)
      inverse.renamingIdentifier = identifier.map { "of_\($0)" }
      return (relationship, inverse)
    }
    return ManagedObjectModel(
      name: "\(number)",
      entities: [
        EntityDescription(
          name: "Item", attributes: [attribute("extra\(number)<extra")], relationships: ends.map(\.0)),
        EntityDescription(name: "Tag", attributes: [attribute("word")], relationships: ends.map(\.1)),
      ])
  }

  /// A version with these entities.
  private static func entities(_ number: Int, _ names: String...) -> ManagedObjectModel {
    ManagedObjectModel(
      name: "\(number)",
      entities: names.map { name in
        EntityDescription(
          name: parts(name).name, attributes: [attribute("tag"), attribute("extra\(number)<extra")],
          renamingIdentifier: parts(name).identifier)
      })
  }

  // MARK: Stores

  /// Creates a store of the first version, in which each value is the upper-case name of what it was stored in.
  private func makeStore(_ model: ManagedObjectModel) throws {
    let created = try PersistentStore.create(at: store, model: model)
    let context = ManagedObjectContext(store: created)
    for entity in model.entities where entity.name != "Tag" {
      let object = try context.insert(entity.name)
      for attribute in entity.attributes {
        let name = attribute.name == "tag" ? entity.name : attribute.name
        object[attribute.name] = .string(name.uppercased())
      }
      for relationship in entity.relationships {
        let tag = try context.insert("Tag")
        tag["word"] = .string(relationship.name.uppercased())
        object[toOne: relationship.name] = tag
      }
    }
    try context.save()
    try created.close()
  }

  /// Each property or entity of the store with its value: `p=A q=B`.
  private func values(_ model: ManagedObjectModel) throws -> String {
    let opened = try PersistentStore(url: store, models: [model], mode: .readOnly)
    defer { try? opened.close() }
    let context = ManagedObjectContext(store: opened)
    return try model.entities.filter { $0.name != "Tag" }.flatMap { entity -> [String] in
      try context.fetch(FetchRequest(entityName: entity.name)).flatMap { object in
        entity.attributes.filter { !$0.name.hasPrefix("extra") }.map { attribute in
          "\(attribute.name == "tag" ? entity.name : attribute.name)=\(object[attribute.name].string ?? "nil")"
        }
          + entity.relationships.map { relationship in
            "\(relationship.name)=\(object[toOne: relationship.name]?["word"].string ?? "nil")"
          }
      }
    }.sorted().joined(separator: " ")
  }

  struct Path: Sendable, CustomTestStringConvertible {
    var testDescription: String
    /// Exchanged in version 2, and renamed in version 3.
    var models: [ManagedObjectModel]

    init(_ testDescription: String, _ models: [ManagedObjectModel]) {
      (self.testDescription, self.models) = (testDescription, models)
    }
  }

  static let paths = [
    Path("attributes", [attributes(1, "a", "b"), attributes(2, "b<a", "a<b"), attributes(3, "p<a", "q<b")]),
    Path(
      "relationships", [relationships(1, "a", "b"), relationships(2, "b<a", "a<b"), relationships(3, "p<a", "q<b")]),
    Path("entities", [entities(1, "a", "b"), entities(2, "b<a", "a<b"), entities(3, "p<a", "q<b")]),
  ]

  @Test(arguments: paths, [IncrementalMigrationOptions.Mode.copy, .inPlace])
  func `every path between versions leads to the same values`(
    _ path: Path, _ mode: IncrementalMigrationOptions.Mode
  ) throws {
    func migrated(_ numbers: Int...) throws -> String {
      try? FileManager.default.removeItem(at: store)
      let models = numbers.map { path.models[$0 - 1] }
      try makeStore(models[0])
      let manager = IncrementalMigrationManager(models: models, infersMissingMappings: true)
      try manager.migrate(store, options: .init(mode: mode))
      return try values(models[models.count - 1])
    }
    #expect(try migrated(1, 2) == "a=B b=A")
    // A store of version 2 is new here, so its names are its values.
    #expect(try migrated(2, 3) == "p=B q=A")
    #expect(try migrated(1, 3) == "p=A q=B")
    #expect(try migrated(1, 2, 3) == "p=A q=B")
  }

  // MARK: A name that another property takes

  @Test(arguments: [IncrementalMigrationOptions.Mode.copy, .inPlace], [true, false])
  func `the values of a property whose name another one takes are counted`(
    _ mode: IncrementalMigrationOptions.Mode, isMandatory: Bool
  ) throws {
    var second = Self.attributes(2, "a<b")
    if isMandatory {
      second.edit("Item") { $0.edit(attribute: "a") { ($0.isOptional, $0.defaultValue) = (false, "none") } }
    }
    let models = [Self.attributes(1, "a", "b"), second]
    try makeStore(models[0])
    let manager = IncrementalMigrationManager(models: models, infersMissingMappings: true)
    #expect(
      try manager.plan(for: store).hops[0].mappings.complete(from: models[0], to: models[1]).losses.map {
        "\($0.entity).\($0.property ?? "") \($0.reason.rawValue)"
      } == ["Item.a gone"])
    let report = try manager.migrate(store, options: .init(mode: mode))
    #expect(try values(second) == "a=B")
    #expect(
      report.hops.flatMap { $0.report?.losses ?? [] }.map(\.description) == [
        "1 value of 'a' of entity 'Item' is not migrated: the destination does not have it"
      ])
  }
}
