import HeavyliftModel
import HeavyliftSQLite

/// A rule of the model as a condition that SQL checks for all rows of an entity at once.
package struct RuleCondition {
  /// Core Data's error code.
  package var code: Int
  package var property: String
  /// An SQL condition that is true for the rows that violate the rule; the row's table is `t`.
  package var condition: String
  /// An SQL condition that is true if any row may violate the rule, and that an index makes faster than checking every
  /// row; nil if only a scan can tell.
  package var suspicion: String?
  package var problem: String
  package var remedy: String
  /// True for the rule that the objects that a relationship leads to exist.
  package var isOfLink: Bool { code == Self.referentialIntegrity }
}

extension RuleCondition {
  /// Core Data's error code for a link to an object that does not exist.
  private static let referentialIntegrity = 133_000

  /// Returns the rules for an entity's own and inherited properties.
  static func conditions(
    of entity: EntityDescription, layout: EntityLayout, in model: ManagedObjectModel
  ) -> [RuleCondition] {
    let (attributes, relationships) = (model.allAttributes(of: entity), model.allRelationships(of: entity))
    return layout.attributes.compactMap { column in
      attributes.first { $0.name == column.name }.flatMap { model.mayBeNil($0) ? nil : presence(of: $0, column) }
    }
      + layout.toOnes.flatMap { column in
        relationships.first { $0.name == column.name }.map { conditions(of: $0, column, layout) } ?? []
      }
      + layout.ownerColumns.map { ownership($0, of: layout) }
      + layout.toManys.flatMap { storage in
        relationships.first { $0.name == storage.name }.map { conditions(of: $0, storage) } ?? []
      }
  }

  private static func presence(of attribute: AttributeDescription, _ column: AttributeColumn) -> RuleCondition? {
    guard !attribute.isDerived else { return nil }
    return RuleCondition(
      code: ValidationError.Code.missingMandatoryProperty.rawValue, property: attribute.name,
      condition: column.leafColumns.map { "t.\($0.asSQLIdentifier) IS NULL" }.joined(separator: " AND "),
      problem: "is mandatory and has no value",
      remedy: attribute.defaultValue.isNull
        ? "give it a value, or make it optional or give it a default in the model"
        : "give it a value, or make it optional in the model: only new objects get the default")
  }

  /// For a to-many without an inverse: the rule that the owner to which a target's row refers must exist.
  private static func ownership(_ column: ToOneColumn, of layout: EntityLayout) -> RuleCondition {
    link(
      column, layout, problem: "has an owner that does not exist",
      remedy: "remove the object from the relationship before a policy deletes the owner")
  }

  private static func link(
    _ column: ToOneColumn, _ layout: EntityLayout, problem: String, remedy: String
  ) -> RuleCondition {
    let (bare, table) = (column.column.asSQLIdentifier, layout.tableName.asSQLIdentifier)
    let key = "t.\(bare)"
    return RuleCondition(
      code: referentialIntegrity, property: column.name,
      condition: "\(key) IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM \(column.destinationTableName.asSQLIdentifier) d WHERE d.Z_PK = \(key))",
      // Looks up each distinct target once, in the order in which the index yields them.
      suspicion:
        "EXISTS (SELECT 1 FROM (SELECT DISTINCT \(bare) AS target FROM \(table) WHERE \(bare) IS NOT NULL) k "
        + "WHERE NOT EXISTS (SELECT 1 FROM \(column.destinationTableName.asSQLIdentifier) d WHERE d.Z_PK = k.target))",
      problem: problem, remedy: remedy)
  }

  private static func conditions(
    of relationship: RelationshipDescription, _ column: ToOneColumn, _ layout: EntityLayout
  ) -> [RuleCondition] {
    let (bare, table) = (column.column.asSQLIdentifier, layout.tableName.asSQLIdentifier)
    let key = "t.\(bare)"
    var rules = [
      link(
        column, layout, problem: "refers to an object that does not exist",
        remedy: "do not link to objects that a policy deletes")
    ]
    if !relationship.isOptional {
      rules.append(
        RuleCondition(
          code: ValidationError.Code.missingMandatoryProperty.rawValue, property: relationship.name,
          condition: "\(key) IS NULL",
          suspicion: "EXISTS (SELECT 1 FROM \(table) WHERE \(bare) IS NULL)",
          problem: "is mandatory but has no target",
          remedy: "set it to an object, or make it optional in the model"))
    }
    return rules
  }

  private static func conditions(of relationship: RelationshipDescription, _ storage: ToManyStorage) -> [RuleCondition]
  {
    let (table, owner, target) = (
      storage.tableName.asSQLIdentifier, storage.ownerColumn.asSQLIdentifier, storage.targetColumn.asSQLIdentifier
    )
    var rules: [RuleCondition] = []
    if storage.kind == .joinTable {
      rules.append(
        RuleCondition(
          code: referentialIntegrity, property: relationship.name,
          condition: "EXISTS (SELECT 1 FROM \(table) j WHERE j.\(owner) = t.Z_PK AND NOT EXISTS "
            + "(SELECT 1 FROM \(storage.destinationTableName.asSQLIdentifier) d WHERE d.Z_PK = j.\(target)))",
          suspicion: "EXISTS (SELECT 1 FROM (SELECT DISTINCT \(target) AS target FROM \(table)) k WHERE NOT EXISTS "
            + "(SELECT 1 FROM \(storage.destinationTableName.asSQLIdentifier) d WHERE d.Z_PK = k.target))",
          problem: "refers to an object that does not exist", remedy: "do not link to objects that a policy deletes"))
    }
    let count =
      storage.isReflexive
      ? "(SELECT count(k) FROM (SELECT \(target) AS k FROM \(table) WHERE \(owner) = t.Z_PK "
        + "UNION SELECT \(owner) FROM \(table) WHERE \(target) = t.Z_PK))"
      : "(SELECT count(x.\(target)) FROM \(table) x WHERE x.\(owner) = t.Z_PK)"
    let minimum = relationship.minCount
    if minimum > 0 {
      rules.append(
        RuleCondition(
          code: ValidationError.Code.relationshipLacksMinimumCount.rawValue, property: relationship.name,
          // An optional relationship may always be empty.
          condition: "\(count) < \(minimum)" + (relationship.isOptional ? " AND \(count) > 0" : ""),
          problem: "leads to fewer than \(minimum) \(minimum == 1 ? "object" : "objects")",
          remedy: minimum > 1
            ? "set it to more objects, or lower the minimum in the model"
            : "set it to an object, or make it optional in the model"))
    }
    if relationship.maxCount > 1 {
      rules.append(
        RuleCondition(
          code: ValidationError.Code.relationshipExceedsMaximumCount.rawValue, property: relationship.name,
          condition: "\(count) > \(relationship.maxCount)",
          problem: "leads to more than \(relationship.maxCount) objects",
          remedy: "set it to fewer objects, or raise the maximum in the model"))
    }
    return rules
  }
}

extension PersistentStore {
  /// Returns the rules for rows of exactly that entity that SQL can check.
  package func ruleConditions(ofEntity name: String) -> [RuleCondition] { runtime.byName[name]?.rules ?? [] }
}
