import HeavyliftModel
import HeavyliftTestSupport

/// New names for some of a model's entities and properties.
struct ModelRenaming {
  private(set) var entities: [String: String] = [:]
  private(set) var properties: [String: String] = [:]

  /// - Parameter suffix: The suffix of new names.
  init(of model: ManagedObjectModel, suffix: String, _ generator: inout MappingGenerator) {
    for entity in model.entities {
      if generator.chance(3) { entities[entity.name] = "\(entity.name)\(suffix)" }
      for property in entity.attributes.map(\.name) + entity.relationships.map(\.name) where generator.chance(3) {
        properties[property] = "\(property)\(suffix)"
      }
    }
  }

  func entity(_ name: String) -> String { entities[name] ?? name }
  func property(_ name: String) -> String { properties[name] ?? name }

  /// Returns the model with the new names and renaming identifiers for the old ones.
  func renamed(_ model: ManagedObjectModel) -> ManagedObjectModel {
    var renamed = model
    renamed.entities = model.entities.map { entity in
      var entity = entity
      if let name = entities[entity.name] { (entity.renamingIdentifier, entity.name) = (entity.name, name) }
      entity.superentityName = entity.superentityName.map(self.entity)
      entity.attributes = entity.attributes.map { attribute in
        var attribute = attribute
        if let name = properties[attribute.name] {
          (attribute.renamingIdentifier, attribute.name) = (attribute.name, name)
        }
        return attribute
      }
      entity.relationships = entity.relationships.map { relationship in
        var relationship = relationship
        if let name = properties[relationship.name] {
          (relationship.renamingIdentifier, relationship.name) = (relationship.name, name)
        }
        relationship.destinationEntityName = relationship.destinationEntityName.map(self.entity)
        relationship.inverseEntityName = relationship.inverseEntityName.map(self.entity)
        relationship.inverseName = relationship.inverseName.map(property)
        return relationship
      }
      return entity
    }
    return renamed
  }

  /// Returns a text with the new names, replaced word by word.
  func renamed(_ text: String, mappings: [String: String]) -> String {
    var words = text
    for (old, new) in mappings { words = words.replacing("\"\(old)\"", with: "\"\u{1}\(new)\u{1}\"") }
    var isName = false
    return words.split(separator: "\u{1}", omittingEmptySubsequences: false).map { part in
      defer { isName.toggle() }
      if isName { return String(part) }
      return String(part).replacing(/[A-Za-z][A-Za-z0-9_]*/) { match in
        entity(property(String(match.output)))
      }
    }.joined()
  }
}
