import HeavyliftExpression

extension MappingExpression {
  /// The key of the source property whose value the expression copies, or whose objects' counterparts it requests.
  var takenPropertyName: String? { (counterpartsRequest?.objects ?? self).sourceKey }

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

  /// The first key of each key path that starts at the destination object.
  package var destinationKeys: Set<String> {
    var keys: Set<String> = []
    visit { expression in
      guard case .keyPath(let base, let path) = expression.kind, case .variable("destination") = base.kind,
        case .name(let key)? = path.keys.first
      else { return }
      keys.insert(key)
    }
    return keys
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
