public import Foundation
import HeavyliftExpression
import HeavyliftModel

/// An error that stopped a migration. The source is unchanged, and there is no destination.
///
/// ```swift
/// do {
///   try manager.migrateStore(from: old, to: new, with: mapping)
/// } catch let error as HopError where error.code == .entityMigrationPolicy {
///   print(error.place.mapping ?? "", error.underlying as? LibraryError)
/// }
/// ```
public struct HopError: Error {
  /// Core Data's error numbers.
  public enum Code: Int, Hashable, Sendable, CaseIterable {
    /// An error without a more specific number.
    case migration = 134_110
    /// Objects that must be unique are not.
    case constraintViolation = 134_111
    /// The migration was cancelled.
    case cancelled = 134_120
    /// The store does not match the source model.
    case missingSourceModel = 134_130
    /// The mapping model for this migration is missing.
    case missingMappingModel = 134_140
    /// The source cannot be read, or contains something that cannot be migrated.
    case sourceStore = 134_150
    /// The destination cannot be written, or exists already.
    case destinationStore = 134_160
    /// A migration policy threw an error.
    case entityMigrationPolicy = 134_170
    /// A value does not have its attribute's type.
    case valueOfWrongType = 1550
    /// Several validation rules are violated, or one rule is violated by several objects.
    case validation = 1560
    /// A mandatory attribute or relationship has no value.
    case missingMandatoryProperty = 1570
    /// A relationship has too few objects.
    case relationshipLacksMinimumCount = 1580
    /// A relationship has too many objects.
    case relationshipExceedsMaximumCount = 1590
    /// An object was deleted although a relationship with the delete rule "Deny" refers to other objects.
    case relationshipDeniedDelete = 1600
    /// A number is greater than its attribute's maximum.
    case numberTooLarge = 1610
    /// A number is less than its attribute's minimum.
    case numberTooSmall = 1620
    /// A date is later than its attribute's maximum.
    case dateTooLate = 1630
    /// A date is earlier than its attribute's minimum.
    case dateTooSoon = 1640
    /// A string is longer than its attribute's maximum length.
    case stringTooLong = 1660
    /// A string is shorter than its attribute's minimum length.
    case stringTooShort = 1670
    /// A string does not match its attribute's regular expression.
    case stringPatternMismatch = 1680
    /// A relationship points to a missing object.
    case referentialIntegrity = 133_000
  }

  /// The part of the migration that failed.
  public struct Place: Hashable, Sendable {
    /// The entity mapping.
    public var mapping: String?
    /// The policy method or the stage's handler that was running.
    public var hook: String?
    /// The destination property that was being set.
    public var property: String?
    /// The object, by entity and key; never its values.
    public var object: String?
    /// The stage, in words.
    public var stage: String?

    /// Creates an place from the parts that are known.
    public init(
      mapping: String? = nil, hook: String? = nil, property: String? = nil, object: String? = nil,
      stage: String? = nil
    ) {
      self.stage = stage
      self.mapping = mapping
      self.hook = hook
      self.property = property
      self.object = object
    }
  }

  /// The kind of error.
  public var code: Code
  /// The part of the migration that failed.
  public var place: Place
  /// The problem, starting in lower case.
  public var problem: String
  /// The remedy, if one is known.
  public var remedy: String?
  /// The original error, unchanged: a policy's own error, a failed expression, or a store that cannot be read.
  public var underlying: (any Error)?

  /// Creates an error.
  public init(
    _ code: Code, place: Place = Place(), problem: String, remedy: String? = nil,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.place = place
    self.problem = problem
    self.remedy = remedy
    self.underlying = underlying
  }

  /// Returns a migration error with the given code and place. An error that is already a migration error keeps its
  /// code, and gains only the parts of the place that it lacks.
  package static func wrapping(_ error: any Error, _ code: Code, _ place: Place) -> HopError {
    if var known = error as? HopError {
      known.place.mapping = known.place.mapping ?? place.mapping
      known.place.hook = known.place.hook ?? place.hook
      known.place.object = known.place.object ?? place.object
      known.place.property = known.place.property ?? (known.isOfRow ? nil : place.property)
      known.place.stage = known.place.stage ?? place.stage
      return known
    }
    switch error {
    case let error as ExpressionEvaluationError:
      let diagnostic = error.diagnostic
      return HopError(
        code, place: place, problem: diagnostic.problem, remedy: diagnostic.remedy,
        underlying: error.underlying ?? error)
    case let error as Diagnostic:
      var wrapped = HopError(
        code, place: place, problem: error.problem, remedy: error.remedy, underlying: error)
      if wrapped.isOfRow { wrapped.place.property = nil }
      return wrapped
    default:
      return HopError(code, place: place, problem: "\(error)", underlying: error)
    }
  }
}

extension HopError {
  /// True if a row could not be read, whichever of its properties was wanted. The problem names the property with the
  /// invalid value.
  fileprivate var isOfRow: Bool { (underlying as? Diagnostic)?.code == "store.bad-value" }
}

extension HopError: CustomStringConvertible {
  /// The error as a diagnostic.
  public var diagnostic: Diagnostic {
    let parts = [
      place.stage, place.mapping.map { "entity mapping '\($0)'" }, place.hook.map { "in '\($0)'" },
      place.property.map { "property '\($0)'" }, place.object.map { "object '\($0)'" },
    ].compactMap(\.self)
    let start = parts.isEmpty ? "" : parts.joined(separator: ", ") + ": "
    return Diagnostic(.error, code: "migration.\(code.rawValue)", problem: start + problem, remedy: remedy)
  }

  /// The place and the problem, and the remedy on a line of its own.
  public var description: String { diagnostic.description }
}

extension HopError: LocalizedError, CustomNSError {
  /// The place and the problem.
  public var errorDescription: String? { diagnostic.problem }
  /// The remedy, if one is known.
  public var recoverySuggestion: String? { remedy }
  /// The domain of Core Data's errors.
  public static var errorDomain: String { "NSCocoaErrorDomain" }
  /// Core Data's number.
  public var errorCode: Int { code.rawValue }
  /// The texts, and the underlying error.
  public var errorUserInfo: [String: Any] {
    var info: [String: Any] = [NSLocalizedDescriptionKey: diagnostic.problem]
    info[NSLocalizedRecoverySuggestionErrorKey] = remedy
    info[NSUnderlyingErrorKey] = underlying
    return info
  }
}
