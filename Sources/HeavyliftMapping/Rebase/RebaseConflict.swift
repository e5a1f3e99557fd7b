import HeavyliftModel

/// A problem that an edited model causes in a mapping, for the author to resolve.
enum RebaseConflict {
  case entityGone(mapping: String, side: MappingSide, name: String, likely: String?)
  case propertyGone(PropertyMappingDescription.Kind, name: String, mapping: String, entity: String, likely: String?)
  /// The property of a property mapping that has no expression (copied or `copy="no"`) was removed.
  case mentionGone(
    PropertyMappingDescription.Kind, isCopied: Bool, name: String, mapping: String, entity: String, likely: String?)
  case keyGone(subject: String, name: String, entity: String, side: MappingSide, likely: String?)
  case namedEntityGone(subject: String, name: String, side: MappingSide, likely: String?)
  case keyChanged(subject: String, name: String, entity: String, old: String, new: String)
  case keyDiffers(subject: String, name: String, entity: String)
  case propertyChanged(name: String, mapping: String, old: String, new: String)
  case propertyDiffers(name: String, mapping: String)
  case copyChanged(name: String, mapping: String, from: String, old: String, new: String)
  case otherCopy(name: String, mapping: String, from: String, now: String)
  case mandatory(PropertyMappingDescription.Kind, name: String, mapping: String, isNew: Bool)
}

extension RebaseConflict {
  var code: String {
    switch self {
    case .entityGone, .namedEntityGone: "rebase.entity-gone"
    case .propertyGone, .mentionGone: "rebase.property-gone"
    case .keyGone: "rebase.key-gone"
    case .keyChanged, .keyDiffers, .propertyChanged, .propertyDiffers, .copyChanged: "rebase.property-changed"
    case .otherCopy: "rebase.other-copy"
    case .mandatory: "rebase.missing-value"
    }
  }

  var problem: String {
    switch self {
    case .entityGone(let mapping, .source, let name, _):
      "entity mapping \(mapping.quotedName) refers to source entity \(name.quotedName), which no longer exists"
    case .entityGone(let mapping, .destination, let name, _):
      "entity mapping \(mapping.quotedName) refers to destination entity \(name.quotedName), which no longer exists"
    case .propertyGone(let kind, let name, let mapping, let entity, _):
      "entity mapping \(mapping.quotedName) has a value for \(kind.rawValue) \(name.quotedName), which entity "
        + "\(entity.quotedName) no longer has"
    case .mentionGone(let kind, let isCopied, let name, let mapping, let entity, _):
      "entity mapping \(mapping.quotedName) says that \(kind.rawValue) \(name.quotedName) is "
        + "\(isCopied ? "copied" : "not copied"), but entity \(entity.quotedName) no longer has it"
    case .keyGone(let subject, let name, let entity, _, _):
      "\(subject) uses \(name.quotedName), which entity \(entity.quotedName) no longer has"
    case .namedEntityGone(let subject, let name, let side, _):
      "\(subject) names entity \(name.quotedName), which the \(side.rawValue) model no longer has"
    case .keyChanged(let subject, let name, let entity, let old, let new):
      "\(subject) uses \(name.quotedName) of entity \(entity.quotedName), which was \(old) and is now \(new)"
    case .keyDiffers(let subject, let name, let entity):
      "\(subject) uses \(name.quotedName) of entity \(entity.quotedName), which has changed"
    case .propertyChanged(let name, let mapping, let old, let new):
      "the value of \(name.quotedName) in entity mapping \(mapping.quotedName) was written when "
        + "\(name.quotedName) was \(old); it is now \(new)"
    case .propertyDiffers(let name, let mapping):
      "the value of \(name.quotedName) in entity mapping \(mapping.quotedName) was written before "
        + "\(name.quotedName) changed"
    case .copyChanged(let name, let mapping, let from, let old, let new):
      "\(name.quotedName) in entity mapping \(mapping.quotedName) was copied from \(from.quotedName), which no longer "
        + "fits: it was \(old) and is now \(new)"
    case .otherCopy(let name, let mapping, let from, let now):
      "\(name.quotedName) in entity mapping \(mapping.quotedName) was copied from \(from.quotedName), which is gone; it "
        + "would now be copied from \(now.quotedName)"
    case .mandatory(let kind, let name, let mapping, let isNew):
      "\(kind.rawValue) \(name.quotedName) \(isNew ? "is new and mandatory" : "has become mandatory"), and entity "
        + "mapping \(mapping.quotedName) has no value for it"
    }
  }

  var remedy: String {
    switch self {
    case .entityGone(_, _, let name, let likely?), .namedEntityGone(_, let name, _, let likely?),
      .propertyGone(_, let name, _, _, let likely?), .mentionGone(_, _, let name, _, _, let likely?),
      .keyGone(_, let name, _, _, let likely?):
      "if it was renamed to \(likely.quotedName), use that name, or give \(likely.quotedName) the renaming identifier "
        + "\(name.quotedName) and rebase again; otherwise remove it"
    case .entityGone: "name another entity, or remove the entity mapping"
    case .namedEntityGone: "name another entity"
    case .propertyGone: "move the value to another property, or remove it"
    case .mentionGone: "remove it"
    case .keyGone: "use another property, or remove it"
    case .keyChanged, .keyDiffers: "check that the expression still does what you mean"
    case .propertyChanged, .propertyDiffers: "check that the value is still what you want"
    case .copyChanged: "write an expression that converts the value, or copy=\"no\""
    case .otherCopy: "specify where the value comes from, or write copy=\"no\""
    case .mandatory: "write its value; or, in the destination model, give it a default or make it optional"
    }
  }

  func diagnostic(at location: DiagnosticLocation?) -> Diagnostic {
    Diagnostic(.error, code: code, problem: problem, remedy: remedy, location: location)
  }
}
