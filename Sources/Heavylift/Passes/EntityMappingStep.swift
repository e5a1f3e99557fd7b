import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// An entity mapping that runs: its live object, its policy, and what was made ready for its objects.
final class EntityMappingStep {
  /// Its place among all entity mappings of the migration.
  let number: Int
  /// The place of its mapping model.
  let stage: Int
  let complete: CompleteEntityMapping
  /// What policies are told, and may change.
  let mapping: EntityMapping
  let policy: EntityMigrationPolicy
  /// How keys follow from keys; nil without a source or a destination.
  let keyRule: KeyRule?
  let sourceObjects: SourceObjects
  /// `Z_ENT` of the source entity in the source.
  let sourceNumber: Int?
  /// `Z_ENT` of the destination entity in the destination.
  let destinationNumber: Int?
  /// Where its objects are made; nil without a destination.
  let insertionPlace: InsertionPlace?
  let attributes: [AttributeStep]
  /// Those among them that are copied along with each other, before the rest, where nobody can tell.
  let copies: AttributeTransfers?
  /// The others.
  let computedAttributes: [AttributeStep]
  private let copiedMappings: [PropertyMapping]
  /// What `mapping` counted when all attributes were as declared.
  private var declaredRevision = 0
  /// Whether expressions of attributes may ask for what was made so far.
  let isWatched: Bool
  /// The rows that another thread reads while the policy creates objects.
  var prefetch: RowPrefetch? {
    didSet {
      attributesAfterPrefetch = attributes.filter {
        $0.mapping.valueExpression != nil && !(prefetch?.attributeNames.contains($0.attribute.name) ?? false)
      }
    }
  }
  /// The attributes that are not prefetched.
  private(set) var attributesAfterPrefetch: [AttributeStep] = []
  let relationships: [RelationshipStep]
  let evaluation: MappingEvaluation
  /// The relationships of the source entity, and whether each leads to many objects.
  let sourceToManys: [String: Bool]
  /// Where objects of the announced source entity hold their relationships.
  let sourcePlaces: [String: RelationshipPlace]
  /// How many source objects were read.
  var sourceCount = 0
  /// How many objects a statement made.
  var statementCount = 0
  /// How many objects were made as declared.
  var declaredCount = 0
  /// True once the policy has called `super` to create an object.
  var hasCreatedDeclaredInstances = false
  /// True once the policy has called `super` to set an object's relationships.
  var hasCreatedDeclaredRelationships = false
  /// Relationships that statements have set already.
  var connectedBySQL: Set<String> = []
  /// The pair that is being connected, so that super need not look for the source.
  var currentPair: (destination: ManagedObject, source: ManagedObject?)?

  init(
    number: Int, stage: Int, complete: CompleteEntityMapping, policy: EntityMigrationPolicy, keyRule: KeyRule?,
    manager: MigrationManager, source: PersistentStore, destination: PersistentStore
  ) throws {
    self.number = number
    self.stage = stage
    self.complete = complete
    mapping = EntityMapping(complete)
    self.policy = policy
    self.keyRule = keyRule
    sourceNumber = complete.sourceEntityName.flatMap { source.layout.entity(named: $0)?.number }
    destinationNumber = complete.destinationEntityName.flatMap { destination.layout.entity(named: $0)?.number }
    evaluation = try MappingEvaluation(
      complete, policy: policy, mapping: mapping, manager: manager, source: source, destination: destination)
    sourceObjects = try SourceObjects(complete, evaluation)
    insertionPlace = complete.destinationEntityName.flatMap { InsertionPlace($0, in: destination) }
    let entity = complete.destinationEntityName.flatMap(manager.destinationModel.entity(named:))
    let attributes = entity.map(manager.destinationModel.allAttributes(of:)) ?? []
    self.attributes = mapping.attributeMappings.compactMap { property in
      guard let attribute = attributes.first(where: { $0.name == property.name }), !attribute.isDerived else {
        // The store computes a derived attribute, whatever the mapping says.
        return nil
      }
      return AttributeStep(property, attribute, of: complete, from: source, to: destination)
    }
    let isWatched = mapping.attributeMappings.contains { $0.valueExpression?.mayWatch ?? false }
    let copied = isWatched ? [] : self.attributes.filter { $0.transfer?.isMove ?? false }
    self.isWatched = isWatched
    copies = AttributeTransfers(copied.compactMap(\.transfer))
    copiedMappings = copied.map(\.mapping)
    computedAttributes = self.attributes.filter { attribute in !copied.contains { $0 === attribute } }
    let old = complete.sourceEntityName.flatMap(manager.sourceModel.entity(named:))
    sourceToManys = Dictionary(
      (old.map(manager.sourceModel.allRelationships(of:)) ?? []).map { ($0.name, $0.isToMany) },
      uniquingKeysWith: { first, _ in first })
    sourcePlaces = sourceToManys.reduce(into: [:]) { places, relationship in
      places[relationship.key] = source.place(
        ofRelationship: relationship.key, entity: complete.sourceEntityName ?? "")
    }
    let relationships = entity.map(manager.destinationModel.allRelationships(of:)) ?? []
    self.relationships = mapping.relationshipMappings.compactMap { property in
      relationships.first { $0.name == property.name }.map {
        RelationshipStep(property, $0, destination.place(ofRelationship: $0.name, entity: entity?.name ?? ""))
      }
    }
  }

  var name: String { mapping.name }

  /// Whether no policy has set other expressions for what is copied along, nor any that might see it half done.
  var areCopiesAsDeclared: Bool {
    if mapping.revision == declaredRevision { return true }
    for mapping in copiedMappings where mapping.revision != 0 { return false }
    for attribute in computedAttributes where attribute.mapping.revision != 0 { return false }
    declaredRevision = mapping.revision
    return true
  }

  /// Whether nothing but what the mapping declares happens.
  var isDeclarative: Bool { type(of: policy) == EntityMigrationPolicy.self }

  /// Whether there may be anything to connect.
  var mayConnect: Bool { !isDeclarative || relationships.contains { $0.mapping.valueExpression != nil } }
}
