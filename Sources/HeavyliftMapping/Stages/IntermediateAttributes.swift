import HeavyliftModel

/// The attributes of an intermediate model.
struct IntermediateAttributes {
  let counterparts: PropertyCounterparts
  let kept: KeptProperties
  private var entities: IntermediateEntities { counterparts.entities }

  /// Returns an attribute of a destination entity as it is in the intermediate model, and its changes.
  func attribute(
    _ new: AttributeDescription, of entity: Int
  ) -> (attribute: AttributeDescription, changes: [IntermediateChange]) {
    let sources = entities.concreteSources[entity].filter { declares(new.name, entity, for: $0) }
    // Nothing is stored, or the store computes the value.
    if new.isTransient || new.isDerived || sources.isEmpty { return (new, changes(of: new, entity, sources)) }
    var attribute = new
    for source in sources {
      guard let counterpart = counterparts.bySource[source][new.name] else {
        if new.defaultValue.isNull { attribute.isOptional = true }
        continue
      }
      switch (counterpart.treatment, counterpart.old) {
      case (.copied, .attribute(let old)):
        if entities.source.model.mayBeNil(old) { attribute.isOptional = true }
        attribute.validation.relax(from: old.validation, in: attribute.type)
      default: attribute.isOptional = true
      }
    }
    if attribute != new { attribute.markup = Markup() }
    return (attribute, changes(of: new, entity, sources))
  }

  /// Returns true if the objects of a source entity have the property from that declaration, which no sub-entity hides.
  private func declares(_ name: String, _ entity: Int, for source: Int) -> Bool {
    entities.shape(of: entities.counterparts[source]).flatMap {
      entities.destination.property(named: name, of: $0)?.declaredBy
    } == entity
  }

  private func changes(
    of new: AttributeDescription, _ entity: Int, _ sources: [Int]
  ) -> [IntermediateChange] {
    var kinds: [(IntermediateChange.Kind, needsScript: Bool)] = []
    let needsValue = !new.isOptional && !new.isTransient && !new.isDerived && new.defaultValue.isNull
    for source in sources {
      guard let counterpart = counterparts.bySource[source][new.name] else {
        let wasTransient = entities.source.property(named: new.name, of: source)?.property.isTransient == true
        kinds.append((wasTransient && !new.isTransient ? .stored : .added, needsValue))
        continue
      }
      let oldName = kept.names[source][counterpart.old.name] ?? counterpart.old.name
      switch (counterpart.treatment, counterpart.old) {
      case (.replaced(let reason), _): kinds.append((.replaced(reason, old: oldName), needsValue))
      case (.converted, .attribute(let old)):
        if old.name != new.name { kinds.append((.renamed(from: old.name), false)) }
        kinds.append((.type(from: old.type, to: new.type, old: oldName), true))
      case (_, .attribute(let old)):
        if old.name != new.name { kinds.append((.renamed(from: old.name), false)) }
        if old.isOptional != new.isOptional, !new.isDerived {
          kinds.append((.optionality(isMandatory: !new.isOptional), needsValue))
        }
        if !new.isDerived,
          !NarrowedBounds.Bound.narrowed(from: old.validation, to: new.validation, in: new.type).isEmpty
        {
          kinds.append((.validation, false))
        }
      default: break
      }
    }
    return kinds.changes(of: entities.entities[entity].name, .attribute, new.name)
  }

  /// Returns a kept attribute: only its values matter.
  func attribute(_ old: AttributeDescription, named name: String) -> AttributeDescription {
    var attribute = old
    attribute.name = name
    attribute.isOptional = true
    attribute.defaultValue = .null
    attribute.validation = AttributeValidation()
    attribute.derivationExpression = nil
    attribute.renamingIdentifier = nil
    attribute.markup = Markup()
    return attribute
  }
}

extension [(IntermediateChange.Kind, needsScript: Bool)] {
  /// Returns one change of each kind, in order.
  func changes(
    of entity: String, _ propertyKind: PropertyMappingDescription.Kind, _ property: String
  ) -> [IntermediateChange] {
    var changes: [IntermediateChange] = []
    for (kind, needsScript) in self {
      if let place = changes.firstIndex(where: { $0.kind == kind }) {
        changes[place].needsScript = changes[place].needsScript || needsScript
      } else {
        changes.append(
          IntermediateChange(
            entity: entity, property: property, propertyKind: propertyKind, kind: kind, needsScript: needsScript))
      }
    }
    return changes
  }
}

extension AttributeValidation {
  /// Removes the conditions that values of the old version may violate.
  fileprivate mutating func relax(from old: AttributeValidation, in type: AttributeType) {
    for bound in NarrowedBounds.Bound.narrowed(from: old, to: self, in: type) {
      switch bound {
      case .minimum: minimum = .null
      case .maximum: maximum = .null
      case .minimumLength: minimumLength = nil
      case .maximumLength: maximumLength = nil
      case .pattern: regularExpression = nil
      }
    }
  }
}
