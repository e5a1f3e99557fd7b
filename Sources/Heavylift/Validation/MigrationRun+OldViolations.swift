import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

extension MigrationRun {
  /// Returns the violations, with a note on each rule that the old store also violates.
  func notingOldViolations(_ violations: [MigrationViolation]) throws -> [MigrationViolation] {
    try violations.map { violation in
      guard violation.code == .missingMandatoryProperty, let name = violation.propertyNames.first,
        let (entity, attribute, count) = try missingValues(copiedTo: name, of: violation.entityName)
      else { return violation }
      var violation = violation
      violation.remedy =
        "the old store already breaks this rule: \(attribute.quotedName) is mandatory there, but nil in \(count.grouped) × "
        + "\(entity); \(violation.remedy)"
      if stores.mappingModels.allSatisfy(\.mappingModel.isInferred) {
        violation.remedy += "; a migration in place (--in-place) does not check values that stay as they are"
      }
      return violation
    }
  }

  /// The mandatory source attribute that an attribute is copied from, and the number of objects without a value for it.
  private func missingValues(
    copiedTo name: String, of entityName: String
  ) throws -> (entity: String, attribute: String, count: Int)? {
    for step in steps where step.complete.destinationEntityName == entityName {
      guard let sourceName = step.complete.sourceEntityName,
        let entity = manager.sourceModel.entity(named: sourceName),
        let copy = step.attributes.first(where: { $0.attribute.name == name }),
        let key = copy.mapping.valueExpression?.sourceKey,
        let attribute = manager.sourceModel.allAttributes(of: entity).first(where: { $0.name == key }),
        !manager.sourceModel.mayBeNil(attribute), let values = try source.count(of: key, entity: sourceName)
      else { continue }
      let count = (try source.objectCounts()[sourceName] ?? 0) - values
      if count > 0 { return (sourceName, key, count) }
    }
    return nil
  }
}
