import HeavyliftModel

/// A validation rule of the destination's model that objects of one entity violate.
public struct MigrationViolation: Hashable, Sendable {
  /// The Core Data error number for the rule.
  public var code: MigrationError.Code
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
  public var code: MigrationError.Code {
    let codes = Set(violations.map(\.code))
    if codes == [.constraintViolation] { return .constraintViolation }
    return violations.count == 1 && violations[0].count == 1 ? violations[0].code : .validation
  }
}
