import Foundation
import HeavyliftModel
import HeavyliftTestSupport

@testable import HeavyliftStore

/// Two versions of a model that differ in a few places, and a store of the first one, generated from a seed.
///
/// Every object has a text in `uid` that identifies it in all versions.
struct GeneratedStage {
  private(set) var old: ManagedObjectModel
  private(set) var new: ManagedObjectModel
  private var random: SeededGenerator

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    old = ModelText.model(
      """
      Album
        name: String
        tracks ->> Track.album, ordered
        year: Integer 16, mandatory, default 1
      Artist
        friends ->> Artist.friends
        media ->> Medium.artists
        name: String
      Label
        artist -> Artist
        code: Integer 32
        place: Place
      Medium, abstract
        artists ->> Artist.media
        rating: Integer 16
        title: String, mandatory
      Film: Medium
        minutes: Double
        sequel -> Film.prequel
        prequel -> Film.sequel
      Track: Medium
        album -> Album.tracks
        labels ->> Label
        seconds: Integer 32
      Single: Track
        price: Decimal
      composite Place
        city: String
        number: Integer 16
      """, name: "1")
    Self.identify(&old)
    new = old
    new.name = "2"
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      var changed = new
      change(&changed)
      Self.identify(&changed)
      if !changed.check().hasErrors { new = changed }
    }
  }

  /// Gives each hierarchy its `uid`.
  private static func identify(_ model: inout ManagedObjectModel) {
    for place in model.entities.indices {
      model.entities[place].attributes.removeAll { $0.name == "uid" }
      guard model.entities[place].superentityName == nil else { continue }
      model.entities[place].attributes.append(AttributeDescription(name: "uid", type: .string))
    }
  }

  private mutating func chance(_ part: Int) -> Bool { Int.random(in: 0..<part, using: &random) == 0 }

  private mutating func name() -> String { "n\(Int.random(in: 0..<1_000, using: &random))" }

  // MARK: Changes

  private mutating func change(_ model: inout ManagedObjectModel) {
    let entity = Int.random(in: model.entities.indices, using: &random)
    switch Int.random(in: 0..<12, using: &random) {
    case 0...3: changeAttribute(of: entity, &model)
    case 4...7: changeRelationship(of: entity, &model)
    case 8:
      model.entities.append(
        EntityDescription(
          name: "New\(name())", superentityName: chance(2) ? model.entities[entity].name : nil,
          attributes: [AttributeDescription(name: name(), type: .string, isOptional: chance(2))]))
    case 9: remove(entity, &model)
    case 10: rename(entity, &model)
    default: move(entity, &model)
    }
  }

  private mutating func changeAttribute(of entity: Int, _ model: inout ManagedObjectModel) {
    let places = model.entities[entity].attributes.indices.filter {
      model.entities[entity].attributes[$0].name != "uid"
    }
    guard let place = places.randomElement(using: &random) else { return }
    var attribute = model.entities[entity].attributes[place]
    switch Int.random(in: 0..<10, using: &random) {
    case 0:
      model.entities[entity].attributes.append(
        AttributeDescription(
          name: name(), type: .integer32, isOptional: chance(2), defaultValue: chance(2) ? .null : 5))
      return
    case 1:
      model.entities[entity].attributes.remove(at: place)
      return
    case 2:
      attribute.renamingIdentifier = attribute.renamingIdentifier ?? attribute.name
      attribute.name = name()
    case 3:
      attribute.type = [.string, .double, .integer64, .date].randomElement(using: &random) ?? .string
      (attribute.defaultValue, attribute.compositeName) = (.null, nil)
      attribute.validation = AttributeValidation()
    case 4: attribute.isOptional.toggle()
    case 5: attribute.isTransient.toggle()
    case 6 where attribute.type == .string:
      attribute.validation.maximumLength = Int.random(in: 1...4, using: &random)
    case 7: model.entities[entity].uniquenessConstraints = [.init([attribute.name])]
    case 8:
      // Down to the sub-entities.
      let subentities = model.entities.indices.filter {
        model.entities[$0].superentityName == model.entities[entity].name
      }
      guard !subentities.isEmpty else { return }
      model.entities[entity].attributes.remove(at: place)
      for subentity in subentities where !chance(3) { model.entities[subentity].attributes.append(attribute) }
      return
    default:
      // Up to the parent.
      guard
        let parent = model.entities.firstIndex(where: { $0.name == model.entities[entity].superentityName })
      else { return }
      model.entities[entity].attributes.remove(at: place)
      model.entities[parent].attributes.append(attribute)
      return
    }
    model.entities[entity].attributes[place] = attribute
  }

  private mutating func changeRelationship(of entity: Int, _ model: inout ManagedObjectModel) {
    guard let place = model.entities[entity].relationships.indices.randomElement(using: &random) else {
      return addRelationship(to: entity, &model)
    }
    let relationship = model.entities[entity].relationships[place]
    let inverse = Self.inverse(of: relationship, in: model)
    switch Int.random(in: 0..<10, using: &random) {
    case 0: addRelationship(to: entity, &model)
    case 1:
      model.entities[entity].relationships.remove(at: place)
      // The inverse may be the relationship itself, or follow it.
      guard let name = relationship.inverseName, name != relationship.name,
        let other = model.entities.firstIndex(where: { $0.name == inverse?.entity }),
        let back = model.entities[other].relationships.firstIndex(where: { $0.name == name })
      else { return }
      if chance(2) {
        model.entities[other].relationships.remove(at: back)
      } else {
        model.entities[other].relationships[back].inverseName = nil
        model.entities[other].relationships[back].inverseEntityName = nil
      }
    case 2:
      let newName = name()
      for other in model.entities.indices {
        for back in model.entities[other].relationships.indices
        where model.entities[other].relationships[back].inverseName == relationship.name {
          model.entities[other].relationships[back].inverseName = newName
        }
      }
      model.entities[entity].relationships[place].name = newName
      if chance(3) { return }
      model.entities[entity].relationships[place].renamingIdentifier = relationship.name
    case 3:
      model.entities[entity].relationships[place].maxCount = relationship.isToMany ? 1 : 0
      model.entities[entity].relationships[place].isOrdered = false
      model.entities[entity].relationships[place].minCount = 0
    case 4 where relationship.isToMany: model.entities[entity].relationships[place].isOrdered.toggle()
    case 5:
      model.entities[entity].relationships[place].isOptional = false
      if relationship.isToMany { model.entities[entity].relationships[place].minCount = 1 }
    case 6 where relationship.isToMany:
      model.entities[entity].relationships[place].maxCount = Int.random(in: 2...3, using: &random)
    case 7:
      model.entities[entity].relationships.remove(at: place)
      model.entities[entity].attributes.append(AttributeDescription(name: relationship.name, type: .string))
    case 8:
      model.entities[entity].relationships[place].destinationEntityName =
        model.entities.randomElement(using: &random)?.name
    default: exchangeInverses(&model)
    }
  }

  private static func inverse(
    of relationship: RelationshipDescription, in model: ManagedObjectModel
  ) -> (entity: String, RelationshipDescription)? {
    guard let name = relationship.inverseName,
      let target = model.entity(named: relationship.destinationEntityName ?? "")
    else { return nil }
    for entity in model.lineage(of: target) {
      if let found = entity.relationship(named: name) { return (entity.name, found) }
    }
    return nil
  }

  private mutating func addRelationship(to entity: Int, _ model: inout ManagedObjectModel) {
    let other = Int.random(in: model.entities.indices, using: &random)
    let (there, back) = (name(), name())
    let (one, two) = (model.entities[entity].name, model.entities[other].name)
    model.entities[entity].relationships.append(
      RelationshipDescription(
        name: there, destinationEntityName: two, inverseName: back, inverseEntityName: two, isOptional: !chance(4),
        maxCount: chance(2) ? 1 : 0))
    model.entities[other].relationships.append(
      RelationshipDescription(
        name: back, destinationEntityName: one, inverseName: there, inverseEntityName: one,
        maxCount: chance(2) ? 1 : 0))
  }

  private func exchangeInverses(_ model: inout ManagedObjectModel) {
    guard let film = model.entities.firstIndex(where: { $0.name == "Film" }),
      let sequel = model.entities[film].relationships.firstIndex(where: { $0.name == "sequel" }),
      let prequel = model.entities[film].relationships.firstIndex(where: { $0.name == "prequel" })
    else { return }
    model.entities[film].relationships[sequel].inverseName = "sequel"
    model.entities[film].relationships[prequel].inverseName = "prequel"
  }

  private mutating func remove(_ entity: Int, _ model: inout ManagedObjectModel) {
    let removed = model.entities.remove(at: entity)
    for place in model.entities.indices {
      model.entities[place].relationships.removeAll { $0.destinationEntityName == removed.name }
      if model.entities[place].superentityName == removed.name {
        model.entities[place].superentityName = removed.superentityName
      }
      for relationship in model.entities[place].relationships.indices {
        let inverse = model.entities[place].relationships[relationship].inverseName
        if inverse != nil, Self.inverse(of: model.entities[place].relationships[relationship], in: model) == nil {
          model.entities[place].relationships[relationship].inverseName = nil
          model.entities[place].relationships[relationship].inverseEntityName = nil
        }
      }
    }
  }

  private mutating func rename(_ entity: Int, _ model: inout ManagedObjectModel) {
    let (oldName, newName) = (model.entities[entity].name, "Renamed\(name())")
    model.entities[entity].renamingIdentifier = model.entities[entity].renamingIdentifier ?? oldName
    model.entities[entity].name = newName
    for place in model.entities.indices {
      if model.entities[place].superentityName == oldName { model.entities[place].superentityName = newName }
      for relationship in model.entities[place].relationships.indices {
        if model.entities[place].relationships[relationship].destinationEntityName == oldName {
          model.entities[place].relationships[relationship].destinationEntityName = newName
        }
        if model.entities[place].relationships[relationship].inverseEntityName == oldName {
          model.entities[place].relationships[relationship].inverseEntityName = newName
        }
      }
    }
  }

  private mutating func move(_ entity: Int, _ model: inout ManagedObjectModel) {
    if chance(3) {
      model.entities[entity].isAbstract.toggle()
      return
    }
    let name = model.entities[entity].name
    let parents = model.entities.filter { !model.entity($0, isKindOf: name) }.map(\.name)
    model.entities[entity].superentityName = chance(2) ? nil : parents.randomElement(using: &random)
  }

  // MARK: The store

  /// Fills a store of the first version.
  mutating func fill(_ context: ManagedObjectContext) throws {
    var objects: [ManagedObject] = []
    for entity in old.entities where !entity.isAbstract {
      for number in 0..<Int.random(in: 0...4, using: &random) {
        let object = try context.insert(entity.name)
        object["uid"] = .string("\(entity.name)\(number)")
        for attribute in old.allAttributes(of: entity) where attribute.name != "uid" {
          if attribute.isOptional, chance(4) { continue }
          object[attribute.name] = value(of: attribute)
        }
        objects.append(object)
      }
    }
    for object in objects {
      for relationship in old.allRelationships(of: object.entity) {
        let targets = objects.filter {
          old.entity($0.entity, isKindOf: relationship.destinationEntityName ?? "")
        }
        if relationship.isToMany {
          for _ in 0..<Int.random(in: 0...2, using: &random) {
            if let target = targets.randomElement(using: &random) { try object.add(target, to: relationship.name) }
          }
        } else if !chance(3) {
          try object.setObject(targets.randomElement(using: &random), forKey: relationship.name)
        }
      }
    }
  }

  private mutating func value(of attribute: AttributeDescription) -> Value {
    let number = Int.random(in: 0..<30, using: &random)
    return switch attribute.type {
    case .string: .string("s\(number)")
    case .double: .double(Double(number) / 4)
    case .decimal: .decimal(Decimal(number) / 10)
    case .composite: .composite(["city": .string("c\(number)"), "number": .integer(Int64(number))])
    default: .integer(Int64(number))
    }
  }
}
