import HeavyliftModel

/// The messages about mistakes in classes. Each one names the class and the property.
extension SchemaMistake {
  var problem: String {
    switch self {
    case .noModels: "the schema has no classes"
    case .baseClass: "class 'Entity' itself is listed in the schema"
    case .listedTwice(let name): "class '\(name)' is listed twice in the schema"
    case .sameName(let entity, let classes): "classes \(Self.list(classes)) have the same entity name, '\(entity)'"
    case .missingSuperclass(let name, let subclass):
      "class '\(subclass)' inherits from class '\(name)', which is not in the schema"
    case .missingDestination(let place, let destination):
      "\(place) leads to class '\(destination)', which is not in the schema"
    case .otherVersion(let place, let destination, let listed):
      "\(place) leads to class '\(destination)', but the schema has '\(listed)'"
    case .unmarkedProperty(let name, let className): "property '\(name)' of class '\(className)' would not be stored"
    case .sameProperty(let name, let className, let properties):
      "properties \(Self.list(properties)) of class '\(className)' have the same name in the store, '\(name)'"
    case .foreignAbstraction(let className, let named):
      "class '\(className)' declares that class '\(named)' is abstract, which is neither itself nor a superclass"
    case .type(let place, let type, let problem): "\(place) has type '\(type)', \(problem.words)"
    case .unstorableValue(let place): "\(place) has an initial value or a bound that cannot be encoded"
    case .compositesOfOneName(let name, let places):
      "\(Self.joined(places.map(\.description))) have different types with the same name, '\(name)'"
    case .initialTargets(let place): "\(place) has an initial value that contains objects"
    case .notAnInverse(let place): "\(place) has an inverse that is not a relationship"
    case .unknownInverse(let place, let name, let destination, _):
      "\(place) has the inverse '\(name)', but class '\(destination)' has no such relationship"
    case .inverseOfOtherClass(let place, let inverse, let destination):
      "\(place) leads to class '\(destination)', but its inverse is \(inverse)"
    case .inverseLeadsElsewhere(let place, let inverse, let other, _):
      "\(place) has an inverse that does not lead back: \(inverse) leads to class '\(other)'"
    case .inverseClaimedTwice(let inverse, let places):
      "\(inverse) is the inverse of \(places.count) relationships: \(Self.joined(places.map(\.description)))"
    case .inversesDisagree(let place, let inverse, let stated):
      "\(place) has an inverse with another inverse: that of \(inverse) is \(stated)"
    case .inverseWithoutInverse(let place, let inverse):
      "\(place) has an inverse that is declared to have none: \(inverse)"
    case .ambiguousInverse(let place, let candidates):
      "\(place) has several possible inverses: \(Self.joined(candidates.map(\.description)))"
    case .unknownProperty(let part, let name, let className, _):
      "\(part.rawValue) of class '\(className)' names '\(name)', which is not a property of the class"
    case .notAProperty(let part, let className):
      "\(part.rawValue) of class '\(className)' has a key path that does not lead to a property"
    case .propertyOfOtherClass(let part, let className, let other):
      "\(part.rawValue) of class '\(className)' has a key path of class '\(other)'"
    case .unindexable(let part, let place):
      "\(part.rawValue) of class '\(place.className)' contains \(place.kind) '\(place.name)', which has no column of its own"
    case .emptyPart(let part, let className): "\(part.rawValue) of class '\(className)' has no properties"
    case .uniqueOption(let place, let type):
      "\(place) is unique, but values of type '\(type)' cannot be compared in a store"
    case .invalidPredicate(let place, let reason): "\(place) has an invalid predicate: \(reason)"
    }
  }

  var remedy: String {
    switch self {
    case .noModels: "list the entity classes: 'Schema([Track.self, Artist.self])'"
    case .baseClass: "list subclasses of it"
    case .listedTwice: "list it once"
    case .sameName: "rename one of the classes, or list only the classes of one version"
    case .missingSuperclass(let name, _): "add '\(name).self' to the models"
    case .missingDestination(_, let destination): "add '\(destination).self' to the models"
    case .otherVersion(let place, let destination, let listed):
      "change the type of '\(place.name)' to '\(listed)', or list '\(destination).self' instead"
    case .unmarkedProperty:
      "mark it with '@Attribute' or '@Relationship', or with '@Transient' to keep it out of the store"
    case .sameProperty: "give one of them another name"
    case .foreignAbstraction(let className, _): "return '\(className).self' if the class is abstract"
    case .type(let place, let type, let problem): problem.remedy(place, type)
    case .unstorableValue: "choose a value that its type can encode: JSON, for example, has no infinity"
    case .compositesOfOneName: "rename one of the types"
    case .initialTargets: "make it empty, and set the targets of each new object"
    case .notAnInverse: "name a relationship with '$': 'inverse: \\Artist.$tracks'"
    case .unknownInverse(_, let name, _, let known): known.suggestion(for: name, kind: "relationship")
    case .inverseOfOtherClass(_, _, let destination): "name a relationship of class '\(destination)'"
    case .inverseLeadsElsewhere(_, _, _, let className): "name a relationship that leads to class '\(className)'"
    case .inverseClaimedTwice: "keep one of them, and give each other one an inverse of its own"
    case .inversesDisagree: "state the inverse at one end only"
    case .inverseWithoutInverse(_, let inverse):
      "remove 'hasInverse: false' from '\(inverse.name)', or name another inverse"
    case .ambiguousInverse(let place, let candidates):
      "state the inverse: 'inverse: \\\(candidates.first?.className ?? place.className).$\(candidates.first?.name ?? "…")', "
        + "or 'hasInverse: false' if there is none"
    case .unknownProperty(_, let name, _, let known): known.suggestion(for: name, kind: "property")
    case .notAProperty(_, let className): "write key paths with '$', as in '\\\(className).$title'"
    case .propertyOfOtherClass(_, let className, _): "use key paths of class '\(className)' or of its superclasses"
    case .unindexable: "remove it: only stored attributes and to-one relationships can be compared"
    case .emptyPart: "name at least one property, or remove it"
    case .uniqueOption: "remove '.unique', or store a value that identifies the object in another attribute"
    case .invalidPredicate: "correct the predicate"
    }
  }

  private static func list(_ names: [String]) -> String { joined(names.map { "'\($0)'" }) }

  private static func joined(_ texts: [String]) -> String {
    guard let last = texts.last, texts.count > 1 else { return texts.first ?? "" }
    return texts.dropLast().joined(separator: ", ") + " and " + last
  }
}

extension TypeProblem {
  fileprivate var words: String {
    switch self {
    case .notCodable: "which is not Codable"
    case .integer: "which no attribute can hold"
    case .nestedOptional: "which is an optional of an optional"
    case .entity: "which is an entity class"
    case .unknownCases(let type): "but the cases of '\(type)' are not known"
    case .associatedValues(let type):
      "but SwiftData's stores have no form for '\(type)', whose cases have associated values"
    case .opaque(let type, let reason): "but the elements of '\(type)' are not known: \(reason)"
    case .noLayout: "for which SwiftData's stores have no form"
    case .reference: "which is a class: a change within an object would not be saved"
    case .noPlaceholder: "of which no value can be made for a row that has none"
    case .transformable: "but a transformer writes bytes"
    }
  }

  fileprivate func remedy(_ place: SchemaPlace, _ type: String) -> String {
    switch self {
    case .notCodable:
      "make '\(type)' Codable, or mark '\(place.name)' with '@Transient' to keep it out of the store"
    case .integer(let instead): "use \(instead)"
    case .nestedOptional: "remove one of the question marks"
    case .entity: "use '@Relationship var \(place.name): \(type.filter { $0 != "?" })?'"
    case .unknownCases(let name): "make '\(name)' conform to CaseIterable"
    case .associatedValues(let name): "use a structure instead of '\(name)', or the profile .coreData"
    case .opaque(let name, _):
      "let the compiler synthesize 'init(from:)' for '\(name)', and make enumerations in it CaseIterable"
    case .noLayout: "use a structure, or the profile .coreData"
    case .reference: "use a structure or an enumeration"
    case .noPlaceholder: "give '\(place.name)' an initial value, make '\(type)' CaseIterable, or use '\(type)?'"
    case .transformable: "use 'Data' or 'Data?'"
    }
  }
}
