import HeavyliftModel

/// A rule of the model that an object violates.
public struct ValidationError: Error, Hashable, Sendable {
  /// Core Data's error code.
  public enum Code: Int, Hashable, Sendable {
    case valueOfWrongType = 1550
    case missingMandatoryProperty = 1570
    case relationshipLacksMinimumCount = 1580
    case relationshipExceedsMaximumCount = 1590
    case relationshipDeniedDelete = 1600
    case numberTooLarge = 1610
    case numberTooSmall = 1620
    case dateTooLate = 1630
    case dateTooSoon = 1640
    case stringTooLong = 1660
    case stringTooShort = 1670
    case stringPatternMismatch = 1680
    case constraintViolated = 133021
  }

  public var code: Code
  public var objectID: ManagedObjectID
  /// The attribute, the relationship, or the properties of a constraint.
  public var propertyNames: [String]
  /// The problem and the model's rule; never the value itself.
  public var problem: String
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
      lines.append("\(errors.count) errors in total:")
      lines += counts.sorted {
        ($1.value, $0.key.entity, $0.key.properties.joined()) < ($0.value, $1.key.entity, $1.key.properties.joined())
      }
      .map { "  \($0.value) × \($0.key.entity).\($0.key.properties.joined(separator: "+")) [\($0.key.code)]" }
    }
    return lines.joined(separator: "\n")
  }
}
