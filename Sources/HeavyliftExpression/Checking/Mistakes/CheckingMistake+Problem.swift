import HeavyliftModel

extension CheckingMistake {
  /// The problem in lowercase, starting with the thing that is wrong.
  package var problem: String {
    switch self {
    case .evaluation(let mistake): mistake.problem
    case .nested(_, let problem, _): problem

    case .unknownProperty(let key, let entity, _): "entity \(entity.quotedName) has no property \(key.quotedName)"
    case .unknownKey(let key, let kind, _): "\(kind) has no key \(key.quotedName)"
    case .unknownCollectionOperator(let name, _): "there is no collection operator \(name.quotedName)"
    case .unknownEntity(let name, _): "there is no source entity \(name.quotedName)"
    case .unknownEntityMapping(let name, _): "there is no entity mapping \(name.quotedName)"
    case .notARelationship(let name, let entity, let isAttribute, _):
      isAttribute
        ? "attribute \(name.quotedName) of entity \(entity.quotedName) is not a relationship"
        : "entity \(entity.quotedName) has no relationship \(name.quotedName)"
    case .bareKey(let path, _): "key path \(path) does not start at an object"
    case .unknownVariable(let name, _): "there is no variable '$\(name)'"
    case .noObject(let place): "'SELF' has no meaning in \(place.description)"
    case .unavailableVariable(let name, let place, let isAddMapping):
      isAddMapping
        ? "variable '$\(name)' has no value, because the entity mapping has no \(name) entity"
        : "variable '$\(name)' has no value in \(place.description)"
    case .symbolicWord(let word): "'\(word)' is a key here, because it is not in brackets"
    case .valuelessKey(let key, let entity, let reason):
      "property \(key.quotedName) of entity \(entity.quotedName) \(reason)"
    case .unfinishedDestination(let path): "\(path) may not have its value yet: the object is still being created"

    case .operand(let operation, let expected, let found): "'\(operation)' needs \(expected), but gets \(found)"
    case .toMany(let path, let operation, _): "\(path) has many values, but '\(operation)' takes one"
    case .incomparable(let comparator, let left, let right), .wholeComposite(let comparator, let left, let right, _):
      "'\(comparator)' cannot compare \(left) with \(right)"
    case .unlikeCollections(let operation, let left, let right):
      "'\(operation)' gets \(left) and \(right), which cannot have any elements in common"
    case .toManyComparedWithNil(let path): "\(path) is never nil: it is a collection, which can be empty"
    case .notQuantifiable(let quantifier, let found): "the left side of '\(quantifier)' is \(found), not a collection"
    case .severalToManyHops(let path, let quantifier):
      "\(path) goes through several collections, but '\(quantifier)' can search only one"
    case .unordered(let index, let found): "'\(index)' needs an order, but \(found) has none"
    case .branches(let first, let second): "the branches of 'TERNARY' have different types: \(first) and \(second)"
    case .alwaysNil(let operation): "'\(operation)' gives nil, because one of its operands is always nil"
    case .neverHolds(let comparator, .comparedWithNil): "'\(comparator)' is never true for nil"
    case .neverHolds(let comparator, .emptyText): "'\(comparator)' is never true for an empty string"
    case .neverHolds(let comparator, .emptyCollection): "'\(comparator)' is never true for an empty collection"
    case .onlyNil(let comparator): "'\(comparator)' is true only if both sides are nil"
    case .uselessOptions(let comparator): "the options of '\(comparator)' have no effect: neither side is text"
    case .reversedBounds: "'BETWEEN' is never true: its lower bound is above its upper bound"
    case .realDivisionByZero(let operation): "'\(operation)' divides by zero, which gives infinity or NaN"
    case .indexOutside(let index, let count):
      count.map { "index \(index) is outside a collection with \(Self.counted($0, "element"))" }
        ?? "index \(index) is before the first element"
    case .unusedSubqueryVariable(let name): "the predicate of 'SUBQUERY' does not use '$\(name)'"
    case .shadowingVariable(let name): "variable '$\(name)' hides another of the same name"
    case .likePattern(.percent): "'%' is an ordinary character in a 'LIKE' pattern"
    case .likePattern(.brackets): "brackets are ordinary characters in a 'LIKE' pattern"
    case .likePattern(.regularExpression): "the pattern of 'LIKE' looks like a regular expression"
    case .likePattern(.lostBackslash): "a backslash in the pattern is lost: the string uses it as an escape character"
    case .likePattern(.trailingBackslash): "the pattern of 'LIKE' ends in a backslash, which has nothing to escape"

    case .unknownSelector(let selector, let receiver, _): "\(receiver) has no function \(selector.quotedName)"
    case .argument(let place, let selector, let expected, let found):
      "argument \(place) of function \(selector.quotedName) must be \(expected), not \(found)"
    case .argumentMayBeNil(let place, let selector, let expected):
      "argument \(place) of function \(selector.quotedName) can be nil, but must be \(expected)"
    case .notCastable(let kind, let type): "\(kind) cannot be converted to '\(type)'"
    case .misplacedFetch(let place): "'FETCH' cannot be used in \(place.description)"
    case .fetchForEveryObject: "'FETCH' is evaluated again for every object"

    case .wrongValue(let property, let found, _): "\(property) cannot hold \(found)"
    case .convertedConstant(let property, let found): "\(property) is given \(found), which is converted"
    case .unconvertibleConstant(let property, let found): "\(property) cannot hold this value (\(found))"
    case .constantOutsideType(let property): "\(property) cannot hold this number"
    case .constantOutsideBounds(let property, let flaw):
      switch flaw {
      case .belowMinimum: "\(property) must not be below its minimum"
      case .aboveMaximum: "\(property) must not be above its maximum"
      case .tooShort(let least): "\(property) must not be shorter than \(Self.counted(least, "character"))"
      case .tooLong(let most): "\(property) must not be longer than \(Self.counted(most, "character"))"
      case .unmatched: "\(property) must match its regular expression"
      }
    case .inexactConstant(let property): "\(property) cannot hold this number exactly"
    case .maybeInexact(let property, let found): "\(property) is given \(found), which it cannot always hold exactly"
    case .maybeNoTruth(let property, let found): "\(property) can only be 0 or 1, but is given \(found)"
    case .integerDivision(let property):
      "\(property) is set to the result of an integer division, which drops the fraction"
    case .nilForMandatory(let property): "\(property) must not be nil"
    case .mayBeNil(let property): "\(property) must not be nil, but this expression can be"
    case .toManyForOne(let property, _): "\(property) takes one value, but this expression gives many"
    case .oneForToMany(let property): "\(property) takes many objects, but this expression gives one"
    case .sourceObject(let property): "\(property) cannot lead to a source object"
    case .unrelatedObject(let property, let entity):
      "\(property) cannot lead to an object of entity \(entity.quotedName)"
    case .unmappedSource(let mapping, let entity, let found):
      "entity mapping \(mapping.quotedName) maps objects of entity \(entity.quotedName), not of entity \(found.quotedName)"
    case .notStored(let property, let reason): "\(property) \(reason)"
    }
  }

  static func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}

extension CheckingMistake.Property: CustomStringConvertible {
  /// The kind and name of the property, and its type or destination entity.
  package var description: String {
    switch self {
    case .attribute(let name, let type): "attribute \(name.quotedName) of type '\(type)'"
    case .relationship(let name, let entity?): "relationship \(name.quotedName) to entity \(entity.quotedName)"
    case .relationship(let name, nil): "relationship \(name.quotedName)"
    }
  }
}
