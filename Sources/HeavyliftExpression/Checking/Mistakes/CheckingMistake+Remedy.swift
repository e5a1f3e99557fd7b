import HeavyliftModel

extension CheckingMistake {
  /// The fix, if there is one to suggest.
  package var remedy: String? {
    switch self {
    case .evaluation(let mistake): mistake.remedy
    case .nested(_, _, let remedy): remedy

    case .unknownProperty(let key, let entity, let hint):
      switch hint {
      case .known(let names): names.suggestion(for: key, kind: "property")
      case .text(let names):
        "if it is text, write it in quotes: \"\(key)\"; \(names.suggestion(for: key, kind: "property"))"
      case .ofSubentity(let name):
        "sub-entity \(name.quotedName) of \(entity.quotedName) has this property: map or fetch its objects separately"
      case .ofVariable(let name):
        "a key without a variable belongs to the object outside of 'SUBQUERY'; did you mean '$\(name).\(key)'?"
      case .symbolicIndex(let word, let isBare):
        isBare
          ? "'\(word)' is an index only in brackets: did you mean 'collection[\(word)]'?" : "did you mean '[\(word)]'?"
      case .function(let name): "did you mean '\(name)()'?"
      case .collectionOperator(let name): "did you mean '@\(name)'?"
      }
    case .unknownKey(let key, _, let known):
      known.isEmpty ? "name a property of an object" : known.suggestion(for: key, kind: "key")
    case .unknownCollectionOperator(let name, let known): known.suggestion(for: name, kind: "collection operator")
    case .unknownEntity(let name, let known): known.suggestion(for: name, kind: "entity")
    case .unknownEntityMapping(let name, let known): known.suggestion(for: name, kind: "entity mapping")
    case .notARelationship(let name, _, _, let known): known.suggestion(for: name, kind: "relationship")
    case .bareKey(let path, let hint):
      switch hint {
      case .path(let meant): "did you mean '\(meant)'?"
      case .text: "did you mean \"\(path.dropFirst().dropLast())\"?"
      case .pathOrText(let meant): "did you mean '\(meant)' or \"\(path.dropFirst().dropLast())\"?"
      }
    case .unknownVariable(let name, let known):
      known.isEmpty
        ? "write the value itself, or a key of the object"
        : known.map { "$\($0)" }.suggestion(for: "$\(name)", kind: "variable")
    case .noObject: "name a variable, such as '$source'"
    case .unavailableVariable(let name, let place, let isAddMapping):
      if isAddMapping {
        "give the entity mapping a \(name) entity"
      } else if place == .sourceFilter {
        name == "source" ? "remove it: keys in a filter belong to the source object" : "filter in an entity policy"
      } else {
        "'$manager', '$entityMapping' and '$entityPolicy' are available"
      }
    case .symbolicWord(let word): "write '#\(word)' for the key, or 'collection[\(word)]' for the index"
    case .valuelessKey: "use a stored property, or write a function in an entity policy"
    case .unfinishedDestination: "read it from '$source'"

    case .operand(let operation, let expected, let found): Self.conversion(for: operation, expected, found)
    case .toMany(let path, let operation, let place):
      switch place {
      case .left:
        "write 'ANY' or 'ALL' before it, or count with '\(path.dropFirst().dropLast()).@count'"
      case .right where operation == "==": "write 'IN' instead of '==', or swap the sides and write 'ANY' first"
      case .right: "write it on the left side, with 'ANY' or 'ALL' before it"
      case .operand: "choose one with '@min' or '@max', or count with '@count'"
      }
    case .incomparable(_, let left, let right):
      if left.isCollection || right.isCollection { nil } else { Self.castToCompare(left, right) }
    case .wholeComposite(_, _, _, let elements):
      elements.count == 1
        ? "compare its element: '\(elements[0])'"
        : "compare one of its elements: \(elements.map { "'\($0)'" }.joined(separator: ", "))"
    case .unlikeCollections: "use collections of the same kind"
    case .toManyComparedWithNil(let path): "did you mean '\(path.dropFirst().dropLast()).@count == 0'?"
    case .notQuantifiable(let quantifier, _): "remove '\(quantifier)', or name a to-many relationship"
    case .severalToManyHops: "write 'SUBQUERY', or '@distinctUnionOfSets' before the last key"
    case .unordered(_, .collection): "make the relationship ordered, or choose with '@min' or '@max'"
    case .unordered: nil
    case .branches: "convert one of them with 'CAST'"
    case .alwaysNil: "write a value in place of nil"
    case .neverHolds(_, .comparedWithNil): "compare with '==' or '!='"
    case .neverHolds(_, .emptyText): "did you mean '== \"\"'?"
    case .neverHolds(_, .emptyCollection): "list the values to compare with"
    case .onlyNil: "compare with '==' or '!='"
    case .uselessOptions: "remove them"
    case .reversedBounds: "swap them: {lowest, highest}"
    case .realDivisionByZero: "test for zero with 'TERNARY' first"
    case .indexOutside: "indices start at 0; '[LAST]' is the last element"
    case .unusedSubqueryVariable(let name): "write '$\(name).key': a key without a variable belongs to the outer object"
    case .shadowingVariable: "give it another name"
    case .likePattern(.percent): "write '*' for any text, '?' for one character"
    case .likePattern(.brackets): "write 'MATCHES' with a regular expression"
    case .likePattern(.regularExpression): "write 'MATCHES', or '*' for any text"
    case .likePattern(.lostBackslash): "write it twice within quotes: \"\\\\d\""
    case .likePattern(.trailingBackslash): "to match a backslash, write it four times within quotes"

    case .unknownSelector(let selector, let receiver, let known): Self.remedy(for: selector, receiver, known)
    case .argument(_, _, let expected, let found): Self.attribute(like: expected)?.conversion(of: found)
    case .argumentMayBeNil: "test for nil with 'TERNARY'; a function of your own can take an optional instead"
    case .notCastable(.string, "NSDate"): EvaluationMistake.readingDates
    case .notCastable: nil
    case .misplacedFetch: "fetch in an entity policy"
    case .fetchForEveryObject: "fetch once, in 'begin' of an entity policy"

    case .wrongValue(_, _, let conversion): conversion
    case .convertedConstant: "write a value of the attribute's own type"
    case .unconvertibleConstant(.attribute(_, let type), let found): Self.constant(of: type, insteadOf: found)
    case .unconvertibleConstant: nil
    case .constantOutsideType(.attribute(_, let name)):
      if let range = AttributeType(modelName: name)?.integerRange {
        "write one from \(range.lowerBound) to \(range.upperBound), or choose another type in the destination model"
      } else {
        "write a smaller number, or choose another type in the destination model"
      }
    case .constantOutsideType: nil
    case .constantOutsideBounds: "write another value, or change the bounds in the destination model"
    case .inexactConstant(.attribute(_, let type)) where type.hasPrefix("Integer"): "write a whole number"
    case .inexactConstant: "write a number with fewer digits, or choose another type in the destination model"
    case .maybeInexact: "round with 'floor:', 'ceiling:' or 'trunc:'"
    case .maybeNoTruth: "write 'TERNARY(… != 0, YES, NO)'"
    case .integerDivision: "write '1.0 * a / b' to keep the fraction"
    case .nilForMandatory: "write a value, or make the property optional in the destination model"
    case .mayBeNil: "write 'TERNARY(… != nil, …, value)', or exclude such objects with a filter"
    case .toManyForOne(let property, let found): Self.choice(for: property, found)
    case .oneForToMany: "write '{…}' around it"
    case .sourceObject:
      "write 'FUNCTION($manager, \"destinationInstancesForEntityMappingNamed:sourceInstances:\", \"mapping\", …)'"
    case .unrelatedObject: nil
    case .unmappedSource(_, _, let found): "name a mapping of entity \(found.quotedName)"
    case .notStored: "remove its mapping"
    }
  }

  private static func conversion(for operation: String, _ expected: String, _ found: Kind) -> String? {
    switch (expected, found) {
    case ("a collection", .string): return operation == "count:" ? "did you mean 'length:'?" : nil
    case ("a collection", .object) where operation == "[ ]": return "to read a value of an object, write 'object.key'"
    case ("a collection", .object) where operation == "@count":
      return "it leads to one object or to none: compare it with nil"
    case ("a string", let found), ("strings", let found):
      let canBeText = found.isNumeric || found == .date || found == .uuid || found == .uri
      return canBeText ? "convert it to 'NSString' with 'CAST'" : nil
    default: break
    }
    // The operand of a collection operator is a key path, which cannot contain a 'CAST'.
    guard expected.contains("number"), !found.isCollection, !operation.hasPrefix("@") else { return nil }
    switch (operation, found) {
    case ("+", .string): return "write 'FUNCTION(a, \"stringByAppendingString:\", b)'"
    case (_, .string): return "convert it to 'NSNumber' or 'NSDecimalNumber' with 'CAST'"
    case (_, .date): return "convert it to 'NSNumber' with 'CAST', which gives the seconds since 2001"
    default: return nil
    }
  }

  private static func constant(of type: String, insteadOf found: Kind) -> String? {
    switch type {
    case "Boolean": "write YES or NO"
    case "Integer 16", "Integer 32", "Integer 64": "write a whole number"
    case "Double", "Float", "Decimal": "write a number"
    case "String" where found.isNumeric: "write it in quotes"
    default: nil
    }
  }

  /// Returns advice on how to turn many values into the single value that the property takes.
  private static func choice(for property: Property, _ found: Kind) -> String? {
    let isOrdered: Bool = if case .collection(.set, _) = found { false } else { true }
    switch (property, found.element) {
    case (.relationship, _):
      return isOrdered ? "choose one with '[FIRST]'" : "choose one with a function in an entity policy"
    case (.attribute, .object?):
      let first = isOrdered ? "'[FIRST].key'" : "'@min.key'"
      return "choose a value with \(first) or '@max.key', or count with '@count'"
    case (.attribute, _):
      return isOrdered
        ? "choose one with '[FIRST]' or '@max', or count with '@count'"
        : "choose one with '@min' or '@max' before the last key, or count with '@count'"
    }
  }

  private static func castToCompare(_ left: Kind, _ right: Kind) -> String? {
    switch (left, right) {
    case (.date, let other) where other.isNumeric:
      "convert the number to 'NSDate' with 'CAST': it counts seconds since 2001"
    case (let other, .date) where other.isNumeric:
      "convert the number to 'NSDate' with 'CAST': it counts seconds since 2001"
    case (.date, .string), (.string, .date): EvaluationMistake.readingDates
    case (.entityDescription, .string), (.string, .entityDescription): "compare its 'name'"
    case (.uuid, .string), (.string, .uuid): "convert the string to 'NSUUID' with 'CAST'"
    case (.uri, .string), (.string, .uri): "convert the string to 'NSURL' with 'CAST'"
    case (.string, let other) where other.isNumeric:
      "convert the string to 'NSNumber' with 'CAST', or write the number in quotes"
    case (let other, .string) where other.isNumeric:
      "convert the string to 'NSNumber' with 'CAST', or remove the quotes"
    default: nil
    }
  }

  private static func remedy(for selector: String, _ receiver: Kind, _ known: [String]) -> String? {
    if let near = known.nearest(to: selector) { return "did you mean '\(near)'?" }
    guard receiver == .entityPolicy || receiver == .migrationManager else {
      if case .object = receiver { return "write a function in an entity policy that takes the object as an argument" }
      if known.isEmpty { return "write a function in an entity policy that takes the value as an argument" }
      return known.suggestion(for: selector, kind: "function")
    }
    guard SwiftFunctionName(selector: selector) != nil else { return nil }
    let entry = "\"\(selector)\": MigrationFunction { … }"
    return receiver == .entityPolicy
      ? "return it from the policy's 'functions': [\(entry)]"
      : "register it in 'functions' of the tool or the manager: [\(entry)]"
  }

  /// Returns the attribute type for which the advice on casts is the same as for the kind.
  private static func attribute(like kind: Kind) -> AttributeType? {
    switch kind {
    case .boolean: .boolean
    case .integer, .number, .double: .double
    case .decimal: .decimal
    case .string: .string
    case .date: .date
    case .uuid: .uuid
    case .uri: .uri
    default: nil
    }
  }
}
