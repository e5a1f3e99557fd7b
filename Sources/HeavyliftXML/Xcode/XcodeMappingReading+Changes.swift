import HeavyliftMapping
import HeavyliftModel

extension XcodeMappingReading {
  /// Returns the changes to two models since the mapping was last edited, down to individual properties.
  ///
  /// ```swift
  /// for change in reading.changes(source: version1, destination: version2) { print(change) }
  /// // V1toV2.xcmappingmodel/xcmapping.xml:64:5: warning[mapping-file.model-changed]: source entity 'Book' has changed
  /// // since the mapping was edited: attribute 'pages': attributeType: Integer 16 → Integer 32
  /// ```
  ///
  /// A mapping model embeds both of its models. If an entity that it names has changed since, the mapping may still
  /// fit or may need an edit: hence a warning. Changes to entities that it does not name are notes.
  package func changes(source: ManagedObjectModel, destination: ManagedObjectModel) -> [Diagnostic] {
    var changes: [Diagnostic] = []
    if let sourceModel {
      changes += ModelChange(from: sourceModel, to: source, kind: "source", of: mappingModel, \.sourceEntityName).told
    }
    if let destinationModel {
      changes +=
        ModelChange(
          from: destinationModel, to: destination, kind: "destination", of: mappingModel, \.destinationEntityName
        )
        .told
    }
    return changes.sortedByPlace()
  }
}

/// The changes to one of the two models that a mapping model embeds.
private struct ModelChange {
  private let difference: ModelDifference
  private let given: ManagedObjectModel
  /// `source` or `destination`; also the name of the entity's attribute in an entity mapping's markup.
  private let kind: String
  private let mappingModel: MappingModel
  /// The first entity mapping that names each entity.
  private let mappings: [String: EntityMappingDescription]

  init(
    from embedded: ManagedObjectModel, to given: ManagedObjectModel, kind: String, of mappingModel: MappingModel,
    _ entity: (EntityMappingDescription) -> String?
  ) {
    difference = ModelDifference(from: embedded, to: given)
    self.given = given
    self.kind = kind
    self.mappingModel = mappingModel
    mappings = Dictionary(
      mappingModel.entityMappings.compactMap { mapping in entity(mapping).map { ($0, mapping) } },
      uniquingKeysWith: { first, _ in first })
  }

  var told: [Diagnostic] {
    difference.entities.flatMap { entity -> [Diagnostic] in
      switch (entity.oldName, entity.newName) {
      case (let old?, nil):
        [report(old, "is no longer in the model", given.entities.map(\.name).suggestion(for: old, kind: "entity"))]
      case (nil, let new?): [report(new, "was added to the model after the mapping was edited", nil)]
      case (let old?, let new?): changes(of: entity, old, new)
      case (nil, nil): []
      }
    }
  }

  private func changes(of entity: EntityDifference, _ old: String, _ new: String) -> [Diagnostic] {
    var told: [Diagnostic] = []
    if old != new { told.append(report(old, "is now called '\(new)'", "write '\(new)'")) }
    let changed = "has changed since the mapping was edited"
    for change in entity.changes where change.changesVersionHash {
      told.append(report(old, "\(changed): \(change)", nil))
    }
    for property in entity.properties where property.changesVersionHash || property.oldName != property.newName {
      var remedy: String?
      if property.newName == nil, let now = given.entity(named: new) {
        let names = given.allAttributes(of: now).map(\.name) + given.allRelationships(of: now).map(\.name)
        remedy = names.suggestion(for: property.name, kind: "property")
      }
      told.append(report(old, "\(changed): \(property.summary)", remedy))
    }
    return told
  }

  private func report(_ entity: String, _ problem: String, _ remedy: String?) -> Diagnostic {
    let mapping = mappings[entity]
    return Diagnostic(
      mapping == nil ? .note : .warning, code: "mapping-file.model-changed",
      problem: "\(kind) entity '\(entity)' \(problem)", remedy: remedy,
      location: mapping?.markup.location(of: kind) ?? mappingModel.markup.location(of: kind))
  }
}
