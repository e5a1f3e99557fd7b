import HeavyliftModel

/// A mistake in the use of objects by a program.
enum ObjectMistake {
  case unknownProperty(String, entity: EntityRuntime, wanted: WantedProperty)
  case unknownEntity(String, known: [String])
  case abstractEntity(String)
  case wrongType(String, entity: String, expected: AttributeType, found: Value)
  case noValue(String, object: String)
  case otherSwiftType(String, object: String, expected: String, found: Value)
  case wrongTarget(String, entity: String, expected: String, found: String)
  case unknownElement(String, entity: String, known: [String])
  case derived(String, entity: String)
  case otherContext(String)
  case noContext(String)
  case notOrdered(String, entity: String)
  case readOnly
  case migrationSource
  case unsortable(String, entity: String)
  case wrongKind(String, entity: String, expected: AttributeType, String)
  case wrongTargets(String, entity: String, isToMany: Bool, String)
  case badKeyPath(String)
  case rolledBack(RolledBackObjects, by: String)
  case deletedTarget(String, entity: String, object: String)
}

extension ObjectMistake {
  var diagnostic: Diagnostic {
    let (code, problem, remedy) = words
    return Diagnostic(.error, code: "object.\(code)", problem: problem, remedy: remedy)
  }

  private var words: (code: String, problem: String, remedy: String) {
    switch self {
    case .unknownProperty(let name, let entity, _) where entity.targetsElsewhere[name] != nil:
      (
        "outside-configuration",
        "relationship '\(name)' of entity '\(entity.name)' leads to entity '\(entity.targetsElsewhere[name] ?? "")', "
          + "which is not in the store's configuration",
        "keep the two entities in one configuration: a relationship cannot lead to another store"
      )
    case .unknownProperty(let name, let entity, let wanted):
      (
        "unknown-property", "entity '\(entity.name)' has no \(wanted.phrase) '\(name)'",
        entity.slots[name].map { "'\(name)' is \($0.phrase)" } ?? wanted.suggestion(for: name, in: entity)
      )
    case .unknownEntity(let name, let known):
      ("unknown-entity", "there is no entity '\(name)' in the store", known.suggestion(for: name, kind: "entity"))
    case .abstractEntity(let name):
      ("abstract-entity", "entity '\(name)' is abstract", "insert an object of one of its sub-entities")
    case .wrongType(let name, let entity, let expected, let found):
      (
        "wrong-type",
        "attribute '\(name)' of entity '\(entity)' has type \(expected.modelName) and cannot hold \(found.kind)",
        "convert the value to \(expected.modelName) without loss, then set it"
      )
    case .wrongKind(let name, let entity, let expected, let found):
      (
        "wrong-type",
        "attribute '\(name)' of entity '\(entity)' has type \(expected.modelName) and cannot hold \(found)",
        "convert the value to \(expected.modelName) without loss, then set it"
      )
    case .noValue(let name, let object):
      (
        "no-value", "attribute '\(name)' of \(object) has no value",
        "set it before you read it, or read it as an optional"
      )
    case .otherSwiftType(let name, let object, let expected, let found):
      (
        "wrong-type", "attribute '\(name)' of \(object) holds \(found.kind), which \(expected) cannot represent",
        "read it as another type"
      )
    case .wrongTargets(let name, let entity, let isToMany, let found):
      (
        "wrong-value",
        "relationship '\(name)' of entity '\(entity)' is \(isToMany ? "to-many" : "to-one") and cannot hold "
          + found,
        isToMany
          ? "set one or more objects, or nil for none" : "set an object, a collection of at most one object, or nil"
      )
    case .badKeyPath(let path):
      (
        "bad-key-path", "'\(path)' is not a key path",
        "separate the keys with dots: 'author.name', 'books.@count'"
      )
    case .wrongTarget(let name, let entity, let expected, let found):
      (
        "wrong-target", "relationship '\(name)' of entity '\(entity)' leads to '\(expected)', not to '\(found)'",
        "set an object of entity '\(expected)' or of one of its sub-entities"
      )
    case .unknownElement(let path, let entity, let known):
      (
        "unknown-element", "entity '\(entity)' has no composite element '\(path)'",
        known.suggestion(for: path.split(separator: ".").last.map(String.init) ?? path, kind: "element")
      )
    case .derived(let name, let entity):
      (
        "derived", "attribute '\(name)' of entity '\(entity)' is derived and cannot be set",
        "change the values that it is derived from"
      )
    case .otherContext(let object):
      (
        "other-context", "object \(object) belongs to another context",
        "use the object with the same objectID from this context"
      )
    case .noContext(let object):
      (
        "no-context", "object \(object) has outlived its context",
        "keep the context alive as long as its objects are used"
      )
    case .notOrdered(let name, let entity):
      (
        "not-ordered", "relationship '\(name)' of entity '\(entity)' is not ordered",
        "add the object without a position"
      )
    case .rolledBack(let objects, let method):
      (
        "rolled-back",
        "'\(method)' discarded "
          + [(objects.new, "new object"), (objects.changed, "changed object")].filter { $0.0 > 0 }
          .map { $0.0.counted(as: $0.1) }.joined(separator: " and ") + " of a migration",
        objects.new > 0
          ? "delete the objects that you do not want instead: '\(method)' also discards those of other source objects"
          : "set the old values again instead: '\(method)' also discards changes that were made for other source objects"
      )
    case .deletedTarget(let name, let entity, let object):
      (
        "deleted-target", "relationship '\(name)' of entity '\(entity)' cannot lead to \(object), which was deleted",
        "set an object that was not deleted, or none"
      )
    case .readOnly:
      ("read-only", "the store was opened read-only", "open it with mode .readWrite to save changes")
    case .migrationSource:
      (
        "read-only", "the source of a migration is read-only",
        "remove the call to 'save()': changes to source objects take effect in the migration without it"
      )
    case .unsortable(let keyPath, let entity):
      (
        "unsortable", "objects of entity '\(entity)' cannot be sorted by '\(keyPath)'",
        "sort by a stored attribute, or by one that to-one relationships lead to: 'author.name'"
      )
    }
  }
}

/// The kind of property that a name should have identified.
enum WantedProperty {
  case attribute
  /// An attribute whose values are in a single column.
  case sortable
  case toOne, toMany
  case any

  fileprivate var phrase: String {
    switch self {
    case .attribute, .sortable: "attribute"
    case .toOne: "to-one relationship"
    case .toMany: "to-many relationship"
    case .any: "property"
    }
  }

  private func fits(_ slot: EntityRuntime.Slot, of entity: EntityRuntime) -> Bool {
    switch (self, slot) {
    case (.any, _), (.attribute, .attribute), (.toOne, .toOne), (.toMany, .toMany): true
    case (.sortable, .attribute(let slot)): entity.attributes[slot].column.map { $0.type != .composite } ?? false
    default: false
    }
  }

  /// Suggests a name of the wanted kind; suggests one of another kind only if it is similar, and mentions its kind.
  fileprivate func suggestion(for name: String, in entity: EntityRuntime) -> String {
    let fitting = entity.slots.filter { fits($0.value, of: entity) }.map(\.key)
    if fitting.nearest(to: name) == nil, let near = entity.propertyNames.nearest(to: name),
      let slot = entity.slots[near]
    {
      return "did you mean '\(near)', which is \(slot.phrase)?"
    }
    return fitting.suggestion(for: name, kind: phrase)
  }
}

extension EntityRuntime.Slot {
  fileprivate var phrase: String {
    switch self {
    case .attribute: "an attribute"
    case .toOne: "a to-one relationship"
    case .toMany: "a to-many relationship"
    }
  }
}
