import HeavyliftModel

/// The reason why a mapping cannot be inferred.
enum InferenceMistake: Hashable {
  case attributeType(from: String, AttributeType, to: AttributeType)
  case composite(from: String?, to: String?)
  case mandatoryAttribute(from: String?)
  case unwritableDefault
  case otherKind(from: String, isAttribute: Bool)
  case manyIntoOne(from: String)
  case mandatoryRelationship(from: String?)
  case otherDestination(from: String, old: String, new: String, stray: String, loss: RelationshipLoss)
  case otherInverse(from: String, old: String, new: String)
  case ambiguousRenaming(from: String, taker: String)
  case becameAbstract(from: String)
  case mergedHierarchies(top: String, [String])
  case unrelatedModels
}

extension InferenceMistake {
  var code: String {
    switch self {
    case .attributeType: "inference.attribute-type"
    case .composite: "inference.composite-type"
    case .mandatoryAttribute: "inference.mandatory-attribute"
    case .unwritableDefault: "inference.unwritable-default"
    case .otherKind: "inference.other-kind"
    case .manyIntoOne: "inference.many-into-one"
    case .mandatoryRelationship: "inference.mandatory-relationship"
    case .otherDestination: "inference.other-destination"
    case .otherInverse: "inference.other-inverse"
    case .ambiguousRenaming: "inference.ambiguous-renaming"
    case .becameAbstract: "inference.abstract-entity"
    case .mergedHierarchies: "inference.merged-hierarchies"
    case .unrelatedModels: "inference.unrelated-models"
    }
  }

  /// True if a mapping can be inferred nonetheless, which is right for stores without certain links.
  var dependsOnLinks: Bool {
    if case .otherDestination = self { true } else { false }
  }

  /// - Parameter thing: The destination property or entity, in words.
  func problem(_ thing: String) -> String {
    switch self {
    case .attributeType(let name, let old, let new):
      "\(thing) has type \(new.modelName), but its source \(name.quotedName) has type \(old.modelName)"
    case .composite(let old, let new) where old == new:
      "\(thing) has lost elements, or the types of elements have changed"
    case .composite(let old, let new):
      "\(thing) has \(new.map { "composite type \($0.quotedName)" } ?? "no composite type"), but its source has "
        + (old.map { "composite type \($0.quotedName)" } ?? "no composite type")
    case .mandatoryAttribute(nil): "\(thing) is new and mandatory, and has no default value"
    case .mandatoryAttribute(let name?):
      "\(thing) has become mandatory and has no default value for objects whose \(name.quotedName) is empty"
    case .unwritableDefault: "\(thing) has become mandatory, and its default value cannot be written in an expression"
    case .otherKind(let name, let isAttribute):
      isAttribute
        ? "\(thing) was attribute \(name.quotedName)" : "\(thing) was relationship \(name.quotedName)"
    case .manyIntoOne(let name): "\(thing) is to-one, but its source \(name.quotedName) is to-many"
    case .mandatoryRelationship(nil): "\(thing) is new and mandatory"
    case .mandatoryRelationship(let name?):
      "\(thing) has become mandatory, and objects whose \(name.quotedName) is empty have no target for it"
    case .otherDestination(let name, let old, let new, let stray, _):
      "\(thing) leads to entity \(new.quotedName), but its source \(name.quotedName) leads to entity "
        + "\(old.quotedName): objects of entity \(stray.quotedName) do not become \(new.quotedName) objects"
    case .otherInverse(let name, let old, let new):
      "\(thing) has the inverse \(new.quotedName), but its source \(name.quotedName) has the inverse "
        + "\(old.quotedName): setting one of them would change the links of the other"
    case .ambiguousRenaming(let name, let taker):
      "\(thing) has renaming identifier \(name.quotedName), but \(taker.quotedName) "
        + (name == taker ? "still exists" : "has it, too") + ": it is not clear which of them is the old one"
    case .becameAbstract(let name):
      "\(thing) is abstract, but its source entity \(name.quotedName) may have objects"
    case .mergedHierarchies(_, let roots):
      "\(thing) merges hierarchies that were separate: those of \(roots.quotedList)"
    case .unrelatedModels: "the models have no entity in common, so all objects would be removed"
    }
  }

  var remedy: String {
    switch self {
    case .attributeType: "write a mapping file with an expression that converts the value"
    case .composite: "write a mapping file with an expression that creates the new value"
    case .mandatoryAttribute: "give it a default value, make it optional, or set its value in a mapping file"
    case .unwritableDefault: "leave it optional, or set its value in a mapping file"
    case .otherKind: "write a mapping file, or rename the property and remove its renaming identifier"
    case .manyIntoOne: "write a mapping file with an expression that chooses one"
    case .mandatoryRelationship: "make it optional, or write a mapping file that gives it a target"
    case .otherDestination(_, _, let new, let stray, let loss):
      [
        loss.permission.map {
          "to drop the links to those objects, write \($0) in the entity mapping of a mapping file"
        },
        "to keep them, write an entity mapping that creates \(new.quotedName) objects from \(stray.quotedName) objects",
      ].compactMap(\.self).joined(separator: "; ")
    case .otherInverse: "write a mapping file that says which links are kept"
    case .ambiguousRenaming: "remove the identifier, or write a mapping file"
    case .becameAbstract: "write a mapping file that handles its objects"
    case .mergedHierarchies: "keep the hierarchies separate, or write a mapping file"
    case .unrelatedModels:
      "check whether both are versions of one model; if so, write a mapping file, or give renamed entities their old names "
        + "as renaming identifiers"
    }
  }
}
