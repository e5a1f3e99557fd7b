import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// A validation rule of the destination's model that objects of one entity violate.
public struct MigrationViolation: Hashable, Sendable {
  /// The Core Data error number for the rule.
  public var code: HopError.Code
  /// The entity of the objects that violate the rule.
  public var entityName: String
  /// The attribute, the relationship, or the properties of a uniqueness constraint.
  public var propertyNames: [String]
  /// The problem and the rule in the model; never a value from the store.
  public var problem: String
  /// The remedy.
  public var remedy: String
  /// The number of objects that violate the rule.
  public var count: Int
  /// The primary keys of the first few of these objects.
  public var exampleKeys: [Int64]

  /// The maximum number of examples.
  static let examples = 5
}

extension MigrationViolation: CustomStringConvertible {
  /// The number of objects, the property, the problem, example keys, and the remedy on a line of its own.
  public var description: String {
    let properties = propertyNames.map { "'\($0)'" }.joined(separator: ", ")
    let keys = exampleKeys.map { "\(entityName)/p\($0)" }.joined(separator: ", ")
    let more = count > exampleKeys.count ? ", …" : ""
    return "error[\(code.rawValue)]: \(count.grouped) × \(entityName): \(properties) \(problem) (\(keys)\(more))\n"
      + "  \(remedy)"
  }
}

/// All violated validation rules of the destination's model, each with a count and example objects.
public struct MigrationViolations: Error, Hashable, Sendable, CustomStringConvertible {
  /// One violation for each rule and entity.
  public let violations: [MigrationViolation]

  /// All violations, one after another.
  public var description: String { violations.map(\.description).joined(separator: "\n") }

  /// The Core Data error number: that of the only violation, that of uniqueness constraints if only those are violated,
  /// or the number for multiple errors.
  public var code: HopError.Code {
    let codes = Set(violations.map(\.code))
    if codes == [.constraintViolation] { return .constraintViolation }
    return violations.count == 1 && violations[0].count == 1 ? violations[0].code : .validation
  }
}

extension MigrationRun {
  /// False if each link was written by a statement, which looks its objects up, and no object was deleted since.
  var mayHaveDanglingLinks: Bool {
    // A policy may associate an object of any entity.
    if associations.hasRecorded || destinationContext.hasDeleted || destinationContext.changedRelationships != nil {
      return true
    }
    let layout = stores.destination.layout
    return plan.steps.contains { step in
      guard let owner = layout.entity(named: step.destinationEntityName) else { return false }
      return step.relationshipPlans.contains { link in
        let table =
          owner.toOne(named: link.name)?.destinationTableName ?? owner.toMany(named: link.name)?.destinationTableName
        // The key of an object in another table would lead to the wrong object.
        return link.targets.contains { mappingIndex in
          layout.entity(named: steps[mappingIndex].complete.destinationEntityName)?.tableName != table
        }
      }
    }
  }

  /// Returns the deletions that the delete rule "Deny" forbids.
  func deletionsAgainstRules() throws -> [MigrationViolation] {
    try destinationContext.deletionsAgainstRules().map { deletions in
      MigrationViolation(
        code: .relationshipDeniedDelete, entityName: deletions.entityName,
        propertyNames: [deletions.relationshipName],
        problem: "prevents the deletion of an object while it refers to others",
        remedy: "first delete the objects that it refers to, or remove them from the relationship",
        count: deletions.keys.count, exampleKeys: Array(deletions.keys.prefix(MigrationViolation.examples)))
    }
  }
}

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
