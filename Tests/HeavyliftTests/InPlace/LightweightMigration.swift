import Foundation
import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftStore

/// Two versions of a model that differ in ways that inference can handle, and a store of the first one, generated from a
/// seed.
struct LightweightMigration {
  private(set) var old: ManagedObjectModel
  private(set) var new: ManagedObjectModel
  /// The changes from one version to the other.
  private(set) var changes: [String] = []
  private var random: SeededGenerator
  private var renamesNewEntities = false

  init(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let isOrdered = (0..<3).map { _ in Bool.random(using: &random) }
    self.random = random
    old = Self.model(isOrdered: isOrdered)
    new = old
    (old.name, new.name) = ("1", "2")
    for _ in 0..<Int.random(in: 1...4, using: &random) { change() }
  }

  /// Returns a third version, which differs from the second one.
  mutating func another() -> ManagedObjectModel {
    let second = new
    defer { new = second }
    for _ in 0..<Int.random(in: 1...3, using: &random) { change() }
    new.name = "3"
    return new
  }

  /// Returns the first two versions and later ones, each of which differs from the one before. Some take back what the
  /// version before has changed, and some forget renaming identifiers, so that things are renamed again.
  mutating func history(_ count: Int) -> [ManagedObjectModel] {
    var versions = [old, new]
    renamesNewEntities = true
    while versions.count < count {
      let isTakenBack = Int.random(in: 0..<3, using: &random) == 0
      new = versions[versions.count - (isTakenBack ? 2 : 1)]
      if Bool.random(using: &random) { forgetIdentifiers() }
      new = another()
      if isTakenBack { changes.append("version \(versions.count + 1) takes back version \(versions.count)") }
      versions.append(new)
    }
    new = versions[1]
    renamesNewEntities = false
    for place in versions.indices { versions[place].name = "\(place + 1)" }
    return versions
  }

  /// Renaming identifiers of earlier renamings are gone, as in many histories.
  private mutating func forgetIdentifiers() {
    for place in new.entities.indices {
      new.entities[place].renamingIdentifier = nil
      for index in new.entities[place].attributes.indices {
        new.entities[place].attributes[index].renamingIdentifier = nil
      }
      for index in new.entities[place].relationships.indices {
        new.entities[place].relationships[index].renamingIdentifier = nil
      }
    }
  }

  private static func model(isOrdered: [Bool]) -> ManagedObjectModel {
    var image = Models.attribute("image", .binaryData)
    image.allowsExternalBinaryDataStorage = true
    return ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Author",
          attributes: [
            Models.attribute("name", .string), Models.attribute("born", .date), Models.attribute("score", .float),
            Models.attribute("rank", .integer16, isOptional: false, default: .integer(3)),
          ],
          relationships: [
            Models.toMany("books", "Medium", "author", isOrdered: isOrdered[0]), Models.toMany("awards", "Award"),
            Models.toMany("notes", "Note", "author"),
          ]),
        EntityDescription(
          name: "Award", attributes: [Models.attribute("year", .integer16), Models.attribute("isMajor", .boolean)]),
        EntityDescription(
          name: "Medium", isAbstract: true,
          attributes: [
            Models.attribute("title", .string), Models.attribute("price", .decimal),
            Models.attribute("isLent", .boolean),
          ],
          relationships: [
            Models.toOne("author", "Author", "books"),
            Models.toMany("tags", "Tag", "media", isOrdered: isOrdered[1]),
            Models.toOne("sequel", "Medium", "prequel"), Models.toOne("prequel", "Medium", "sequel"),
          ]),
        EntityDescription(
          name: "Book", superentityName: "Medium", attributes: [Models.attribute("pages", .integer32)],
          relationships: [Models.toOne("cover", "Cover", "book")]),
        EntityDescription(name: "Film", superentityName: "Medium", attributes: [Models.attribute("minutes", .double)]),
        EntityDescription(
          name: "Cover", attributes: [image, Models.attribute("code", .uuid)],
          relationships: [Models.toOne("book", "Book", "cover")]),
        EntityDescription(
          name: "Tag", attributes: [Models.attribute("word", .string), Models.attribute("weight", .integer16)],
          relationships: [
            Models.toMany("media", "Medium", "tags", isOrdered: isOrdered[2]), Models.toOne("favorite", "Medium"),
            Models.toMany("follows", "Tag", "followers"), Models.toMany("followers", "Tag", "follows"),
            Models.toMany("related", "Tag", "related"),
          ]),
        EntityDescription(
          name: "Note", attributes: [Models.attribute("text", .string), Models.attribute("stars", .integer64)],
          relationships: [Models.toOne("author", "Author", "notes")]),
        EntityDescription(name: "Event", attributes: [Models.attribute("when", .date)]),
        EntityDescription(
          name: "Talk", superentityName: "Event", attributes: [Models.attribute("topic", .string)]),
        EntityDescription(
          name: "Party", superentityName: "Event", attributes: [Models.attribute("guests", .integer32)]),
      ])
  }

  // MARK: Changes

  private mutating func change() {
    let place = Int.random(in: 0..<new.entities.count, using: &random)
    let name = new.entities[place].name
    switch Int.random(in: 0..<26, using: &random) {
    case 0: add(Models.attribute("added", [.string, .date, .uuid].randomElement(using: &random) ?? .string), place)
    case 1: add(Models.attribute("filled", .integer32, isOptional: false, default: .integer(7)), place)
    case 2: add(Models.attribute("word", .string, default: "none"), place)
    case 3: removeAttribute(place)
    case 4: renameAttribute(place)
    case 5:
      guard let attribute = attribute(place, { $0.isOptional && [.string, .integer32, .double].contains($0.type) })
      else { return }
      let defaults: [AttributeType: Value] = [.string: "empty", .integer32: .integer(1), .double: .double(0.5)]
      edit(attribute, place) {
        $0.isOptional = false; $0.defaultValue = defaults[$0.type] ?? .null
      }
    case 6:
      guard let attribute = attribute(place, { !$0.isOptional }) else { return }
      edit(attribute, place) { $0.isOptional = true }
    case 7:
      let wider: [AttributeType: AttributeType] = [
        .integer16: .integer64, .boolean: .integer16, .float: .double, .integer32: .integer64,
      ]
      guard let attribute = attribute(place, { wider[$0.type] != nil }) else { return }
      edit(attribute, place) { $0.type = wider[$0.type] ?? $0.type }
    case 8 where !new.entities.contains { $0.name == "Archive" }:
      new.entities.insert(EntityDescription(name: "Archive", attributes: [Models.attribute("path", .string)]), at: 0)
      changes.append("entity Archive")
    case 9: removeEntity(["Award", "Cover", "Note", "Film", "Talk"].randomElement(using: &random) ?? "")
    case 10: renameEntity(name)
    case 11: addRelationship()
    case 12: removeRelationship(place)
    case 13: renameRelationship(place)
    case 14: widenRelationship()
    case 15: toggleOrder(place)
    case 16: addParent(place)
    case 17 where !new.entities.contains { $0.name == "\(name)Child" }:
      new.entities.append(
        EntityDescription(
          name: "\(name)Child", superentityName: name, attributes: [Models.attribute("extra", .string)]))
      changes.append("a child of \(name)")
    case 18: moveUp(place)
    case 19: moveDown(place)
    case 20: moveOut()
    case 21:
      guard let attribute = attribute(place, { !$0.allowsExternalBinaryDataStorage }) else { return }
      new.entities[place].uniquenessConstraints = [.init([new.entities[place].attributes[attribute].name])]
      changes.append("\(name).\(new.entities[place].attributes[attribute].name) is unique")
    case 22:
      guard let attribute = attribute(place, { [.integer16, .integer32].contains($0.type) }) else { return }
      edit(attribute, place) { $0.validation.maximum = .integer(5) }
    case 23:
      guard let attribute = attribute(place, { !$0.allowsExternalBinaryDataStorage }) else { return }
      new.entities[place].fetchIndexes = [
        FetchIndexDescription(
          name: "byIt", elements: [.init(propertyName: new.entities[place].attributes[attribute].name)])
      ]
      changes.append("\(name) has an index")
    case 24: removeInverse(place)
    case 25: moveTags()
    default: break
    }
  }

  private mutating func attribute(
    _ place: Int, _ isWanted: (AttributeDescription) -> Bool = { _ in true }
  ) -> Int? {
    let fitting = new.entities[place].attributes.indices.filter { isWanted(new.entities[place].attributes[$0]) }
    return fitting.randomElement(using: &random)
  }

  private mutating func edit(_ attribute: Int, _ place: Int, _ body: (inout AttributeDescription) -> Void) {
    var edited = new.entities[place].attributes[attribute]
    body(&edited)
    new.entities[place].attributes[attribute] = edited
    changes.append(
      "\(new.entities[place].name).\(edited.name): \(edited.type)\(edited.isOptional ? "?" : "") \(edited.defaultValue)"
    )
  }

  private func hasProperty(_ name: String, near place: Int) -> Bool {
    let entity = new.entities[place]
    let kin = new.entities.filter { new.entity($0, isKindOf: entity.name) } + new.lineage(of: entity)
    return kin.contains { $0.properties.contains { $0.name == name } }
  }

  private mutating func add(_ attribute: AttributeDescription, _ place: Int) {
    guard !hasProperty(attribute.name, near: place) else { return }
    new.entities[place].attributes.append(attribute)
    changes.append("\(new.entities[place].name).\(attribute.name) is new")
  }

  private mutating func removeAttribute(_ place: Int) {
    guard let attribute = attribute(place) else { return }
    changes.append("\(new.entities[place].name).\(new.entities[place].attributes[attribute].name) is gone")
    new.entities[place].attributes.remove(at: attribute)
    (new.entities[place].uniquenessConstraints, new.entities[place].fetchIndexes) = ([], [])
  }

  private mutating func renameAttribute(_ place: Int) {
    guard let attribute = attribute(place, { $0.renamingIdentifier == nil }) else { return }
    let name = new.entities[place].attributes[attribute].name
    guard !hasProperty("\(name)New", near: place) else { return }
    edit(attribute, place) { ($0.name, $0.renamingIdentifier) = ("\(name)New", name) }
    (new.entities[place].uniquenessConstraints, new.entities[place].fetchIndexes) = ([], [])
  }

  /// Removes an entity and all relationships that lead to it.
  private mutating func removeEntity(_ name: String) {
    guard let place = new.entities.firstIndex(where: { $0.name == name }),
      !new.entities.contains(where: { $0.superentityName == name })
    else { return }
    new.entities.remove(at: place)
    for place in new.entities.indices {
      new.entities[place].relationships.removeAll { $0.destinationEntityName == name }
    }
    dropLooseInverses()
    changes.append("\(name) is gone")
  }

  /// Removes inverses that no longer exist.
  private mutating func dropLooseInverses() {
    for place in new.entities.indices {
      for index in new.entities[place].relationships.indices {
        let relationship = new.entities[place].relationships[index]
        guard let inverse = relationship.inverseName,
          let target = relationship.destinationEntityName.flatMap(new.entity(named:)),
          !new.allRelationships(of: target).contains(where: { $0.name == inverse })
        else { continue }
        new.entities[place].relationships[index].inverseName = nil
        new.entities[place].relationships[index].inverseEntityName = nil
      }
    }
  }

  private mutating func renameEntity(_ name: String) {
    guard let place = new.entities.firstIndex(where: { $0.name == name }),
      new.entities[place].renamingIdentifier == nil,
      renamesNewEntities || old.entity(named: name) != nil
    else { return }
    let renamed = ["A\(name)", "Z\(name)"].randomElement(using: &random) ?? ""
    // The place of an entity depends on its name.
    new.edit(name) { ($0.name, $0.renamingIdentifier) = (renamed, name) }
    for place in new.entities.indices {
      if new.entities[place].superentityName == name { new.entities[place].superentityName = renamed }
      for index in new.entities[place].relationships.indices {
        if new.entities[place].relationships[index].destinationEntityName == name {
          new.entities[place].relationships[index].destinationEntityName = renamed
        }
        if new.entities[place].relationships[index].inverseEntityName == name {
          new.entities[place].relationships[index].inverseEntityName = renamed
        }
      }
    }
    changes.append("\(name) is now \(renamed)")
  }

  private mutating func addRelationship() {
    let (one, other) = (
      Int.random(in: 0..<new.entities.count, using: &random), Int.random(in: 0..<new.entities.count, using: &random)
    )
    guard !hasProperty("link", near: one), !hasProperty("back", near: other), one != other,
      !new.areRelated(new.entities[one].name, new.entities[other].name)
    else { return }
    let (first, second) = (new.entities[one].name, new.entities[other].name)
    let ends = [Bool.random(using: &random), Bool.random(using: &random)]
    new.entities[one].relationships.append(
      ends[0] ? Models.toMany("link", second, "back") : Models.toOne("link", second, "back"))
    new.entities[other].relationships.append(
      ends[1] ? Models.toMany("back", first, "link") : Models.toOne("back", first, "link"))
    changes.append("\(first).link and \(second).back are new, to-many: \(ends)")
  }

  private mutating func removeRelationship(_ place: Int) {
    guard let index = new.entities[place].relationships.indices.randomElement(using: &random) else { return }
    let gone = new.entities[place].relationships.remove(at: index)
    changes.append("\(new.entities[place].name).\(gone.name) is gone")
    // Sometimes with its inverse.
    if Bool.random(using: &random), let inverse = gone.inverseName {
      for place in new.entities.indices where new.entities[place].name == gone.destinationEntityName {
        new.entities[place].relationships.removeAll { $0.name == inverse }
      }
    }
    dropLooseInverses()
  }

  private mutating func renameRelationship(_ place: Int) {
    guard let index = new.entities[place].relationships.indices.randomElement(using: &random) else { return }
    let name = new.entities[place].relationships[index].name
    guard new.entities[place].relationships[index].renamingIdentifier == nil, !hasProperty("\(name)New", near: place)
    else { return }
    // The place of a relationship depends on its name.
    new.entities[place].edit(relationship: name) { ($0.name, $0.renamingIdentifier) = ("\(name)New", name) }
    let names = Set(new.entities.filter { new.entity($0, isKindOf: new.entities[place].name) }.map(\.name))
    for other in new.entities.indices {
      for index in new.entities[other].relationships.indices {
        let relationship = new.entities[other].relationships[index]
        if relationship.inverseName == name, names.contains(relationship.destinationEntityName ?? "") {
          new.entities[other].relationships[index].inverseName = "\(name)New"
        }
      }
    }
    changes.append("\(new.entities[place].name).\(name) is now \(name)New")
  }

  private mutating func widenRelationship() {
    let candidates = new.entities.indices.flatMap { place in
      new.entities[place].relationships.indices.filter { !new.entities[place].relationships[$0].isToMany }.map {
        (place, $0)
      }
    }
    guard let (place, index) = candidates.randomElement(using: &random) else { return }
    let name = new.entities[place].relationships[index].name
    let isOrdered = Int.random(in: 0..<3, using: &random) == 0
    new.entities[place].edit(relationship: name) { ($0.maxCount, $0.isOrdered) = (0, isOrdered) }
    changes.append("\(new.entities[place].name).\(name) is to-many")
  }

  private mutating func toggleOrder(_ place: Int) {
    let many = new.entities[place].relationships.indices.filter {
      let relationship = new.entities[place].relationships[$0]
      return relationship.isToMany && relationship.inverseName != relationship.name
    }
    guard let index = many.randomElement(using: &random) else { return }
    new.entities[place].relationships[index].isOrdered.toggle()
    changes.append("\(new.entities[place].name).\(new.entities[place].relationships[index].name) changes its order")
  }

  private mutating func addParent(_ place: Int) {
    let name = new.entities[place].name
    guard new.entities[place].superentityName == nil, !new.entities.contains(where: { $0.name == "\(name)Base" })
    else { return }
    new.entities[place].superentityName = "\(name)Base"
    new.entities.append(
      EntityDescription(
        name: "\(name)Base", isAbstract: Bool.random(using: &random), attributes: [Models.attribute("base", .string)]))
    changes.append("\(name) has a new parent")
  }

  private mutating func moveUp(_ place: Int) {
    guard let parent = new.entities.firstIndex(where: { $0.name == new.entities[place].superentityName }),
      let attribute = attribute(place, { $0.isOptional })
    else { return }
    let moved = new.entities[place].attributes.remove(at: attribute)
    (new.entities[place].uniquenessConstraints, new.entities[place].fetchIndexes) = ([], [])
    guard !hasProperty(moved.name, near: parent) else {
      new.entities[place].attributes.append(moved)
      return
    }
    new.entities[parent].attributes.append(moved)
    changes.append("\(moved.name) moves up to \(new.entities[parent].name)")
  }

  private mutating func moveDown(_ place: Int) {
    let children = new.entities.indices.filter { new.entities[$0].superentityName == new.entities[place].name }
    guard !children.isEmpty, let attribute = attribute(place, { $0.isOptional }) else { return }
    let moved = new.entities[place].attributes.remove(at: attribute)
    (new.entities[place].uniquenessConstraints, new.entities[place].fetchIndexes) = ([], [])
    for child in children where Int.random(in: 0..<3, using: &random) > 0 {
      new.entities[child].attributes.append(moved)
      changes.append("\(moved.name) moves down to \(new.entities[child].name)")
    }
  }

  private mutating func moveOut() {
    let name = ["Talk", "Party"].randomElement(using: &random) ?? ""
    guard let place = new.entities.firstIndex(where: { $0.name == name }),
      let parent = new.entities[place].superentityName.flatMap(new.entity(named:)),
      !new.entities.contains(where: { entity in
        entity.relationships.contains { $0.destinationEntityName == parent.name }
      }), !new.lineage(of: parent).contains(where: { !$0.relationships.isEmpty })
    else { return }
    new.entities[place].superentityName = nil
    if Bool.random(using: &random) { new.entities[place].attributes += new.allAttributes(of: parent) }
    changes.append("\(name) moves out of its hierarchy")
  }

  private mutating func removeInverse(_ place: Int) {
    guard let index = new.entities[place].relationships.indices.randomElement(using: &random) else { return }
    let relationship = new.entities[place].relationships[index]
    guard relationship.isToMany, let inverse = relationship.inverseName, inverse != relationship.name else { return }
    new.entities[place].relationships.remove(at: index)
    dropLooseInverses()
    changes.append("\(new.entities[place].name).\(relationship.name) is gone, not its inverse \(inverse)")
  }

  /// Moves a relationship from the parent to one of its children.
  private mutating func moveTags() {
    guard let medium = new.entities.firstIndex(where: { $0.name == "Medium" }),
      let book = new.entities.firstIndex(where: { $0.name == "Book" }),
      let index = new.entities[medium].relationships.firstIndex(where: { $0.name == "tags" })
    else { return }
    let moved = new.entities[medium].relationships.remove(at: index)
    new.entities[book].relationships.append(moved)
    for place in new.entities.indices {
      for index in new.entities[place].relationships.indices
      where new.entities[place].relationships[index].inverseName == "tags" {
        new.entities[place].relationships[index].destinationEntityName = "Book"
        new.entities[place].relationships[index].inverseEntityName = "Book"
      }
    }
    changes.append("tags moves down to Book")
  }

  // MARK: The store

  /// Fills a store of the first version.
  mutating func fill(_ context: ManagedObjectContext) throws {
    var objects: [String: [ManagedObject]] = [:]
    for entity in old.entities where !entity.isAbstract {
      for number in 0..<Int.random(in: 0...6, using: &random) {
        let object = try context.insert(entity.name)
        for attribute in old.allAttributes(of: entity) where Int.random(in: 0..<5, using: &random) > 0 {
          object[attribute.name] = value(attribute.type, number)
        }
        objects[entity.name, default: []].append(object)
      }
    }
    let media = (objects["Book"] ?? []) + (objects["Film"] ?? [])
    let (authors, tags) = (objects["Author"] ?? [], objects["Tag"] ?? [])
    for medium in media {
      try medium.setObject(authors.randomElement(using: &random), forKey: "author")
      if Bool.random(using: &random) { try medium.setObject(media.randomElement(using: &random), forKey: "sequel") }
      for tag in tags where Bool.random(using: &random) { try medium.add(tag, to: "tags") }
    }
    for book in objects["Book"] ?? [] {
      try book.setObject(objects["Cover"]?.randomElement(using: &random), forKey: "cover")
    }
    for tag in tags {
      try tag.setObject(media.randomElement(using: &random), forKey: "favorite")
      for other in tags where Int.random(in: 0..<3, using: &random) == 0 { try tag.add(other, to: "follows") }
      for other in tags where Int.random(in: 0..<3, using: &random) == 0 { try tag.add(other, to: "related") }
    }
    for note in objects["Note"] ?? [] { try note.setObject(authors.randomElement(using: &random), forKey: "author") }
    for award in objects["Award"] ?? [] where Bool.random(using: &random) {
      try authors.randomElement(using: &random)?.add(award, to: "awards")
    }
    try context.save()
    // The highest key of some hierarchies has no object.
    for object in (authors + tags).suffix(2) where Int.random(in: 0..<3, using: &random) == 0 {
      try context.delete(object)
    }
  }

  private mutating func value(_ type: AttributeType, _ number: Int) -> Value {
    switch type {
    case .string: .string("s\(number % 5)")
    case .date: .date(Date(timeIntervalSinceReferenceDate: .random(in: 0...3, using: &random)))
    case .decimal: .decimal(Decimal(number) / 10)
    case .boolean: .bool(.random(using: &random))
    case .double, .float: .double(Double(Float.random(in: 0...9, using: &random)))
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, UInt8(number))))
    case .binaryData: .data(Data(repeating: UInt8(number), count: number * 30_000))
    default: .integer(Int64(number))
    }
  }
}
