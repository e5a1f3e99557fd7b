import HeavyliftModel

/// Builds an intermediate model from two versions.
struct IntermediateBuilder {
  let counterparts: PropertyCounterparts
  let kept: KeptProperties
  private(set) var model: ManagedObjectModel
  private(set) var changes: [IntermediateChange] = []
  private(set) var mistakes: [Diagnostic] = []
  private let attributes: IntermediateAttributes
  private let relationships: IntermediateRelationships

  private var entities: IntermediateEntities { counterparts.entities }
  private var source: ModelIndex { entities.source }
  private var destination: ModelIndex { entities.destination }

  init(from source: ModelIndex, to destination: ModelIndex) {
    counterparts = PropertyCounterparts(IntermediateEntities(from: source, to: destination))
    kept = KeptProperties(counterparts)
    attributes = IntermediateAttributes(counterparts: counterparts, kept: kept)
    relationships = IntermediateRelationships(counterparts: counterparts, kept: kept)
    mistakes = kept.mistakes
    model = destination.model
    model.statedVersionHashes = [:]
    var built = counterparts.entities.entities.indices.map { entity($0) }
    addKeptProperties(to: &built)
    addInverses(to: &built)
    removeUnusableIndexes(from: &built)
    model.entities = built
    addComposites()
    addToConfigurations()
    if model != destination.model { model.markup = Markup() }
    addRemovals()
  }

  // MARK: Entities

  private mutating func entity(_ number: Int) -> EntityDescription {
    let here = entities.entities[number]
    guard let new = here.new else { return removedEntity(here, number) }
    var entity = destination.model.entities[new]
    guard let old = here.old else {
      changes.append(IntermediateChange(entity: entity.name, kind: .added))
      return inheriting(entity, number)
    }
    addChanges(from: source.model.entities[old], to: entity)
    entity = inheriting(entity, number)
    entity.isAbstract = entities.isAbstract(number)
    if entity != destination.model.entities[new] { entity.markup = Markup() }
    return entity
  }

  /// Returns the entity with its properties as they are in the intermediate model.
  private mutating func inheriting(_ entity: EntityDescription, _ number: Int) -> EntityDescription {
    var entity = entity
    entity.attributes = entity.attributes.map { new in
      let (attribute, found) = attributes.attribute(new, of: number)
      changes += found
      return attribute
    }
    entity.relationships = entity.relationships.map { new in
      let (relationship, found) = relationships.relationship(new, of: number)
      changes += found
      return relationship
    }
    entity.uniquenessConstraints = entity.uniquenessConstraints.filter { constraint in
      if isGuaranteed(constraint, of: number) { return true }
      changes.append(IntermediateChange(entity: entity.name, kind: .uniqueness(constraint.propertyNames)))
      return false
    }
    return entity
  }

  private mutating func removedEntity(_ here: IntermediateEntities.Entity, _ number: Int) -> EntityDescription {
    let old = here.old.map { source.model.entities[$0] }
    changes.append(IntermediateChange(entity: here.name, kind: .removed))
    return EntityDescription(
      name: here.name, managedObjectClassName: old?.managedObjectClassName, isAbstract: old?.isAbstract ?? false,
      superentityName: here.parent.map { entities.entities[$0].name })
  }

  private mutating func addChanges(from old: EntityDescription, to new: EntityDescription) {
    func add(_ kind: IntermediateChange.Kind, needsScript: Bool = false) {
      changes.append(IntermediateChange(entity: new.name, kind: kind, needsScript: needsScript))
    }
    if old.name != new.name { add(.renamed(from: old.name)) }
    let parent = old.superentityName.flatMap { name in
      source.entity(named: name).map { entities.entities[entities.counterparts[$0]].name }
    }
    if parent != new.superentityName { add(.parent(from: old.superentityName, to: new.superentityName)) }
    if !old.isAbstract, new.isAbstract { add(.becameAbstract, needsScript: true) }
    if old.isAbstract, !new.isAbstract { add(.becameConcrete) }
  }

  /// Returns true if all objects already obey a uniqueness constraint of the destination version.
  private func isGuaranteed(_ constraint: EntityDescription.UniquenessConstraint, of number: Int) -> Bool {
    let sources = entities.concreteSources[number]
    if sources.isEmpty { return true }
    guard let old = entities.entities[number].old, sources.allSatisfy({ source.isKind($0, of: old) }) else {
      return false
    }
    let names = constraint.propertyNames.compactMap { path -> String? in
      let keys = path.split(separator: ".", maxSplits: 1).map(String.init)
      guard let key = keys.first, let counterpart = counterparts.bySource[old][key], counterpart.treatment == .copied
      else { return nil }
      return ([counterpart.old.name] + keys.dropFirst()).joined(separator: ".")
    }
    guard names.count == constraint.propertyNames.count else { return false }
    let lineage = source.model.lineage(of: source.model.entities[old])
    return lineage.flatMap(\.uniquenessConstraints).contains { Set($0.propertyNames) == Set(names) }
  }

  // MARK: Properties of the source version

  private mutating func addKeptProperties(to built: inout [EntityDescription]) {
    for property in kept.all {
      switch property.property {
      case .attribute(let old):
        for owner in property.owners {
          built[owner].attributes.append(attributes.attribute(old, named: property.name))
          built[owner].markup = Markup()
        }
      case .relationship(let old):
        guard let relationship = relationships.relationship(property, old) else {
          addScattered(property, old)
          continue
        }
        for owner in property.owners {
          built[owner].relationships.append(relationship)
          built[owner].markup = Markup()
        }
      case .fetched: break
      }
    }
  }

  private mutating func addScattered(_ property: KeptProperties.Kept, _ old: RelationshipDescription) {
    let place = PropertyPlace(property.property, of: source.model.entities[property.place.entity])
    let targets = source.entity(named: old.destinationEntityName).map { source.entityAndSubentities(of: $0) } ?? []
    let names = targets.filter { !source.model.entities[$0].isAbstract }.map { source.model.entities[$0].name }
    mistakes.append(
      IntermediateMistake.scatteredDestination(old.destinationEntityName ?? "", entities: names.sorted())
        .diagnostic(place.description, at: old.markup.location))
  }

  /// Adds an inverse to each to-many relationship without one whose targets can have several owners: a store could not
  /// hold their links otherwise.
  private mutating func addInverses(to built: inout [EntityDescription]) {
    for owner in built.indices {
      for place in built[owner].relationships.indices {
        let relationship = built[owner].relationships[place]
        guard relationship.inverseName == nil, relationship.isToMany, !relationship.isTransient,
          sharesTargets(relationship, of: owner),
          let target = built.firstIndex(where: { $0.name == relationship.destinationEntityName })
        else { continue }
        let inverse: RelationshipDescription
        if let number = keptInverse(of: relationship, owner, at: target, built) {
          inverse = built[target].relationships[number]
          built[target].relationships[number].inverseName = relationship.name
          built[target].relationships[number].inverseEntityName = built[owner].name
        } else if let new = newInverse(of: relationship, owner, at: target, built) {
          inverse = new
          built[target].relationships.append(new)
        } else {
          continue
        }
        built[owner].relationships[place].inverseName = inverse.name
        built[owner].relationships[place].inverseEntityName = relationship.destinationEntityName
        built[owner].relationships[place].markup = Markup()
      }
    }
  }

  /// Returns the place of the relationship that was the inverse in the source version, if it is kept and leads back.
  private func keptInverse(
    of relationship: RelationshipDescription, _ owner: Int, at target: Int, _ built: [EntityDescription]
  ) -> Int? {
    let olds = Set(
      entities.concreteSources[owner].compactMap { source in
        kept.all.first { $0.name == relationship.name && $0.owners.contains(owner) }?.place
          ?? counterparts.bySource[source][relationship.name]?.place
      })
    guard olds.count == 1, let old = olds.first, let back = kept.only(source.inverse(of: old)),
      back.owners == [target],
      let number = built[target].relationships.firstIndex(where: { $0.name == back.name }),
      built[target].relationships[number].inverseName == nil,
      built[target].relationships[number].destinationEntityName == built[owner].name
    else { return nil }
    return number
  }

  private mutating func newInverse(
    of relationship: RelationshipDescription, _ owner: Int, at target: Int, _ built: [EntityDescription]
  ) -> RelationshipDescription? {
    let name = IntermediateModel.inverseName(of: relationship.name, in: built[owner].name)
    let related = built.indices.filter { entities.isKind($0, of: target) || entities.isKind(target, of: $0) }
    if let taken = related.flatMap({ built[$0].properties }).first(where: {
      $0.name.uppercased() == name.uppercased()
    }) {
      mistakes.append(
        IntermediateMistake.nameInUse(kept: name, name: taken.name).diagnostic(
          PropertyPlace(.relationship(relationship), of: built[owner]).description,
          at: relationship.markup.location))
      return nil
    }
    return RelationshipDescription(
      name: name, destinationEntityName: built[owner].name, inverseName: relationship.name,
      inverseEntityName: built[owner].name)
  }

  private func sharesTargets(_ relationship: RelationshipDescription, of owner: Int) -> Bool {
    if let kept = kept.all.first(where: { $0.name == relationship.name && $0.owners.contains(owner) }) {
      return relationships.sharesTargets(kept.place)
    }
    return relationships.sharesTargets(relationship, of: owner)
  }

  private mutating func addRemovals() {
    for property in kept.all {
      let isReplaced = changes.contains { change in
        switch change.kind {
        case .type(_, _, let old), .replaced(_, let old): old == property.name && isOwner(change.entity, property)
        default: false
        }
      }
      if isReplaced { continue }
      for owner in property.owners where entities.entities[owner].new != nil {
        changes.append(
          IntermediateChange(
            entity: entities.entities[owner].name, property: property.name,
            propertyKind: property.property.mappingKind, kind: .removed))
      }
    }
  }

  private func isOwner(_ entity: String, _ property: KeptProperties.Kept) -> Bool {
    guard let number = entities.entities.firstIndex(where: { $0.name == entity }) else { return false }
    return property.owners.contains { entities.isKind(number, of: $0) || entities.isKind($0, of: number) }
  }

  // MARK: Other parts

  /// Removes indexes of relationships that have columns in the destination version only.
  private func removeUnusableIndexes(from built: inout [EntityDescription]) {
    for number in built.indices {
      let toMany = Set(
        entities.lineage(of: number).flatMap { built[$0].relationships }.filter(\.isToMany).map(\.name))
      let isUsable = { (names: [String]) in toMany.isDisjoint(with: names) }
      built[number].fetchIndexes = built[number].fetchIndexes.filter {
        isUsable($0.elements.compactMap(\.propertyName))
      }
      built[number].compoundIndexes = built[number].compoundIndexes.filter(isUsable)
      built[number].uniquenessConstraints = built[number].uniquenessConstraints.filter { isUsable($0.propertyNames) }
    }
  }

  /// Adds the composite types of kept attributes. A type that has changed is kept under another name.
  private mutating func addComposites() {
    var composites = IntermediateComposites(from: source.model, to: destination.model)
    for property in kept.all {
      guard case .attribute(let old) = property.property, let name = old.compositeName else { continue }
      let keptName = composites.keep(name)
      for owner in property.owners {
        let name = entities.entities[owner].name
        guard let entity = model.entities.firstIndex(where: { $0.name == name }),
          let place = model.entities[entity].attributes.firstIndex(where: { $0.name == property.name })
        else { continue }
        model.entities[entity].attributes[place].compositeName = keptName
      }
    }
    if !composites.all.isEmpty { model.composites = composites.all }
    mistakes += composites.mistakes
  }

  private mutating func addToConfigurations() {
    for configuration in source.model.configurations {
      let numbers = configuration.entityNames.compactMap { source.entity(named: $0) }
      let removed = numbers.filter { entities.entities[entities.counterparts[$0]].new == nil }
      guard !removed.isEmpty else { continue }
      if let place = model.configurations.firstIndex(where: { $0.name == configuration.name }) {
        let names = removed.map { entities.entities[entities.counterparts[$0]].name }
        model.configurations[place].entityNames.formUnion(names)
      } else {
        let names = numbers.map { entities.entities[entities.counterparts[$0]].name }
        model.configurations.append(ConfigurationDescription(name: configuration.name, entityNames: Set(names)))
      }
    }
  }
}
