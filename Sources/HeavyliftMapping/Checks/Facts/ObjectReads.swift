import HeavyliftExpression
import HeavyliftModel

/// The properties of source objects that an expression or a predicate reads.
struct ObjectReads {
  /// A property that is read.
  struct Property {
    var entity: Int
    /// The property's name; the path of a composite's element, such as `address.city`, if only the element is read.
    var name: String
    /// True if it is read from the source object itself, and not from a related object.
    var isOwn: Bool
    /// True if it is only tested by a predicate, so that its value goes nowhere.
    var isTest: Bool
    /// The expression for the objects that it is read from; nil if it is read from the source object itself.
    var objects: MappingExpression?
  }

  /// The objects that a part of an expression results in.
  private enum Objects: Equatable {
    /// None, or objects of the destination.
    case none
    /// The entity mapping's source object.
    case own
    /// Other source objects of an entity.
    case source(Int)
    /// Objects of any entity.
    case unknown
  }

  /// The source entity.
  let entity: Int
  private(set) var properties: [Property] = []
  /// Names that are read from objects of unknown entities.
  private(set) var looseNames: Set<String> = []
  /// True if the source object is passed to code, which may read any property.
  private(set) var isHandedOver = false
  /// The entity of the objects that a source expression returns; nil if it is unknown.
  private(set) var selected: Int?
  /// True for a source expression, which has no source object: objects of the source entity count as such.
  private let isSelection: Bool
  private let source: ModelIndex
  /// The objects of the variables that subqueries declare.
  private var variables: [String: Objects] = [:]
  private var predicateDepth = 0
  /// The conditions under which the current part of the expression is evaluated.
  private var branches: [(condition: MappingPredicate, isMet: Bool)] = []

  init(of expression: MappingExpression, _ entity: Int, _ source: ModelIndex) {
    (self.entity, self.source, isSelection) = (entity, source, false)
    _ = read(expression)
  }

  init(of predicate: MappingPredicate, _ entity: Int, _ source: ModelIndex) {
    (self.entity, self.source, isSelection) = (entity, source, false)
    read(predicate)
  }

  /// The reads of a source expression. It selects objects, so the values that it reads go nowhere.
  init(ofSourceExpression expression: MappingExpression, _ entity: Int, _ source: ModelIndex) {
    (self.entity, self.source, isSelection) = (entity, source, true)
    predicateDepth = 1
    if case .source(let entity) = read(expression) { selected = entity }
  }

  // MARK: Parts

  private mutating func read(_ expression: MappingExpression) -> Objects {
    switch expression.kind {
    case .constant, .anyKey: return .none
    case .object: return .own
    case .variable(let name):
      return variables[name] ?? (name == "source" ? .own : Self.isForeign(name) ? .none : .unknown)
    case .keyPath(let base, let path): return follow(path.keys, from: read(base), base)
    case .element(let collection, let index):
      if case .at(let index) = index { _ = read(index) }
      return read(collection)
    case .aggregate(let parts), .function(_, let parts): return readAll(parts)
    case .otherFunction(_, let parts):
      handOver(parts)
      return .unknown
    case .call(let receiver, let selector, let arguments): return call(receiver, selector, arguments)
    case .cast(let operand, _), .assignment(_, let operand): return read(operand)
    case .ternary(let condition, let one, let other):
      read(condition)
      let results = [(one, true), (other, false)].map { part, isMet in
        branches.append((condition, isMet))
        defer { branches.removeLast() }
        return read(part)
      }
      return union(results)
    case .subquery(let collection, let variable, let condition):
      let objects = read(collection)
      let hidden = variables.updateValue(objects, forKey: variable)
      read(condition)
      variables[variable] = hidden
      return objects
    case .fetch(let request, let context, _):
      _ = readAll([request, context])
      guard let fetch = MappingExpression(.fetch(request: request, context: context, countOnly: false)).sourceFetch,
        let entity = source.entity(named: fetch.entity)
      else { return .unknown }
      read(fetch.predicate, from: entity)
      return .source(entity)
    case .set(_, let one, let other): return readAll([one, other])
    }
  }

  private mutating func read(_ predicate: MappingPredicate) {
    predicateDepth += 1
    defer { predicateDepth -= 1 }
    if case .custom(let comparison) = predicate.kind { handOver([comparison.left, comparison.right]) }
    var (expressions, predicates): ([MappingExpression], [MappingPredicate]) = ([], [])
    predicate.forEachPart {
      expressions.append($0)
    } predicates: {
      predicates.append($0)
    }
    for part in expressions { _ = read(part) }
    for part in predicates { read(part) }
  }

  /// Reads the predicate of a fetch request.
  private mutating func read(_ predicate: String, from entity: Int) {
    guard let predicate = try? MappingPredicate(parsing: predicate) else { return }
    let other = ObjectReads(of: predicate, entity, source)
    properties += other.properties.map {
      Property(entity: $0.entity, name: $0.name, isOwn: $0.isOwn && isOwn(.source(entity)), isTest: true)
    }
    looseNames.formUnion(other.looseNames)
  }

  private mutating func readAll(_ parts: [MappingExpression]) -> Objects {
    union(parts.map { read($0) })
  }

  private func union(_ parts: [Objects]) -> Objects {
    var result = Objects.none
    for objects in parts {
      if result == .none { result = objects } else if objects != .none, objects != result { result = .unknown }
    }
    return result
  }

  private mutating func handOver(_ parts: [MappingExpression]) {
    if readAll(parts) != .none, isSelection || parts.contains(where: \.mayBeSourceObject) { isHandedOver = true }
  }

  private mutating func call(
    _ receiver: MappingExpression, _ selector: String, _ arguments: [MappingExpression]
  ) -> Objects {
    switch selector {
    case "valueForKey:", "valueForKeyPath:":
      _ = readAll(arguments)
      guard let text = arguments.first?.writtenText else { break }
      // Operators such as `@min` lead to the same objects.
      let names = text.split(separator: ".").filter { !$0.hasPrefix("@") }
      return follow(names.map { .name(String($0)) }, from: read(receiver), receiver)
    case ManagerSelector.destinationInstancesForMapping, ManagerSelector.destinationInstancesForRelationship,
      ManagerSelector.fetchRequest:
      _ = readAll([receiver] + arguments)
      return .none
    default: break
    }
    handOver([receiver] + arguments)
    return .unknown
  }

  private mutating func follow(
    _ keys: [ExpressionKeyPath.Key], from base: Objects, _ expression: MappingExpression
  ) -> Objects {
    var current = base
    for (place, key) in keys.enumerated() {
      guard case .name(var name) = key else { continue }
      let owner: Int
      switch current {
      case .none: return .none
      case .own: owner = entity
      case .source(let other): owner = other
      case .unknown:
        looseNames.insert(name)
        continue
      }
      let property = source.property(named: name, of: owner)?.property
      if case .attribute(let attribute)? = property, attribute.type == .composite, predicateDepth == 0 {
        name = ([name] + keys[(place + 1)...].compactMap(\.propertyName)).joined(separator: ".")
      }
      properties.append(
        Property(
          entity: owner, name: name, isOwn: isOwn(current), isTest: predicateDepth > 0,
          objects: current == .own ? nil : objects(at: place, of: keys, expression)))
      guard case .relationship(let relationship)? = property else { return .none }
      current = source.entity(named: relationship.destinationEntityName).map(Objects.source) ?? .unknown
    }
    return current
  }

  /// Returns the expression for the objects that the key at a place of a path is read from.
  private func objects(at place: Int, of keys: [ExpressionKeyPath.Key], _ base: MappingExpression) -> MappingExpression
  {
    // An operator such as `@max` belongs to the key that follows it.
    let end = keys[..<place].lastIndex { if case .name = $0 { true } else { false } }.map { $0 + 1 } ?? 0
    let path = end == 0 ? base : MappingExpression(.keyPath(base: base, ExpressionKeyPath(Array(keys[..<end]))))
    let nothing = MappingExpression(.aggregate([]))
    return branches.reversed().reduce(path) { objects, branch in
      MappingExpression(
        .ternary(
          branch.condition, then: branch.isMet ? objects : nothing, otherwise: branch.isMet ? nothing : objects))
    }
  }

  private func isOwn(_ objects: Objects) -> Bool { objects == .own || (isSelection && objects == .source(entity)) }

  /// True for a variable of a migration that holds no source object.
  private static func isForeign(_ variable: String) -> Bool {
    ["destination", "manager", "entityMapping", "entityPolicy", "propertyMapping"].contains(variable)
  }
}

extension MappingExpression {
  /// True if the source object itself may be the expression's value, or in it.
  fileprivate var mayBeSourceObject: Bool {
    switch kind {
    case .object, .variable("source"): true
    case .aggregate(let parts), .function(_, let parts): parts.contains(where: \.mayBeSourceObject)
    case .cast(let operand, _), .assignment(_, let operand), .element(let operand, _): operand.mayBeSourceObject
    case .ternary(_, let one, let other), .set(_, let one, let other):
      one.mayBeSourceObject || other.mayBeSourceObject
    default: false
    }
  }
}

extension ExpressionKeyPath.Key {
  fileprivate var propertyName: String? { if case .name(let name) = self { name } else { nil } }
}
