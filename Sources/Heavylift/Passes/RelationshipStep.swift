import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// One relationship of an entity mapping's objects, with its expression made ready.
final class RelationshipStep {
  let mapping: PropertyMapping
  let relationship: RelationshipDescription
  private var made: (revision: Int, expression: CompiledExpression?)?

  init(_ mapping: PropertyMapping, _ relationship: RelationshipDescription) {
    self.mapping = mapping
    self.relationship = relationship
  }

  /// The expression, made ready anew only where a policy has set another one; nil for none.
  func expression(in environment: EvaluationEnvironment) throws -> CompiledExpression? {
    if let made, made.revision == mapping.revision { return made.expression }
    let expression = try mapping.valueExpression.map { try CompiledExpression($0, in: environment) }
    made = (mapping.revision, expression)
    return expression
  }

  /// Sets the relationship to the objects that its expression gave, in their order if it is ordered.
  func set(_ value: ExpressionValue, of object: ManagedObject) throws {
    guard let list = ObjectList(expressionValue: value) else {
      throw MigrationError(
        .valueOfWrongType,
        problem: "relationship '\(relationship.name)' takes objects, and its expression gives \(value.kindInside)",
        remedy: "write an expression that gives objects of the destination")
    }
    if relationship.isToMany { return try object.setObjects(list.objects, forKey: relationship.name) }
    guard list.objects.count <= 1 else {
      throw MigrationError(
        .valueOfWrongType,
        problem: "relationship '\(relationship.name)' leads to one object, and its expression gives "
          + "\(list.objects.count)",
        remedy: "write an expression that gives one object, or none")
    }
    try object.setObject(list.objects.first, forKey: relationship.name)
  }
}

extension ExpressionValue {
  fileprivate var kindInside: String {
    guard let odd = elements?.first(where: { ($0.object as? ManagedObject) == nil && !$0.isNull }) else { return kind }
    return "\(kind) with \(odd.kind)"
  }
}
