/// Compares two models, part by part.
struct ModelComparison {
  let old: ManagedObjectModel
  let new: ManagedObjectModel
  private let oldHashed: HashedModel
  private let newHashed: HashedModel

  init(from old: ManagedObjectModel, to new: ManagedObjectModel) {
    self.old = old
    self.new = new
    oldHashed = HashedModel(old)
    newHashed = HashedModel(new)
  }

  /// The changes to the model itself.
  var changes: [ParameterChange] {
    func identifiers(_ model: ManagedObjectModel) -> [Parameter] {
      let shown = model.versionIdentifiers.sorted().map(\.quotedText).joined(separator: ", ")
      return [
        Parameter(
          "userDefinedModelVersionIdentifier", model.versionIdentifiers,
          text: model.versionIdentifiers.isEmpty ? nil : shown),
        // Not in model files, but in stores.
        Parameter("versionID", model.versionID, text: model.versionID?.quotedText),
      ]
    }
    return Parameter.changes(from: identifiers(old), to: identifiers(new), changesHash: false)
  }

  /// The entities whose facts or hash differ, sorted by name.
  var entities: [EntityDifference] {
    let match = RenamingMatch(
      old: old.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) },
      new: new.entities.map { RenamingMatch.Thing(name: $0.name, identifier: $0.renamingIdentifier) })
    return match.pairs.compactMap { pair in
      switch pair {
      case (let old?, let new?): difference(from: self.old.entities[old], to: self.new.entities[new])
      case (let old?, nil): removed(self.old.entities[old])
      case (nil, let new?): added(self.new.entities[new])
      case (nil, nil): nil
      }
    }.sorted { $0.name == $1.name ? $0.order < $1.order : $0.name < $1.name }
  }

  private func removed(_ entity: EntityDescription) -> EntityDifference {
    EntityDifference(
      oldName: entity.name, newName: nil, oldVersionHash: oldHashed.versionHash(of: entity)?.hash,
      versionHashReasons: [.removed])
  }

  private func added(_ entity: EntityDescription) -> EntityDifference {
    EntityDifference(
      oldName: nil, newName: entity.name, newVersionHash: newHashed.versionHash(of: entity)?.hash,
      versionHashReasons: [.added])
  }

  private func difference(from old: EntityDescription, to new: EntityDescription) -> EntityDifference? {
    let oldHash = oldHashed.versionHash(of: old)
    let newHash = newHashed.versionHash(of: new)
    if old == new, oldHash?.hash == newHash?.hash { return nil }

    let parentHashDiffers = oldHashed.parentHash(of: old) != newHashed.parentHash(of: new)
    var parent: ParameterChange?
    if old.superentityName != new.superentityName {
      parent = ParameterChange(
        parameter: "parentEntity", old: old.superentityName?.quotedText, new: new.superentityName?.quotedText,
        changesVersionHash: parentHashDiffers)
    }
    var changes = old.changes(to: new, parent: parent)
    let comparison = PropertyComparison(old, oldHashed, new, newHashed)
    var properties = comparison.differences
    var reasons = changes.filter(\.changesVersionHash).map(VersionHashReason.parameter)
    reasons += properties.filter(\.changesVersionHash).map(VersionHashReason.property)
    reasons += comparison.attributesWithOtherElements.map(VersionHashReason.elements)
    if let ancestor = new.superentityName ?? old.superentityName, parent?.changesVersionHash != true,
      parentHashDiffers || inheritedFactsDiffer(old, new)
    {
      reasons.append(.inherited(from: ancestor))
    }

    // If the hashes are equal, no difference counts as changing the hash, no matter which facts differ: a file may
    // record its hashes, and the hash of a composite attribute does not include the attribute's name.
    if oldHash?.hash == newHash?.hash {
      reasons = []
      changes = changes.map(\.withoutHash)
      properties = properties.map(\.withoutHash)
    }
    if reasons.isEmpty, oldHash?.hash != newHash?.hash { reasons = [.unexplained] }
    return EntityDifference(
      oldName: old.name, newName: new.name, changes: changes, properties: properties, oldVersionHash: oldHash?.hash,
      newVersionHash: newHash?.hash, versionHashReasons: reasons)
  }

  /// Returns true if the inherited facts of an entity in a cycle differ. An entity that inherits from itself is hashed
  /// without its parent's hash, but with the properties that it inherits.
  private func inheritedFactsDiffer(_ old: EntityDescription, _ new: EntityDescription) -> Bool {
    guard oldHashed.isInCycle(old) || newHashed.isInCycle(new) else { return false }
    return oldHashed.inheritedFacts(of: old) != newHashed.inheritedFacts(of: new)
  }

  /// The composite types, configurations and fetch request templates that differ.
  var parts: [PartDifference] { composites + configurations + fetchRequestTemplates }

  private var composites: [PartDifference] {
    differences(.composite, old.composites, new.composites, name: \.name) { old, new in
      let elements = PropertyComparison.differences(fromElements: old.elements, to: new.elements)
      guard elements.isEmpty, old.elements != new.elements else { return ([], elements) }
      let order = ParameterChange(
        parameter: "order of elements", old: old.elements.map(\.name).quotedList,
        new: new.elements.map(\.name).quotedList, changesVersionHash: false)
      return ([order], [])
    }
  }

  private var configurations: [PartDifference] {
    differences(.configuration, old.configurations, new.configurations, name: \.name) { old, new in
      let removed = old.entityNames.subtracting(new.entityNames).map { ($0, Optional($0.quotedText), String?.none) }
      let added = new.entityNames.subtracting(old.entityNames).map { ($0, String?.none, Optional($0.quotedText)) }
      let changes = (removed + added).sorted { $0.0 < $1.0 }.map {
        ParameterChange(parameter: "memberEntity", old: $0.1, new: $0.2, changesVersionHash: false)
      }
      return (changes, [])
    }
  }

  private var fetchRequestTemplates: [PartDifference] {
    differences(.fetchRequest, old.fetchRequestTemplates, new.fetchRequestTemplates, name: \.name) { old, new in
      (Parameter.changes(from: old.parameters, to: new.parameters, changesHash: false), [])
    }
  }

  private func differences<Part: Equatable>(
    _ kind: PartDifference.Kind, _ old: [Part], _ new: [Part], name: KeyPath<Part, String>,
    compare: (Part, Part) -> ([ParameterChange], [PropertyDifference])
  ) -> [PartDifference] {
    let match = RenamingMatch(
      old: old.map { RenamingMatch.Thing(name: $0[keyPath: name]) },
      new: new.map { RenamingMatch.Thing(name: $0[keyPath: name]) })
    return match.pairs.compactMap { pair -> PartDifference? in
      let (before, after) = (pair.old.map { old[$0] }, pair.new.map { new[$0] })
      if before == after { return nil }
      var difference = PartDifference(
        kind: kind, oldName: before?[keyPath: name], newName: after?[keyPath: name])
      if let before, let after { (difference.changes, difference.elements) = compare(before, after) }
      return difference
    }.sorted { $0.name < $1.name }
  }
}

extension ParameterChange {
  fileprivate var withoutHash: ParameterChange {
    ParameterChange(parameter: parameter, old: old, new: new, changesVersionHash: false)
  }
}

extension PropertyDifference {
  fileprivate var withoutHash: PropertyDifference {
    PropertyDifference(
      kind: kind, oldName: oldName, newName: newName, changes: changes.map(\.withoutHash), facts: facts,
      changesVersionHash: false)
  }
}
