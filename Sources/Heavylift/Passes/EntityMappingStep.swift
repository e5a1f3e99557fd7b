import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// A running entity mapping: its policy, the object that the policy gets for it, and everything that is prepared once
/// for all of its objects.
final class EntityMappingStep {
  /// The index of this entity mapping among all of the migration.
  let mappingIndex: Int
  /// The index of the mapping model that contains it.
  let modelIndex: Int
  let complete: CompleteEntityMapping
  /// The entity mapping as policies see it; they may change it.
  let mapping: EntityMapping
  let policy: EntityMigrationPolicy
  /// The rule that computes keys; nil without a source or a destination.
  let keyRule: KeyRule?
  let sourceObjects: SourceObjects
  /// The source entity's `Z_ENT` in the source.
  let sourceNumber: Int?
  /// The destination entity's `Z_ENT` in the destination.
  let destinationNumber: Int?
  /// The entity of source objects; nil without a source.
  let sourceEntity: PreparedEntity?
  /// The entity of destination objects; nil without a destination.
  let destinationEntity: PreparedEntity?
  let attributes: [AttributeStep]
  /// The attributes that are copied together before the others; nil if there are none, or if an expression might notice
  /// the order.
  let copies: AttributeTransfers?
  /// The attributes that are not in `copies`.
  let computedAttributes: [AttributeStep]
  /// The `revision` of `mapping` when all attributes were last found to be as declared.
  private var declaredRevision = 0
  /// True if an attribute's expression may read destination objects that were created so far.
  let readsNewObjects: Bool
  /// The rows that another thread reads while the policy creates objects.
  var prefetch: RowPrefetch? {
    didSet {
      attributesAfterPrefetch = attributes.filter {
        $0.mapping.valueExpression != nil && !(prefetch?.attributeNames.contains($0.attribute.name) ?? false)
      }
    }
  }
  /// The attributes with an expression that are not prefetched.
  private(set) var attributesAfterPrefetch: [AttributeStep] = []
  let relationships: [RelationshipStep]
  let evaluation: MappingEvaluation
  /// The names of the source entity's relationships, and whether each is to-many.
  let sourceToManys: [String: Bool]
  /// The storage slots of relationships, by name, in objects of exactly the source entity (no sub-entity).
  let sourceSlots: [String: RelationshipSlot]
  /// The number of source objects read so far.
  var sourceCount = 0
  /// The number of objects that a statement created.
  var statementCount = 0
  /// The number of objects that were created as declared.
  var declaredCount = 0
  /// True once the policy has called `super` to create an object.
  var hasCreatedDeclaredInstances = false
  /// True once the policy has called `super` to set an object's relationships.
  var hasCreatedDeclaredRelationships = false
  /// The keys of source objects for which the policy created any objects, and instances of the destination entity,
  /// without `super`. It may have associated them.
  var keysOfObjectsWithoutSuper = KeySet()
  var keysOfInstancesWithoutSuper = KeySet()
  /// True if the policy created objects in `endInstanceCreation`.
  var createsObjectsAtEnd = false
  /// True once the second pass has set the relationships of the mapping's objects.
  var isConnected = false
  /// The keys of destination objects that a policy had the mapping create after that, and whose relationships `super` has
  /// not set.
  var lateKeys = KeySet()
  /// The relationships that statements have already set.
  var setByStatements: Set<String> = []
  /// The objects whose relationships are being set, so that `super` need not look up the source object.
  var currentPair: (destination: ManagedObject, source: ManagedObject?)?

  init(
    mappingIndex: Int, modelIndex: Int, complete: CompleteEntityMapping, policy: EntityMigrationPolicy,
    keyRule: KeyRule?,
    manager: MigrationManager, source: PersistentStore, destination: PersistentStore
  ) throws {
    self.mappingIndex = mappingIndex
    self.modelIndex = modelIndex
    self.complete = complete
    mapping = EntityMapping(complete)
    self.policy = policy
    self.keyRule = keyRule
    sourceNumber = source.layout.entity(named: complete.sourceEntityName)?.number
    destinationNumber = destination.layout.entity(named: complete.destinationEntityName)?.number
    evaluation = try MappingEvaluation(
      complete, policy: policy, mapping: mapping, manager: manager, source: source, destination: destination)
    sourceObjects = try SourceObjects(complete, evaluation)
    sourceEntity = complete.sourceEntityName.flatMap { PreparedEntity($0, in: source) }
    destinationEntity = complete.destinationEntityName.flatMap { PreparedEntity($0, in: destination) }
    let entity = manager.destinationModel.entity(named: complete.destinationEntityName)
    let attributes = entity.map(manager.destinationModel.allAttributes(of:)) ?? []
    self.attributes =
      mapping.attributeMappings.compactMap { property in
        guard let attribute = attributes.first(where: { $0.name == property.name }), !attribute.isRecomputed else {
          // The store computes the attribute from others, regardless of the mapping.
          return nil
        }
        return AttributeStep(property, attribute, of: complete, from: source, to: destination)
      }.afterThoseTheyRead
    let readsNewObjects = mapping.attributeMappings.contains { $0.valueExpression?.mayReadNewObjects ?? false }
    let copied = readsNewObjects ? [] : self.attributes.filter { $0.transfer?.isMove ?? false }
    self.readsNewObjects = readsNewObjects
    copies = AttributeTransfers(copied.compactMap(\.transfer))
    computedAttributes = self.attributes.filter { attribute in !copied.contains { $0 === attribute } }
    let old = manager.sourceModel.entity(named: complete.sourceEntityName)
    sourceToManys = Dictionary(
      (old.map(manager.sourceModel.allRelationships(of:)) ?? []).map { ($0.name, $0.isToMany) },
      uniquingKeysWith: { first, _ in first })
    sourceSlots = sourceToManys.reduce(into: [:]) { slots, relationship in
      slots[relationship.key] = source.slot(
        ofRelationship: relationship.key, entity: complete.sourceEntityName ?? "")
    }
    let relationships = entity.map(manager.destinationModel.allRelationships(of:)) ?? []
    self.relationships = mapping.relationshipMappings.compactMap { property in
      relationships.first { $0.name == property.name }.map {
        RelationshipStep(property, $0, destination.slot(ofRelationship: $0.name, entity: entity?.name ?? ""))
      }
    }
  }

  var name: String { mapping.name }

  /// True if no policy has changed an attribute's expression. A new one might see the object when only `copies` are
  /// set.
  var areCopiesAsDeclared: Bool {
    if mapping.revision == declaredRevision { return true }
    for attribute in attributes where attribute.mapping.revision != 0 { return false }
    declaredRevision = mapping.revision
    return true
  }

  /// True if the policy may leave out objects, links and values of the source.
  var intendsLosses: Bool { complete.description.intendsLosses || type(of: policy).intendsLosses }

  /// False if the mapping's objects are created exactly as it declares.
  var hasPolicy: Bool { complete.policyClassName != nil }

  /// True if the mapping itself sets relationships.
  var setsRelationships: Bool { relationships.contains { $0.mapping.valueExpression != nil } }

  /// True if the second pass may have relationships to set.
  var mayConnect: Bool { hasPolicy || setsRelationships }
}
