extension ManagedObjectModel {
  /// Returns the entity of that name.
  public func entity(named name: String) -> EntityDescription? {
    facts.place(ofEntityNamed: name, entities).map { entities[$0] }
  }

  /// Returns the entity of that name; nil without a name.
  package func entity(named name: String?) -> EntityDescription? {
    guard let name else { return nil }
    return entity(named: name)
  }

  /// Returns the composite type of that name.
  public func composite(named name: String) -> CompositeDescription? { composites.first { $0.name == name } }

  /// Returns the elements of a composite attribute in order of declaration.
  ///
  /// Empty if the attribute is not a composite, the model lacks its type, or the type contains itself.
  package func elements(of attribute: AttributeDescription) -> [AttributeDescription] {
    guard attribute.type == .composite, let type = attribute.compositeName.flatMap(composite(named:)),
      !containsItself(type)
    else { return [] }
    return type.elements
  }

  /// Returns true if an object may have no value for the attribute.
  ///
  /// A store cannot distinguish a composite without a value from one whose elements are all nil, so a mandatory
  /// composite may be nil if all its elements may, unless no value of its Swift type is like that.
  package func mayBeNil(_ attribute: AttributeDescription) -> Bool {
    if attribute.isOptional { return true }
    if let name = attribute.compositeName, inhabitedComposites.contains(name) { return false }
    let elements = elements(of: attribute)
    return attribute.type == .composite && !elements.isEmpty && elements.allSatisfy(mayBeNil)
  }

  private func containsItself(_ type: CompositeDescription) -> Bool {
    var open = [type]
    var seen: Set<String> = []
    while let next = open.popLast() {
      for element in next.elements where element.type == .composite {
        guard let name = element.compositeName else { continue }
        if name == type.name { return true }
        if seen.insert(name).inserted, let nested = composite(named: name) { open.append(nested) }
      }
    }
    return false
  }

  /// Returns the entity and its ancestors, nearest first. Stops at a cycle or a missing parent.
  public func lineage(of entity: EntityDescription) -> [EntityDescription] {
    var lineage = [entity]
    var names: Set = [entity.name]
    while let parentName = lineage.last?.superentityName, names.insert(parentName).inserted,
      let parent = self.entity(named: parentName)
    {
      lineage.append(parent)
    }
    return lineage
  }

  /// Returns the root of the entity's hierarchy. All entities of the hierarchy share the table that is named after the
  /// root.
  public func rootEntity(of entity: EntityDescription) -> EntityDescription { lineage(of: entity).last ?? entity }

  /// Returns the direct sub-entities, sorted by name.
  public func directSubentities(of entity: EntityDescription) -> [EntityDescription] {
    entities.filter { $0.superentityName == entity.name && $0.name != entity.name }
  }

  /// Returns true if `entity` is `ancestor` or inherits from it.
  public func entity(_ entity: EntityDescription, isKindOf ancestor: String) -> Bool {
    var next = entity
    var steps = 0
    while next.name != ancestor {
      // A cycle of superentities has at most as many steps as there are entities.
      guard let parent = self.entity(named: next.superentityName), steps <= entities.count else {
        return false
      }
      next = parent
      steps += 1
    }
    return true
  }

  /// Returns own and inherited attributes, sorted by name; an entity's own attributes precede inherited ones of the
  /// same name.
  public func allAttributes(of entity: EntityDescription) -> [AttributeDescription] {
    facts.attributes(of: entity) { inherited(by: entity, \.attributes, named: \.name) }
  }

  /// Returns own and inherited relationships, sorted by name.
  public func allRelationships(of entity: EntityDescription) -> [RelationshipDescription] {
    facts.relationships(of: entity) { inherited(by: entity, \.relationships, named: \.name) }
  }

  /// Returns own and inherited fetched properties, sorted by name.
  public func allFetchedProperties(of entity: EntityDescription) -> [FetchedPropertyDescription] {
    inherited(by: entity, \.fetchedProperties, named: \.name)
  }

  private func inherited<Property>(
    by entity: EntityDescription, _ properties: KeyPath<EntityDescription, [Property]>,
    named name: KeyPath<Property, String>
  ) -> [Property] {
    var seen: Set<String> = []
    var result = lineage(of: entity).flatMap { $0[keyPath: properties] }
      .filter { seen.insert($0[keyPath: name]).inserted }
    result.sortByName(name)
    return result
  }
}
