import Foundation
import Heavylift
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Computes the values that an entity mapping declares, object by object, without the migration's SQL statements.
final class MappingInterpreter {
  /// A method of computing a value.
  enum Way {
    /// The attribute keeps its default.
    case unmapped
    case constant(Value)
    /// The counterparts of a source relationship's targets, through the named entity mapping. Nearly all relationships
    /// are mapped like this, which needs no evaluation.
    case related(key: String, isToMany: Bool, mapping: String)
    case expression(CompiledExpression)
  }

  /// A property that the mapping declares.
  ///
  /// This is a class so that passing it along for every value copies nothing.
  final class Property<Description> {
    let mapping: CompletePropertyMapping
    let description: Description
    let way: Way
    /// The key, if the expression is `$source.key`.
    let copiedKey: String?
    /// True if the expression reads the destination object, the one whose value is being verified.
    let usesDestination: Bool
    /// The elements of a composite that is copied.
    fileprivate var composite: CompositeCopy?
    /// The value of `$propertyMapping`.
    fileprivate let live: ExpressionValue

    fileprivate init(_ mapping: CompletePropertyMapping, _ description: Description, _ way: Way, live: ExpressionValue)
    {
      self.mapping = mapping
      self.description = description
      self.way = way
      self.live = live
      copiedKey = mapping.valueExpression?.sourceKey
      usesDestination = mapping.valueExpression?.mentions(variable: "destination") ?? false
    }
  }

  let placed: PlacedMapping
  private(set) var attributes: [Property<AttributeDescription>] = []
  private(set) var relationships: [Property<RelationshipDescription>] = []
  /// Properties that cannot be computed again, with the reason.
  private(set) var unverified: [String: String] = [:]
  private let manager: RecomputedManager
  /// The entity mappings that relationships refer to, by name.
  private var related: [String: PlacedMapping] = [:]
  private let sourceSlot: Int
  private let destinationSlot: Int
  private let propertySlot: Int
  private var context: EvaluationContext
  /// True if the context contains objects.
  private var isHolding = false
  private let filter: CompiledPredicate?
  private var filterContext: EvaluationContext

  init(
    _ placed: PlacedMapping, manager: RecomputedManager, policies: PolicyRegistry, source: PersistentStore,
    destination: PersistentStore
  ) throws {
    self.placed = placed
    self.manager = manager
    let complete = placed.complete
    let live = EntityMapping(complete)
    let properties: [String: ExpressionValue] = Dictionary(
      (live.attributeMappings + live.relationshipMappings).map { ($0.name, .object($0)) },
      uniquingKeysWith: { first, _ in first })
    var registry = FunctionRegistry.builtIn
    try manager.register(in: &registry)
    let policy = complete.policyClassName.flatMap { try? policies.policy(named: $0).init() } ?? EntityMigrationPolicy()
    policy.register(in: &registry)
    var environment = EvaluationEnvironment(functions: registry)
    sourceSlot = environment.declare("source", shape: try complete.sourceEntityName.map(source.shape(ofEntity:)))
    destinationSlot = environment.declare(
      "destination", shape: try complete.destinationEntityName.map(destination.shape(ofEntity:)))
    propertySlot = environment.declare("propertyMapping")
    for name in ["manager", "entityMapping", "entityPolicy"] { environment.declare(name) }
    context = EvaluationContext(environment)
    context["manager"] = .object(manager)
    context["entityMapping"] = .object(live)
    context["entityPolicy"] = .object(policy)
    context.fetch = FetchRequestReference.fetch
    let objectEnvironment = EvaluationEnvironment(
      shape: try complete.sourceEntityName.map(source.shape(ofEntity:)))
    filterContext = EvaluationContext(objectEnvironment)
    filter = try Self.filter(of: complete).map { try CompiledPredicate($0, in: objectEnvironment) }
    if complete.sourceExpression != nil, sourceEntityName == nil {
      unverified["objects"] = "a source expression provides them"
    }
    guard let entity = destination.model.entity(named: complete.destinationEntityName) else { return }
    let shape = GraphEntity(entity, in: destination.model)
    for mapping in complete.attributeMappings {
      guard let attribute = shape.attributes[mapping.name], !attribute.isTransient else { continue }
      if attribute.isTimeOfSave, mapping.valueExpression == nil {
        unverified[mapping.name] = "it is the time of the migration"
        continue
      }
      if attribute.isRecomputed {
        unverified[mapping.name] = "it is derived from other values"
        continue
      }
      guard let way = way(mapping, environment, constant: attribute.holding(constant:)) else { continue }
      let property = Property(mapping, attribute, way, live: properties[mapping.name] ?? .null)
      if attribute.type == .composite, let key = property.copiedKey,
        let old = source.model.entity(named: complete.sourceEntityName).flatMap({ entity in
          source.model.allAttributes(of: entity).first { $0.name == key }
        })
      {
        property.composite = CompositeCopy(from: old, in: source.model, to: attribute, in: destination.model)
      }
      attributes.append(property)
    }
    for mapping in complete.relationshipMappings where mapping.valueExpression != nil {
      guard let relationship = shape.relationships[mapping.name], !relationship.isTransient,
        let way = related(mapping, in: source.model) ?? way(mapping, environment, constant: { _ in nil })
      else { continue }
      relationships.append(Property(mapping, relationship, way, live: properties[mapping.name] ?? .null))
    }
  }

  /// The filter, or else the predicate of the fetch that Xcode's compiler writes.
  private static func filter(of complete: CompleteEntityMapping) throws -> MappingPredicate? {
    if let filter = complete.filter { return filter }
    guard complete.description.sourceExpression != nil, let fetch = complete.sourceExpression?.sourceFetch,
      fetch.predicate != "TRUEPREDICATE"
    else { return nil }
    return try MappingPredicate(parsing: fetch.predicate)
  }

  private func way(
    _ mapping: CompletePropertyMapping, _ environment: EvaluationEnvironment, constant: (Value) -> Value?
  ) -> Way? {
    guard let expression = mapping.valueExpression else { return .unmapped }
    if let obstacle = Recomputability.obstacle(in: expression) {
      unverified[mapping.name] = obstacle
      return nil
    }
    if case .constant(.value(let value)) = expression.kind, let held = constant(value) { return .constant(held) }
    do {
      return .expression(try CompiledExpression(expression, in: environment))
    } catch {
      unverified[mapping.name] = "\(error)"
      return nil
    }
  }

  /// Returns `.related` if a relationship gets the counterparts of a source relationship's targets; otherwise `nil`.
  private func related(_ property: CompletePropertyMapping, in model: ManagedObjectModel) -> Way? {
    guard let request = property.valueExpression?.counterpartsRequest, case .mapping(let name) = request.through,
      let key = request.sourceKey,
      let entity = model.entity(named: placed.complete.sourceEntityName),
      let relationship = model.allRelationships(of: entity).first(where: { $0.name == key })
    else { return nil }
    return .related(key: key, isToMany: relationship.isToMany, mapping: name)
  }

  /// Returns the route of a relationship that gets the counterparts of other objects: the source relationship that
  /// leads to those objects (`nil` for the source object itself), and the entity mappings that create the counterparts.
  ///
  /// Returns `nil` for any other relationship.
  func route(of property: Property<RelationshipDescription>) -> (key: String?, mappings: [PlacedMapping])? {
    guard let request = property.mapping.valueExpression?.counterpartsRequest else { return nil }
    let key = request.sourceKey
    guard key != nil || request.isSourceItself else { return nil }
    let outer = manager.current
    defer { manager.current = outer }
    manager.current = (placed, property.description)
    // An unknown entity mapping is reported when the expression is evaluated.
    return switch request.through {
    case .mapping(let name): (try? manager.mapping(named: name)).map { (key, [$0]) }
    case .relationship(let name): (try? manager.mappings(ofRelationship: name)).map { (key, $0) }
    }
  }

  /// Expects a relationship to be empty that the mapping leaves alone.
  func expectEmpty(_ mapping: CompletePropertyMapping, _ relationship: RelationshipDescription) {
    relationships.append(Property(mapping, relationship, .unmapped, live: .null))
  }

  /// Releases the objects of the last evaluation: any object still referenced has to be read in full.
  func forgetObjects() {
    if filter != nil { filterContext.object = .null }
    guard isHolding else { return }
    context[sourceSlot] = .null
    context[destinationSlot] = .null
    isHolding = false
  }

  /// Returns the entity mapping that a name in this mapping's expressions refers to.
  private func mapping(named name: String) throws -> PlacedMapping {
    if let known = related[name] { return known }
    let outer = manager.current
    defer { manager.current = outer }
    manager.current = (placed, nil)
    let found = try manager.mapping(named: name)
    related[name] = found
    return found
  }

  /// The entity whose objects are read, if there is exactly one.
  var sourceEntityName: String? {
    if placed.complete.description.sourceExpression == nil { return placed.complete.sourceEntityName }
    return placed.complete.sourceExpression?.sourceFetch?.entity
  }

  /// Returns true if the mapping's predicate matches an object of its entity.
  func takes(_ source: ManagedObject) throws -> Bool {
    guard let filter else { return true }
    filterContext.object = .object(source)
    return try filter.evaluate(in: &filterContext)
  }

  /// Returns the expected value of an attribute.
  ///
  /// - Parameter destination: Called only if the expression uses the destination object.
  func value(
    of property: Property<AttributeDescription>, source: ManagedObject,
    destination: () throws -> ManagedObject
  ) throws -> Value {
    switch property.way {
    case .unmapped: return property.description.defaultValue
    case .constant(let value): return value
    case .related: return .null
    case .expression(let expression):
      let destination = property.usesDestination ? try destination() : nil
      let value = try evaluate(expression, property.live, source, destination, nil)
      if let plain = Value(value), let held = plain.converted(to: property.description.type) {
        return (property.composite?.value(held) ?? held).asStored
      }
      throw Diagnostic(
        .error, code: "verify.wrong-type", problem: "the expression gives \(value.kind)",
        remedy: "write an expression whose value has type \(property.description.type.modelName)")
    }
  }

  /// Returns the expected targets of a relationship, in order if it is ordered.
  func targets(
    of property: Property<RelationshipDescription>, source: ManagedObject, destination: ManagedObject
  ) throws -> [ManagedObject] {
    if case .related(let key, let isToMany, let name) = property.way, source.entityNumber == placed.sourceNumber {
      let sources = isToMany ? try source.objects(forKey: key) : try source.object(forKey: key).map { [$0] } ?? []
      return sources.isEmpty ? [] : try manager.destinations(of: sources, through: [mapping(named: name)])
    }
    guard case .expression(let expression) = property.way else { return [] }
    let value = try evaluate(expression, property.live, source, destination, property.description)
    guard let list = ObjectList(expressionValue: value) else {
      throw Diagnostic(
        .error, code: "verify.wrong-type", problem: "the expression gives \(value.kind)",
        remedy: "write an expression that gives destination objects")
    }
    return list.objects
  }

  private func evaluate(
    _ expression: CompiledExpression, _ live: ExpressionValue, _ source: ManagedObject, _ destination: ManagedObject?,
    _ relationship: RelationshipDescription?
  ) throws -> ExpressionValue {
    let outer = manager.current
    defer { manager.current = outer }
    manager.current = (placed, relationship)
    isHolding = true
    context[sourceSlot] = .object(source)
    context[destinationSlot] = destination.map { .object($0) } ?? .null
    context[propertySlot] = live
    return try expression.evaluate(in: &context)
  }
}

extension Value {
  /// The value as a row stores it: a zero has no sign, and SQLite stores NaN as NULL.
  fileprivate var asStored: Value {
    if isNotANumber { return .null }
    guard case .double(let number) = self else { return self }
    return number == 0 ? .double(0) : self
  }
}
