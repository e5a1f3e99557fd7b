public import Foundation
import HeavyliftModel

/// A rule of the model that an object violates.
public struct ValidationError: Error, Hashable, Sendable {
  /// Core Data's error code.
  public enum Code: Int, Hashable, Sendable {
    /// A value has another type than its attribute.
    case valueOfWrongType = 1550
    /// A mandatory attribute or relationship is nil.
    case missingMandatoryProperty = 1570
    /// A relationship has fewer targets than its minimum.
    case relationshipLacksMinimumCount = 1580
    /// A relationship has more targets than its maximum.
    case relationshipExceedsMaximumCount = 1590
    /// The delete rule 'Deny' forbids deleting an object that still has targets.
    case relationshipDeniedDelete = 1600
    /// A number is above its attribute's maximum.
    case numberTooLarge = 1610
    /// A number is below its attribute's minimum.
    case numberTooSmall = 1620
    /// A date is after its attribute's maximum.
    case dateTooLate = 1630
    /// A date is before its attribute's minimum.
    case dateTooSoon = 1640
    /// A string has more characters than its attribute's maximum length.
    case stringTooLong = 1660
    /// A string has fewer characters than its attribute's minimum length.
    case stringTooShort = 1670
    /// A string does not match its attribute's regular expression.
    case stringPatternMismatch = 1680
    /// A relationship leads to an object that does not exist.
    case danglingLink = 133000
    /// Another object has the same values in the properties of a uniqueness constraint.
    case constraintViolated = 133021
  }

  /// The kind of rule.
  public var code: Code
  /// The object that violates the rule.
  public var objectID: ManagedObjectID
  /// The attribute, the relationship, or the properties of a constraint.
  public var propertyNames: [String]
  /// The problem and the model's rule; never the value itself.
  public var problem: String
  /// The change that would satisfy the rule.
  public var remedy: String
}

extension ValidationError: CustomStringConvertible {
  /// The object, the property and the problem, with the remedy on a line of its own.
  public var description: String {
    let object = "\(objectID.entityName)/\(objectID.isTemporary ? "t" : "p")\(objectID.key.magnitude)"
    let properties = propertyNames.map { "'\($0)'" }.joined(separator: ", ")
    return "\(object): error[\(code.rawValue)]: \(properties) \(problem)\n  \(remedy)"
  }
}

/// Every rule that the objects to be saved violate, thrown together. Core Data's code for several is 1560.
public struct ValidationErrors: Error, Hashable, Sendable {
  /// The errors, one for each violated rule of each object.
  public let errors: [ValidationError]

  /// Core Data's code: the only error's code, or 1560 for several errors.
  public var code: Int { errors.count == 1 ? errors[0].code.rawValue : 1560 }

  /// The maximum number of errors that a description lists in full; the rest are counted by entity and kind.
  static let mostListed = 20
}

extension ValidationErrors: CustomStringConvertible {
  /// The first errors in full, then the number of other errors of each kind.
  public var description: String {
    var lines = errors.prefix(Self.mostListed).map(\.description)
    if errors.count > Self.mostListed {
      struct Kind: Hashable {
        var entity: String
        var properties: [String]
        var code: Int
      }
      let counts = Dictionary(
        grouping: errors,
        by: { Kind(entity: $0.objectID.entityName, properties: $0.propertyNames, code: $0.code.rawValue) }
      ).mapValues(\.count)
      lines.append("\(errors.count.grouped) errors in total:")
      lines += counts.sorted {
        ($1.value, $0.key.entity, $0.key.properties.joined()) < ($0.value, $1.key.entity, $1.key.properties.joined())
      }
      .map { "  \($0.value.grouped) × \($0.key.entity).\($0.key.properties.joined(separator: "+")) [\($0.key.code)]" }
    }
    return lines.joined(separator: "\n")
  }
}

extension ValidationError: LocalizedError, CustomNSError {
  /// The object, the property and the problem.
  public var errorDescription: String? {
    "\(objectID.entityName)/p\(objectID.key.magnitude): \(propertyNames.quotedList) \(problem)"
  }
  /// The change that would satisfy the rule.
  public var recoverySuggestion: String? { remedy }
  /// The domain of Core Data's errors.
  public static var errorDomain: String { "NSCocoaErrorDomain" }
  /// Core Data's number.
  public var errorCode: Int { code.rawValue }
}

extension ValidationErrors: LocalizedError, CustomNSError {
  /// All violated rules.
  public var errorDescription: String? { errors.compactMap(\.errorDescription).joined(separator: "\n") }
  /// The change that would satisfy the first rule.
  public var recoverySuggestion: String? { errors.first?.remedy }
  /// The domain of Core Data's errors.
  public static var errorDomain: String { "NSCocoaErrorDomain" }
  /// Core Data's number.
  public var errorCode: Int { code }
}
