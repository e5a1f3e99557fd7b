import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Everything that is known and decided before the first row is written.
package struct PreparedMigration {
  let plan: MigrationPlan
  package let survey: SourceSurvey
  let options: MigrationOptions
  var stores: MappedStores { survey.stores }

  init(_ plan: MigrationPlan, _ survey: SourceSurvey, _ options: MigrationOptions) {
    (self.plan, self.survey, self.options) = (plan, survey, options)
  }

  /// Returns the statement that creates an entity mapping's rows with the relationships that are written with them; nil
  /// if no statement can create them.
  func statement(of mappingIndex: Int) throws -> RowTransfer? {
    guard var transfer = survey.rows[mappingIndex]?.statement else { return nil }
    guard plan.writesLinksWithRows else { return transfer }
    for (index, link) in plan.steps[mappingIndex].rowRelationships.enumerated() {
      let functions = LinkFunctions.target(step: mappingIndex, link: index)
      try transfer.set(
        link.name,
        to: .init(
          relationship: link.source, keyFunction: link.needsLookUp ? functions.key : nil,
          entityFunction: functions.entity, keepsOrder: link.keepsInverseOrder))
    }
    return transfer
  }
}

/// The names of the SQL functions that find counterparts or watch rows while a statement runs.
enum LinkFunctions {
  /// The functions that return the key and the entity number of a link's target.
  struct Target {
    let key: String
    let entity: String
  }

  /// For a link that is written with its row.
  static func target(step: Int, link: Int) -> Target {
    Target(key: "heavylift_link_key_\(step)_\(link)", entity: "heavylift_link_entity_\(step)_\(link)")
  }
  static func watchRows(step: Int) -> String { "heavylift_watch_rows_\(step)" }
  static func join(step: Int, join: Int) -> String { "heavylift_join_\(step)_\(join)" }
}

extension PreparedMigration {
  /// The rows of a join table that lead to the objects of one entity mapping.
  struct Join {
    let plan: RelationshipPlan
    /// The index of the entity mapping that creates the targets.
    let target: Int
    /// Nil if the relationship has no table of its own.
    let transfer: LinkTransfer?
    /// The function that returns true if the objects at both ends of a link are migrated.
    let test: String
    let ownerOffset: Int64
    let targetOffset: Int64
  }

  /// Returns the rows that statements write to an entity mapping's join tables.
  func joins(of mappingIndex: Int) -> [Join] {
    let mapping = stores.mappings[mappingIndex]
    func transfer(_ join: RelationshipPlan) -> LinkTransfer? {
      guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName, let source = join.source
      else { return nil }
      return LinkTransfer(
        from: stores.source, entity: old, relationship: source, to: stores.destination, entity: new,
        relationship: join.name, keepsOrder: (join.keepsOrder, join.keepsInverseOrder))
    }
    func offset(_ mappingIndex: Int) -> Int64 { stores.keys.rules[mappingIndex]?.offset ?? 0 }
    // A target may have several counterparts, so there is one statement for each entity mapping that creates targets.
    let joins = plan.steps[mappingIndex].joins.flatMap { join in join.targets.map { (join, $0) } }
    return joins.enumerated().map { index, join in
      let (join, target) = join
      return Join(
        plan: join, target: target, transfer: transfer(join),
        test: LinkFunctions.join(step: mappingIndex, join: index), ownerOffset: offset(mappingIndex),
        targetOffset: offset(target))
    }
  }
}

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
