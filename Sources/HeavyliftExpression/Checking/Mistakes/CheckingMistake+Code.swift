import HeavyliftModel

extension CheckingMistake {
  /// The severity of the mistake.
  package var severity: Diagnostic.Severity {
    switch self {
    case .symbolicWord, .unfinishedDestination, .toManyComparedWithNil, .alwaysNil, .neverHolds, .onlyNil,
      .uselessOptions,
      .reversedBounds, .realDivisionByZero, .unusedSubqueryVariable, .shadowingVariable, .likePattern,
      .argumentMayBeNil, .fetchForEveryObject, .convertedConstant, .maybeInexact, .maybeNoTruth,
      .integerDivision, .mayBeNil, .unmappedSource:
      .warning
    case .valuelessKey, .notStored: .note
    default: .error
    }
  }

  /// The stable code for scripts and documentation.
  package var code: String {
    switch self {
    case .evaluation(let mistake): mistake.code
    case .nested(let code, _, _): code
    default: "expression.\(name)"
    }
  }

  private var name: String {
    switch self {
    case .evaluation, .nested: ""
    case .unknownProperty, .unknownKey: "unknown-key"
    case .unknownCollectionOperator: "unknown-collection-operator"
    case .unknownEntity: "unknown-entity"
    case .unknownEntityMapping: "unknown-entity-mapping"
    case .notARelationship: "unknown-relationship"
    case .bareKey: "bare-key"
    case .unknownVariable: "unknown-variable"
    case .noObject: "no-object"
    case .unavailableVariable: "unavailable-variable"
    case .symbolicWord: "symbolic-word"
    case .valuelessKey: "valueless-key"
    case .unfinishedDestination: "unfinished-destination"
    case .operand: "operand"
    case .toMany: "to-many"
    case .incomparable, .wholeComposite: "incomparable"
    case .unlikeCollections: "unlike-collections"
    case .toManyComparedWithNil: "to-many-and-nil"
    case .notQuantifiable: "quantifier"
    case .severalToManyHops: "several-to-many"
    case .unordered: "unordered"
    case .branches: "branches"
    case .alwaysNil: "always-nil"
    case .neverHolds: "never-holds"
    case .onlyNil: "only-nil"
    case .uselessOptions: "useless-options"
    case .reversedBounds: "reversed-bounds"
    case .realDivisionByZero: "division-by-zero"
    case .indexOutside: "index"
    case .unusedSubqueryVariable: "unused-variable"
    case .shadowingVariable: "shadowing-variable"
    case .likePattern(.lostBackslash): "lost-backslash"
    case .likePattern: "like-pattern"
    case .unknownSelector: "unknown-function"
    case .argument: "argument"
    case .argumentMayBeNil: "argument-may-be-nil"
    case .notCastable: "cast"
    case .misplacedFetch: "misplaced-fetch"
    case .fetchForEveryObject: "fetch-for-every-object"
    case .wrongValue: "wrong-value"
    case .convertedConstant: "converted-constant"
    case .unconvertibleConstant: "wrong-constant"
    case .constantOutsideType: "constant-too-large"
    case .constantOutsideBounds: "constant-outside-bounds"
    case .inexactConstant: "inexact-constant"
    case .maybeInexact, .maybeNoTruth: "may-not-convert"
    case .integerDivision: "integer-division"
    case .nilForMandatory: "nil-for-mandatory"
    case .mayBeNil: "may-be-nil"
    case .toManyForOne: "to-many"
    case .oneForToMany: "one-for-to-many"
    case .sourceObject: "source-object"
    case .unrelatedObject: "unrelated-object"
    case .unmappedSource: "unmapped-source"
    case .notStored: "not-stored"
    }
  }
}
