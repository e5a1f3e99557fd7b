import Foundation
import HeavyliftModel
import Testing

@Suite struct EntityVersionHashTests {
  private let event = EntityDescription(
    name: "Event", attributes: [AttributeDescription(name: "timeStamp", type: .date)])

  @Test func `the entity of Xcode's template has the hash that public error logs show`() {
    let model = ManagedObjectModel(entities: [event])
    #expect(
      model.versionHashes["Event"]?.hexadecimal
        == "5431c046d30e7f32c2cc809958add1e7579ad104a3aa8fc4846e97d7af01cc79")
    #expect(model.entityVersionHashes()["Event"]?.isAssumed == false)
  }

  @Test func `parameters that no row depends on do not change the hash`() {
    var changed = event
    changed.managedObjectClassName = "AppEvent"
    changed.renamingIdentifier = "Occurrence"
    changed.userInfo = ["k": "v"]
    changed.fetchIndexes = [
      FetchIndexDescription(name: "byTime", elements: [FetchIndexDescription.Element(propertyName: "timeStamp")])
    ]
    changed.attributes[0].defaultValue = .date(Date(timeIntervalSinceReferenceDate: 0))
    changed.attributes[0].isIndexed = true
    changed.attributes[0].validation.minimum = .date(Date(timeIntervalSinceReferenceDate: 0))
    changed.attributes.append(AttributeDescription(name: "age", type: .double, isTransient: true))
    changed.relationships = [
      RelationshipDescription(name: "now", destinationEntityName: "Event", isTransient: true)
    ]
    changed.fetchedProperties = [FetchedPropertyDescription(name: "others", fetchRequest: nil)]
    #expect(hash(changed) == hash(event))
  }

  /// Changes to the stored data, or changes that are meant to look like one.
  static let changes: [(String, @Sendable (inout EntityDescription) -> Void)] = [
    ("name", { $0.name = "Happening" }),
    ("abstract", { $0.isAbstract = true }),
    ("modifier", { $0.versionHashModifier = "2" }),
    ("constraint", { $0.uniquenessConstraints = [.init(["timeStamp"])] }),
    ("attribute name", { $0.attributes[0].name = "time" }),
    ("attribute type", { $0.attributes[0].type = .double }),
    ("optional", { $0.attributes[0].isOptional = false }),
    ("transient", { $0.attributes[0].isTransient = true }),
    ("attribute modifier", { $0.attributes[0].versionHashModifier = "2" }),
    ("external", { $0.attributes[0].allowsExternalBinaryDataStorage = true }),
    ("one attribute more", { $0.attributes.append(AttributeDescription(name: "place", type: .string)) }),
    ("relationship", { $0.relationships = [RelationshipDescription(name: "r", destinationEntityName: "Event")] }),
    (
      "relationship to another",
      { $0.relationships = [RelationshipDescription(name: "r", destinationEntityName: "Other")] }
    ),
    (
      "relationship with inverse",
      { $0.relationships = [RelationshipDescription(name: "r", destinationEntityName: "Event", inverseName: "s")] }
    ),
    (
      "to-one",
      { $0.relationships = [RelationshipDescription(name: "r", destinationEntityName: "Event", maxCount: 1)] }
    ),
    (
      "at least one",
      { $0.relationships = [RelationshipDescription(name: "r", destinationEntityName: "Event", minCount: 1)] }
    ),
    (
      "ordered",
      { $0.relationships = [RelationshipDescription(name: "r", destinationEntityName: "Event", isOrdered: true)] }
    ),
  ]

  @Test func `each change of the stored data yields a different hash`() {
    var seen = [hash(event): "nothing"]
    for (name, change) in Self.changes {
      var changed = event
      change(&changed)
      let other = seen.updateValue(name, forKey: hash(changed))
      #expect(other == nil, "\(name) and \(other ?? "")")
    }
  }

  @Test func `delete rule and order in the file leave the hash alone`() {
    let relationships = ["b", "a"].map { RelationshipDescription(name: $0, destinationEntityName: "Event") }
    var one = event
    one.relationships = relationships
    var other = event
    other.relationships = relationships.reversed().map {
      var relationship = $0
      relationship.deleteRule = .cascade
      return relationship
    }
    #expect(hash(one) == hash(other))
  }

  @Test func `properties are hashed in order of their UTF-16 code units`() {
    // U+FF5E comes before U+1D11E as a number, but after it in UTF-16, where the latter starts with 0xD834.
    let names = ["\u{FF5E}", "\u{1D11E}", "B", "a"]
    let forwards = EntityDescription(name: "E", attributes: names.map { AttributeDescription(name: $0, type: .string) })
    #expect(forwards.attributes.map(\.name) == ["B", "a", "\u{1D11E}", "\u{FF5E}"])
    #expect(
      hash(forwards).hexadecimal == "3b7d6357568b971474a62fc125eec36f13b297685c3f445e6b26464e3c72fddd")
  }

  @Test func `a sub-entity's hash follows its parent's`() {
    let child = EntityDescription(name: "Child", superentityName: "Event")
    var changed = event
    changed.versionHashModifier = "2"
    let before = ManagedObjectModel(entities: [event, child]).versionHashes
    let after = ManagedObjectModel(entities: [changed, child]).versionHashes
    #expect(before["Child"] != after["Child"])
    #expect(before["Child"] != ManagedObjectModel(entities: [child]).versionHashes["Child"])
  }

  @Test func `several constraints are hashed in order of their texts, whatever order they are stated in`() {
    let names = ["isbn", "shelf", "title"]
    let types: [AttributeType] = [.string, .integer32, .string]
    var book = EntityDescription(
      name: "Book", attributes: zip(names, types).map { AttributeDescription(name: $0, type: $1) },
      uniquenessConstraints: [.init(["title", "shelf"]), .init(["isbn"])])
    let expected = "913cf78011bedde43d45ff716126dc4098b8d38049c9cfddc4fae762561a02d6"
    #expect(hash(book).hexadecimal == expected)
    book.uniquenessConstraints.reverse()
    #expect(hash(book).hexadecimal == expected)
    #expect(ManagedObjectModel(entities: [book]).entityVersionHashes()["Book"]?.isAssumed == false)
  }

  @Test func `a Decimal is hashed like every other number`() {
    let price = EntityDescription(name: "Price", attributes: [AttributeDescription(name: "amount", type: .decimal)])
    let hashed = ManagedObjectModel(entities: [price]).entityVersionHashes()["Price"]
    #expect(hashed?.hash.hexadecimal == "d5ba93ebeec7e262466ab226e4a675ba9733200565ba533e9e95a9df9dd2b3d9")
    #expect(hashed?.isAssumed == false)
  }

  @Test func `a relationship that is its own inverse is hashed without one`() {
    func person(inverse: String?) -> EntityVersionHash? {
      let person = EntityDescription(
        name: "Person", attributes: [AttributeDescription(name: "name", type: .string)],
        relationships: [
          RelationshipDescription(name: "friends", destinationEntityName: "Person", inverseName: inverse)
        ])
      return ManagedObjectModel(entities: [person]).entityVersionHashes()["Person"]
    }
    #expect(person(inverse: "friends")?.hash.hexadecimal.hasPrefix("0c969c2b") == true)
    #expect(person(inverse: "friends")?.isAssumed == false)
    #expect(person(inverse: nil) == person(inverse: "friends"))
    #expect(person(inverse: "admirers") != person(inverse: "friends"))
  }

  @Test func `relationships of two entities that share a name are not their own inverses`() {
    func entity(_ name: String, _ other: String, inverse: String?) -> EntityDescription {
      EntityDescription(
        name: name,
        relationships: [RelationshipDescription(name: "partner", destinationEntityName: other, inverseName: inverse)])
    }
    func hashes(inverse: String?) -> [String: VersionHash] {
      ManagedObjectModel(
        entities: [entity("A", "B", inverse: inverse), entity("B", "A", inverse: inverse)]).versionHashes
    }
    #expect(hashes(inverse: "partner")["A"] != hashes(inverse: nil)["A"])
  }

  @Test func `a derived attribute is hashed by its printed expression alone`() {
    let expected = "f2dfa5267faed31be3e71ddcdbfd14270aea1716bd697c76d5164780b69cd95f"
    var changed = event
    changed.attributes.append(
      AttributeDescription(name: "pagesCount", type: .integer64, derivationExpression: "pages.@count"))
    #expect(hash(changed).hexadecimal == expected)
    #expect(ManagedObjectModel(entities: [changed]).entityVersionHashes()["Event"]?.isAssumed == false)
    // Neither type, flags nor name, if it has the same position in the sort order; the expression as it is printed.
    changed.attributes[0] = AttributeDescription(
      name: "count", type: .integer16, isOptional: false, derivationExpression: "count:( pages )")
    #expect(hash(changed).hexadecimal == expected)
    changed.attributes[0].derivationExpression = "chat.serverId"
    #expect(hash(changed).hexadecimal != expected)
    #expect(ManagedObjectModel(entities: [changed]).entityVersionHashes()["Event"]?.isAssumed == false)
  }

  @Test func `a modifier together with uniqueness constraints is certain`() {
    var changed = event
    changed.uniquenessConstraints = [.init(["timeStamp"])]
    changed.versionHashModifier = "2"
    #expect(ManagedObjectModel(entities: [changed]).entityVersionHashes()["Event"]?.isAssumed == false)
  }

  private static func person(_ composites: CompositeDescription...) -> ManagedObjectModel {
    ManagedObjectModel(
      entities: [
        EntityDescription(
          name: "Person",
          attributes: [
            AttributeDescription(name: "address", type: .composite, compositeName: "Address"),
            AttributeDescription(name: "name", type: .string),
          ])
      ], composites: composites)
  }

  private static let address = CompositeDescription(
    name: "Address",
    elements: [
      AttributeDescription(name: "street", type: .string, isOptional: false),
      AttributeDescription(name: "city", type: .string), AttributeDescription(name: "zip", type: .integer32),
    ])

  @Test func `a composite attribute is hashed by its elements alone`() {
    let expected = "3e11177d8c21d0141d08ae9dbd1923e37e6041e9b084368a2f151fcd099fb137"
    var model = Self.person(Self.address)
    #expect(model.entityVersionHashes()["Person"]?.hash.hexadecimal == expected)
    #expect(model.entityVersionHashes()["Person"]?.isAssumed == false)
    model.composites[0].elements.reverse()
    model.entities[0].attributes[0].isOptional = false
    // Even another name, if it has the same position in the sort order.
    model.entities[0].attributes[0].name = "home"
    #expect(model.entityVersionHashes()["Person"]?.hash.hexadecimal == expected)
    model.composites[0].elements[0].isOptional = false
    #expect(model.entityVersionHashes()["Person"]?.hash.hexadecimal != expected)
  }

  @Test func `a composite in a composite is hashed likewise, and marked`() {
    let geo = CompositeDescription(
      name: "Geo",
      elements: ["lat", "lon"].map { AttributeDescription(name: $0, type: .double) })
    let address = CompositeDescription(
      name: "Address",
      elements: [
        AttributeDescription(name: "place", type: .composite, compositeName: "Geo"),
        AttributeDescription(name: "city", type: .string),
      ])
    let hashed = Self.person(address, geo).entityVersionHashes()["Person"]
    #expect(hashed?.hash.hexadecimal == "e50c68188c22c33e5502ab9b70347561ceb3c63baf1ba0f71b47da123bbbb0df")
    #expect(
      hashed?.assumptions.map(\.description) == ["element 'place' of composite 'Address' is a composite"])
  }

  @Test func `a composite type that contains itself is marked, and so is a hash modifier`() {
    var address = Self.address
    address.elements.append(AttributeDescription(name: "next", type: .composite, compositeName: "Address"))
    var model = Self.person(address)
    model.entities[0].attributes[0].versionHashModifier = "2"
    #expect(
      model.entityVersionHashes()["Person"]?.assumptions.map(\.description) == [
        "composite attribute 'address' has a hash modifier",
        "the elements of composite attribute 'address' are not known",
      ])
  }

  @Test func `composite types in a chain of thousands are hashed`() {
    let count = 5000
    let composites = (0..<count).map { number in
      CompositeDescription(
        name: "C\(number)",
        elements: [
          number + 1 == count
            ? AttributeDescription(name: "end", type: .string)
            : AttributeDescription(name: "next", type: .composite, compositeName: "C\(number + 1)")
        ])
    }
    let entity = EntityDescription(
      name: "E", attributes: [AttributeDescription(name: "a", type: .composite, compositeName: "C0")])
    let hashed = ManagedObjectModel(entities: [entity], composites: composites).entityVersionHashes()["E"]
    #expect(hashed?.assumptions.count == count - 1)
  }

  /// The cases in which a hash is assumed, and the words for them.
  static let assumptions: [(String, @Sendable (inout EntityDescription) -> Void)] = [
    (
      "attribute 'timeStamp' is derived in a way that no known hash covers",
      { $0.attributes[0].derivationExpression = "now()" }
    ),
    (
      "attribute 'timeStamp' is derived in a way that no known hash covers",
      {
        $0.attributes[0].derivationExpression = "chat.serverId"
        $0.attributes[0].versionHashModifier = "2"
      }
    ),
    (
      "attribute 'timeStamp' is derived in a way that no known hash covers",
      {
        $0.attributes[0].derivationExpression = "chat.serverId"
        $0.attributes[0].isTransient = true
      }
    ),
    ("the elements of composite attribute 'timeStamp' are not known", { $0.attributes[0].type = .composite }),
    ("attribute 'timeStamp' has type Object ID", { $0.attributes[0].type = .objectID }),
    ("attribute 'timeStamp' has type Undefined", { $0.attributes[0].type = .undefined }),
    (
      "relationship 'next' is its own inverse and leads to a sub-entity",
      {
        $0.relationships = [RelationshipDescription(name: "next", destinationEntityName: "Child", inverseName: "next")]
      }
    ),
    (
      "attribute 'timeStamp' has both external storage and a value that is preserved in history",
      {
        $0.attributes[0].allowsExternalBinaryDataStorage = true
        $0.attributes[0].preservesValueInHistoryOnDeletion = true
      }
    ),
    ("the name 'Zeitpünktchen' has non-ASCII letters", { $0.attributes[0].name = "Zeitpünktchen" }),
    ("the name 'Ereignis…' has non-ASCII letters", { $0.name = "Ereignis…" }),
    (
      "relationship 'next' has no destination entity",
      { $0.relationships = [RelationshipDescription(name: "next", destinationEntityName: nil)] }
    ),
    ("entity 'Event' inherits from 'Thing', which is not in the model", { $0.superentityName = "Thing" }),
    ("entity 'Event' inherits from itself", { $0.superentityName = "Event" }),
  ]

  @Test(arguments: assumptions.indices)
  func `unknown parts of the scheme mark the hash, even of sub-entities`(index: Int) {
    let (words, change) = Self.assumptions[index]
    var changed = event
    change(&changed)
    let child = EntityDescription(name: "Child", superentityName: changed.name)
    let hashes = ManagedObjectModel(entities: [changed, child]).entityVersionHashes()
    #expect(hashes[changed.name]?.assumptions.map(\.description) == [words])
    #expect(hashes["Child"]?.assumptions.map(\.description) == [words])
  }

  @Test func `entities that inherit from each other are hashed, and marked`() {
    let names = ["A", "B", "C", "Below"]
    let entities = zip(names, ["B", "C", "A", "A"]).map { EntityDescription(name: $0, superentityName: $1) }
    let hashes = ManagedObjectModel(entities: entities).entityVersionHashes()
    #expect(
      hashes.mapValues { $0.assumptions.map(\.description) } == [
        "A": ["entity 'A' inherits from itself"],
        "B": ["entity 'B' inherits from itself"],
        "C": ["entity 'C' inherits from itself"],
        "Below": ["entity 'A' inherits from itself"],
      ])
    // The mark and the value do not depend on which is read first.
    for _ in 0..<5 {
      #expect(ManagedObjectModel(entities: entities.shuffled()).entityVersionHashes() == hashes)
    }
  }

  @Test func `a hierarchy of a thousand levels is hashed`() {
    let entities = (0..<1000).map {
      EntityDescription(name: "E\($0)", superentityName: $0 == 0 ? nil : "E\($0 - 1)")
    }
    let hashes = ManagedObjectModel(entities: entities).entityVersionHashes()
    #expect(hashes.count == 1000)
    #expect(!hashes.values.contains { $0.isAssumed })
  }

  @Test func `a stated hash overrides the computed one, for the entity and as its children's parent`() {
    let stated = VersionHash(bytes: Data(repeating: 7, count: 32))
    var derived = event
    derived.attributes[0].derivationExpression = "now()"
    let child = EntityDescription(name: "Child", superentityName: "Event")
    var model = ManagedObjectModel(entities: [derived, child])
    let computed = model.entityVersionHashes()
    model.statedVersionHashes = ["Event": stated, "Gone": stated]

    let effective = model.entityVersionHashes()
    #expect(effective["Event"] == EntityVersionHash(stated, isStated: true))
    #expect(effective["Child"]?.hash != computed["Child"]?.hash)
    #expect(effective["Child"]?.assumptions == [.derivedAttribute("timeStamp")])
    #expect(effective.keys.sorted() == ["Child", "Event"])
    #expect(model.entityVersionHashes(ignoringStated: true) == computed)
  }

  private func hash(_ entity: EntityDescription) -> VersionHash {
    ManagedObjectModel(entities: [entity]).versionHashes[entity.name] ?? VersionHash(bytes: Data())
  }
}
