import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

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
      throw MigrationError(
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
      throw MigrationError(
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
