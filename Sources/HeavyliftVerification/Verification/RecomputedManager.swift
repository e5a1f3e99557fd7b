import Heavylift
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// The `$manager` for expressions that are evaluated again, without a migration.
final class RecomputedManager: ExpressionObject, ExpressionReference {
  static let expressionKind = "the migration manager"

  let sourceContext: ManagedObjectContext
  let destinationContext: ManagedObjectContext
  private let sourceReference: ContextReference
  private let destinationReference: ContextReference
  private let correspondence: Correspondence
  private let functions: [String: MigrationFunction]
  private let mappings: [PlacedMapping]
  private let fitting: [FittingMappings]
  private let sourceModel: ManagedObjectModel
  /// The entity mapping and the relationship whose expression is being evaluated.
  var current: (mapping: PlacedMapping, relationship: RelationshipDescription?)?

  init(
    source: PersistentStore, destination: PersistentStore, correspondence: Correspondence,
    functions: [String: MigrationFunction], mappings: [PlacedMapping], models: [CompleteMappingModel]
  ) {
    sourceContext = ManagedObjectContext(store: source)
    destinationContext = ManagedObjectContext(store: destination)
    sourceReference = ContextReference(sourceContext)
    destinationReference = ContextReference(destinationContext)
    self.correspondence = correspondence
    self.functions = functions
    self.mappings = mappings
    sourceModel = source.model
    fitting = models.map(\.fitting)
  }

  func value(forKey key: String) throws -> ExpressionValue {
    switch key {
    case "sourceContext": return .object(sourceReference)
    case "destinationContext": return .object(destinationReference)
    default:
      throw EvaluationMistake.unknownKey(
        key, kind: Self.expressionKind, known: ["destinationContext", "sourceContext"])
    }
  }

  func register(in registry: inout FunctionRegistry) throws {
    for selector in functions.keys.sorted() {
      registry.register(selector: selector, ofEach: RecomputedManager.self, kind: Self.expressionKind) {
        manager, arguments in try manager.functions[selector]?.call(selector, arguments) ?? .null
      }
    }
    try registry.register(ManagerSelector.destinationInstancesForMapping, on: RecomputedManager.self) {
      (manager, name: String, objects: ObjectList) in
      ObjectList(try manager.destinations(of: objects.objects, through: [manager.mapping(named: name)]))
    }
    try registry.register(ManagerSelector.destinationInstancesForRelationship, on: RecomputedManager.self) {
      (manager, name: String, objects: ObjectList) in
      ObjectList(try manager.destinations(of: objects.objects, through: manager.mappings(ofRelationship: name)))
    }
    try registry.register(ManagerSelector.sourceInstancesForMapping, on: RecomputedManager.self) {
      (manager, name: String, objects: ObjectList) in
      ObjectList(try manager.sources(of: objects.objects, through: manager.mapping(named: name)))
    }
    try registry.register(ManagerSelector.fetchRequest, on: RecomputedManager.self) {
      (manager, entity: String, predicate: String) in
      ExpressionValue.object(try FetchRequestReference(entity: entity, predicate: predicate))
    }
  }

  /// Returns the existing counterparts of source objects, without duplicates.
  func destinations(of sources: [ManagedObject], through mappings: [PlacedMapping]) throws -> [ManagedObject] {
    var found: [ManagedObject] = []
    // The common case: one source and one mapping.
    if sources.count == 1, mappings.count == 1 {
      let places = try correspondence.destinations(
        of: sources[0], mapping: mappings[0].place, destinationEntity: mappings[0].destinationNumber)
      if places.count == 1, mappings[0].takes(sources[0], correspondence) {
        return try destinationContext.existingFault(numbered: places[0].entity, key: places[0].key).map { [$0] } ?? []
      }
    }
    var seen: Set<ManagedObject> = []
    for source in sources {
      for mapping in mappings {
        let places = try correspondence.destinations(
          of: source, mapping: mapping.place, destinationEntity: mapping.destinationNumber)
        guard mapping.takes(source, correspondence) else { continue }
        for (entity, key) in places {
          guard let object = try destinationContext.existingFault(numbered: entity, key: key),
            seen.insert(object).inserted
          else { continue }
          found.append(object)
        }
      }
    }
    return found
  }

  private func sources(of destinations: [ManagedObject], through mapping: PlacedMapping) throws -> [ManagedObject] {
    var found: [ManagedObject] = []
    var seen: Set<ManagedObject> = []
    for destination in destinations {
      for origin in try correspondence.sources(of: destination) where origin.mapping == mapping.place {
        guard let number = origin.entity ?? mapping.sourceNumber,
          let object = try sourceContext.existingObject(numbered: number, key: origin.key), seen.insert(object).inserted
        else { continue }
        found.append(object)
      }
    }
    return found
  }

  /// Returns the mapping with the given name: the first in the current mapping model, or else the last in an earlier
  /// one.
  func mapping(named name: String) throws -> PlacedMapping {
    let stage = current?.mapping.stage ?? 0
    if let own = mappings.first(where: { $0.complete.name == name && $0.stage == stage }) { return own }
    if let last = mappings.last(where: { $0.complete.name == name && $0.stage < stage }) { return last }
    throw Diagnostic(
      .error, code: "migration.unknown-mapping", problem: "there is no entity mapping '\(name)'",
      remedy: mappings.map(\.complete.name).suggestion(for: name, kind: "entity mapping"))
  }

  func mappings(ofRelationship name: String) throws -> [PlacedMapping] {
    guard let current, let entityName = current.mapping.complete.sourceEntityName,
      let entity = sourceModel.entity(named: entityName),
      let relationship = sourceModel.allRelationships(of: entity).first(where: { $0.name == name })
    else { return [] }
    return try fitting[current.mapping.stage].names(
      from: relationship.destinationEntityName, to: current.relationship?.destinationEntityName
    ).map(mapping(named:))
  }
}
