import HeavyliftExpression

/// The standard selectors of the migration manager.
package enum ManagerSelector {
  package static let destinationInstancesForMapping = "destinationInstancesForEntityMappingNamed:sourceInstances:"
  package static let destinationInstancesForRelationship =
    "destinationInstancesForSourceRelationshipNamed:sourceInstances:"
  package static let sourceInstancesForMapping = "sourceInstancesForEntityMappingNamed:destinationInstances:"
  package static let fetchRequest = "fetchRequestForSourceEntityNamed:predicateString:"

  package static let all = [
    destinationInstancesForMapping, destinationInstancesForRelationship, sourceInstancesForMapping, fetchRequest,
  ]
}

/// A request for the counterparts of source objects: the destination instances that entity mappings created from them.
package struct CounterpartsRequest {
  /// The entity mappings whose counterparts are requested.
  package enum Through {
    /// The one with this name.
    case mapping(String)
    /// All that fit the source relationship with this name.
    case relationship(String)
  }

  package let through: Through
  /// The source objects.
  package let objects: MappingExpression

  /// The name of the entity mapping, if the request names one.
  package var mapping: String? { if case .mapping(let name) = through { name } else { nil } }
  /// True if the counterparts are those of the source object itself.
  package var isSourceItself: Bool { if case .variable("source") = objects.kind { true } else { false } }
  /// The key, if the source objects are those of `$source.key`.
  package var sourceKey: String? { objects.sourceKey }
}

extension MappingExpression {
  /// Returns `$source.key`.
  package static func source(key: String) -> MappingExpression {
    MappingExpression(.keyPath(base: MappingExpression(.variable("source")), ExpressionKeyPath([.name(key)])))
  }

  /// Returns the fetch of an entity mapping's source objects, as Xcode's compiler writes it.
  package static func fetch(ofSourceEntity entity: String, where filter: MappingPredicate?) -> MappingExpression {
    let manager = MappingExpression(.variable("manager"))
    let request = manager.calling(
      ManagerSelector.fetchRequest, .text(entity), .text(filter?.description ?? "TRUEPREDICATE"))
    let context = MappingExpression(.keyPath(base: manager, ExpressionKeyPath([.name("sourceContext")])))
    return MappingExpression(.fetch(request: request, context: context, countOnly: false))
  }

  /// The entity and the predicate's text, if the expression is a fetch as Xcode's compiler writes it.
  package var sourceFetch: (entity: String, predicate: String)? {
    guard case .fetch(let request, let context, false) = kind,
      case .call(let receiver, ManagerSelector.fetchRequest, let arguments) = request.kind, arguments.count == 2,
      case .variable("manager") = receiver.kind,
      case .keyPath(let owner, ExpressionKeyPath([.name("sourceContext")])) = context.kind,
      case .variable("manager") = owner.kind,
      case .constant(.value(.string(let entity))) = arguments[0].kind,
      case .constant(.value(.string(let predicate))) = arguments[1].kind
    else { return nil }
    return (entity, predicate)
  }

  /// Returns a request for the destination instances that one entity mapping created from source objects.
  package static func destinationInstances(
    ofEntityMapping name: String, for objects: MappingExpression
  ) -> MappingExpression {
    MappingExpression(.variable("manager"))
      .calling(ManagerSelector.destinationInstancesForMapping, .text(name), objects)
  }

  /// Returns a request for the destination instances of a source relationship's objects, created by any entity mapping.
  package static func destinationInstances(
    ofSourceRelationship name: String, for objects: MappingExpression
  ) -> MappingExpression {
    MappingExpression(.variable("manager"))
      .calling(ManagerSelector.destinationInstancesForRelationship, .text(name), objects)
  }

  /// The request for counterparts, if the whole expression is one whose entity mapping or relationship is a literal.
  package var counterpartsRequest: CounterpartsRequest? {
    guard case .call(let receiver, let selector, let arguments) = kind, case .variable("manager") = receiver.kind,
      arguments.count == 2, let name = arguments[0].writtenText
    else { return nil }
    switch selector {
    case ManagerSelector.destinationInstancesForMapping:
      return CounterpartsRequest(through: .mapping(name), objects: arguments[1])
    case ManagerSelector.destinationInstancesForRelationship:
      return CounterpartsRequest(through: .relationship(name), objects: arguments[1])
    default: return nil
    }
  }

  /// The key, if the expression is `$source.key`.
  package var sourceKey: String? {
    guard case .keyPath(let base, let path) = kind, case .variable("source") = base.kind, path.keys.count == 1,
      case .name(let name) = path.keys[0]
    else { return nil }
    return name
  }

  private static func text(_ text: String) -> MappingExpression {
    MappingExpression(.constant(.value(.string(text))))
  }

  private func calling(_ selector: String, _ arguments: MappingExpression...) -> MappingExpression {
    MappingExpression(.call(receiver: self, selector: selector, arguments))
  }
}

extension EntityMappingDescription {
  /// The same mapping with a filter instead of a source expression, if that is a fetch of the source entity's objects as
  /// Xcode's compiler writes it.
  package var withFilterOfFetch: EntityMappingDescription {
    guard let expression = sourceExpression, let fetch = expression.sourceFetch, fetch.entity == sourceEntityName,
      filter == nil || expression == .fetch(ofSourceEntity: fetch.entity, where: filter),
      let predicate = try? MappingPredicate(parsing: fetch.predicate)
    else { return self }
    var filtered = self
    filtered.sourceExpression = nil
    if filter == nil, predicate.kind != .literal(true) { filtered.filter = predicate }
    return filtered
  }
}
