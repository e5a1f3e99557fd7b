import HeavyliftModel

/// A rule of the destination's model that objects of one entity break.
public struct MigrationViolation: Hashable, Sendable {
  /// Core Data's number for the rule.
  public var code: MigrationError.Code
  /// Of the objects that break it.
  public var entityName: String
  /// The attribute, the relationship, or the properties of a constraint.
  public var propertyNames: [String]
  /// What is so and what the model asks for; never a value.
  public var problem: String
  /// What to do.
  public var remedy: String
  /// How many objects break the rule.
  public var count: Int
  /// The keys of the first ones.
  public var exampleKeys: [Int64]

  /// How many examples are kept.
  static let examples = 5
}

extension MigrationViolation: CustomStringConvertible {
  /// How many objects, which property, what is wrong, some keys, and on a line of its own the remedy.
  public var description: String {
    let properties = propertyNames.map { "'\($0)'" }.joined(separator: ", ")
    let keys = exampleKeys.map { "\(entityName)/p\($0)" }.joined(separator: ", ")
    let more = count > exampleKeys.count ? ", …" : ""
    return "error[\(code.rawValue)]: \(count) × \(entityName): \(properties) \(problem) (\(keys)\(more))\n  \(remedy)"
  }
}

/// Every rule of the destination's model that is broken, told together: by how many objects, and some of them.
public struct MigrationViolations: Error, Hashable, Sendable, CustomStringConvertible {
  /// Each rule that objects of an entity break, once.
  public let violations: [MigrationViolation]

  /// All of them, one below the other.
  public var description: String { violations.map(\.description).joined(separator: "\n") }

  /// Core Data's number: that of the only one, that of constraints if there is nothing else, or the one for several.
  public var code: MigrationError.Code {
    let codes = Set(violations.map(\.code))
    if codes == [.constraintViolation] { return .constraintViolation }
    return violations.count == 1 && violations[0].count == 1 ? violations[0].code : .validation
  }
}
