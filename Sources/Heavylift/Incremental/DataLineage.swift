import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftEngine

/// The objects and values of a store from which those of a later version come, judging by the mappings of the hops alone.
///
/// ```swift
/// var lineage = DataLineage(of: plan.version)
/// for hop in plan.hops { lineage.advance(through: hop) }
/// ```
package struct DataLineage {
  /// The objects of an entity that come from those of one entity of the store.
  package struct ObjectOrigin: Hashable {
    package var entity: String
    /// The first hop's entity mapping that takes them; `nil` if the hop takes all objects of the entity.
    var taker: String?
    /// True if a later hop takes only some of them.
    var isPartial = false
  }

  /// The values of a property that come from some objects of the store.
  package struct ValueOrigin: Hashable {
    package enum Kind: Hashable {
      /// The values or links of a property of the store's objects.
      case copied(String)
      /// One value for every object.
      case constant
      /// The results of an expression that reads these properties of the store's objects.
      case computed(reads: Set<String>)
    }

    package var objects: ObjectOrigin
    package var kind: Kind

    /// The properties of the store's objects that the values depend on.
    package var properties: Set<String> {
      switch kind {
      case .copied(let name): [name]
      case .constant: []
      case .computed(let reads): reads
      }
    }
  }

  /// The origins of each entity's objects, by entity.
  package private(set) var objects: [String: [ObjectOrigin]] = [:]
  /// The origins of each property's values, by entity and property.
  package private(set) var values: [String: [String: [ValueOrigin]]] = [:]
  /// The properties that no entity mapping reads and that were left to a policy, or to a function that gets the object,
  /// by entity of the store.
  package private(set) var leftToCode: [String: Set<String>] = [:]
  /// True if a policy or a handler may have created, changed or deleted objects.
  package private(set) var hasCode = false
  /// True if every object that the mappings migrate becomes one object of one entity, with the same key. What code does
  /// is not considered.
  package private(set) var keepsKeys = true
  private var isAtStart = true

  /// Creates the lineage of a store's own version, in which everything comes from itself.
  init(of model: ManagedObjectModel) {
    for entity in model.entities {
      let own = ObjectOrigin(entity: entity.name)
      objects[entity.name] = [own]
      let names =
        model.allAttributes(of: entity).map(\.name) + model.allRelationships(of: entity).map(\.name)
      values[entity.name] = Dictionary(
        names.map { ($0, [ValueOrigin(objects: own, kind: .copied($0))]) }, uniquingKeysWith: { first, _ in first })
    }
  }

  /// Moves on to the version that a hop leads to.
  mutating func advance(through hop: MigrationHop) {
    let complete = hop.completedMappings
    let step = LineageStep(complete.flatMap(\.entityMappings), hop, values)
    noteLeftToCode(complete.losses)
    if step.hasCode { hasCode = true }
    if !step.keepsKeys { keepsKeys = false }
    var (newObjects, newValues): ([String: [ObjectOrigin]], [String: [String: [ValueOrigin]]]) = ([:], [:])
    for mapping in step.mappings {
      guard let entity = mapping.destinationEntityName else { continue }
      for source in mapping.takenEntities.sorted() {
        for origin in objects[source] ?? [] {
          let taken = taken(origin, by: mapping)
          newObjects[entity, default: []].appendIfNew(taken)
          for property in mapping.attributeMappings + mapping.relationshipMappings {
            for kind in step.kinds(of: property, of: mapping, from: source, origin) {
              newValues[entity, default: [:]][property.name, default: []].appendIfNew(
                ValueOrigin(objects: taken, kind: kind))
            }
          }
        }
      }
    }
    (objects, values, isAtStart) = (newObjects, newValues, false)
  }

  private func taken(_ origin: ObjectOrigin, by mapping: CompleteEntityMapping) -> ObjectOrigin {
    if mapping.takesAllObjects { return origin }
    var taken = origin
    if isAtStart { taken.taker = mapping.name } else { taken.isPartial = true }
    return taken
  }

  private mutating func noteLeftToCode(_ losses: [MappingLoss]) {
    for loss in losses where loss.reason == .leftToPolicy || loss.reason == .leftToFunction {
      guard let name = loss.property?.split(separator: ".").first.map(String.init) else { continue }
      for origin in values[loss.entity]?[name] ?? [] {
        leftToCode[origin.objects.entity, default: []].formUnion(origin.properties)
      }
    }
  }
}

/// A hop, as a step of the lineage.
private struct LineageStep {
  let mappings: [CompleteEntityMapping]
  let hasCode: Bool
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel
  private let values: [String: [String: [DataLineage.ValueOrigin]]]

  init(
    _ mappings: [CompleteEntityMapping], _ hop: MigrationHop, _ values: [String: [String: [DataLineage.ValueOrigin]]]
  ) {
    (self.mappings, self.values) = (mappings, values)
    (old, new) = (hop.sourceModel, hop.destinationModel)
    hasCode = !hop.handlers.isEmpty || mappings.contains { $0.policyClassName != nil }
  }

  /// True if each object becomes at most one object of one entity, under its own key.
  var keepsKeys: Bool {
    let creating = mappings.filter { $0.sourceEntityName != nil && $0.destinationEntityName != nil }
    let (sources, destinations) = (
      creating.flatMap(\.takenEntities), creating.compactMap(\.destinationEntityName)
    )
    guard Set(sources).count == sources.count, Set(destinations).count == destinations.count else { return false }
    // Keys are unique in a hierarchy. Those of objects from different hierarchies may collide.
    var roots: [String?: Set<String?>] = [:]
    for mapping in creating {
      roots[Self.root(mapping.destinationEntityName, new), default: []].insert(Self.root(mapping.sourceEntityName, old))
    }
    return roots.values.allSatisfy { $0.count == 1 }
  }

  private static func root(_ entity: String?, _ model: ManagedObjectModel) -> String? {
    model.entity(named: entity).flatMap { model.lineage(of: $0).last?.name }
  }

  /// Returns the origins of a property's values in the objects that an entity mapping creates from some objects of a
  /// source entity.
  func kinds(
    of property: CompletePropertyMapping, of mapping: CompleteEntityMapping, from source: String,
    _ objects: DataLineage.ObjectOrigin
  ) -> [DataLineage.ValueOrigin.Kind] {
    func origins(_ name: String) -> [DataLineage.ValueOrigin] {
      (values[source]?[name] ?? []).filter { $0.objects == objects }
    }
    guard let expression = property.valueExpression else {
      let entity = new.entity(named: mapping.destinationEntityName)
      let attribute = entity.flatMap { entity in
        new.allAttributes(of: entity).first { $0.name == property.name }
      }
      if let attribute { return attribute.defaultValue.isNull ? [] : [.constant] }
      return sourcesOfInverse(property, of: mapping, source).sorted().flatMap(origins).map(\.kind)
    }
    if let name = expression.copiedSourceKey { return origins(name).map(\.kind) }
    if case .constant(let constant) = expression.kind { return constant == .value(.null) ? [] : [.constant] }
    return [
      .computed(reads: expression.sourceKeys.reduce(into: []) { $0.formUnion(origins($1).flatMap(\.properties)) })
    ]
  }

  /// The relationships of the source entity that fill a relationship from its inverse, which other entity mappings set.
  private func sourcesOfInverse(
    _ property: CompletePropertyMapping, of mapping: CompleteEntityMapping, _ source: String
  ) -> Set<String> {
    guard let entity = mapping.destinationEntityName, let own = new.relationship(property.name, of: entity),
      let inverse = new.inverse(of: own), let target = own.destinationEntityName
    else { return [] }
    var found: Set<String> = []
    for other in mappings {
      guard let made = new.entity(named: other.destinationEntityName), new.entity(made, isKindOf: target),
        let name = other.propertyMapping(named: inverse.name)?.valueExpression?.copiedSourceKey,
        let owner = other.sourceEntityName, let link = old.relationship(name, of: owner),
        let back = old.inverse(of: link), old.relationship(back.name, of: source) != nil,
        let sourceEntity = old.entity(named: source), let end = link.destinationEntityName,
        old.entity(sourceEntity, isKindOf: end)
      else { continue }
      found.insert(back.name)
    }
    return found
  }
}

extension CompleteEntityMapping {
  /// True if the mapping takes all objects of its source entity.
  var takesAllObjects: Bool { filter == nil && description.sourceExpression == nil }
}

extension Array where Element: Equatable {
  fileprivate mutating func appendIfNew(_ element: Element) { if !contains(element) { append(element) } }
}

extension MappingExpression {
  /// The key, if the value is that of `$source.key`, or the counterparts of the objects there.
  fileprivate var copiedSourceKey: String? { sourceKey ?? counterpartsRequest?.sourceKey }
}

extension DataLineage {
  /// Creates the lineage of the version that a plan leads to.
  package init(of plan: IncrementalMigrationPlan) {
    self.init(of: plan.version)
    for hop in plan.hops { advance(through: hop) }
  }
}
