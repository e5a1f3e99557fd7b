import Foundation
import HeavyliftModel
import Testing

/// Changes every stored fact alone: it must show, under its name, and be marked exactly if the hash changes.
@Suite struct ParameterCoverageTests {
  /// A change of one stored property, and the report about it.
  struct Change<Part>: Sendable, CustomTestStringConvertible {
    /// The stored property's name in Swift.
    let label: String
    let expected: [String]
    let apply: @Sendable (inout Part) -> Void

    init(_ label: String, says expected: String..., apply: @escaping @Sendable (inout Part) -> Void) {
      self.label = label
      self.expected = expected
      self.apply = apply
    }

    var testDescription: String { label }
  }

  private static let attribute = AttributeDescription(name: "title", type: .string)
  private static let relationship = RelationshipDescription(name: "author", destinationEntityName: "Author")
  private static let fetched = FetchedPropertyDescription(
    name: "recent", fetchRequest: FetchRequestDescription(name: "f", entityName: "Book"))
  private static let book = EntityDescription(
    name: "Book", attributes: [attribute], relationships: [relationship], fetchedProperties: [fetched])

  static let attributeChanges: [Change<AttributeDescription>] = [
    // Without an identifier that leads back, a new name means a new attribute.
    Change("name", says: "attribute 'heading': added", "attribute 'title': removed") { $0.name = "heading" },
    Change("type", says: "* attributeType: String → Date") { $0.type = .date },
    Change("isOptional", says: "* optional: YES → NO") { $0.isOptional = false },
    Change("isTransient", says: "* transient: NO → YES") { $0.isTransient = true },
    Change("defaultValue", says: "defaultValue: none → \"a\\n\\\"b\\\"\"") { $0.defaultValue = "a\n\"b\"" },
    Change("validation", says: "minLength: none → 3", "regularExpressionString: none → \"x+\"") {
      $0.validation = AttributeValidation(minimumLength: 3, regularExpression: "x+")
    },
    Change("validation", says: "minValue: none → 1", "maxValue: none → 2.5", "maxLength: none → 0") {
      $0.validation = AttributeValidation(minimum: 1, maximum: 2.5, maximumLength: 0)
    },
    Change("allowsExternalBinaryDataStorage", says: "* allowsExternalBinaryDataStorage: NO → YES") {
      $0.allowsExternalBinaryDataStorage = true
    },
    Change("preservesValueInHistoryOnDeletion", says: "* preserveAfterDeletion: NO → YES") {
      $0.preservesValueInHistoryOnDeletion = true
    },
    Change("isIndexed", says: "indexed: NO → YES") { $0.isIndexed = true },
    Change("isIndexedBySpotlight", says: "spotlightIndexingEnabled: NO → YES") { $0.isIndexedBySpotlight = true },
    Change("isStoredInExternalRecord", says: "storedInTruthFile: NO → YES") { $0.isStoredInExternalRecord = true },
    Change("valueTransformerName", says: "valueTransformerName: none → \"T\"") { $0.valueTransformerName = "T" },
    Change("attributeValueClassName", says: "customClassName: none → \"C\"") { $0.attributeValueClassName = "C" },
    Change("derivationExpression", says: "* derivationExpression: none → \"now()\"") {
      $0.derivationExpression = "now()"
    },
    Change("compositeName", says: "compositeName: none → \"Z\"") { $0.compositeName = "Z" },
    Change("renamingIdentifier", says: "elementID: none → \"old\"") { $0.renamingIdentifier = "old" },
    Change("versionHashModifier", says: "* versionHashModifier: none → \"2\"") { $0.versionHashModifier = "2" },
    // A missing text and an empty one are two facts with the same hash.
    Change("versionHashModifier", says: "versionHashModifier: none → \"\"") { $0.versionHashModifier = "" },
    Change("userInfo", says: "userInfo.k: none → \"v\"") { $0.userInfo = ["k": "v"] },
  ]

  static let relationshipChanges: [Change<RelationshipDescription>] = [
    Change("name", says: "relationship 'author': removed", "relationship 'writer': added") { $0.name = "writer" },
    Change("destinationEntityName", says: "* destinationEntity: \"Author\" → none") { $0.destinationEntityName = nil },
    Change("inverseName", says: "* inverseName: none → \"books\"") { $0.inverseName = "books" },
    Change("inverseEntityName", says: "inverseEntity: none → \"Author\"") { $0.inverseEntityName = "Author" },
    Change("isOptional", says: "* optional: YES → NO") { $0.isOptional = false },
    Change("isTransient", says: "* transient: NO → YES") { $0.isTransient = true },
    Change("isOrdered", says: "* ordered: NO → YES") { $0.isOrdered = true },
    Change("minCount", says: "* minCount: 0 → 1") { $0.minCount = 1 },
    Change("maxCount", says: "* maxCount: 0 → 1") { $0.maxCount = 1 },
    Change("deleteRule", says: "deletionRule: Nullify → Cascade") { $0.deleteRule = .cascade },
    Change("isIndexed", says: "indexed: NO → YES") { $0.isIndexed = true },
    Change("isIndexedBySpotlight", says: "spotlightIndexingEnabled: NO → YES") { $0.isIndexedBySpotlight = true },
    Change("isStoredInExternalRecord", says: "storedInTruthFile: NO → YES") { $0.isStoredInExternalRecord = true },
    Change("renamingIdentifier", says: "elementID: none → \"old\"") { $0.renamingIdentifier = "old" },
    Change("versionHashModifier", says: "* versionHashModifier: none → \"2\"") { $0.versionHashModifier = "2" },
    Change("userInfo", says: "userInfo.k: none → \"v\"") { $0.userInfo = ["k": "v"] },
  ]

  static let fetchedPropertyChanges: [Change<FetchedPropertyDescription>] = [
    Change("name", says: "fetched property 'new': added", "fetched property 'recent': removed") { $0.name = "new" },
    Change("isOptional", says: "optional: YES → NO") { $0.isOptional = false },
    Change("isTransient", says: "transient: YES → NO") { $0.isTransient = false },
    Change("fetchRequest", says: "fetchRequest: 'Book' → none") { $0.fetchRequest = nil },
    Change("fetchRequest", says: "fetchRequest.predicateString: none → \"x = 1\"") {
      $0.fetchRequest?.predicateString = "x = 1"
    },
    Change("renamingIdentifier", says: "elementID: none → \"old\"") { $0.renamingIdentifier = "old" },
    Change("versionHashModifier", says: "versionHashModifier: none → \"2\"") { $0.versionHashModifier = "2" },
    Change("userInfo", says: "userInfo.k: none → \"v\"") { $0.userInfo = ["k": "v"] },
  ]

  static let entityChanges: [Change<EntityDescription>] = [
    Change("managedObjectClassName", says: "representedClassName: none → \"BookMO\"") {
      $0.managedObjectClassName = "BookMO"
    },
    Change("isAbstract", says: "* isAbstract: NO → YES") { $0.isAbstract = true },
    Change("superentityName", says: "* parentEntity: none → \"Author\"") { $0.superentityName = "Author" },
    Change("superentityName", says: "parentEntity: none → \"Nowhere\"") { $0.superentityName = "Nowhere" },
    Change("uniquenessConstraints", says: "* uniquenessConstraints: none → (title, author), (title)") {
      $0.uniquenessConstraints = [.init(["title", "author"]), .init(["title"])]
    },
    Change(
      "fetchIndexes",
      says: "fetchIndex 'byTitle': none → (title ascending, \"x + y\" R-tree descending) where \"x > 0\""
    ) {
      $0.fetchIndexes = [
        FetchIndexDescription(
          name: "byTitle",
          elements: [
            .init(propertyName: "title"),
            .init(propertyName: nil, expression: "x + y", collationType: .rTree, isAscending: false),
          ], partialIndexPredicate: "x > 0")
      ]
    },
    Change("compoundIndexes", says: "compoundIndexes: none → (title, author)") {
      $0.compoundIndexes = [["title", "author"]]
    },
    Change("renamingIdentifier", says: "elementID: none → \"old\"") { $0.renamingIdentifier = "old" },
    Change("versionHashModifier", says: "* versionHashModifier: none → \"2\"") { $0.versionHashModifier = "2" },
    Change("userInfo", says: "userInfo.k: none → \"v\"") { $0.userInfo = ["k": "v"] },
  ]

  static let fetchRequestChanges: [Change<FetchRequestDescription>] = [
    Change("entityName", says: "entity: \"Book\" → none") { $0.entityName = nil },
    Change("predicateString", says: "predicateString: none → \"TRUEPREDICATE\"") {
      $0.predicateString = "TRUEPREDICATE"
    },
    Change("sortKeys", says: "sortKeys: none → \"title\" ascending, \"year\" descending") {
      $0.sortKeys = [.init(keyPath: "title"), .init(keyPath: "year", isAscending: false)]
    },
    Change("fetchLimit", says: "fetchLimit: 0 → 5") { $0.fetchLimit = 5 },
    Change("fetchBatchSize", says: "fetchBatchSize: 0 → 20") { $0.fetchBatchSize = 20 },
    Change("resultType", says: "resultType: 0 → 2") { $0.resultType = .dictionaries },
    Change("includesSubentities", says: "includeSubentities: YES → NO") { $0.includesSubentities = false },
    Change("includesPropertyValues", says: "includePropertyValues: YES → NO") { $0.includesPropertyValues = false },
    Change("includesPendingChanges", says: "includesPendingChanges: YES → NO") { $0.includesPendingChanges = false },
    Change("returnsObjectsAsFaults", says: "returnObjectsAsFaults: YES → NO") { $0.returnsObjectsAsFaults = false },
    Change("returnsDistinctResults", says: "returnDistinctResults: NO → YES") { $0.returnsDistinctResults = true },
  ]

  private func model(_ book: EntityDescription) -> ManagedObjectModel {
    ManagedObjectModel(entities: [book, EntityDescription(name: "Author")])
  }

  /// Compares before with after: the report, and the mark.
  private func check(_ book: EntityDescription, says expected: [String], _ label: String) throws {
    let (old, new) = (model(Self.book), model(book))
    #expect(old != new, "\(label): the change is none")
    let difference = ModelDifference(from: old, to: new)
    let entity = try #require(difference.entity(named: "Book"), "\(label)")
    let told =
      entity.changes.map(Self.marked)
      + entity.properties.flatMap { $0.facts == nil ? $0.changes.map(Self.marked) : [$0.summary] }
    #expect(told == expected, "\(label)")
    #expect(entity.changesVersionHash == (old.versionHashes["Book"] != new.versionHashes["Book"]), "\(label)")
  }

  private static func marked(_ change: ParameterChange) -> String {
    (change.changesVersionHash ? "* " : "") + change.description
  }

  @Test(arguments: attributeChanges) func `an attribute's fact shows`(_ change: Change<AttributeDescription>) throws {
    var book = Self.book
    change.apply(&book.attributes[0])
    try check(book, says: change.expected, change.label)
  }

  @Test(arguments: relationshipChanges)
  func `a relationship's fact shows`(_ change: Change<RelationshipDescription>) throws {
    var book = Self.book
    change.apply(&book.relationships[0])
    try check(book, says: change.expected, change.label)
  }

  @Test(arguments: fetchedPropertyChanges)
  func `a fetched property's fact shows`(_ change: Change<FetchedPropertyDescription>) throws {
    var book = Self.book
    change.apply(&book.fetchedProperties[0])
    try check(book, says: change.expected, change.label)
  }

  @Test(arguments: entityChanges) func `an entity's fact shows`(_ change: Change<EntityDescription>) throws {
    var book = Self.book
    change.apply(&book)
    try check(book, says: change.expected, change.label)
  }

  @Test(arguments: fetchRequestChanges)
  func `a fetch request's fact shows`(_ change: Change<FetchRequestDescription>) {
    let request = FetchRequestDescription(name: "f", entityName: "Book")
    var changed = request
    change.apply(&changed)
    let difference = ModelDifference(
      from: ManagedObjectModel(fetchRequestTemplates: [request]),
      to: ManagedObjectModel(fetchRequestTemplates: [changed]))
    #expect(difference.parts.flatMap(\.changes).map(Self.marked) == change.expected)
  }

  /// Fails when a description gains a stored property that no table above changes.
  @Test func `no fact is missing`() {
    func labels(_ part: Any) -> Set<String> {
      let children = Mirror(reflecting: part).children
      // A wide description keeps its properties in an object.
      guard let only = children.first, children.count == 1, ["_contents", "box", "value"].contains(only.label) else {
        return Set(children.compactMap(\.label))
      }
      return labels(only.value)
    }
    let markup: Set = ["markup"]
    #expect(labels(Self.attribute).subtracting(markup) == Set(Self.attributeChanges.map(\.label)))
    // A model file does not state if a relationship is implied.
    #expect(
      labels(Self.relationship).subtracting(["markup", "isImplied"]) == Set(Self.relationshipChanges.map(\.label)))
    #expect(labels(Self.fetched).subtracting(markup) == Set(Self.fetchedPropertyChanges.map(\.label)))
    #expect(
      labels(Self.book).subtracting(["markup", "name", "attributes", "relationships", "fetchedProperties"])
        == Set(Self.entityChanges.map(\.label)))
    #expect(
      labels(FetchRequestDescription(name: "", entityName: nil)).subtracting(["markup", "name"])
        == Set(Self.fetchRequestChanges.map(\.label)))
    #expect(
      labels(ManagedObjectModel()).subtracting(["facts", "longName", "varyingDefaults", "inhabitedComposites"]) == [
        "name", "versionIdentifiers", "versionID", "entities", "composites", "configurations", "fetchRequestTemplates",
        "statedVersionHashes", "markup",
      ])
  }
}
