import HeavyliftModel

extension ManagedObjectModel {
  /// The same facts, as if they were stated in code.
  var forgettingMarkup: ManagedObjectModel {
    var model = self
    model.markup = Markup()
    model.entities = entities.map(\.forgettingMarkup)
    model.composites = composites.map { composite in
      CompositeDescription(name: composite.name, elements: composite.elements.map(\.forgettingMarkup))
    }
    model.configurations = configurations.map {
      ConfigurationDescription(name: $0.name, entityNames: $0.entityNames)
    }
    model.fetchRequestTemplates = fetchRequestTemplates.map(\.forgettingMarkup)
    return model
  }
}

extension EntityDescription {
  var forgettingMarkup: EntityDescription {
    var entity = self
    entity.markup = Markup()
    entity.attributes = attributes.map(\.forgettingMarkup)
    entity.relationships = relationships.map { relationship in
      var relationship = relationship
      relationship.markup = Markup()
      return relationship
    }
    entity.fetchedProperties = fetchedProperties.map { property in
      var property = property
      property.markup = Markup()
      property.fetchRequest = property.fetchRequest?.forgettingMarkup
      return property
    }
    entity.uniquenessConstraints = uniquenessConstraints.map { UniquenessConstraint($0.propertyNames) }
    entity.fetchIndexes = fetchIndexes.map { index in
      var index = index
      index.markup = Markup()
      for position in index.elements.indices { index.elements[position].markup = Markup() }
      return index
    }
    return entity
  }
}

extension AttributeDescription {
  var forgettingMarkup: AttributeDescription {
    var attribute = self
    attribute.markup = Markup()
    return attribute
  }
}

extension FetchRequestDescription {
  var forgettingMarkup: FetchRequestDescription {
    var request = self
    request.markup = Markup()
    return request
  }
}
