import HeavyliftExpression

extension MappingExpression {
  /// A request for the destination instances of some source instances, through an entity mapping named by a literal.
  struct DestinationInstancesRequest {
    var mapping: String
    var objects: MappingExpression
  }

  /// The request for destination instances, if the whole expression is one.
  var destinationInstancesRequest: DestinationInstancesRequest? {
    guard case .call(let receiver, ManagerSelector.destinationInstancesForMapping, let arguments) = kind,
      case .variable("manager") = receiver.kind, arguments.count == 2, let name = arguments[0].writtenText
    else { return nil }
    return DestinationInstancesRequest(mapping: name, objects: arguments[1])
  }

  /// The source objects, if the expression requests their counterparts by source relationship, not by entity mapping.
  var objectsOfRelationshipRequest: MappingExpression? {
    guard case .call(let receiver, ManagerSelector.destinationInstancesForRelationship, let arguments) = kind,
      case .variable("manager") = receiver.kind, arguments.count == 2, arguments[0].writtenText != nil
    else { return nil }
    return arguments[1]
  }

  /// The key of the source property whose value the expression copies, or whose objects' counterparts it requests.
  var takenPropertyName: String? {
    (destinationInstancesRequest?.objects ?? objectsOfRelationshipRequest ?? self).sourceRelationshipName
  }

  /// The names of all entity mappings whose destination instances the expression asks for.
  var requestedMappings: [String] {
    var names: [String] = []
    visit { expression in
      guard case .call(_, ManagerSelector.destinationInstancesForMapping, let arguments) = expression.kind,
        let name = arguments.first?.writtenText
      else { return }
      names.append(name)
    }
    return names
  }

  /// The text, if the expression is a string literal.
  var writtenText: String? {
    if case .constant(.value(.string(let text))) = kind { text } else { nil }
  }
}

extension MappingExpression {
  /// The names of the fetched source entities, if they are literals.
  package var fetchedEntities: [String] {
    var names: [String] = []
    visit { expression in
      guard case .call(_, ManagerSelector.fetchRequest, let arguments) = expression.kind,
        let name = arguments.first?.writtenText
      else { return }
      names.append(name)
    }
    return names
  }
}

extension ExpressionType.Kind {
  /// The entity of the source objects in the expression's value.
  var sourceEntity: String? {
    switch self {
    case .object(let entity, .source): entity
    case .collection(_, let element): element.sourceEntity
    default: nil
    }
  }
}
