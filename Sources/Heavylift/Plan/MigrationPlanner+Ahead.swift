import HeavyliftExpression
import HeavyliftModel
import HeavyliftStore

extension MigrationPlanner {
  /// What of an entity mapping's objects another thread reads and computes while its policy runs; nil where all is left
  /// to the policy's thread.
  func rowsAhead(of step: EntityMappingStep, in store: PersistentStore) -> AheadRows? {
    guard !forcesObjects, viewed == nil, !step.isDeclarative, case .request = step.sourceObjects,
      plan.steps[step.number].sourceCount ?? 0 >= readingAhead.leastObjects, var transfer = transfer(of: step.complete)
    else { return nil }
    let expressions = step.attributes.compactMap(\.mapping.valueExpression)
    // Expressions that may watch are evaluated when their turn comes, and so is all that they might see.
    guard !step.isWatched else {
      return AheadRows(
        transfer, to: store, copies: nil, constants: [:], reading: Set(expressions.flatMap(\.sourceKeys)))
    }
    var (constants, names) = ([String: Value](), Set<String>())
    for attribute in step.computedAttributes {
      guard let expression = attribute.mapping.valueExpression else { continue }
      if let constant = constant(of: attribute.attribute, expression) {
        constants[attribute.attribute.name] = constant
      } else if let more = transfer.computing(attribute.attribute, expression), isOfRow(expression, step.complete) {
        transfer = more
      } else {
        names.formUnion(expression.sourceKeys)
      }
    }
    return AheadRows(transfer, to: store, copies: step.copies, constants: constants, reading: names)
  }

  private func constant(of attribute: AttributeDescription, _ expression: MappingExpression) -> Value? {
    if case .constant(let value)? = try? value(of: attribute, expression) { value } else { Value?.none }
  }

  private func transfer(of mapping: CompleteEntityMapping) -> RowTransfer? {
    guard let entity = mapping.sourceEntityName, let newEntity = mapping.destinationEntityName else { return nil }
    do {
      return try RowTransfer(
        from: source, entity: entity, where: request(of: mapping), to: destination, entity: newEntity,
        isAttached: false)
    } catch {
      return nil
    }
  }

  /// Whether an expression depends on nothing but attributes that SQL sees as objects do as soon as they can be read.
  private func isOfRow(_ expression: MappingExpression, _ mapping: CompleteEntityMapping) -> Bool {
    guard let entity = mapping.sourceEntityName.flatMap(sourceModel.entity(named:)) else { return false }
    let attributes = sourceModel.allAttributes(of: entity)
    return expression.sourceKeys.allSatisfy { key in
      attributes.contains { $0.name == key && $0.type.isReadAsMade }
    }
  }
}

extension RowTransfer {
  /// The same with one attribute more; nil where that takes other rows, or might be another value than objects compute.
  fileprivate func computing(_ attribute: AttributeDescription, _ expression: MappingExpression) -> RowTransfer? {
    guard attribute.type.isReadAsMade else { return nil }
    var more = self
    do throws(NotTranslated) {
      try more.set(attribute.name, to: .expression(expression))
    } catch {
      return nil
    }
    return more.readsRowAlone && !more.maybeNaN.contains(attribute.name) ? more : nil
  }
}

extension AttributeType {
  /// Whether a column holds its values as objects do.
  fileprivate var isReadAsMade: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .string, .uri, .date: true
    case .decimal, .uuid, .binaryData, .transformable, .undefined, .objectID, .composite: false
    }
  }
}

extension MappingExpression {
  /// The first names of the key paths that begin at the source object.
  fileprivate var sourceKeys: Set<String> {
    var keys: Set<String> = []
    visit { expression in
      guard case .keyPath(let base, let path) = expression.kind, case .variable("source") = base.kind,
        case .name(let key)? = path.keys.first
      else { return }
      keys.insert(key)
    }
    return keys
  }
}
