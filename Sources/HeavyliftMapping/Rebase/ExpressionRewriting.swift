import HeavyliftExpression
import HeavyliftModel

/// Replaces old names in an expression with new ones, following key paths along relationships.
///
/// A class, because it tracks the meaning of names while it walks the tree.
final class ExpressionRewriting {
  private let names: any ExpressionNames
  /// The object that `SELF` and bare keys refer to.
  private let object: NamedThing
  private var variables: [String: NamedThing]
  /// The nesting depth of predicates in string literals.
  private var nesting = 0

  init(_ names: any ExpressionNames, object: NamedThing = .unknown, variables: [String: NamedThing] = [:]) {
    self.names = names
    self.object = object
    self.variables = variables
  }

  func rewritten(_ expression: MappingExpression) -> MappingExpression {
    let new = rewrite(expression).expression
    // An unchanged expression keeps its locations.
    return new == expression ? expression : new
  }

  func rewritten(_ predicate: MappingPredicate) -> MappingPredicate {
    let new = rewrite(predicate)
    return new == predicate ? predicate : new
  }

  // MARK: Expressions

  private typealias Result = (expression: MappingExpression, thing: NamedThing)

  private func rewrite(_ expression: MappingExpression) -> Result {
    func made(_ kind: MappingExpression.Kind, _ thing: NamedThing = .unknown) -> Result {
      (MappingExpression(kind, at: expression.range, name: expression.nameRange), thing)
    }
    switch expression.kind {
    case .object: return (expression, object)
    case .variable(let name): return (expression, variables[name] ?? .unknown)
    case .keyPath(let base, let path):
      let (newBase, thing) = rewrite(base)
      let (newPath, result) = rewrite(path, of: thing, within: expression.range)
      return made(.keyPath(base: newBase, newPath), result)
    case .element(let collection, let index):
      let (newCollection, thing) = rewrite(collection)
      guard case .at(let place) = index else { return made(.element(of: newCollection, index), thing) }
      return made(.element(of: newCollection, .at(rewrite(place).expression)), thing)
    case .function(let function, let arguments):
      let results = arguments.map(rewrite)
      let thing = function == .distinct || function == .elementAtIndex ? results.first?.thing : nil
      return made(.function(function, results.map(\.expression)), thing ?? .unknown)
    case .call(let receiver, let selector, let arguments):
      let call = rewriteCall(receiver, selector, arguments)
      return made(.call(receiver: call.receiver, selector: selector, call.arguments), call.thing)
    case .ternary(let condition, let first, let second):
      let newCondition = rewrite(condition)
      let (one, other) = (rewrite(first), rewrite(second))
      return made(
        .ternary(newCondition, then: one.expression, otherwise: other.expression),
        one.thing == .unknown ? other.thing : one.thing)
    case .subquery(let collection, let variable, let condition):
      let (newCollection, thing) = rewrite(collection)
      let outer = variables[variable]
      variables[variable] = thing
      let newCondition = rewrite(condition)
      variables[variable] = outer
      return made(.subquery(newCollection, variable: variable, newCondition), thing)
    case .fetch(let request, let context, let countOnly):
      let (newRequest, thing) = rewrite(request)
      return made(
        .fetch(request: newRequest, context: rewrite(context).expression, countOnly: countOnly),
        countOnly ? .unknown : thing)
    case .set(let operation, let left, let right):
      let (one, other) = (rewrite(left), rewrite(right))
      return made(.set(operation, one.expression, other.expression), one.thing)
    case .aggregate(let elements):
      let results = elements.map(rewrite)
      return made(.aggregate(results.map(\.expression)), results.first?.thing ?? .unknown)
    case .constant, .anyKey, .otherFunction, .cast, .assignment:
      return made(expression.kind.mapExpressions({ rewrite($0).expression }, predicates: { rewrite($0) }))
    }
  }

  private func rewrite(
    _ path: ExpressionKeyPath, of start: NamedThing, within range: SourceRange
  ) -> (ExpressionKeyPath, NamedThing) {
    var thing = start
    var keys = path.keys
    for (place, key) in path.keys.enumerated() {
      switch key {
      case .element: continue
      case .collection(let operation): if operation == .count { thing = .unknown }
      case .name(let name):
        let (new, next) = step(name, of: thing, at: path.range(ofKeyAt: place) ?? range)
        keys[place] = .name(new)
        thing = next
      }
    }
    return (ExpressionKeyPath(keys, at: path.ranges), thing)
  }

  private func step(_ name: String, of thing: NamedThing, at range: SourceRange) -> (String, NamedThing) {
    switch thing {
    case .unknown, .migrationManager, .entityName: (name, .unknown)
    case .entity(let side): (name, name == "name" ? .entityName(side) : .unknown)
    case .objects, .composite: names.key(name, of: thing, at: range)
    }
  }

  // MARK: Calls

  private func rewriteCall(
    _ receiver: MappingExpression, _ selector: String, _ arguments: [MappingExpression]
  ) -> (receiver: MappingExpression, arguments: [MappingExpression], thing: NamedThing) {
    let (newReceiver, target) = rewrite(receiver)
    var results = arguments.map(rewrite)
    var thing = NamedThing.unknown
    let text = arguments.first?.constantText
    func replaceFirst(_ text: String) {
      results[0].expression.kind = .constant(.value(.string(text)))
    }
    switch (selector, text, target) {
    case ("valueForKey:", let key?, _):
      let (new, next) = step(key, of: target, at: arguments[0].range)
      replaceFirst(new)
      thing = next
    case ("valueForKeyPath:", let text?, _):
      guard let path = ExpressionKeyPath(parsing: text) else { break }
      let ranges = path.keys.map { _ in arguments[0].range }
      let (new, next) = rewrite(ExpressionKeyPath(path.keys, at: ranges), of: target, within: arguments[0].range)
      replaceFirst(new.unquotedText)
      thing = next
    case (ManagerSelector.destinationInstancesForMapping, let name?, .migrationManager):
      let mapping = names.entityMapping(name)
      replaceFirst(mapping.name)
      thing = mapping.destination
    case (ManagerSelector.sourceInstancesForMapping, let name?, .migrationManager):
      let mapping = names.entityMapping(name)
      replaceFirst(mapping.name)
      thing = mapping.source
    case (ManagerSelector.destinationInstancesForRelationship, let name?, .migrationManager):
      let source = variables["source"] ?? .unknown
      replaceFirst(step(name, of: source, at: arguments[0].range).0)
    case (ManagerSelector.fetchRequest, let name?, .migrationManager):
      let (new, objects) = names.entity(name, of: .source, at: arguments[0].range)
      replaceFirst(new)
      if arguments.count > 1, let text = arguments[1].constantText {
        let predicate = rewritten(text, of: objects)
        results[1].expression.kind = .constant(.value(.string(predicate)))
      }
      thing = objects
    default: break
    }
    return (newReceiver, results.map(\.expression), thing)
  }

  /// Rewrites a predicate in a string literal. Text that cannot be parsed stays unchanged; the check reports it.
  private func rewritten(_ text: String, of objects: NamedThing) -> String {
    guard nesting < 4, let predicate = try? MappingPredicate(parsing: text) else { return text }
    let inner = ExpressionRewriting(names, object: objects)
    inner.nesting = nesting + 1
    let new = inner.rewrite(predicate)
    return new == predicate ? text : new.description
  }

  // MARK: Predicates

  private func rewrite(_ predicate: MappingPredicate) -> MappingPredicate {
    switch predicate.kind {
    case .comparison(var comparison):
      let (left, right) = (rewrite(comparison.left), rewrite(comparison.right))
      comparison.left = left.expression
      comparison.right = right.expression
      if case .entityName(let side) = left.thing { comparison.right = withEntityNames(comparison.right, of: side) }
      if case .entityName(let side) = right.thing { comparison.left = withEntityNames(comparison.left, of: side) }
      return MappingPredicate(.comparison(comparison), at: predicate.range)
    default:
      let kind = predicate.kind.mapExpressions({ rewrite($0).expression }, predicates: { rewrite($0) })
      return MappingPredicate(kind, at: predicate.range)
    }
  }

  /// Renames entities in text that is compared with an entity's name.
  private func withEntityNames(_ expression: MappingExpression, of side: MappingSide) -> MappingExpression {
    var renamed = expression
    switch expression.kind {
    case .constant(.value(.string(let name))):
      renamed.kind = .constant(.value(.string(names.entity(name, of: side, at: expression.range).name)))
    case .aggregate(let elements): renamed.kind = .aggregate(elements.map { withEntityNames($0, of: side) })
    default: break
    }
    return renamed
  }
}

extension MappingExpression {
  /// The text, if the expression is a string constant.
  fileprivate var constantText: String? {
    if case .constant(.value(.string(let text))) = kind { text } else { nil }
  }
}

extension ExpressionKeyPath {
  /// The key path as an argument of `valueForKeyPath:`.
  fileprivate var unquotedText: String {
    keys.map { key in
      switch key {
      case .name(let name): name
      case .collection(let operation): "@\(operation.rawValue)"
      case .element: "self"
      }
    }.joined(separator: ".")
  }
}
