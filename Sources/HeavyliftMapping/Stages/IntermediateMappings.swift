import HeavyliftExpression
import HeavyliftModel

/// Writes the mappings from the source version to the intermediate model, and from there to the destination version.
///
/// A property is mentioned only if copying by name and renaming identifier would not give it the right value.
struct IntermediateMappings {
  let counterparts: PropertyCounterparts
  let kept: KeptProperties
  let model: ManagedObjectModel
  private let intermediate: ModelIndex
  private var entities: IntermediateEntities { counterparts.entities }

  init(_ builder: IntermediateBuilder, _ model: ManagedObjectModel) {
    counterparts = builder.counterparts
    kept = builder.kept
    self.model = model
    intermediate = ModelIndex(model)
  }

  // MARK: Expansion

  /// The mapping from the source version to the intermediate model.
  var expansion: MappingModel {
    var mappings: [EntityMappingDescription] = []
    for entity in entities.entities.indices.sorted(by: { entities.entities[$0].name < entities.entities[$1].name }) {
      let here = entities.entities[entity]
      guard let old = here.old, !entities.source.model.entities[old].isAbstract else {
        if !entities.isAbstract(entity) {
          mappings.append(EntityMappingDescription(type: .add, destination: here.name))
        }
        continue
      }
      mappings.append(
        EntityMappingDescription(
          source: entities.source.model.entities[old].name, destination: here.name,
          properties: expansionProperties(of: old, here.name)))
    }
    return part(from: entities.source.model, to: model, mappings)
  }

  private func part(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, _ mappings: [EntityMappingDescription]
  ) -> MappingModel {
    var mapping = MappingModel(
      source: ModelReference(name: source.name), destination: ModelReference(name: destination.name),
      entityMappings: mappings)
    mapping.isOfStage = true
    return mapping
  }

  private func expansionProperties(of old: Int, _ name: String) -> [PropertyMappingDescription] {
    guard let number = intermediate.entity(named: name) else { return [] }
    let keptNames = Dictionary(
      kept.names[old].map { ($0.value, $0.key) }, uniquingKeysWith: { first, _ in first })
    let properties = intermediate.properties(of: number)
    let implied = Self.implied(from: entities.source.properties(of: old), to: properties)
    return properties.compactMap { property -> PropertyMappingDescription? in
      guard let kind = property.mappingKind, property.isWritable else { return nil }
      let counterpart = counterparts.bySource[old][property.name]
      let origin =
        keptNames[property.name] ?? (counterpart?.treatment == .copied ? counterpart?.old.name : nil)
      if let origin {
        return implied[property.name] == origin ? nil : Self.copy(kind, property.name, from: origin)
      }
      if counterpart != nil, case .attribute(let attribute) = property, !attribute.defaultValue.isNull {
        // A default would hide the objects that a script forgets.
        return .attribute(property.name, MappingExpression(.constant(.value(.null))))
      }
      return implied[property.name] == nil
        ? nil : PropertyMappingDescription(kind, name: property.name, source: .unmapped)
    }.sorted { $0.name < $1.name }
  }

  // MARK: Contraction

  /// The mapping from the intermediate model to the destination version.
  var contraction: MappingModel {
    var mappings: [EntityMappingDescription] = []
    var removals: [EntityMappingDescription] = []
    for entity in entities.entities.indices.sorted(by: { entities.entities[$0].name < entities.entities[$1].name })
    where !entities.isAbstract(entity) {
      let here = entities.entities[entity]
      if let new = here.new, !entities.destination.model.entities[new].isAbstract {
        mappings.append(contractionMapping(of: entity, here.name))
      } else {
        removals.append(EntityMappingDescription(type: .remove, source: here.name))
      }
    }
    return part(from: model, to: entities.destination.model, mappings + removals)
  }

  private func contractionMapping(of entity: Int, _ name: String) -> EntityMappingDescription {
    guard let number = intermediate.entity(named: name), let new = entities.destination.entity(named: name) else {
      return EntityMappingDescription(source: name, destination: name)
    }
    let olds = intermediate.properties(of: number)
    let news = entities.destination.properties(of: new)
    let implied = Self.implied(from: olds, to: news)
    let names = Set(news.map(\.name))
    let properties = news.compactMap { property -> PropertyMappingDescription? in
      guard let kind = property.mappingKind, property.isWritable,
        let old = intermediate.property(named: property.name, of: number)?.property
      else { return nil }
      switch (old, property) {
      case (.attribute(let old), .attribute(let attribute)):
        if let value = fallback(attribute, from: old, entities.entities[entity].old) {
          return .attribute(attribute.name, value)
        }
      case (.relationship(let old), .relationship(let relationship)) where old.isToMany && !relationship.isToMany:
        return toOne(relationship, from: old)
      default: break
      }
      return implied[property.name] == property.name ? nil : Self.copy(kind, property.name, from: property.name)
    }
    let drops = olds.filter { old in
      old.mappingKind != nil && old.isStored && (!names.contains(old.name) || !isStored(old.name, new))
    }
    return EntityMappingDescription(
      source: name, destination: name, properties: properties.sorted { $0.name < $1.name },
      drops: drops.map { DroppedProperty($0.name) }.sorted { $0.name < $1.name })
  }

  private func isStored(_ name: String, _ new: Int) -> Bool {
    entities.destination.property(named: name, of: new)?.property.isStored ?? false
  }

  /// Returns the mapping of a relationship that is to-many only in the intermediate model.
  ///
  /// If its inverse leads to one object at most, the inverse sets it at less expense, and all shared objects are
  /// reported together.
  private func toOne(
    _ relationship: RelationshipDescription, from old: RelationshipDescription
  ) -> PropertyMappingDescription {
    if let name = relationship.inverseName, name == old.inverseName,
      let target = intermediate.entity(named: old.destinationEntityName),
      case .relationship(let inverse)? = intermediate.property(named: name, of: target)?.property,
      !inverse.isToMany || entities.destination.inverse(of: relationship)?.isToMany == true
    {
      return PropertyMappingDescription(.relationship, name: relationship.name, source: .unmapped)
    }
    return Self.copy(.relationship, relationship.name, from: old.name)
  }

  /// Returns an expression for the value, or for the default if there is none; nil if the value only has to be copied.
  private func fallback(
    _ attribute: AttributeDescription, from old: AttributeDescription, _ source: Int?
  ) -> MappingExpression? {
    guard old.isOptional, !attribute.isOptional, !attribute.defaultValue.isNull else { return nil }
    let nothing = MappingExpression(.constant(.value(.null)))
    let value = MappingExpression.source(key: attribute.name)
    let fallback = MappingExpression(.constant(.value(attribute.defaultValue)))
    let isThere = MappingPredicate(.comparison(.init(value, .notEqual, nothing)))
    var expression = MappingExpression(.ternary(isThere, then: value, otherwise: fallback))
    if let source, let counterpart = counterparts.bySource[source][attribute.name],
      counterpart.treatment != .copied, let name = kept.names[source][counterpart.old.name]
    {
      // The default is for objects that had no value. A script has forgotten any other object without one.
      let wasThere = MappingPredicate(.comparison(.init(.source(key: name), .notEqual, nothing)))
      expression = MappingExpression(
        .ternary(MappingPredicate(.or([isThere, wasThere])), then: value, otherwise: fallback))
    }
    // Without the default, validation reports the objects that have no value.
    return (try? expression.text()) == nil ? nil : expression
  }

  // MARK: Implied copies

  /// Returns the source property that each property is copied from by name or renaming identifier.
  private static func implied(
    from olds: [PropertyReference], to news: [PropertyReference]
  ) -> [String: String] {
    let match = RenamingMatch(old: olds, new: news)
    var implied: [String: String] = [:]
    for case (let old?, let new?) in match.pairs { implied[news[new].name] = olds[old].name }
    return implied
  }

  private static func copy(
    _ kind: PropertyMappingDescription.Kind, _ name: String, from origin: String
  ) -> PropertyMappingDescription {
    let value = MappingExpression.source(key: origin)
    return kind == .attribute ? .attribute(name, value) : .relationship(name, from: value)
  }
}
