import HeavyliftExpression

extension MappingExpression {
  /// What became of some objects through an entity mapping that stands by its name.
  struct DestinationInstancesRequest {
    var mapping: String
    var objects: MappingExpression
  }

  /// The request, if this is nothing else.
  var destinationInstancesRequest: DestinationInstancesRequest? {
    guard case .call(let receiver, ManagerSelector.destinationInstancesForMapping, let arguments) = kind,
      case .variable("manager") = receiver.kind, arguments.count == 2, let name = arguments[0].writtenText
    else { return nil }
    return DestinationInstancesRequest(mapping: name, objects: arguments[1])
  }

  /// The source objects, if this asks what became of those of a relationship, through whichever mappings.
  var objectsOfRelationshipRequest: MappingExpression? {
    guard case .call(let receiver, ManagerSelector.destinationInstancesForRelationship, let arguments) = kind,
      case .variable("manager") = receiver.kind, arguments.count == 2, arguments[0].writtenText != nil
    else { return nil }
    return arguments[1]
  }

  /// The key of the source property that is taken over as it is: `$source.key`, or what became of its objects.
  var takenPropertyName: String? {
    (destinationInstancesRequest?.objects ?? objectsOfRelationshipRequest ?? self).sourceRelationshipName
  }

  /// The names of the entity mappings whose destination objects are asked for, anywhere within.
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

  /// The text, if this is one that stands written.
  var writtenText: String? {
    if case .constant(.value(.string(let text))) = kind { text } else { nil }
  }
}

extension MappingExpression {
  /// The names of the source entities whose objects are fetched, as far as they stand written.
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
  /// The entity of the source objects that the value is, or is made of.
  var sourceEntity: String? {
    switch self {
    case .object(let entity, .source): entity
    case .collection(_, let element): element.sourceEntity
    default: nil
    }
  }
}
