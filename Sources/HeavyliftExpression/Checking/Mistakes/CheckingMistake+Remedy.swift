import HeavyliftModel

extension CheckingMistake {
  /// What to do, where something can be done.
  public var remedy: String? {
    switch self {
    case .evaluation(let mistake): mistake.remedy
    case .nested(_, _, let remedy): remedy

    case .unknownProperty(let key, let entity, let hint):
      switch hint {
      case .known(let names): names.suggestion(for: key, kind: "property")
      case .ofSubentity(let name):
        "entity \(name.quotedName) has it, which inherits from \(entity.quotedName): map it by itself"
      case .ofVariable(let name):
        "a key without a variable belongs to the object outside of 'SUBQUERY'; did you mean '$\(name).\(key)'?"
      case .symbolicIndex(let word): "did you mean '[\(word)]'?"
      case .collectionOperator(let name): "did you mean '@\(name)'?"
      }
    case .unknownKey(let key, _, let known):
      known.isEmpty ? "name a property of an object" : known.suggestion(for: key, kind: "key")
    case .unknownCollectionOperator(let name, let known): known.suggestion(for: name, kind: "collection operator")
    case .unknownEntity(let name, let known): known.suggestion(for: name, kind: "entity")
    case .unknownEntityMapping(let name, let known): known.suggestion(for: name, kind: "entity mapping")
    case .notARelationship(let name, _, _, let known): known.suggestion(for: name, kind: "relationship")
    case .bareKey(let path, let first, let isInSource, let known):
      if isInSource {
        "did you mean '$source.\(path.dropFirst().dropLast())' or \"\(first)\"?"
      } else if let near = known.nearest(to: first) {
        "did you mean '$source.\(near)' or \"\(first)\"?"
      } else {
        "did you mean \"\(first)\"?"
      }
    case .unknownVariable(let name, let known):
      known.map { "$\($0)" }.suggestion(for: "$\(name)", kind: "variable")
    case .noObject: "name a variable, such as '$source'"
    case .unavailableVariable(let name, let occasion, let isAddMapping):
      if isAddMapping {
        "give the entity mapping a \(name) entity"
      } else if occasion == .sourceFilter {
        name == "source" ? "leave it out: a filter looks at the source object itself" : "filter in an entity policy"
      } else {
        "'$manager', '$entityMapping' and '$entityPolicy' are there"
      }
    case .symbolicWord(let word): "write '#\(word)' for the key, or 'collection[\(word)]' for what it stands for"
    case .valuelessKey: "take a stored property, or write a function of an entity policy"
    case .unfinishedDestination: "take it from '$source'"

    case .operand(let operation, let expected, let found):
      switch (operation, found) {
      case _ where !expected.contains("number") || found.isCollection: nil
      case ("+", .string): "write 'FUNCTION(a, \"stringByAppendingString:\", b)'"
      case (_, .string): "'CAST' it to 'NSNumber' or 'NSDecimalNumber'"
      case (_, .date): "'CAST' it to 'NSNumber': the seconds since 2001"
      default: nil
      }
    case .toMany(let path, let operation):
      if PredicateOperator(rawValue: operation) != nil {
        "write 'ANY' or 'ALL' before it, or count with '\(path.dropFirst().dropLast()).@count'"
      } else {
        "choose one with '@min' or '@max', or count with '@count'"
      }
    case .incomparable(_, let left, let right):
      if left.isCollection || right.isCollection { nil } else { Self.castToCompare(left, right) }
    case .toManyComparedWithNil(let path): "did you mean '\(path.dropFirst().dropLast()).@count == 0'?"
    case .notQuantifiable(let quantifier, _): "leave '\(quantifier)' out, or name a to-many relationship"
    case .severalToManyHops: "write 'SUBQUERY', or '@distinctUnionOfSets' before the last key"
    case .unordered(_, .collection): "make the relationship ordered, or choose with '@min' or '@max'"
    case .unordered: nil
    case .branches: "'CAST' one of them"
    case .alwaysNil: "write a value in place of nil"
    case .neverHolds(_, .comparedWithNil): "compare with '==' or '!='"
    case .neverHolds(_, .emptyText): "did you mean '== \"\"'?"
    case .neverHolds(_, .emptyCollection): "name what it may contain"
    case .uselessOptions: "leave them out"
    case .reversedBounds: "write them the other way round: {lowest, highest}"
    case .realDivisionByZero: "test for zero with 'TERNARY' first"
    case .indexOutside: "indices are counted from 0; '[LAST]' is the last element"
    case .unusedSubqueryVariable(let name): "write '$\(name).key': a bare key belongs to the object outside"
    case .shadowingVariable: "give it another name"
    case .likePattern(.percent): "write '*' for any text, '?' for one character"
    case .likePattern(.brackets): "write 'MATCHES' with a regular expression"
    case .likePattern(.regularExpression): "write 'MATCHES', or '*' for any text"
    case .likePattern(.trailingBackslash): "write two for one, and each of them twice within quotes"

    case .unknownSelector(let selector, let receiver, let known): Self.remedy(for: selector, receiver, known)
    case .argument: nil
    case .argumentMayBeNil: "let the function take an optional, or test for nil with 'TERNARY'"
    case .notCastable: nil
    case .misplacedFetch: "fetch in an entity policy"
    case .fetchForEveryObject: "fetch once, in 'begin' of an entity policy"

    case .wrongValue(_, _, let conversion): conversion
    case .convertedConstant: "write it as it is stored"
    case .unconvertibleConstant(_, let found):
      found == .string
        ? "write a value of its type" : found.isNumeric ? "write it in quotes, or a value of its type" : nil
    case .constantOutsideType: "write a smaller number, or choose another type in the destination model"
    case .constantOutsideBounds: "write another value, or change the bounds in the destination model"
    case .inexactConstant(.attribute(_, let type), _) where type.hasPrefix("Integer"): "write a whole number"
    case .inexactConstant: "write a number with fewer digits, or choose another type in the destination model"
    case .maybeInexact: "round with 'floor:', 'ceiling:' or 'trunc:'"
    case .maybeNoTruth: "write 'TERNARY(… != 0, YES, NO)'"
    case .integerDivision: "write '1.0 * a / b' for a quotient with its fraction"
    case .nilForMandatory: "write a value, or make it optional in the destination model"
    case .mayBeNil: "write 'TERNARY(… != nil, …, value)', or leave such objects out with a filter"
    case .toManyForOne: "choose one with '[FIRST]' or '@max', or count with '@count'"
    case .oneForToMany: "write '{…}' around it"
    case .sourceObject:
      "write 'FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"mapping\", …)'"
    case .unrelatedObject: nil
    case .notStored: "leave its mapping out"
    }
  }

  private static func castToCompare(_ left: Kind, _ right: Kind) -> String? {
    switch (left, right) {
    case (.date, let other) where other.isNumeric: "'CAST' the number to 'NSDate': it counts seconds since 2001"
    case (let other, .date) where other.isNumeric: "'CAST' the number to 'NSDate': it counts seconds since 2001"
    case (.uuid, .string), (.string, .uuid): "'CAST' the string to 'NSUUID'"
    case (.uri, .string), (.string, .uri): "'CAST' the string to 'NSURL'"
    case (.string, let other) where other.isNumeric: "'CAST' the string to 'NSNumber', or write the number in quotes"
    case (let other, .string) where other.isNumeric: "'CAST' the string to 'NSNumber', or leave out the quotes"
    default: nil
    }
  }

  private static func remedy(for selector: String, _ receiver: Kind, _ known: [String]) -> String? {
    if let near = known.nearest(to: selector) { return "did you mean '\(near)'?" }
    guard receiver == .entityPolicy || receiver == .migrationManager else {
      if known.isEmpty { return "write a function of an entity policy that takes it as an argument" }
      return known.suggestion(for: selector, kind: "function")
    }
    guard let name = SwiftFunctionName(selector: selector) else { return nil }
    return "register it under that selector; in Swift it is 'func \(name)'"
  }
}
