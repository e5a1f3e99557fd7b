import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// Two versions of a model that differ in a few places, and a store of the first one, generated from a seed.
struct KeptTableMigration {
  private(set) var old: ManagedObjectModel
  private(set) var new: ManagedObjectModel
  private(set) var mapping: MappingModel
  /// Statements that change the store as other programs might have left it.
  private(set) var statements: [String] = []
  /// The changes from one version to the other.
  private(set) var changes: [String] = []
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    old = Self.model()
    new = old
    (old.name, new.name) = ("1", "2")
    mapping = MappingModel(
      entityMappings: old.entities.filter { !$0.isAbstract }.map {
        EntityMappingDescription(source: $0.name, destination: $0.name)
      })
    for _ in 0..<Int.random(in: 0...3, using: &random) { change() }
    if Int.random(in: 0..<3, using: &random) == 0 { disturb() }
  }

  private static func model() -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Author", attributes: [Models.attribute("name", .string), Models.attribute("born", .date)],
          relationships: [Models.toMany("books", "Medium", "author"), Models.toMany("awards", "Award")]),
        EntityDescription(
          name: "Award", attributes: [Models.attribute("year", .integer16), Models.attribute("isMajor", .boolean)]),
        EntityDescription(
          name: "Medium", isAbstract: true,
          attributes: [
            Models.attribute("title", .string), Models.attribute("price", .decimal),
            Models.attribute("isLent", .boolean),
          ],
          relationships: [
            Models.toOne("author", "Author", "books"), Models.toMany("tags", "Tag", "media"),
            Models.toOne("sequel", "Medium", "prequel"), Models.toOne("prequel", "Medium", "sequel"),
          ]),
        EntityDescription(
          name: "Book", superentityName: "Medium", attributes: [Models.attribute("pages", .integer32)],
          relationships: [Models.toOne("cover", "Cover", "book")]),
        EntityDescription(name: "Film", superentityName: "Medium", attributes: [Models.attribute("minutes", .double)]),
        EntityDescription(
          name: "Cover", attributes: [Models.attribute("image", .binaryData), Models.attribute("code", .uuid)],
          relationships: [Models.toOne("book", "Book", "cover")]),
        EntityDescription(
          name: "Tag", attributes: [Models.attribute("word", .string)],
          relationships: [Models.toMany("media", "Medium", "tags"), Models.toOne("favorite", "Medium")]),
      ])
  }

  // MARK: Changes

  private mutating func change() {
    let entity = Int.random(in: 0..<new.entities.count, using: &random)
    let name = new.entities[entity].name
    switch Int.random(in: 0..<11, using: &random) {
    case 0 where !new.entities.contains { $0.name == "Archive" }:
      // All entity numbers change.
      new.entities.insert(EntityDescription(name: "Archive", attributes: [Models.attribute("path", .string)]), at: 0)
      changes.append("entity Archive")
    case 1 where !new.entities[entity].attributes.contains { $0.name == "added" }:
      new.entities[entity].attributes.append(Models.attribute("added", .string))
      changes.append("\(name).added")
    case 2 where !new.entities[entity].attributes.contains { $0.name == "filled" }:
      new.entities[entity].attributes.append(
        Models.attribute("filled", .integer32, isOptional: false, default: .integer(7)))
      changes.append("\(name).filled")
    case 3 where !new.entities[entity].attributes.isEmpty:
      rename(new.entities[entity].attributes[0].name, of: name)
    case 4: drop(of: name)
    case 5 where !new.entities[entity].attributes.isEmpty:
      new.entities[entity].attributes[0].isOptional = false
      changes.append("\(name).\(new.entities[entity].attributes[0].name) is mandatory")
    case 6 where !new.entities[entity].attributes.isEmpty:
      new.entities[entity].uniquenessConstraints = [.init([new.entities[entity].attributes[0].name])]
      changes.append("\(name) is unique")
    case 7:
      for place in mapping.entityMappings.indices where mapping.entityMappings[place].sourceEntityName == name {
        mapping.entityMappings[place].filter = try? MappingPredicate(parsing: "SELF != nil AND 1 == 1")
        changes.append("\(name) is filtered")
      }
    case 8: renameEntity(name)
    case 9: compute(name)
    default: break
    }
  }

  private mutating func rename(_ attribute: String, of name: String) {
    let renamed = attribute + "New"
    guard let entity = new.entities.firstIndex(where: { $0.name == name }), old.entity(named: name) != nil,
      old.entity(named: name)?.attributes.contains(where: { $0.name == attribute }) == true
    else { return }
    new.entities[entity].attributes[0].name = renamed
    new.entities[entity].attributes[0].renamingIdentifier = attribute
    new.entities[entity].uniquenessConstraints = []
    changes.append("\(name).\(attribute) is renamed")
  }

  private mutating func drop(of name: String) {
    guard let entity = new.entities.firstIndex(where: { $0.name == name }), new.entities[entity].attributes.count > 1,
      let dropped = new.entities[entity].attributes.last?.name,
      old.entity(named: name)?.attributes.contains(where: { $0.name == dropped }) == true
    else { return }
    new.entities[entity].attributes.removeLast()
    new.entities[entity].uniquenessConstraints = []
    for place in mapping.entityMappings.indices
    where old.entity(named: mapping.entityMappings[place].sourceEntityName ?? "").map({
      old.entity($0, isKindOf: name)
    }) == true {
      mapping.entityMappings[place].droppedProperties.append(DroppedProperty(dropped))
    }
    changes.append("\(name).\(dropped) is dropped")
  }

  private mutating func renameEntity(_ name: String) {
    guard name == "Award" || name == "Cover", let entity = new.entities.firstIndex(where: { $0.name == name }),
      new.entities[entity].renamingIdentifier == nil, old.entity(named: name) != nil
    else { return }
    new.entities[entity].name = "Z\(name)"
    new.entities[entity].renamingIdentifier = name
    for place in new.entities.indices {
      for relationship in new.entities[place].relationships.indices
      where new.entities[place].relationships[relationship].destinationEntityName == name {
        new.entities[place].relationships[relationship].destinationEntityName = "Z\(name)"
        if new.entities[place].relationships[relationship].inverseEntityName != nil {
          new.entities[place].relationships[relationship].inverseEntityName = "Z\(name)"
        }
      }
    }
    for place in mapping.entityMappings.indices where mapping.entityMappings[place].sourceEntityName == name {
      mapping.entityMappings[place] = EntityMappingDescription(
        source: name, destination: "Z\(name)", filter: mapping.entityMappings[place].filter,
        properties: mapping.entityMappings[place].propertyMappings)
    }
    changes.append("\(name) is renamed")
  }

  private mutating func compute(_ name: String) {
    guard ["Author", "Tag"].contains(name), let attribute = old.entity(named: name)?.attributes.first?.name,
      new.entity(named: name)?.attributes.contains(where: { $0.name == attribute }) == true,
      let value = try? MappingExpression(parsing: "uppercase:($source.\(attribute))")
    else { return }
    for place in mapping.entityMappings.indices where mapping.entityMappings[place].sourceEntityName == name {
      guard mapping.entityMappings[place].propertyMappings.isEmpty else { continue }
      mapping.entityMappings[place].propertyMappings = [.attribute(attribute, value)]
      changes.append("\(name).\(attribute) is computed")
    }
  }

  // MARK: The store

  /// Adds a statement that changes the store as another program might.
  private mutating func disturb() {
    statements.append(
      [
        "UPDATE ZTAG SET ZFAVORITE = 99 WHERE Z_PK = 1",
        "UPDATE ZMEDIUM SET ZISLENT = 5 WHERE Z_PK = 1",
        "UPDATE ZMEDIUM SET ZMINUTES = 3 WHERE Z_PK = 1",
        "UPDATE ZAWARD SET Z_OPT = NULL WHERE Z_PK = 1",
        "UPDATE ZAWARD SET ZYEAR = 'x' WHERE Z_PK = 1",
        "CREATE INDEX SOME ON ZAUTHOR (ZNAME) WHERE ZNAME > 'a'",
        "CREATE INDEX LOWERED ON ZMEDIUM (lower(ZTITLE), ZTITLE COLLATE NOCASE)",
        "CREATE INDEX MINE ON ZAUTHOR (ZNAME)",
        "CREATE INDEX ZMEDIUM_ZAUTHOR_INDEX_2 ON ZMEDIUM (ZAUTHOR, ZTITLE)",
        "DROP INDEX ZMEDIUM_ZAUTHOR_INDEX",
        "DROP INDEX ZMEDIUM_ZAUTHOR_INDEX; CREATE INDEX ZMEDIUM_ZAUTHOR_INDEX ON ZMEDIUM (ZTITLE)",
        "CREATE TABLE OTHER (a, b); INSERT INTO OTHER VALUES (1, 2)",
        "ALTER TABLE ZAUTHOR ADD COLUMN ZUNUSED VARCHAR",
        "ANALYZE",
        "PRAGMA user_version = 5",
        "UPDATE ZMEDIUM SET ZAUTHOR = NULL; UPDATE ZTAG SET ZFAVORITE = NULL",
      ].randomElement(using: &random) ?? "")
  }

  /// Fills a store.
  mutating func fill(_ context: ManagedObjectContext) throws {
    var objects: [String: [ManagedObject]] = [:]
    for name in ["Author", "Award", "Book", "Film", "Cover", "Tag"] {
      for number in 0..<Int.random(in: 0...8, using: &random) {
        let object = try context.insert(name)
        for attribute in old.entity(named: name).map(old.allAttributes(of:)) ?? []
        where Int.random(in: 0..<5, using: &random) > 0 {
          object[attribute.name] = value(attribute.type, number)
        }
        objects[name, default: []].append(object)
      }
    }
    let media = (objects["Book"] ?? []) + (objects["Film"] ?? [])
    for medium in media {
      try medium.setObject(objects["Author"]?.randomElement(using: &random), forKey: "author")
      if Bool.random(using: &random) { try medium.setObject(media.randomElement(using: &random), forKey: "sequel") }
      for tag in objects["Tag"] ?? [] where Bool.random(using: &random) { try medium.add(tag, to: "tags") }
    }
    for book in objects["Book"] ?? [] {
      try book.setObject(objects["Cover"]?.randomElement(using: &random), forKey: "cover")
    }
    for tag in objects["Tag"] ?? [] { try tag.setObject(media.randomElement(using: &random), forKey: "favorite") }
    for author in objects["Author"] ?? [] {
      if let award = objects["Award"]?.randomElement(using: &random) { try author.add(award, to: "awards") }
    }
    try context.save()
    for medium in media where Int.random(in: 0..<8, using: &random) == 0 { try context.delete(medium) }
  }

  private mutating func value(_ type: AttributeType, _ number: Int) -> Value {
    switch type {
    case .string: .string("s\(number % 5)")
    case .date: .date(Date(timeIntervalSinceReferenceDate: .random(in: 0...3, using: &random)))
    case .decimal: .decimal(Decimal(number) / 10)
    case .boolean: .bool(.random(using: &random))
    case .double: .double(.random(in: 0...9, using: &random))
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number))))
    case .binaryData: .data(Data(repeating: UInt8(number), count: number * 1_000))
    default: .integer(Int64(number))
    }
  }
}
