import HeavyliftExpression
import HeavyliftModel

/// A migration could not be completed; the source is as it was, and there is no destination.
///
/// ```swift
/// do {
///   try manager.migrateStore(from: old, to: new, with: mapping)
/// } catch let error as MigrationError where error.code == .entityMigrationPolicy {
///   print(error.occasion.mapping ?? "", error.underlying as? LibraryError)
/// }
/// ```
public struct MigrationError: Error {
  /// Core Data's number for the kind of mistake.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// Whatever has no number of its own.
    case migration = 134_110
    /// Objects that must differ do not.
    case constraintViolation = 134_111
    /// Somebody cancelled.
    case cancelled = 134_120
    /// The store is not of the source model.
    case missingSourceModel = 134_130
    /// No mapping model leads there.
    case missingMappingModel = 134_140
    /// The source cannot be read, or holds what cannot come along.
    case sourceStore = 134_150
    /// The destination cannot be written, or is there already.
    case destinationStore = 134_160
    /// A policy threw.
    case entityMigrationPolicy = 134_170
    /// A value is not of its attribute's type.
    case valueOfWrongType = 1550
    /// Several rules are broken, or one by several objects.
    case validation = 1560
    /// A mandatory attribute or relationship has nothing.
    case missingMandatoryProperty = 1570
    /// A relationship leads to too few objects.
    case relationshipLacksMinimumCount = 1580
    /// A relationship leads to too many objects.
    case relationshipExceedsMaximumCount = 1590
    /// A number is above its attribute's bound.
    case numberTooLarge = 1610
    /// A number is below its attribute's bound.
    case numberTooSmall = 1620
    /// A date is above its attribute's bound.
    case dateTooLate = 1630
    /// A date is below its attribute's bound.
    case dateTooSoon = 1640
    /// A text has more characters than its attribute allows.
    case stringTooLong = 1660
    /// A text has fewer characters than its attribute asks for.
    case stringTooShort = 1670
    /// A text does not match its attribute's pattern.
    case stringPatternMismatch = 1680
    /// A relationship leads to an object that is not there.
    case referentialIntegrity = 133_000
  }

  /// What the migration was doing.
  public struct Occasion: Hashable, Sendable {
    /// The entity mapping.
    public var mapping: String?
    /// The method of the policy that was running.
    public var hook: String?
    /// The destination property that was to be set.
    public var property: String?
    /// The object by entity and key: never its values.
    public var object: String?

    /// Creates an occasion out of what is known.
    public init(mapping: String? = nil, hook: String? = nil, property: String? = nil, object: String? = nil) {
      self.mapping = mapping
      self.hook = hook
      self.property = property
      self.object = object
    }
  }

  /// What kind of mistake it is.
  public var code: Code
  /// What the migration was doing.
  public var occasion: Occasion
  /// What is so, in lower case.
  public var problem: String
  /// What to do, where that is known.
  public var remedy: String?
  /// What was thrown, unchanged: a policy's own error, a failed expression, a store that cannot be read.
  public var underlying: (any Error)?

  /// Creates an error.
  public init(
    _ code: Code, occasion: Occasion = Occasion(), problem: String, remedy: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.occasion = occasion
    self.problem = problem
    self.remedy = remedy
    self.underlying = underlying
  }

  /// Wraps what was thrown, saying where; an error of a migration gains what it does not say yet.
  static func wrapping(_ error: any Error, _ code: Code, _ occasion: Occasion) -> MigrationError {
    if var known = error as? MigrationError {
      known.occasion.mapping = known.occasion.mapping ?? occasion.mapping
      known.occasion.hook = known.occasion.hook ?? occasion.hook
      known.occasion.object = known.occasion.object ?? occasion.object
      known.occasion.property = known.occasion.property ?? occasion.property
      return known
    }
    switch error {
    case let error as ExpressionEvaluationError:
      let told = error.diagnostic
      return MigrationError(
        code, occasion: occasion, problem: told.problem, remedy: told.remedy, underlying: error.underlying ?? error)
    case let error as Diagnostic:
      return MigrationError(code, occasion: occasion, problem: error.problem, remedy: error.remedy, underlying: error)
    default:
      return MigrationError(code, occasion: occasion, problem: "\(error)", underlying: error)
    }
  }
}

extension MigrationError: CustomStringConvertible {
  /// The error as all mistakes are told.
  public var diagnostic: Diagnostic {
    let parts = [
      occasion.mapping.map { "entity mapping '\($0)'" }, occasion.hook.map { "in '\($0)'" },
      occasion.property.map { "property '\($0)'" }, occasion.object.map { "object '\($0)'" },
    ].compactMap(\.self)
    let place = parts.isEmpty ? "" : parts.joined(separator: ", ") + ": "
    return Diagnostic(.error, code: "migration.\(code.rawValue)", problem: place + problem, remedy: remedy)
  }

  /// The place, the problem, and on a line of its own the remedy.
  public var description: String { diagnostic.description }
}
