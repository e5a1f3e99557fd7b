import HeavyliftModel

extension ManagedObjectModel {
  /// The facts of the model that compiled files hold, in a normalized form for comparing a source file with its
  /// compiled file.
  ///
  /// ```swift
  /// source.factsHeldByCompiledModels == compiled.factsHeldByCompiledModels
  /// ```
  ///
  /// A source file contains more facts, or expresses the same facts differently:
  /// - class names of entities have a module in one file and none in the other, so only the part after the module
  ///   counts;
  /// - the class of a transformable's values is not in every compiled file;
  /// - Spotlight flags and external record flags are not read from compiled files, and names of composite types are not
  ///   in them;
  /// - the "indexed" flag and an index named after the attribute are one fact, as are an index of several properties
  ///   and the legacy compound index;
  /// - an empty version identifier means none, as does a renaming identifier that equals the name;
  /// - the fetch request of a fetched property has no name of its own.
  package var factsHeldByCompiledModels: ManagedObjectModel {
    var model = self
    model.composites = []
    model.versionIdentifiers.remove("")
    model.entities = entities.map(\.factsHeldByCompiledModels)
    return model
  }
}

extension EntityDescription {
  fileprivate var factsHeldByCompiledModels: EntityDescription {
    var entity = self
    let className = managedObjectClassName?.split(separator: ".").last.map(String.init)
    entity.managedObjectClassName = className == "NSManagedObject" ? nil : className
    if renamingIdentifier == name { entity.renamingIdentifier = nil }
    entity.attributes = attributes.map(\.factsHeldByCompiledModels)
    entity.relationships = relationships.map {
      var relationship = $0
      relationship.isIndexedBySpotlight = false
      relationship.isStoredInExternalRecord = false
      if $0.renamingIdentifier == $0.name { relationship.renamingIdentifier = nil }
      return relationship
    }
    entity.fetchedProperties = fetchedProperties.map {
      var property = $0
      property.fetchRequest?.name = ModelArchiveReader.nameOfFetchedPropertyRequest
      if $0.renamingIdentifier == $0.name { property.renamingIdentifier = nil }
      return property
    }
    entity.foldGeneratedIndexes()
    return entity
  }
}

extension AttributeDescription {
  fileprivate var factsHeldByCompiledModels: AttributeDescription {
    var attribute = self
    attribute.attributeValueClassName = nil
    attribute.isIndexedBySpotlight = false
    attribute.isStoredInExternalRecord = false
    attribute.compositeName = nil
    if renamingIdentifier == name { attribute.renamingIdentifier = nil }
    return attribute
  }
}
