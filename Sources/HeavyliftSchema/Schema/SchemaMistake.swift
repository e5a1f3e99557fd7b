import HeavyliftModel

/// A mistake in the classes of a schema: found in `SchemaBuilder`, worded here.
enum SchemaMistake: Hashable {
  /// A property of a class, in words: "attribute 'title' of class 'Track'".
  typealias Place = SchemaPlace

  case noModels
  case baseClass
  case listedTwice(String)
  case sameName(entity: String, [String])
  case missingSuperclass(String, of: String)
  case missingDestination(Place, destination: String)
  case otherVersion(Place, destination: String, listed: String)
  case unmarkedProperty(String, className: String)
  case sameProperty(String, className: String, [String])
  case foreignAbstraction(className: String, named: String)
  case type(Place, String, TypeProblem)
  case unstorableValue(Place)
  case compositesOfOneName(String, [Place])
  case initialTargets(Place)
  case notAnInverse(Place)
  case unknownInverse(Place, name: String, destination: String, known: [String])
  case inverseOfOtherClass(Place, inverse: Place, destination: String)
  case inverseLeadsElsewhere(Place, inverse: Place, to: String, className: String)
  case inverseClaimedTwice(inverse: Place, [Place])
  case inversesDisagree(Place, inverse: Place, stated: Place)
  case inverseWithoutInverse(Place, inverse: Place)
  case ambiguousInverse(Place, candidates: [Place])
  case unknownProperty(Part, String, className: String, known: [String])
  case notAProperty(Part, className: String)
  case propertyOfOtherClass(Part, className: String, other: String)
  case unindexable(Part, Place)
  case emptyPart(Part, className: String)
  case uniqueOption(Place, type: String)
  case invalidPredicate(Place, String)

  /// A declaration that names properties.
  enum Part: String, Hashable {
    case constraint = "a uniqueness constraint"
    case index = "an index"
  }

  var diagnostic: Diagnostic {
    Diagnostic(.error, code: code, problem: problem, remedy: remedy)
  }

  private var code: String {
    switch self {
    case .noModels: "schema.no-models"
    case .baseClass: "schema.base-class"
    case .listedTwice: "schema.listed-twice"
    case .sameName: "schema.same-name"
    case .missingSuperclass: "schema.missing-superclass"
    case .missingDestination: "schema.missing-model"
    case .otherVersion: "schema.other-version-of-class"
    case .unmarkedProperty: "schema.unmarked-property"
    case .sameProperty: "schema.same-property"
    case .foreignAbstraction: "schema.foreign-abstraction"
    case .type: "schema.unsupported-type"
    case .unstorableValue: "schema.unstorable-default"
    case .compositesOfOneName: "schema.same-composite"
    case .initialTargets: "schema.initial-targets"
    case .notAnInverse: "schema.not-an-inverse"
    case .unknownInverse: "schema.unknown-inverse"
    case .inverseOfOtherClass: "schema.inverse-of-other-class"
    case .inverseLeadsElsewhere: "schema.inverse-leads-elsewhere"
    case .inverseClaimedTwice: "schema.inverse-claimed-twice"
    case .inversesDisagree: "schema.inverses-disagree"
    case .inverseWithoutInverse: "schema.inverse-without-inverse"
    case .ambiguousInverse: "schema.ambiguous-inverse"
    case .unknownProperty: "schema.unknown-property"
    case .notAProperty: "schema.not-a-property"
    case .propertyOfOtherClass: "schema.property-of-other-class"
    case .unindexable: "schema.property-without-column"
    case .emptyPart: "schema.empty-declaration"
    case .uniqueOption: "schema.unsuitable-unique"
    case .invalidPredicate: "schema.invalid-predicate"
    }
  }
}

/// A property of a class, in words.
struct SchemaPlace: Hashable, CustomStringConvertible {
  var kind: String
  var name: String
  var className: String

  var description: String { "\(kind) '\(name)' of class '\(className)'" }
}
