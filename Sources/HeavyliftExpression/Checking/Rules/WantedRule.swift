import HeavyliftModel

extension ExpressionInspector {
  /// Checks if a value fits its property, separately for each branch of a `TERNARY`.
  mutating func check(_ facts: ExpressionFacts, suits wanted: CheckingEnvironment.Wanted) {
    for outcome in facts.outcomes {
      switch wanted {
      case .attribute(let attribute): check(outcome, suits: attribute)
      case .relationship(let relationship): check(outcome, suits: relationship)
      }
    }
    let range = facts.outcomes.first?.expression.range ?? SourceRange()
    switch wanted {
    case .attribute(let attribute) where attribute.isTransient:
      report(.notStored(wanted.property, reason: "is transient: its value is not stored"), at: range)
    case .attribute(let attribute) where attribute.isRecomputed:
      report(.notStored(wanted.property, reason: "is derived: the store computes its value"), at: range)
    case .relationship(let relationship) where relationship.isTransient:
      report(.notStored(wanted.property, reason: "is transient: its value is not stored"), at: range)
    default: break
    }
  }

  /// Reports nil for a mandatory property; returns true if there is nothing more to report.
  private mutating func checkNil(
    _ outcome: ExpressionFacts.Outcome, isOptional: Bool, _ property: CheckingMistake.Property
  ) -> Bool {
    let kind = outcome.type.kind
    if kind == .null {
      if !isOptional { report(.nilForMandatory(property), at: outcome.expression.range) }
      return true
    }
    return kind == .any
  }

  /// Reports a value that may be nil, unless there is a more serious mistake.
  private mutating func checkNullable(
    _ outcome: ExpressionFacts.Outcome, isOptional: Bool, _ property: CheckingMistake.Property, findingsBefore: Int
  ) {
    if isOptional || !outcome.type.isNullable || outcome.type.kind == .any || outcome.type.kind == .null { return }
    if findings.count == findingsBefore { report(.mayBeNil(property), at: outcome.expression.range) }
  }

  // MARK: Attributes

  private mutating func check(_ outcome: ExpressionFacts.Outcome, suits attribute: AttributeDescription) {
    let property = CheckingMistake.Property(attribute)
    let (isOptional, before) = (attribute.isOptional || attribute.isDerived, findings.count)
    if checkNil(outcome, isOptional: isOptional, property) { return }
    defer { checkNullable(outcome, isOptional: isOptional, property, findingsBefore: before) }
    let (kind, range) = (outcome.type.kind, outcome.expression.range)
    if attribute.type == .undefined { return }
    checkDivision(outcome, attribute, property)
    if let constant = outcome.constant, let value = Value(constant) {
      checkConstant(value, kind, attribute, property, at: range)
      return
    }
    // A policy can archive a collection as a transformable value, so it is not a mistake about the number of values.
    if kind.isCollection, attribute.type != .transformable {
      report(.toManyForOne(property, found: kind), at: range)
      return
    }
    switch AttributeFit(kind, attribute.type) {
    case .fits: break
    // The kind is uncertain until the other mistakes are fixed.
    case .perhaps where hasErrors: break
    case .perhaps where attribute.type == .boolean: report(.maybeNoTruth(property, found: kind), at: range)
    case .perhaps:
      if !isRounded(outcome.expression) { report(.maybeInexact(property, found: kind), at: range) }
    case .never: report(.wrongValue(property, found: kind, conversion: attribute.type.conversion(of: kind)), at: range)
    }
  }

  /// Reports a quotient of integers if the property could store its fraction.
  private mutating func checkDivision(
    _ outcome: ExpressionFacts.Outcome, _ attribute: AttributeDescription, _ property: CheckingMistake.Property
  ) {
    guard [.double, .float, .decimal].contains(attribute.type), outcome.type.kind == .integer,
      case .function(.divide, let operands) = outcome.expression.kind, operands.count == 2
    else { return }
    // A quotient such as `4 / 4` has no fraction to lose.
    if case .integer(let left)? = integer(operands[0]), case .integer(let right)? = integer(operands[1]), right != 0,
      left.isMultiple(of: right)
    {
      return
    }
    report(.integerDivision(property), at: outcome.expression.range)
  }

  private func integer(_ expression: MappingExpression) -> Value? {
    if case .constant(.value(let value)) = expression.kind { value } else { nil }
  }

  /// Returns true if the value is a number without a fraction, even if it is not of an integer type.
  private func isRounded(_ expression: MappingExpression) -> Bool {
    guard case .function(let function, let arguments) = expression.kind else { return false }
    switch function {
    case .floor, .ceiling, .truncate: return true
    case .absolute:
      // A copy, so that mistakes in the argument, which were already reported, are not reported again.
      var other = self
      return arguments.allSatisfy { isRounded($0) || other.inspect($0).kind.isWhole }
    default: return false
    }
  }

  private mutating func checkConstant(
    _ value: Value, _ kind: ExpressionType.Kind, _ attribute: AttributeDescription,
    _ property: CheckingMistake.Property, at range: SourceRange
  ) {
    switch ConstantFit(value, attribute.type) {
    case .fits(let held): checkBounds(held, attribute, property, at: range)
    case .converted(let held):
      report(.convertedConstant(property, found: kind), at: range)
      checkBounds(held, attribute, property, at: range)
    case .inexact: report(.inexactConstant(property), at: range)
    case .outOfRange: report(.constantOutsideType(property), at: range)
    case .never:
      let conversion =
        kind == .string && attribute.type.isNumeric || attribute.type == .string && kind.isNumeric
        ? nil : attribute.type.conversion(of: kind)
      report(
        conversion == nil && (attribute.type.isNumeric || attribute.type == .string)
          ? .unconvertibleConstant(property, found: kind)
          : .wrongValue(property, found: kind, conversion: conversion), at: range)
    }
  }

  private mutating func checkBounds(
    _ value: Value, _ attribute: AttributeDescription, _ property: CheckingMistake.Property, at range: SourceRange
  ) {
    if let flaw = CheckingMistake.BoundFlaw(value, attribute) {
      report(.constantOutsideBounds(property, flaw), at: range)
    }
  }

  // MARK: Relationships

  private mutating func check(_ outcome: ExpressionFacts.Outcome, suits relationship: RelationshipDescription) {
    let property = CheckingMistake.Property(relationship)
    let (kind, range) = (outcome.type.kind, outcome.expression.range)
    let (isOptional, before) = (relationship.isOptional || relationship.isToMany, findings.count)
    if checkNil(outcome, isOptional: isOptional, property) { return }
    defer { checkNullable(outcome, isOptional: isOptional, property, findingsBefore: before) }
    if relationship.isToMany, kind.element == nil, case .object = kind { report(.oneForToMany(property), at: range) }
    // The manager always returns an array; a to-one relationship takes its only object.
    if !relationship.isToMany, kind.isCollection, !outcome.expression.isManagerCall {
      report(.toManyForOne(property, found: kind), at: range)
    }
    switch kind.element ?? kind {
    case .any, .null: break
    case .object(_, .source): report(.sourceObject(property), at: range)
    case .object(let entity, .destination):
      guard let wanted = relationship.destinationEntityName, let model = environment.model(.destination),
        !model.areRelated(entity, wanted)
      else { break }
      report(.unrelatedObject(property, found: entity), at: range)
    default:
      let conversion = "name source objects with 'from', or create objects in an entity policy"
      report(.wrongValue(property, found: kind, conversion: conversion), at: range)
    }
  }
}

extension MappingExpression {
  fileprivate var isManagerCall: Bool {
    if case .call(let receiver, _, _) = kind, case .variable("manager") = receiver.kind { true } else { false }
  }
}

extension CheckingEnvironment.Wanted {
  fileprivate var property: CheckingMistake.Property {
    switch self {
    case .attribute(let attribute): CheckingMistake.Property(attribute)
    case .relationship(let relationship): CheckingMistake.Property(relationship)
    }
  }
}

extension CheckingMistake.Property {
  fileprivate init(_ attribute: AttributeDescription) {
    self = .attribute(attribute.name, type: attribute.type.modelName)
  }

  fileprivate init(_ relationship: RelationshipDescription) {
    self = .relationship(relationship.name, entity: relationship.destinationEntityName)
  }
}
