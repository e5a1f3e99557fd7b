import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// A rule of the model for one property of an entity.
package struct PropertyRule: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// The property has a value or a target.
    case presence
    /// An integer is within its bounds.
    case bounds
    /// The targets of the relationship exist.
    case link
  }

  package var kind: Kind
  package var property: String

  package init(_ kind: Kind, _ property: String) { (self.kind, self.property) = (kind, property) }
}

/// The rules for a column's value that can be checked while its row is written.
struct ColumnRule: Sendable {
  let rules: [PropertyRule]
  let isMandatory: Bool
  /// The bounds of integers.
  let bounds: ClosedRange<Int64>?

  /// Returns true if a column with such a value obeys the rules.
  ///
  /// - Parameter integer: The value, if it is an integer.
  func allows(_ type: SQLiteType, integer: Int64) -> Bool {
    switch type {
    case .null: !isMandatory
    case .integer: bounds?.contains(integer) ?? true
    case .real, .text, .blob: bounds == nil
    }
  }

  /// Returns true if a column with such a value obeys the rules.
  func allows(_ value: SQLValue) -> Bool {
    switch value {
    case .null: !isMandatory
    case .integer(let number): bounds?.contains(number) ?? true
    case .real, .text, .blob: bounds == nil
    }
  }

  /// Returns true if the column obeys the rules once an attribute's value is stored in it.
  func allows(_ value: Value) -> Bool {
    switch value {
    case .null: !isMandatory
    case .integer(let number): bounds?.contains(number) ?? true
    // SQLite stores NaN as NULL.
    case .double(let number) where number.isNaN: !isMandatory
    case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN: !isMandatory
    default: bounds == nil
    }
  }
}

extension ColumnRule {
  /// Returns nil for an attribute without such rules.
  init?(_ attribute: EntityRuntime.Attribute) {
    (isMandatory, bounds) = (
      !attribute.description.isOptional && !attribute.description.isDerived, attribute.integerBounds
    )
    let kinds = [isMandatory ? PropertyRule.Kind.presence : nil, bounds == nil ? nil : .bounds].compactMap(\.self)
    rules = kinds.map { PropertyRule($0, attribute.description.name) }
    if rules.isEmpty { return nil }
  }

  /// Returns nil for an optional relationship.
  init?(_ toOne: EntityRuntime.ToOne) {
    guard !toOne.description.isOptional else { return nil }
    (rules, isMandatory, bounds) = ([PropertyRule(.presence, toOne.description.name)], true, nil)
  }
}

extension EntityRuntime.Attribute {
  /// The integers that the attribute allows, if bounds are its only rules and all of them are integers; otherwise nil.
  var integerBounds: ClosedRange<Int64>? {
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
