import HeavyliftModel

/// A mistake in an object graph.
enum GraphMistake {
  case unexpectedKind(String, expected: String, found: JSONNode)
  case unknownMember(String)
  case repeated(String, DiagnosticLocation)
  case otherModel(String, expected: String)
  case unknownEntity(String, known: [String])
  case abstractEntity(String, concrete: [String])
  case nameTaken(String, DiagnosticLocation?)
  case unknownProperty(String, entity: String, known: [String])
  case notStored(String, entity: String, isDerived: Bool)
  case missingValue(String, object: String)
  case wrongValue(String, entity: String, type: AttributeType, found: String, remedy: String)
  case unknownElement(String, attribute: String, known: [String])
  case unreadableFile(String, reason: Diagnostic)
  case severalTargets(String, entity: String, count: Int)
  case unknownObject(String, known: [String])
  case wrongTarget(String, entity: String, expected: String, target: String, found: String)
  case repeatedTarget(String, relationship: String)
  case inverseDisagrees(object: String, relationship: String, target: String, inverse: String)
  case severalSources(target: String, inverse: String, first: String, second: String)
  case severalOwners(target: String, relationship: String, first: String, second: String)
  case openValue(String, object: String)
  case brokenRule([String], object: String, problem: String, remedy: String)
}

extension GraphMistake {
  func diagnostic(at location: DiagnosticLocation?) -> Diagnostic {
    let (code, problem, remedy) = words
    return Diagnostic(.error, code: "graph.\(code)", problem: problem, remedy: remedy, location: location)
  }

  private var words: (code: String, problem: String, remedy: String) {
    switch self {
    case .unexpectedKind(let name, let expected, let found):
      ("structure", "\(name) is \(found.name)", "write \(expected)")
    case .unknownMember(let name):
      (
        "unknown-member", "a graph has no \(name.quotedName)",
        ["model", "objects"].suggestion(for: name, kind: "member")
      )
    case .repeated(let name, let first):
      (
        "repeated", "duplicate name \(name.quotedName)",
        "remove one of them: the first is on line \(first.line)"
      )
    case .otherModel(let name, let expected):
      (
        "other-model", "the graph is for model \(name.quotedName), not for \(expected.quotedName)",
        "give a graph for \(expected.quotedName), or change the name and everything that differs between the two models"
      )
    case .unknownEntity(let name, let known):
      ("unknown-entity", "the model has no entity \(name.quotedName)", known.suggestion(for: name, kind: "entity"))
    case .abstractEntity(let name, let concrete):
      (
        "abstract-entity", "entity \(name.quotedName) is abstract and has no objects of its own",
        concrete.isEmpty ? "give it a sub-entity in the model" : "write the object under \(concrete.quotedList)"
      )
    case .nameTaken(let name, let other):
      (
        "name-taken", "two objects are named \(name.quotedName)",
        "give one of them another name: a name must be unique in the whole graph"
          + (other.map { "; the first is on line \($0.line)" } ?? "")
      )
    case .unknownProperty(let name, let entity, let known):
      (
        "unknown-property", "entity \(entity.quotedName) has no property \(name.quotedName)",
        known.suggestion(for: name, kind: "property")
      )
    case .notStored(let name, let entity, let isDerived):
      (
        "not-stored",
        "attribute \(name.quotedName) of entity \(entity.quotedName) is \(isDerived ? "derived" : "transient")",
        isDerived ? "remove it: the store computes it" : "remove it: it is not stored"
      )
    case .missingValue(let name, let object):
      (
        "missing-value", "object \(object.quotedName) has no value for its mandatory attribute \(name.quotedName)",
        "write one"
      )
    case .wrongValue(let name, let entity, let type, let found, let remedy):
      (
        "wrong-value",
        "attribute \(name.quotedName) of entity \(entity.quotedName) has type \(type.modelName) and cannot hold "
          + "\(found)",
        remedy
      )
    case .unknownElement(let name, let attribute, let known):
      (
        "unknown-element", "composite attribute \(attribute.quotedName) has no element \(name.quotedName)",
        known.suggestion(for: name, kind: "element")
      )
    case .unreadableFile(let name, let reason):
      ("file", "\(name.quotedName): \(reason.problem)", reason.remedy ?? "check the name")
    case .severalTargets(let name, let entity, let count):
      (
        "several-targets",
        "relationship \(name.quotedName) of entity \(entity.quotedName) leads to one object, but \(count) "
          + "are named",
        "name one of them, without brackets"
      )
    case .unknownObject(let name, let known):
      ("unknown-object", "there is no object \(name.quotedName)", known.suggestion(for: name, kind: "object"))
    case .wrongTarget(let name, let entity, let expected, let target, let found):
      (
        "wrong-target",
        "relationship \(name.quotedName) of entity \(entity.quotedName) leads to entity \(expected.quotedName), but "
          + "object \(target.quotedName) is of entity \(found.quotedName)",
        "name an object of entity \(expected.quotedName)"
      )
    case .repeatedTarget(let target, let relationship):
      (
        "repeated-target", "\(target.quotedName) is listed twice in \(relationship.quotedName)",
        "remove one of them: a relationship leads to an object only once"
      )
    case .inverseDisagrees(let object, let relationship, let target, let inverse):
      (
        "inverse-disagrees",
        "\(relationship.quotedName) of \(object.quotedName) leads to \(target.quotedName), but "
          + "\(inverse.quotedName) of \(target.quotedName) does not lead back",
        "write only one side: the other is set automatically"
      )
    case .severalSources(let target, let inverse, let first, let second):
      (
        "several-sources",
        "\(first.quotedName) and \(second.quotedName) both lead to \(target.quotedName), whose \(inverse.quotedName) leads "
          + "to one object",
        "make one of them lead to another object"
      )
    case .severalOwners(let target, let relationship, let first, let second):
      (
        "several-owners",
        "\(first.quotedName) and \(second.quotedName) both lead to \(target.quotedName) through "
          + "\(relationship.quotedName), which has no inverse: a store holds one owner for each target",
        "make one of them lead to another object, or give the relationship a to-many inverse"
      )
    case .openValue(let name, let object):
      (
        "open-value", "property \(name.quotedName) of \(object.quotedName) is left open",
        "write a value: a property can be left open only in the expected result of a migration"
      )
    case .brokenRule(let properties, let object, let problem, let remedy):
      ("broken-rule", "\(properties.quotedList) of object \(object.quotedName) \(problem)", remedy)
    }
  }
}
