import Foundation
import HeavyliftModel
import HeavyliftStore

/// Deliberate mistakes in the objects of a migrated store.
struct StoreMutations {
  private let graph: ObjectGraph
  private let links: GraphLinks
  private let model: ManagedObjectModel
  private let open: [String: Set<String>]
  private(set) var all: [Mutation] = []
  /// The kinds of mutations that were made, each with its entity and property: one of each is enough.
  private var made: Set<String> = []

  /// - Parameter expected: The expectation; properties that it leaves open are not mutated.
  init(_ graph: ObjectGraph, expected: ObjectGraph?, model: ManagedObjectModel) {
    self.graph = graph
    self.model = model
    links = GraphLinks(graph, model: model)
    open = Dictionary(
      (expected?.objects ?? []).map { ($0.name, $0.openProperties) }, uniquingKeysWith: { first, _ in first })
    for object in graph.objects {
      guard let entity = model.entity(named: object.entityName) else { continue }
      let shape = GraphEntity(entity, in: model)
      for attribute in shape.storedAttributes { mutate(attribute, of: object, shape) }
      for relationship in shape.sortedRelationships { mutate(relationship, of: object) }
      add("drop", object, nil) { context, managed in try context.delete(managed) }
      add("double", object, nil) { context, managed in
        let copy = try context.insert(object.entityName)
        for attribute in shape.storedAttributes {
          try copy.setValue(managed.value(forKey: attribute.name) as Value, forKey: attribute.name)
        }
      }
    }
  }

  private mutating func mutate(
    _ attribute: AttributeDescription, of object: ObjectGraph.Object, _ entity: GraphEntity
  ) {
    guard let value = object.attributes[attribute.name] else { return }
    if let other = value.offByOne {
      add("alter", object, attribute.name) { _, managed in try managed.setValue(other, forKey: attribute.name) }
    }
    if !value.isIdentical(to: attribute.defaultValue), attribute.isOptional || !attribute.defaultValue.isNull {
      add("reset", object, attribute.name) { _, managed in
        try managed.setValue(attribute.defaultValue, forKey: attribute.name)
      }
    }
    let other = graph.objects.first { other in
      other.entityName == object.entityName
        && other.attributes[attribute.name]?.isIdentical(to: value) == false
    }
    if let other, let theirs = other.attributes[attribute.name] {
      add("take another object's", object, attribute.name) { _, managed in
        try managed.setValue(theirs, forKey: attribute.name)
      }
    }
    let neighbour = entity.storedAttributes.first { other in
      other.name > attribute.name && other.type == attribute.type
        && object.attributes[other.name]?.isIdentical(to: value) == false
    }
    if let neighbour, let theirs = object.attributes[neighbour.name] {
      add("swap with \(neighbour.name.quotedName)", object, attribute.name) { _, managed in
        try managed.setValue(theirs, forKey: attribute.name)
        try managed.setValue(value, forKey: neighbour.name)
      }
    }
  }

  private mutating func mutate(_ relationship: RelationshipDescription, of object: ObjectGraph.Object) {
    let name = relationship.name
    let targets = links.targets(of: object.name, name)
    if !targets.isEmpty {
      add("lose", object, name) { _, managed in
        if relationship.isToMany {
          try managed.setObjects(Array(managed.objects(forKey: name).dropLast()), forKey: name)
        } else {
          try managed.setObject(nil, forKey: name)
        }
      }
    }
    if relationship.isOrdered, targets.count > 1 {
      add("disorder", object, name) { _, managed in
        try managed.setObjects(managed.objects(forKey: name).reversed(), forKey: name)
      }
    }
    guard let wanted = relationship.destinationEntityName else { return }
    add("connect the wrong target of", object, name) { context, managed in
      let candidates = try context.fetch(FetchRequest(entityName: wanted))
      if relationship.isToMany {
        let known = try managed.objects(forKey: name)
        guard let other = candidates.first(where: { !known.contains($0) }) else { throw NotApplicable() }
        try managed.add(other, to: name)
      } else {
        let known = try managed.object(forKey: name)
        guard let other = candidates.first(where: { $0 !== known }) else { throw NotApplicable() }
        try managed.setObject(other, forKey: name)
      }
    }
  }

  private mutating func add(
    _ what: String, _ object: ObjectGraph.Object, _ property: String?,
    _ body: @escaping (ManagedObjectContext, ManagedObject) throws -> Void
  ) {
    let subject = [object.entityName, property].compactMap(\.self).joined(separator: ".")
    if let property, open[object.name]?.contains(property) == true { return }
    guard made.insert("\(what) \(subject)").inserted else { return }
    all.append(
      Mutation(
        name: "\(what) \(subject) of \(object.name.quotedName)",
        place: [property?.quotedName ?? object.entityName.quotedName],
        kind: .store { context, names in
          guard let id = names[object.name] else { throw NotApplicable() }
          try body(context, context.fault(id.entityName, key: id.key))
        }))
  }
}

/// A mutation that changes nothing here, or that the store refuses.
struct NotApplicable: Error {}

extension Value {
  /// Returns a different value, as close as possible; `nil` if there is none.
  fileprivate var offByOne: Value? {
    switch self {
    case .null, .composite: nil
    case .bool(let value): .bool(!value)
    case .integer(let value): .integer(value > 0 ? value - 1 : value + 1)
    case .double(let value): .double(value.isFinite ? value.nextUp : 0)
    case .decimal(let value): .decimal(value.isNaN ? 0 : value + Decimal(sign: .plus, exponent: -9, significand: 1))
    case .string(let value): .string(value.isEmpty ? " " : String(value.dropLast()))
    case .uri(let value): .uri(value + "/")
    case .date(let value): .date(value.addingTimeInterval(1))
    case .uuid: .uuid(UUID())
    case .data(let value): .data(value.isEmpty ? Data([0]) : value.dropLast() + [value.last.map { $0 ^ 1 } ?? 0])
    }
  }
}
