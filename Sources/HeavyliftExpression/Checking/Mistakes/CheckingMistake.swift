/// A mistake found by the checker; `problem` and `remedy` put it in words.
package enum CheckingMistake: Hashable, Sendable {
  /// The probable intention behind an unknown key.
  package enum KeyHint: Hashable, Sendable {
    case known([String])
    /// A sub-entity has the key.
    case ofSubentity(String)
    /// The elements of a `SUBQUERY` have the key.
    case ofVariable(String)
    /// `FIRST`, `LAST` or `SIZE`, which have a meaning only in brackets.
    case symbolicIndex(String, isBare: Bool)
    case collectionOperator(String)
    /// A function without arguments whose parentheses are missing.
    case function(String)
    /// A string without quotes.
    case text(known: [String])
  }

  /// The probable intention behind a key without an object.
  package enum BareKeyHint: Hashable, Sendable {
    /// The same path, starting at a variable.
    case path(String)
    /// A string without quotes.
    case text
    case pathOrText(String)
  }

  /// The property that a value is for.
  package enum Property: Hashable, Sendable {
    case attribute(String, type: String)
    case relationship(String, entity: String?)
  }

  /// The kind of a value.
  package typealias Kind = ExpressionType.Kind

  /// A mistake that evaluation would also report.
  case evaluation(EvaluationMistake)

  // Names.
  case unknownProperty(String, entity: String, hint: KeyHint)
  case unknownKey(String, of: Kind, known: [String])
  case unknownCollectionOperator(String, known: [String])
  case unknownEntity(String, known: [String])
  case unknownEntityMapping(String, known: [String])
  case notARelationship(String, entity: String, isAttribute: Bool, known: [String])
  case bareKey(String, hint: BareKeyHint)
  case unknownVariable(String, known: [String])
  case noObject(place: ExpressionPlace)
  case unavailableVariable(String, place: ExpressionPlace, isAddMapping: Bool)
  case symbolicWord(String)
  case valuelessKey(String, entity: String, reason: String)
  case unfinishedDestination(String)

  // Operators.
  case operand(of: String, expected: String, found: Kind)
  case toMany(String, of: String, place: ToManyPlace)
  case incomparable(String, left: Kind, right: Kind)
  /// A composite is compared as a whole; `elements` are the paths of its elements.
  case wholeComposite(String, left: Kind, right: Kind, elements: [String])
  case unlikeCollections(String, Kind, Kind)
  case toManyComparedWithNil(String)
  case notQuantifiable(String, found: Kind)
  case severalToManyHops(String, String)
  case unordered(String, found: Kind)
  case branches(Kind, Kind)
  case alwaysNil(of: String)
  case neverHolds(String, NeverReason)
  /// `<=` or `>=` with nil on one side, which holds only if the other side is nil, too.
  case onlyNil(String)
  case uselessOptions(String)
  case reversedBounds
  case realDivisionByZero(String)
  case indexOutside(Int, count: Int?)
  case unusedSubqueryVariable(String)
  case shadowingVariable(String)
  case likePattern(LikeOddity)

  // Calls.
  case unknownSelector(String, receiver: Kind, known: [String])
  case argument(Int, of: String, expected: Kind, found: Kind)
  case argumentMayBeNil(Int, of: String, expected: Kind)
  case notCastable(Kind, to: String)
  case misplacedFetch(place: ExpressionPlace)
  case fetchForEveryObject(place: ExpressionPlace)
  case nested(code: String, problem: String, remedy: String?)

  // Values that do not suit the wanted property.
  case wrongValue(Property, found: Kind, conversion: String?)
  case convertedConstant(Property, found: Kind)
  case unconvertibleConstant(Property, found: Kind)
  case constantOutsideType(Property)
  case constantOutsideBounds(Property, BoundFlaw)
  case inexactConstant(Property)
  case maybeInexact(Property, found: Kind)
  case maybeNoTruth(Property, found: Kind)
  case integerDivision(Property)
  case nilForMandatory(Property)
  case mayBeNil(Property)
  case toManyForOne(Property, found: Kind)
  case oneForToMany(Property)
  case sourceObject(Property)
  case unrelatedObject(Property, found: String)
  case unmappedSource(mapping: String, of: String, found: String)
  case notStored(Property, reason: String)

  /// The reason why a comparison never holds.
  package enum NeverReason: Hashable, Sendable {
    case comparedWithNil
    case emptyText
    case emptyCollection
  }

  /// The position, in a comparison or a function, of a path that leads to many values.
  package enum ToManyPlace: Hashable, Sendable {
    case left
    /// Quantifiers are only allowed on the left.
    case right
    case operand
  }

  /// A suspicious detail of a `LIKE` pattern.
  package enum LikeOddity: Hashable, Sendable {
    case percent
    case brackets
    case regularExpression
    case trailingBackslash
    /// A backslash that the string literal drops: `"\d"` is the string `d`.
    case lostBackslash
  }

  /// The validation rule of the attribute that the value violates.
  package enum BoundFlaw: Hashable, Sendable {
    case belowMinimum
    case aboveMaximum
    case tooShort(Int)
    case tooLong(Int)
    case unmatched
  }
}
