/// A model with indexes that let rules look things up without walking the whole model.
///
/// The model's own lookups walk it, which is fine for a few entities but takes minutes for ten thousand. A class, because
/// every rule has a copy.
package final class ModelIndex: Sendable {
  package let model: ManagedObjectModel
  private let tables: ModelTables

  /// Returns the index of a model. Each model is indexed once.
  package init(_ model: ManagedObjectModel) {
    self.model = model
    tables = model.facts.tables { ModelTables(model) }
  }

  /// All attributes of entities, then all elements of composite types.
  package var attributes: [AttributeFact] { tables.attributes { AttributeFact.all(in: model) } }
  package var relationships: [RelationshipFact] { tables.relationships { RelationshipFact.all(in: model) } }
  package var entityNames: [String] { tables.entityNames }
  var forest: EntityForest { tables.forest }

  /// The index of the first entity with that name.
  package func entity(named name: String?) -> Int? { name.flatMap { tables.numbers[$0] } }

  /// Returns true if the path names a composite's element that has a column, such as `address.city`.
  func hasStoredElement(_ path: String, of entity: Int) -> Bool {
    storedElements(at: path, of: entity).contains { $0.name == path }
  }

  /// Returns true if the path names a composite's element, which may be a composite itself.
  package func hasElement(_ path: String, of entity: Int) -> Bool {
    storedElements(at: path, of: entity).contains { $0.name == path || $0.name.hasPrefix(path + ".") }
  }

  /// The elements with columns of the composite that a path starts with; empty for a name.
  private func storedElements(at path: String, of entity: Int) -> [PropertyReference] {
    guard let dot = path.firstIndex(of: "."), let property = property(named: String(path[..<dot]), of: entity)?.property
    else { return [] }
    return storedElements(of: property)
  }

  /// Returns a composite's elements that have columns, named by their paths, such as `address.city`; empty for any other
  /// property.
  package func storedElements(of property: PropertyReference) -> [PropertyReference] {
    guard case .attribute(let attribute) = property, !attribute.isTransient else { return [] }
    return model.elements(of: attribute).filter { !$0.isTransient }.flatMap { element -> [PropertyReference] in
      var element = element
      element.name = "\(attribute.name).\(element.name)"
      return element.type == .composite ? storedElements(of: .attribute(element)) : [.attribute(element)]
    }
  }

  /// Returns the nearest own or inherited property of that name, and the entity that declares it.
  package func property(named name: String, of entity: Int) -> (property: PropertyReference, declaredBy: Int)? {
    tables.property(named: name, of: entity)
  }

  /// The names of the entity's own and inherited properties.
  package func propertyNames(of entity: Int) -> [String] { tables.properties(of: entity).map(\.name) }

  /// The entity's own and inherited properties, sorted by name.
  package func properties(of entity: Int) -> [PropertyReference] { tables.properties(of: entity) }

  /// The entity and all its descendants, each before its own descendants.
  package func entityAndSubentities(of entity: Int) -> ArraySlice<Int> {
    tables.forest.order[tables.forest.position[entity]..<tables.forest.end[entity]]
  }

  /// Returns true if `entity` is `ancestor` or inherits from it.
  package func isKind(_ entity: Int, of ancestor: Int) -> Bool {
    tables.forest.isKind(entity, of: ancestor)
  }

  /// Returns true if the entities are the same or one inherits from the other.
  package func areRelated(_ one: Int, _ other: Int) -> Bool {
    tables.forest.isKind(one, of: other) || tables.forest.isKind(other, of: one)
  }
}
