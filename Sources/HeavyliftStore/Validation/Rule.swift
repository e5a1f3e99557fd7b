import HeavyliftModel
import HeavyliftSQLite

/// A violation of a rule, as Core Data's error code, the problem and the remedy.
package struct Finding: Hashable, Sendable {
  package var code: ValidationError.Code
  package var problem: String
  package var remedy: String
}

/// A rule of the model as a condition that SQL checks for all rows of an entity at once. When an object is saved,
/// `AttributeValidator` and the context check the same rules, with the same findings.
package struct Rule {
  package var property: String
  /// An SQL condition that is true for the rows that violate the rule; the row's table is `t`.
  package var condition: String
  /// An SQL condition that is true if any row may violate the rule, and that an index makes faster than checking every
  /// row; nil if only a scan can tell.
  package var suspicion: String?
  /// The violation; nil if the values must be decoded to find out what is wrong with them.
  package var finding: Finding?
  /// True for the rule that the objects that a relationship leads to exist.
  package var isOfLink: Bool { finding?.code == .danglingLink }
}

extension AttributeDescription {
  /// The finding about a mandatory attribute without a value.
  var missingValue: Finding {
    Finding(
      code: .missingMandatoryProperty, problem: "is mandatory and has no value",
      remedy: defaultValue.isNull
        ? "give it a value, or make it optional or give it a default in the model"
        : "give it a value, or make it optional in the model: only new objects get the default")
  }
}

extension RelationshipDescription {
  /// The finding about a mandatory to-one relationship without a target.
  static let missingTarget = Finding(
    code: .missingMandatoryProperty, problem: "is mandatory but has no target",
    remedy: "set it to an object, or make it optional in the model")

  /// The finding about too few targets; nil if any number is enough.
  var tooFewTargets: Finding? {
    guard minCount > 0 else { return nil }
    return Finding(
      code: .relationshipLacksMinimumCount, problem: "leads to fewer than \(minCount.counted(as: "object"))",
      remedy: minCount > 1
        ? "set it to more objects, or lower the minimum in the model"
        : "set it to an object, or make it optional in the model")
  }

  /// The finding about too many targets; nil if there is no limit.
  var tooManyTargets: Finding? {
    guard maxCount > 1 else { return nil }
    return Finding(
      code: .relationshipExceedsMaximumCount, problem: "leads to more than \(maxCount) objects",
      remedy: "set it to fewer objects, or raise the maximum in the model")
  }
}

extension Rule {
  /// Returns the rules for an entity's own and inherited properties.
  static func rules(of entity: EntityRuntime, in model: ManagedObjectModel) -> [Rule] {
    let (layout, relationships) = (entity.layout, model.allRelationships(of: entity.description))
    return entity.attributes.flatMap { attribute -> [Rule] in
      guard let column = attribute.column, !attribute.isDerived else { return [] }
      return [
        model.mayBeNil(attribute.description) ? nil : presence(of: attribute.description, column),
        attribute.integerBounds.map { bounds($0, column) },
      ].compactMap(\.self)
    }
      + layout.toOnes.flatMap { column in
        relationships.first { $0.name == column.name }.map { rules(of: $0, column, layout) } ?? []
      }
      + layout.ownerColumns.map { ownership($0, of: layout) }
      + layout.toManys.flatMap { storage in
        relationships.first { $0.name == storage.name }.map { rules(of: $0, storage) } ?? []
      }
  }

  private static func presence(of attribute: AttributeDescription, _ column: AttributeColumn) -> Rule {
    Rule(
      property: attribute.name,
      condition: column.leafColumns.map { "t.\($0.asSQLIdentifier) IS NULL" }.joined(separator: " AND "),
      finding: attribute.missingValue)
  }

  private static func bounds(_ bounds: ClosedRange<Int64>, _ column: AttributeColumn) -> Rule {
    // Texts and blobs are greater than all numbers. `typeof` would take longer than all other conditions.
    Rule(
      property: column.name,
      condition: "t.\(column.column.asSQLIdentifier) NOT BETWEEN \(bounds.lowerBound) AND \(bounds.upperBound)")
  }

  /// For a to-many without an inverse: the rule that the owner to which a target's row refers must exist.
  private static func ownership(_ column: ToOneColumn, of layout: EntityLayout) -> Rule {
    link(
      column, layout, problem: "has an owner that does not exist",
      remedy: "remove the object from the relationship before a policy deletes the owner")
  }

  private static func link(
    _ column: ToOneColumn, _ layout: EntityLayout, problem: String, remedy: String
  ) -> Rule {
    let (bare, table) = (column.column.asSQLIdentifier, layout.tableName.asSQLIdentifier)
    let key = "t.\(bare)"
    return Rule(
      property: column.name,
      condition: "\(key) IS NOT NULL AND NOT EXISTS "
        + "(SELECT 1 FROM \(column.destinationTableName.asSQLIdentifier) d WHERE d.Z_PK = \(key))",
      // Looks up each distinct target once, in the order in which the index yields them.
      suspicion:
        "EXISTS (SELECT 1 FROM (SELECT DISTINCT \(bare) AS target FROM \(table) WHERE \(bare) IS NOT NULL) k "
        + "WHERE NOT EXISTS (SELECT 1 FROM \(column.destinationTableName.asSQLIdentifier) d WHERE d.Z_PK = k.target))",
      finding: Finding(code: .danglingLink, problem: problem, remedy: remedy))
  }

  private static func rules(
    of relationship: RelationshipDescription, _ column: ToOneColumn, _ layout: EntityLayout
  ) -> [Rule] {
    let (bare, table) = (column.column.asSQLIdentifier, layout.tableName.asSQLIdentifier)
    let key = "t.\(bare)"
    var rules = [
      link(
        column, layout, problem: "refers to an object that does not exist",
        remedy: "do not link to objects that a policy deletes")
    ]
    if !relationship.isOptional {
      rules.append(
        Rule(
          property: relationship.name, condition: "\(key) IS NULL",
          suspicion: "EXISTS (SELECT 1 FROM \(table) WHERE \(bare) IS NULL)",
          finding: RelationshipDescription.missingTarget))
    }
    return rules
  }

  private static func rules(of relationship: RelationshipDescription, _ storage: ToManyStorage) -> [Rule] {
    let (table, owner, target) = (
      storage.tableName.asSQLIdentifier, storage.ownerColumn.asSQLIdentifier, storage.targetColumn.asSQLIdentifier
    )
    var rules: [Rule] = []
    if storage.kind == .joinTable {
      rules.append(
        Rule(
          property: relationship.name,
          condition: "EXISTS (SELECT 1 FROM \(table) j WHERE j.\(owner) = t.Z_PK AND NOT EXISTS "
            + "(SELECT 1 FROM \(storage.destinationTableName.asSQLIdentifier) d WHERE d.Z_PK = j.\(target)))",
          suspicion: "EXISTS (SELECT 1 FROM (SELECT DISTINCT \(target) AS target FROM \(table)) k WHERE NOT EXISTS "
            + "(SELECT 1 FROM \(storage.destinationTableName.asSQLIdentifier) d WHERE d.Z_PK = k.target))",
          finding: Finding(
            code: .danglingLink, problem: "refers to an object that does not exist",
            remedy: "do not link to objects that a policy deletes")))
    }
    let count =
      storage.isReflexive
      ? "(SELECT count(k) FROM (SELECT \(target) AS k FROM \(table) WHERE \(owner) = t.Z_PK "
        + "UNION SELECT \(owner) FROM \(table) WHERE \(target) = t.Z_PK))"
      : "(SELECT count(x.\(target)) FROM \(table) x WHERE x.\(owner) = t.Z_PK)"
    if let finding = relationship.tooFewTargets {
      // An optional relationship may always be empty.
      let isFilled = relationship.isOptional ? " AND \(count) > 0" : ""
      rules.append(
        Rule(
          property: relationship.name, condition: "\(count) < \(relationship.minCount)\(isFilled)", finding: finding))
    }
    if let finding = relationship.tooManyTargets {
      rules.append(
        Rule(property: relationship.name, condition: "\(count) > \(relationship.maxCount)", finding: finding))
    }
    return rules
  }
}

extension PersistentStore {
  /// Returns the rules for rows of exactly that entity that SQL can check.
  package func rules(ofEntity name: String) -> [Rule] { runtime.byName[name]?.rules ?? [] }
}

extension EntityRuntime.Attribute {
  /// The integers that the attribute allows, if bounds are its only rules and all of them are integers; otherwise nil.
  fileprivate var integerBounds: ClosedRange<Int64>? {
    let validation = description.validation
    guard let range = type.integerRange, type != .boolean, type != .integer64, validation.minimumLength == nil,
      validation.maximumLength == nil, validation.regularExpression == nil,
      validation.minimum.isNull || validation.minimum.integer != nil,
      validation.maximum.isNull || validation.maximum.integer != nil
    else { return nil }
    let low = max(range.lowerBound, validation.minimum.integer ?? range.lowerBound)
    let high = min(range.upperBound, validation.maximum.integer ?? range.upperBound)
    return low <= high ? low...high : nil
  }
}
