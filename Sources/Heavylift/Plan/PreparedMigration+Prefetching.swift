import HeavyliftExpression
import HeavyliftModel
import HeavyliftStore

extension PreparedMigration {
  /// Returns the rows that another thread reads while an entity mapping's policy runs; nil if the policy's own thread
  /// reads them.
  func prefetch(for step: EntityMappingStep, in store: PersistentStore) -> RowPrefetch? {
    guard !options.forcesObjects, step.hasPolicy, case .request = step.sourceObjects,
      plan.steps[step.mappingIndex].sourceCount ?? 0 >= options.prefetching.leastObjects,
      var transfer = try? stores.rowsAlone(of: step.mappingIndex)
    else { return nil }
    // An expression that may read other objects must see their current state, so nothing is evaluated ahead.
    guard !step.readsNewObjects else { return RowPrefetch(transfer, to: store, copies: nil, constants: [:]) }
    var constants: [String: Value] = [:]
    for attribute in step.attributes where !attribute.isPlainCopy {
      guard let expression = attribute.mapping.valueExpression else { continue }
      if let constant = constant(of: attribute.attribute, expression) {
        constants[attribute.attribute.name] = constant
      } else if let more = transfer.computing(attribute.attribute, expression), isOfRow(expression, step.complete) {
        transfer = more
      }
    }
    return RowPrefetch(transfer, to: store, copies: step.copies, constants: constants)
  }

  private func constant(of attribute: AttributeDescription, _ expression: MappingExpression) -> Value? {
    if case .constant(let value)? = try? stores.value(of: attribute, expression) { value } else { Value?.none }
  }

  /// True if an expression reads only attributes of the source object whose values are the same in SQL and in objects.
  private func isOfRow(_ expression: MappingExpression, _ mapping: CompleteEntityMapping) -> Bool {
    guard let entity = stores.sourceModel.entity(named: mapping.sourceEntityName) else { return false }
    let attributes = stores.sourceModel.allAttributes(of: entity)
    return expression.sourceKeys.allSatisfy { key in
      attributes.contains { $0.name == key && $0.type.hasSameValueInSQL }
    }
  }
}

extension RowTransfer {
  /// Returns a transfer that computes the attribute too; nil if the value depends on other rows, or might differ from
  /// the expression evaluator's.
  fileprivate func computing(_ attribute: AttributeDescription, _ expression: MappingExpression) -> RowTransfer? {
    guard attribute.type.hasSameValueInSQL else { return nil }
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
  /// True if an expression has the same value whether it reads a column or an object's attribute.
  fileprivate var hasSameValueInSQL: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean, .double, .float, .string, .uri, .date: true
    case .decimal, .uuid, .binaryData, .transformable, .undefined, .objectID, .composite: false
    }
  }
}
