import Foundation
import HeavyliftModel
import HeavyliftTestSupport

/// Generates models with everything that the format supports, and changes them.
struct ModelSource {
  var generator: SeededGenerator
  private var counter = 0

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func model() -> ManagedObjectModel {
    let entities = many(0...4) { $0.entity() }
    return ManagedObjectModel(
      versionIdentifiers: Set(many(0...2) { $0.pick(["", "1", "2.0", "é"]) }), entities: entities,
      composites: many(0...2) { source in
        CompositeDescription(name: source.name(), elements: source.many(0...3) { $0.attribute() })
      },
      configurations: many(0...2) { source in
        ConfigurationDescription(
          name: source.name(), entityNames: Set(entities.map(\.name).filter { _ in source.flip() }))
      },
      fetchRequestTemplates: many(0...2) { $0.fetchRequest() })
  }

  mutating func entity() -> EntityDescription {
    EntityDescription(
      name: name(), managedObjectClassName: maybe { $0.text() }, isAbstract: flip(),
      superentityName: maybe { $0.text() },
      attributes: many(0...4) { $0.attribute() }, relationships: many(0...3) { $0.relationship() },
      fetchedProperties: many(0...1) { $0.fetchedProperty() },
      uniquenessConstraints: many(0...2) { source in .init(source.many(1...2) { $0.text() }) },
      fetchIndexes: many(0...2) { $0.fetchIndex() },
      compoundIndexes: many(0...2) { source in source.many(1...2) { $0.text() } },
      renamingIdentifier: maybe { $0.text() }, versionHashModifier: maybe { $0.text() }, userInfo: userInfo())
  }

  mutating func attribute() -> AttributeDescription {
    let type = pick(AttributeType.allCases)
    let isText = type == .string
    return AttributeDescription(
      name: name(), type: type, isOptional: flip(), isTransient: flip(),
      defaultValue: maybe { $0.value(type) } ?? .null,
      validation: AttributeValidation(
        minimum: maybe { $0.bound(type) } ?? .null, maximum: maybe { $0.bound(type) } ?? .null,
        minimumLength: isText ? maybe { $0.number(0...9) } : nil,
        maximumLength: isText ? maybe { $0.number(0...9) } : nil, regularExpression: maybe { $0.text() }),
      allowsExternalBinaryDataStorage: flip(), preservesValueInHistoryOnDeletion: flip(), isIndexed: flip(),
      isIndexedBySpotlight: flip(), isStoredInExternalRecord: flip(), valueTransformerName: maybe { $0.text() },
      attributeValueClassName: maybe { $0.text() }, derivationExpression: maybe { $0.text() },
      compositeName: maybe { $0.text() }, renamingIdentifier: maybe { $0.text() },
      versionHashModifier: maybe { $0.text() },
      userInfo: userInfo())
  }

  mutating func relationship() -> RelationshipDescription {
    RelationshipDescription(
      name: name(), destinationEntityName: maybe { $0.text() }, inverseName: maybe { $0.text() },
      inverseEntityName: maybe { $0.text() }, isOptional: flip(), isTransient: flip(), isOrdered: flip(),
      minCount: number(0...2), maxCount: number(0...3), deleteRule: pick(DeleteRule.allCases), isIndexed: flip(),
      isIndexedBySpotlight: flip(), isStoredInExternalRecord: flip(), renamingIdentifier: maybe { $0.text() },
      versionHashModifier: maybe { $0.text() }, userInfo: userInfo())
  }

  private mutating func fetchedProperty() -> FetchedPropertyDescription {
    FetchedPropertyDescription(
      name: name(), fetchRequest: maybe { $0.fetchRequest() }, isOptional: flip(), isTransient: flip(),
      renamingIdentifier: maybe { $0.text() }, versionHashModifier: maybe { $0.text() }, userInfo: userInfo())
  }

  private mutating func fetchRequest() -> FetchRequestDescription {
    FetchRequestDescription(
      name: name(), entityName: maybe { $0.text() }, predicateString: maybe { $0.text() }, fetchLimit: number(0...3),
      fetchBatchSize: number(0...3), resultType: pick([.managedObjects, .managedObjectIDs, .dictionaries, .count]),
      includesSubentities: flip(), includesPropertyValues: flip(), includesPendingChanges: flip(),
      returnsObjectsAsFaults: flip(), returnsDistinctResults: flip())
  }

  private mutating func fetchIndex() -> FetchIndexDescription {
    FetchIndexDescription(
      name: name(),
      elements: many(0...3) { source in
        let isExpression = source.flip()
        return FetchIndexDescription.Element(
          propertyName: isExpression ? nil : source.text(), expression: isExpression ? source.text() : nil,
          collationType: source.flip() ? .binary : .rTree, isAscending: source.flip())
      }, partialIndexPredicate: maybe { $0.text() })
  }

  private mutating func value(_ type: AttributeType) -> Value {
    switch type {
    case .integer16, .integer32, .integer64: .integer(pick([0, -1, 7, .max, .min]))
    case .decimal:
      .decimal(pick([0, Decimal(string: "0.1") ?? 0, Decimal(string: "-12345678901234567890.123456789") ?? 0]))
    case .double: .double(pick([0, -0.1, 1e300, 2.5e-300, .random(in: -1...1, using: &generator)]))
    case .float: .double(Double(pick([0, 0.1, 1e30, Float.random(in: -1...1, using: &generator)])))
    case .boolean: .bool(flip())
    case .date: .date(Date(timeIntervalSinceReferenceDate: pick([0, -86_400, 362_848_762.791_73, 1e-3])))
    case .uuid: .uuid(UUID(uuidString: "8A6B1A2C-0000-4000-8000-0123456789AB") ?? UUID())
    case .uri: .uri(text())
    case .string: .string(pick(["", text(), "\"\"", " a\n\tb\r "]))
    case .undefined, .binaryData, .transformable, .objectID, .composite: .null
    }
  }

  private mutating func bound(_ type: AttributeType) -> Value {
    switch type {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .date: value(type)
    default: .null
    }
  }

  private mutating func userInfo() -> [String: String] {
    Dictionary(many(0...2) { ($0.text(), $0.pick(["", $0.text()])) }, uniquingKeysWith: { first, _ in first })
  }

  /// Changes one thing, as a program or a user would.
  mutating func change(_ model: inout ManagedObjectModel) {
    guard let index = model.entities.indices.randomElement(using: &generator), number(0...7) > 0 else {
      switch number(0...5) {
      case 0: model.entities.append(entity())
      case 1: model.fetchRequestTemplates = many(0...2) { $0.fetchRequest() } + model.fetchRequestTemplates.dropLast()
      case 2: model.configurations.append(ConfigurationDescription(name: name(), entityNames: [text()]))
      case 3:
        model.composites = model.composites.dropFirst() + [CompositeDescription(name: name(), elements: [attribute()])]
      case 4: model.versionIdentifiers = [text()]
      default: model.entities = model.entities.dropLast()
      }
      return
    }
    change(
      &model.entities[index], from: model.entities.indices.randomElement(using: &generator).map { model.entities[$0] })
  }

  private mutating func change(_ entity: inout EntityDescription, from other: EntityDescription?) {
    switch number(0...13) {
    case 0: entity.name = name()
    case 1: entity.attributes.append(attribute())
    case 2: entity.attributes = entity.attributes.dropLast()
    case 3: entity.relationships = many(0...1) { $0.relationship() } + entity.relationships.dropFirst()
    case 4: entity.userInfo = userInfo()
    case 5: entity.userInfo[text()] = text()
    case 6: entity.uniquenessConstraints.shuffle(using: &generator)
    case 7: entity.uniquenessConstraints.append(.init([text()]))
    case 8: entity.fetchIndexes = entity.fetchIndexes.dropFirst() + [fetchIndex()]
    case 9: entity.fetchIndexes.reverse()
    case 10: entity.compoundIndexes = many(0...2) { source in source.many(1...2) { $0.text() } }
    case 11:
      let copy = other?.attributes.first ?? attribute()
      if !entity.attributes.contains(where: { $0.name == copy.name }) { entity.attributes.append(copy) }
    case 12: entity.renamingIdentifier = maybe { $0.text() }
    default:
      guard let index = entity.attributes.indices.randomElement(using: &generator) else { return }
      var changed = attribute()
      changed.markup = entity.attributes[index].markup
      entity.attributes[index] = changed
    }
  }

  /// Changes a few characters of a model file: most results are still XML.
  mutating func damage(_ text: inout String) {
    let words = [
      "name", "optional", "YES", "Integer 16", "userInfo", "attribute", "entity", "\n    ", "maxCount=\"1\"", "\"",
    ]
    let with = [
      "nane", "YES", "NO", "0.0", "elements", "relationship", "shelf", "\r\n\t", "toMany='YES'", "'", " ", "", "&#10;",
      "<!-- c -->", "<x/>",
    ]
    let word = pick(words)
    let places = text.ranges(of: word)
    guard let place = places.randomElement(using: &generator) else { return }
    text.replaceSubrange(place, with: pick(with))
  }

  private mutating func name() -> String {
    counter += 1
    return pick(["a", "B", "zé", "Item ", "漢"]) + "\(counter)"
  }

  private mutating func text() -> String {
    pick(["x", "a.b", "\"q\" & <r> 'é'", "line\nline\t\r", "😀 e\u{301}", "name == \"x\"", " "]) + "\(number(0...99))"
  }

  private mutating func many<Element>(
    _ count: ClosedRange<Int>, _ make: (inout ModelSource) -> Element
  ) -> [Element] {
    var made: [Element] = []
    for _ in 0..<number(count) { made.append(make(&self)) }
    return made
  }

  private mutating func maybe<Element>(_ make: (inout ModelSource) -> Element) -> Element? {
    number(0...3) == 0 ? make(&self) : nil
  }

  private mutating func flip() -> Bool { Bool.random(using: &generator) }

  private mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }

  private mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &generator)]
  }
}
