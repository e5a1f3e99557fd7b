import Heavylift

/// The properties that classes can declare.
extension ClassModel {
  mutating func reducedProperties(of old: EntityDescription) -> EntityDescription {
    var entity = old
    let place = "entity \(entity.name.quotedName)"
    if let name = entity.managedObjectClassName, name != entity.name, name != "NSManagedObject" {
      omit(place, "class \(name.quotedName)")
    }
    entity.managedObjectClassName = nil
    if !entity.userInfo.isEmpty { omit(place, "user info") }
    entity.userInfo = [:]
    for names in entity.compoundIndexes { omit(place, "compound index of \(names.quotedList)") }
    entity.compoundIndexes = []
    entity.markup = Markup()

    let inherited = Set(
      model.lineage(of: entity).filter { $0.name != entity.name }.flatMap { ancestor in
        ancestor.attributes.map(\.name) + ancestor.relationships.map(\.name) + ancestor.fetchedProperties.map(\.name)
      })
    entity.attributes = entity.attributes.compactMap { reduced($0, at: place, inherited) }
    entity.relationships = entity.relationships.compactMap { reduced($0, at: place, inherited) }
    entity.fetchedProperties = entity.fetchedProperties.compactMap { reduced($0, at: place, inherited) }
    return entity
  }

  private mutating func reduced(
    _ old: AttributeDescription, at place: String, _ inherited: Set<String>
  ) -> AttributeDescription? {
    let place = "\(place), attribute \(old.name.quotedName)"
    guard !inherited.contains(old.name) else {
      omit(place, "a class cannot declare an inherited property again")
      return nil
    }
    var new = old
    new.markup = Markup()
    if old.type == .composite {
      guard let name = old.compositeName, model.composites.contains(where: { $0.name == name }) else {
        omit(place, "its composite type has no Swift counterpart")
        return nil
      }
    } else if SwiftValue.typeName(of: old.type) == nil {
      omit(place, "type \(old.type.modelName) has no Swift counterpart")
      return nil
    }
    // The option needs a name; an empty one does not change the version hash.
    if old.type == .transformable { new.valueTransformerName = old.valueTransformerName ?? "" }
    if old.type != .transformable { new.valueTransformerName = nil }
    if old.type != .composite { new.compositeName = nil }
    new.attributeValueClassName = nil
    new.isIndexed = false
    new.isStoredInExternalRecord = false
    let hasValues = old.type != .transformable && old.type != .composite
    func value(_ value: Value) -> Value { hasValues ? SwiftValue.expressible(value, as: old.type) ?? .null : .null }
    new.defaultValue = value(old.defaultValue)
    new.validation.minimum = value(old.validation.minimum)
    new.validation.maximum = value(old.validation.maximum)
    for fact in Self.changes(from: old, to: new) { omit(place, fact) }
    return new
  }

  private mutating func reduced(
    _ old: RelationshipDescription, at place: String, _ inherited: Set<String>
  ) -> RelationshipDescription? {
    let place = "\(place), relationship \(old.name.quotedName)"
    guard old.destinationEntityName != nil, !inherited.contains(old.name) else {
      let isInherited = inherited.contains(old.name)
      omit(place, isInherited ? "a class cannot declare an inherited property again" : "it has no destination")
      return nil
    }
    var new = old
    new.markup = Markup()
    for (isSet, fact) in [
      (old.isTransient, "transient"), (old.isIndexed, "indexed"), (old.isIndexedBySpotlight, "indexed by Spotlight"),
      (old.isStoredInExternalRecord, "stored in the external record"),
    ] where isSet {
      omit(place, fact)
    }
    new.isTransient = false
    new.isIndexed = false
    new.isIndexedBySpotlight = false
    new.isStoredInExternalRecord = false
    return new
  }

  private mutating func reduced(
    _ old: FetchedPropertyDescription, at place: String, _ inherited: Set<String>
  ) -> FetchedPropertyDescription? {
    let place = "\(place), fetched property \(old.name.quotedName)"
    guard let request = old.fetchRequest, let target = request.entityName, let predicate = request.predicateString,
      (try? MappingPredicate(format: predicate)) != nil, !inherited.contains(old.name),
      SwiftWords.isIdentifier(old.name), !SwiftWords.members.contains(old.name),
      model.entities.contains(where: { $0.name == target })
    else {
      omit(place, "it has no Swift counterpart")
      return nil
    }
    let new = FetchedPropertyDescription(
      name: old.name,
      fetchRequest: FetchRequestDescription(
        name: "fetchRequest", entityName: target, predicateString: predicate, sortKeys: request.sortKeys,
        fetchLimit: request.fetchLimit))
    var named = request
    named.name = "fetchRequest"
    var comparable = old
    comparable.fetchRequest = named
    if comparable != new { omit(place, "all except its predicate, sort keys and limit") }
    return new
  }

  /// Removes references to properties that the classes lack, and declarations for which they have no form.
  mutating func reducedReferences(
    of old: EntityDescription, in model: ManagedObjectModel
  ) -> EntityDescription {
    var entity = old
    let place = "entity \(entity.name.quotedName)"
    entity.relationships = old.relationships.map { relationship in
      var relationship = relationship
      let inverse = Self.inverse(of: relationship, of: old, in: model)
      if let name = relationship.inverseName, inverse == nil {
        omit("\(place), relationship \(relationship.name.quotedName)", "inverse \(name.quotedName)")
        relationship.inverseName = nil
      }
      relationship.inverseEntityName = inverse?.entity.name
      return relationship
    }
    let columns = Set(
      model.lineage(of: entity).flatMap { ancestor in
        ancestor.attributes.filter { !$0.isTransient && $0.type != .composite && $0.type != .transformable }.map(\.name)
          + ancestor.relationships.filter { !$0.isToMany }.map(\.name)
      })
    func isExpressible(_ names: [String]) -> Bool { !names.isEmpty && names.allSatisfy(columns.contains) }
    for constraint in entity.uniquenessConstraints where !isExpressible(constraint.propertyNames) {
      omit(place, "uniqueness constraint of \(constraint.propertyNames.quotedList)")
    }
    entity.uniquenessConstraints.removeAll { !isExpressible($0.propertyNames) }
    func isExpressible(_ index: FetchIndexDescription) -> Bool {
      let names = index.elements.compactMap { $0.collationType == .binary ? $0.propertyName : nil }
      return names.count == index.elements.count && isExpressible(names) && index.partialIndexPredicate == nil
        && Set(index.elements.map(\.isAscending)).count == 1
    }
    for index in entity.fetchIndexes where !isExpressible(index) { omit(place, "fetch index \(index.name.quotedName)") }
    entity.fetchIndexes.removeAll { !isExpressible($0) }
    return entity
  }

  /// Returns the inverse of a relationship, and the entity that declares it; nil if there is none, or if the two do not
  /// lead to each other.
  static func inverse(
    of relationship: RelationshipDescription, of entity: EntityDescription, in model: ManagedObjectModel
  ) -> (entity: EntityDescription, relationship: RelationshipDescription)? {
    guard let name = relationship.inverseName,
      let destination = model.entities.first(where: { $0.name == relationship.destinationEntityName }),
      let declaring = model.lineage(of: destination).first(where: { $0.relationship(named: name) != nil }),
      let inverse = declaring.relationship(named: name), inverse.inverseName == relationship.name,
      leadsBack(inverse, to: entity, in: model) || leadsBack(relationship, to: declaring, in: model)
    else { return nil }
    return (declaring, inverse)
  }

  /// Returns true if a relationship's destination is the entity or one of its ancestors.
  static func leadsBack(
    _ relationship: RelationshipDescription, to entity: EntityDescription, in model: ManagedObjectModel
  ) -> Bool {
    model.lineage(of: entity).contains { $0.name == relationship.destinationEntityName }
  }
}
