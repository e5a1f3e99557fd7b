import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// A running entity mapping: its policy, the object that the policy gets for it, and everything that is prepared once
/// for all of its objects.
package final class EntityMappingStep {
  /// The index of this entity mapping among all of the migration.
  package let mappingIndex: Int
  /// The index of the mapping model that contains it.
  package let modelIndex: Int
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

  package var name: String { mapping.name }

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

/// An attribute of an entity mapping's objects, with its compiled expression.
final class AttributeStep {
  /// The source of an attribute's value.
  enum Source {
    /// The attribute keeps its default.
    case none
    case constant(Value)
    case expression(CompiledExpression)
  }

  let mapping: PropertyMapping
  let attribute: AttributeDescription
  /// Copies a source attribute directly, until a policy changes the expression; nil if the expression is not just a
  /// key.
  let transfer: AttributeTransfer?
  /// The attribute's storage slot in objects of exactly the destination entity (no sub-entity).
  private let slot: AttributeSlot?
  private var cached: (revision: Int, source: Source)?

  init(
    _ mapping: PropertyMapping, _ attribute: AttributeDescription, of complete: CompleteEntityMapping,
    from source: PersistentStore, to destination: PersistentStore
  ) {
    self.mapping = mapping
    self.attribute = attribute
    if let entity = complete.sourceEntityName, let destinationEntity = complete.destinationEntityName,
      let key = mapping.valueExpression?.sourceKey
    {
      transfer = AttributeTransfer(
        from: source, entity: entity, attribute: key, to: destination, entity: destinationEntity,
        attribute: attribute.name)
    } else {
      transfer = nil
    }
    slot = complete.destinationEntityName.flatMap { AttributeSlot(of: attribute.name, entity: $0, in: destination) }
  }

  /// True if the attribute is copied as it is stored.
  var isPlainCopy: Bool { transfer?.isMove == true && transfer?.isConverting == false }

  /// True if the expression is a key of the source object, and no policy has changed it.
  var isCopied: Bool { transfer != nil && mapping.revision == 0 }

  /// Copies the attribute directly; returns false if its expression must be evaluated.
  func copy(from source: ManagedObject, to object: ManagedObject) throws -> Bool {
    guard let transfer, isCopied else { return false }
    return try transfer.copy(from: source, to: object)
  }

  /// Sets the attribute to a value that already has the attribute's type.
  func set(_ held: Value, of object: ManagedObject) throws {
    guard let slot else { return try object.setValue(held, forKey: attribute.name) }
    try slot.set(held, of: object)
  }

  /// The current source; nil if it is unknown, or out of date because a policy has changed the expression.
  var knownSource: Source? {
    guard let cached, cached.revision == mapping.revision else { return nil }
    return cached.source
  }

  /// Returns the source. It is computed again only after a policy has changed the expression.
  func source(in environment: EvaluationEnvironment) throws -> Source {
    if let knownSource { return knownSource }
    let source = try makeSource(in: environment)
    cached = (mapping.revision, source)
    return source
  }

  private func makeSource(in environment: EvaluationEnvironment) throws -> Source {
    guard let expression = mapping.valueExpression else { return .none }
    let compiled = try CompiledExpression(expression, in: environment)
    if case .constant(.value(let value)) = expression.kind, let held = attribute.holding(constant: value) {
      return .constant(held)
    }
    return .expression(compiled)
  }

  /// Returns the value in the attribute's type.
  func converted(_ value: ExpressionValue) throws -> Value {
    if let plain = Value(value) {
      let adapted = isCopied ? transfer?.adapted(plain) ?? plain : plain
      if let held = adapted.converted(to: attribute.type) { return held }
    }
    throw attribute.cannotHold(value)
  }
}

extension AttributeDescription {
  /// The error for a value that does not fit the attribute's type.
  func cannotHold(_ value: ExpressionValue) -> HopError {
    HopError(
      .valueOfWrongType,
      problem: "attribute '\(name)' has type \(type.modelName) and cannot hold \(value.kind)"
        + (Value(value) != nil && value.isNumber ? " without loss" : ""),
      remedy: "write an expression whose value has type \(type.modelName)")
  }
}

extension [AttributeStep] {
  /// The steps in an order in which each one follows those whose new values its expression reads, such as
  /// `$destination.title`. Otherwise, the order is kept.
  var afterThoseTheyRead: [AttributeStep] {
    let reads = map { $0.mapping.valueExpression?.destinationKeys ?? [] }
    if reads.allSatisfy(\.isEmpty) { return self }
    var sorted: [AttributeStep] = []
    var isVisited = [Bool](repeating: false, count: count)
    func visit(_ place: Int) {
      if isVisited[place] { return }
      isVisited[place] = true
      for other in indices where reads[place].contains(self[other].attribute.name) { visit(other) }
      sorted.append(self[place])
    }
    for place in indices { visit(place) }
    return sorted
  }
}

extension ExpressionValue {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .double, .decimal: true
    default: false
    }
  }
}

extension AttributeDescription {
  /// Returns a constant in this attribute's type; nil if that is impossible.
  ///
  /// Xcode writes constants as they were typed: numbers and Booleans typed in quotes are still numbers and Booleans.
  package func holding(constant value: Value) -> Value? {
    if let held = value.converted(to: type) { return held }
    guard case .string(let text) = value else { return nil }
    return switch type {
    case .boolean:
      switch text.lowercased() {
      case "yes", "true", "1": .bool(true)
      case "no", "false", "0": .bool(false)
      default: nil
      }
    case .integer16, .integer32, .integer64: Int64(text).map(Value.integer)
    case .double, .float:
      Double(text).flatMap { number in DecimalText(text)?.isKept(by: number) == false ? nil : .double(number) }
    case .decimal: Decimal(wholeText: text).map(Value.decimal)
    default: nil
    }
  }
}

/// A relationship of an entity mapping's objects, with its compiled expression.
final class RelationshipStep {
  let mapping: PropertyMapping
  let relationship: RelationshipDescription
  /// The relationship's storage slot in objects of exactly the destination entity (no sub-entity).
  let slot: RelationshipSlot?
  /// The number of links that the relationship's expression has given to objects one by one.
  var evaluatedLinkCount = 0
  private var cached: (revision: Int, source: Source)?

  /// The source of a relationship's targets.
  enum Source {
    /// The relationship is not set.
    case none
    /// The counterparts of a source relationship's objects, through the entity mapping with this name.
    case related(key: String, isToMany: Bool, mapping: String)
    /// The counterparts of the source object itself, through the entity mapping with this name.
    case same(mapping: String, CompiledExpression)
    case expression(CompiledExpression)

    /// False if the mapping does not set the relationship.
    var isSet: Bool { if case .none = self { false } else { true } }
  }

  init(_ mapping: PropertyMapping, _ relationship: RelationshipDescription, _ slot: RelationshipSlot?) {
    self.mapping = mapping
    self.relationship = relationship
    self.slot = slot
  }

  /// Returns the source, which is computed again only after a policy has changed the expression.
  ///
  /// - Parameter isToMany: Returns true if a source relationship is to-many; nil if there is no such relationship.
  func source(in environment: EvaluationEnvironment, isToMany: (String) -> Bool?) throws -> Source {
    if let cached, cached.revision == mapping.revision { return cached.source }
    let source = try makeSource(environment, isToMany)
    cached = (mapping.revision, source)
    return source
  }

  private func makeSource(_ environment: EvaluationEnvironment, _ isToMany: (String) -> Bool?) throws -> Source {
    guard let expression = mapping.valueExpression else { return .none }
    // Nearly all relationship mappings have this form, which needs no evaluation.
    if let request = expression.counterpartsRequest, case .mapping(let name) = request.through {
      if let key = request.sourceKey, let isToMany = isToMany(key) {
        return .related(key: key, isToMany: isToMany, mapping: name)
      }
      if request.isSourceItself {
        return .same(mapping: name, try CompiledExpression(expression, in: environment))
      }
    }
    return .expression(try CompiledExpression(expression, in: environment))
  }

  /// Returns the objects in the value of the relationship's expression.
  func objects(_ value: ExpressionValue) throws -> [ManagedObject] {
    guard let list = ObjectList(expressionValue: value) else {
      throw HopError(
        .valueOfWrongType,
        problem: "relationship '\(relationship.name)' takes objects, but its expression gives \(value.kindInside)",
        remedy: "write an expression that gives destination objects")
    }
    return list.objects
  }

  /// Sets the targets. Their order matters only if the relationship is ordered.
  func set(_ objects: [ManagedObject], of object: ManagedObject) throws {
    if relationship.isToMany { return try object.setObjects(objects, forKey: relationship.name) }
    guard objects.count <= 1 else {
      throw HopError(
        .valueOfWrongType,
        problem: "relationship '\(relationship.name)' is to-one, but its expression gives \(objects.count) objects",
        remedy: remedyForSeveralObjects)
    }
    try object.setObject(objects.first, forKey: relationship.name)
  }

  private var remedyForSeveralObjects: String {
    switch cached?.source {
    case .related(_, isToMany: false, let name), .same(let name, _):
      // One source object has several counterparts: the expression is not at fault.
      "entity mapping '\(name)' has several objects for one source object, because a policy has associated them: "
        + "associate one, or set the relationship in the policy's 'createRelationships'"
    default: "write an expression that gives one object, or none"
    }
  }
}
