import Foundation
import HeavyliftExpression
import HeavyliftModel

/// Searches for values of an object for which a filter holds: it tries the constants that the filter mentions, their
/// neighbors, nil and defaults, and for relationships the objects of the graph.
struct FilterSearch {
  private let filterCase: FilterCase
  private let predicate: CompiledPredicate
  private let model: ManagedObjectModel
  private let entity: GraphEntity
  private let sides: RelationshipSides
  /// The keys of the object itself that the filter reads.
  private let keys: Set<String>
  private let constants: [Value]
  private static let mostAttempts = 20_000

  /// Returns `nil` if the filter cannot be evaluated without a store.
  init?(_ filterCase: FilterCase, model: ManagedObjectModel) {
    guard let predicate = try? CompiledPredicate(filterCase.predicate),
      let entity = model.entity(named: filterCase.entityName)
    else { return nil }
    (self.filterCase, self.predicate, self.model) = (filterCase, predicate, model)
    self.entity = GraphEntity(entity, in: model)
    sides = RelationshipSides(model: model)
    (keys, constants) = Self.parts(of: filterCase.predicate)
  }

  /// Returns the keys that a predicate reads from its object, and the constants that it mentions.
  private static func parts(of predicate: MappingPredicate) -> (keys: Set<String>, constants: [Value]) {
    var keys: Set<String> = []
    var constants: [Value] = []
    func add(_ constant: ExpressionConstant) {
      switch constant {
      case .value(let value): if !constants.contains(where: { $0.isIdentical(to: value) }) { constants.append(value) }
      case .array(let elements): elements.forEach(add)
      case .set(let elements): elements.sorted { "\($0)" < "\($1)" }.forEach(add)
      }
    }
    predicate.visit { expression in
      switch expression.kind {
      case .keyPath(let base, let path):
        if case .object = base.kind, case .name(let name)? = path.keys.first { keys.insert(name) }
      case .constant(let constant): add(constant)
      default: break
      }
    }
    return (keys, constants)
  }

  var entityName: String { filterCase.entityName }

  /// Returns true if the filter holds for an object.
  func holds(for object: ObjectGraph.Object, in rows: GraphRows) -> Bool {
    object.entityName == filterCase.entityName && rows.holds(predicate, for: object)
  }

  /// Returns true if the filter holds for any object of a graph.
  func holdsForAny(in graph: ObjectGraph) -> Bool {
    let rows = GraphRows(graph, model: model)
    return graph.objects.contains { holds(for: $0, in: rows) }
  }

  /// The constants that an attribute is compared with, and their neighbors.
  func suggestedValues(of attribute: AttributeDescription) -> [Value] {
    guard keys.contains(attribute.name) else { return [] }
    return constants.flatMap(Self.neighbors).compactMap { $0.converted(to: attribute.type) }
      .filter { isAllowed($0, attribute) && !$0.isNull }
  }

  /// Returns the object of a graph with the changes that make the filter hold; `nil` if none are found.
  func change(_ object: ObjectGraph.Object, in graph: ObjectGraph) -> ObjectGraph.Object? {
    let rows = GraphRows(graph, model: model)
    let attributes = entity.storedAttributes.filter { keys.contains($0.name) }.map { attribute in
      (name: attribute.name, values: values(of: attribute, object, graph))
    }
    let relationships = entity.sortedRelationships.filter { keys.contains($0.name) }.map { relationship in
      (name: relationship.name, targets: targets(of: relationship, object, graph, rows))
    }
    let sizes = attributes.map(\.values.count) + relationships.map(\.targets.count)
    var indexes = sizes.map { _ in 0 }
    for _ in 0..<Self.mostAttempts {
      var changed = object
      for (place, attribute) in attributes.enumerated() where indexes[place] > 0 {
        changed.attributes[attribute.name] = attribute.values[indexes[place]]
      }
      var found: [String: [String]] = [:]
      for (place, relationship) in relationships.enumerated() where indexes[attributes.count + place] > 0 {
        found[relationship.name] = relationship.targets[indexes[attributes.count + place]]
        changed.relationships[relationship.name] = found[relationship.name]
      }
      if rows.holds(predicate, for: changed, targets: found) { return changed }
      var place = indexes.count - 1
      while place >= 0 {
        indexes[place] += 1
        if indexes[place] < sizes[place] { break }
        indexes[place] = 0
        place -= 1
      }
      if place < 0 { return nil }
    }
    return nil
  }

  /// Values to try, beginning with the object's own.
  private func values(
    of attribute: AttributeDescription, _ object: ObjectGraph.Object, _ graph: ObjectGraph
  ) -> [Value] {
    let own = object.attributes[attribute.name] ?? attribute.defaultValue
    var others = suggestedValues(of: attribute)
    let varied = VariedValues(attribute, model: model)
    others += [varied.value(.plain), varied.value(.most), varied.value(.least)].compactMap(\.self)
    if attribute.isOptional { others.append(.null) }
    if !attribute.defaultValue.isNull { others.append(attribute.defaultValue) }
    let description = model.entity(named: object.entityName)
    let isUnique =
      description.map { model.lineage(of: $0) }?.flatMap(\.uniquenessConstraints)
      .contains { $0.propertyNames.contains(attribute.name) } ?? false
    let taken =
      isUnique ? graph.objects.filter { $0.name != object.name }.compactMap { $0.attributes[attribute.name] } : []
    var values = [own]
    for value in others
    where !values.contains(where: { $0.isIdentical(to: value) })
      && !taken.contains(where: { $0.isIdentical(to: value) })
    {
      values.append(value)
    }
    return values
  }

  /// Lists of targets to try, beginning with the object's own.
  private func targets(
    of relationship: RelationshipDescription, _ object: ObjectGraph.Object, _ graph: ObjectGraph, _ rows: GraphRows
  ) -> [[String]] {
    let own = rows.targets(of: object.name, relationship.name)
    guard sides.isOwner(relationship), relationship.inverseName != relationship.name,
      let wanted = relationship.destinationEntityName
    else { return [own] }
    let inverse = sides.inverse(of: relationship)
    let free = graph.objects.filter { target in
      guard let entity = model.entity(named: target.entityName), model.entity(entity, isKindOf: wanted),
        target.name != object.name
      else { return false }
      guard let inverse, !inverse.isToMany else { return true }
      return rows.targets(of: target.name, inverse.name).isEmpty
    }
    return [own] + free.map { [$0.name] }.filter { $0 != own }
      + (relationship.requiresTarget || own.isEmpty ? [] : [[]])
  }

  private func isAllowed(_ value: Value, _ attribute: AttributeDescription) -> Bool {
    let varied = VariedValues(attribute, model: model)
    return switch value {
    case .null: attribute.isOptional
    case .integer(let number): varied.clamped(number) == number
    case .double(let number): varied.clamped(number) == number
    case .decimal(let number): varied.clamped(number) == number
    case .date(let date): varied.clamped(date) == date
    case .string(let text): varied.fitted(text) == text
    default: true
    }
  }

  /// A constant, and values next to it for `<`, `!=`, `LIKE` and similar operators.
  private static func neighbors(of value: Value) -> [Value] {
    switch value {
    case .integer(let number):
      return [value]
        + [number.subtractingReportingOverflow(1), number.addingReportingOverflow(1)]
        .filter { !$0.overflow }.map { .integer($0.partialValue) }
    case .double(let number): return [value, .double(number - 1), .double(number + 1)]
    case .decimal(let number): return [value, .decimal(number - 1), .decimal(number + 1)]
    case .date(let date): return [value, .date(date - 86_400), .date(date + 86_400)]
    case .bool: return [.bool(true), .bool(false)]
    case .string(let text):
      let matching = text.replacing("*", with: "").replacing("?", with: "x")
      let plain = text.filter { !"^$.*+?()[]|\\".contains($0) }
      return [value, .string(matching), .string(plain), .string(text + "x"), "x"]
    default: return [value]
    }
  }
}
