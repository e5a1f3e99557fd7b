import HeavyliftExpression
import HeavyliftModel

/// Infers a mapping from two models, entity by entity.
struct MappingInference {
  private let pair: ModelPair
  private let source: ModelIndex
  private let destination: ModelIndex
  /// The successor of each entity, by index; nil if it was removed.
  private let successors: [Int?]
  private let predecessors: [Int?]
  /// The old counterparts of entities and properties, if names and renaming identifiers do not decide.
  private let succession: Succession?
  /// The values of attributes that are computed, by destination entity and name.
  private let values: [Int: [String: PropertyMappingDescription]]
  private(set) var refusals: [Diagnostic] = []
  /// The relationships whose links fit only if a store has the right ones.
  private(set) var questions: [Diagnostic] = []
  /// The refusals and questions, by destination entity.
  private(set) var findingsByEntity: [String: [Diagnostic]] = [:]
  /// Refusals already reported: a property is reported where it is declared, not again for each entity that inherits
  /// it.
  private var told: Set<String> = []
  /// The old relationships that each new one is copied from.
  private lazy var origins = relationshipOrigins()

  init(
    from source: ManagedObjectModel, to destination: ManagedObjectModel, _ succession: Succession? = nil,
    _ values: [Int: [String: PropertyMappingDescription]] = [:]
  ) {
    (self.succession, self.values) = (succession, values)
    pair = ModelPair(from: source, to: destination, succession: succession)
    (self.source, self.destination) = (pair.source, pair.destination)
    (successors, predecessors) = (pair.successors, pair.predecessors)
  }

  /// Returns the mapping: kept and new entities sorted by name, then removed ones.
  mutating func run() -> MappingModel {
    refuseMergedHierarchies()
    refuseUnrelatedModels()
    var mappings: [EntityMappingDescription] = []
    for (number, entity) in destination.model.entities.enumerated() {
      guard let old = predecessors[number] else {
        refuseAmbiguousRenaming(of: number)
        if !entity.isAbstract { mappings.append(EntityMappingDescription(type: .add, destination: entity.name)) }
        continue
      }
      let before = source.model.entities[old]
      switch (before.isAbstract, entity.isAbstract) {
      case (true, true): break
      case (true, false): mappings.append(EntityMappingDescription(type: .add, destination: entity.name))
      case (false, true): refuse(.becameAbstract(from: before.name), entity: number)
      case (false, false):
        mappings.append(
          EntityMappingDescription(
            source: before.name, destination: entity.name, properties: propertyMappings(from: old, to: number)))
      }
    }
    for (number, entity) in source.model.entities.enumerated() where successors[number] == nil && !entity.isAbstract {
      mappings.append(EntityMappingDescription(type: .remove, source: entity.name))
    }
    var model = MappingModel(
      source: ModelReference(name: source.model.name), destination: ModelReference(name: destination.model.name),
      entityMappings: mappings)
    model.isInferred = true
    model.succession = succession
    return model
  }

  /// Refuses models without a common entity, because a migration would leave nothing: one of them was probably chosen by
  /// mistake.
  private mutating func refuseUnrelatedModels() {
    guard !source.model.entities.isEmpty, !destination.model.entities.isEmpty, successors.allSatisfy({ $0 == nil })
    else { return }
    refuse(.unrelatedModels, entity: 0)
  }

  // MARK: Hierarchies

  /// Refuses to merge separate hierarchies into one: their tables would have to be merged, too.
  private mutating func refuseMergedHierarchies() {
    let (olds, news) = (Self.tops(of: source), Self.tops(of: destination))
    var hierarchies: [Int: Set<Int>] = [:]
    for (new, old) in predecessors.enumerated() {
      if let old { hierarchies[news[new], default: []].insert(olds[old]) }
    }
    for (new, olds) in hierarchies.sorted(by: { $0.key < $1.key }) where olds.count > 1 {
      let names = olds.map { source.model.entities[$0].name }.sorted()
      refuse(.mergedHierarchies(top: destination.model.entities[new].name, names), entity: new)
    }
  }

  /// The root of each entity's hierarchy, by index.
  private static func tops(of index: ModelIndex) -> [Int] {
    let entities = index.model.entities
    var tops = [Int?](repeating: nil, count: entities.count)
    for start in entities.indices {
      var path = [start]
      var seen: Set<Int> = [start]
      while tops[path[path.count - 1]] == nil,
        let parent = index.entity(named: entities[path[path.count - 1]].superentityName), seen.insert(parent).inserted
      {
        path.append(parent)
      }
      let top = tops[path[path.count - 1]] ?? path[path.count - 1]
      for entity in path { tops[entity] = top }
    }
    return tops.enumerated().map { $1 ?? $0 }
  }

  // MARK: Properties

  /// Returns mappings of the properties that need an explicit mapping; all others are copied implicitly.
  private mutating func propertyMappings(from old: Int, to new: Int) -> [PropertyMappingDescription] {
    let olds = source.properties(of: old)
    let news = destination.properties(of: new)
    let match = pair.match(old, new)
    return match.pairs.compactMap { pair -> PropertyMappingDescription? in
      guard let place = pair.new else { return nil }
      let before = pair.old.map { olds[$0] }
      if before == nil { refuseAmbiguousRenaming(of: news[place], among: match, olds, news, of: new) }
      // A renamed property of another kind has left its name.
      let hasNamesake = pair.old == nil && olds.contains { $0.name == news[place].name }
      switch news[place] {
      case .attribute(let attribute):
        return attributeMapping(from: before, to: attribute, of: new)
          ?? (hasNamesake && !attribute.isTransient && !attribute.isDerived
            ? .unmapped(.attribute, attribute.name) : nil)
      case .relationship(let relationship):
        return relationshipMapping(from: before, to: relationship, of: new)
          ?? (hasNamesake && !relationship.isTransient ? .unmapped(.relationship, relationship.name) : nil)
      case .fetched: return nil
      }
    }.sorted { $0.name < $1.name }
  }

  private mutating func attributeMapping(
    from before: PropertyReference?, to attribute: AttributeDescription, of entity: Int
  ) -> PropertyMappingDescription? {
    // Transient values are not stored, and derived values are computed by the store.
    if attribute.isTransient || attribute.isDerived { return nil }
    if let value = values[entity]?[attribute.name] { return value }
    let needsValue = !attribute.isOptional && attribute.defaultValue.isNull
    if case .relationship(let relationship)? = before, !relationship.isTransient {
      refuse(.otherKind(from: relationship.name, isAttribute: false), attribute.name, of: entity)
      return nil
    }
    let fallback = succession?.fallbacks[entity]?[attribute.name]
    guard case .attribute(let old)? = before, !old.isTransient else {
      if let fallback {
        return constant(fallback, attribute, of: entity).map { .attribute(attribute.name, $0) }
      }
      if needsValue { refuse(.mandatoryAttribute(from: nil), attribute.name, of: entity) }
      // A store has no value for a transient source property, so the destination keeps its default.
      return before.map { _ in .unmapped(.attribute, attribute.name) }
    }
    if !attribute.type.isInferred(from: old.type) {
      refuse(.attributeType(from: old.name, old.type, to: attribute.type), attribute.name, of: entity)
      return nil
    }
    if old.type == .composite,
      AttributeCopy(from: old, in: source.model, to: attribute, in: destination.model) != .exact
    {
      refuse(.composite(from: old.compositeName, to: attribute.compositeName), attribute.name, of: entity)
      return nil
    }
    let becomesMandatory = old.isOptional && !attribute.isOptional
    guard fallback != nil || becomesMandatory else { return nil }
    let otherwise = fallback ?? attribute.defaultValue
    if otherwise.isNull, needsValue {
      refuse(.mandatoryAttribute(from: old.name), attribute.name, of: entity)
      return nil
    }
    return value(of: old, or: otherwise, attribute, of: entity)
  }

  /// Returns a mapping that yields the existing value, or another one if that is nil.
  private mutating func value(
    of old: AttributeDescription, or fallback: Value, _ attribute: AttributeDescription, of entity: Int
  ) -> PropertyMappingDescription? {
    guard let otherwise = constant(fallback, attribute, of: entity) else { return nil }
    let value = MappingExpression.source(key: old.name)
    let isThere = MappingPredicate(
      .comparison(.init(value, .notEqual, MappingExpression(.constant(.value(.null))))))
    return .attribute(attribute.name, MappingExpression(.ternary(isThere, then: value, otherwise: otherwise)))
  }

  private mutating func constant(
    _ value: Value, _ attribute: AttributeDescription, of entity: Int
  ) -> MappingExpression? {
    let expression = MappingExpression(.constant(.value(value)))
    guard (try? expression.text()) != nil else {
      refuse(.unwritableDefault, attribute.name, of: entity)
      return nil
    }
    return expression
  }

  private mutating func relationshipMapping(
    from before: PropertyReference?, to relationship: RelationshipDescription, of entity: Int
  ) -> PropertyMappingDescription? {
    if relationship.isTransient { return nil }
    if case .attribute(let attribute)? = before, !attribute.isTransient {
      refuse(.otherKind(from: attribute.name, isAttribute: true), relationship.name, of: entity)
      return nil
    }
    guard case .relationship(let old)? = before, !old.isTransient else {
      if relationship.requiresTarget { refuse(.mandatoryRelationship(from: nil), relationship.name, of: entity) }
      return before.map { _ in .unmapped(.relationship, relationship.name) }
    }
    if old.isToMany, !relationship.isToMany { refuse(.manyIntoOne(from: old.name), relationship.name, of: entity) }
    if !old.requiresTarget, relationship.requiresTarget {
      refuse(.mandatoryRelationship(from: old.name), relationship.name, of: entity)
    }
    inspectDestination(of: relationship, from: old, of: entity)
    inspectInverse(of: relationship, from: old, of: entity)
    return nil
  }

  private func relationshipOrigins() -> [PropertyDeclaration: Set<PropertyDeclaration>] {
    var origins: [PropertyDeclaration: Set<PropertyDeclaration>] = [:]
    for (new, old) in predecessors.enumerated() {
      guard let old else { continue }
      let (olds, news) = (source.properties(of: old), destination.properties(of: new))
      for case (let before?, let after?) in pair.match(old, new).pairs {
        guard case .relationship(let relationship) = olds[before], relationship.isStored,
          case .relationship = news[after],
          let origin = source.declaration(of: olds[before].name, in: old),
          let place = destination.declaration(of: news[after].name, in: new)
        else { continue }
        origins[place, default: []].insert(origin)
      }
    }
    return origins
  }

  /// Refuses the relationship if its inverse is copied from a relationship that was not its inverse: copying one end would
  /// overwrite the other.
  private mutating func inspectInverse(
    of relationship: RelationshipDescription, from old: RelationshipDescription, of entity: Int
  ) {
    guard let before = predecessors[entity], let origin = source.declaration(of: old.name, in: before),
      let back = source.inverse(of: origin), let place = destination.declaration(of: relationship.name, in: entity),
      let inverse = destination.inverse(of: place), let sources = origins[inverse], !sources.contains(back)
    else { return }
    refuse(
      .otherInverse(from: old.name, old: back.name, new: inverse.name), relationship.name, of: entity)
  }

  /// Asks about the relationship if it no longer leads to the successors of the entities that it led to: whether links
  /// would be lost depends on the store.
  private mutating func inspectDestination(
    of relationship: RelationshipDescription, from old: RelationshipDescription, of entity: Int
  ) {
    guard let wanted = destination.entity(named: relationship.destinationEntityName),
      let given = source.entity(named: old.destinationEntityName)
    else { return }
    var (fitting, strays): ([String], [String]) = ([], [])
    for number in source.entityAndSubentities(of: given) where !source.model.entities[number].isAbstract {
      guard let successor = successors[number] else { continue }
      let (before, after) = (source.model.entities[number].name, destination.model.entities[successor])
      if !destination.isKind(successor, of: wanted) {
        strays.append(before)
      } else if !after.isAbstract {
        fitting.append(EntityMappingDescription(source: before, destination: after.name).name)
      }
    }
    guard let stray = strays.first else { return }
    refuse(
      .otherDestination(
        from: old.name, old: source.model.entities[given].name, new: destination.model.entities[wanted].name,
        stray: stray, loss: RelationshipLoss(relationship, fitting: fitting)), relationship.name, of: entity)
  }

  // MARK: Renaming

  /// Refuses a new entity whose renaming identifier names an old entity that became another one.
  private mutating func refuseAmbiguousRenaming(of new: Int) {
    // An old entity that was itself renamed has left that name.
    guard succession == nil, let name = destination.model.entities[new].renamingIdentifier,
      let old = source.entity(named: name),
      source.model.entities[old].identity == name, let taker = successors[old]
    else { return }
    refuse(.ambiguousRenaming(from: name, taker: destination.model.entities[taker].name), entity: new)
  }

  /// Refuses a new property whose renaming identifier names an old property of its kind that became another one.
  private mutating func refuseAmbiguousRenaming(
    of property: PropertyReference, among match: RenamingMatch, _ olds: [PropertyReference],
    _ news: [PropertyReference], of entity: Int
  ) {
    guard succession == nil, property.isWritable, let name = property.renamingIdentifier,
      let old = olds.firstIndex(where: { $0.name == name && $0.identity == name }),
      let taker = match.pairs.first(where: { $0.old == old })?.new,
      news[taker].mappingKind == property.mappingKind, news[taker].isWritable
    else { return }
    refuse(.ambiguousRenaming(from: name, taker: news[taker].name), property.name, of: entity)
  }

  // MARK: Refusals

  private mutating func refuse(_ mistake: InferenceMistake, _ property: String, of entity: Int) {
    guard let (declared, owner) = destination.property(named: property, of: entity) else { return }
    let place = PropertyPlace(declared, of: destination.model.entities[owner])
    refuse(
      mistake, thing: place.description, of: destination.model.entities[entity].name, at: declared.markup.location)
  }

  private mutating func refuse(_ mistake: InferenceMistake, entity: Int) {
    let entity = destination.model.entities[entity]
    refuse(mistake, thing: "entity \(entity.name.quotedName)", of: entity.name, at: entity.markup.location)
  }

  private mutating func refuse(
    _ mistake: InferenceMistake, thing: String, of entity: String, at location: DiagnosticLocation?
  ) {
    let problem = mistake.problem(thing)
    let finding = Diagnostic(
      .error, code: mistake.code, problem: problem, remedy: mistake.remedy, location: location)
    findingsByEntity[entity, default: []].append(finding)
    guard told.insert(problem).inserted else { return }
    if mistake.dependsOnLinks { questions.append(finding) } else { refusals.append(finding) }
  }
}

extension PropertyMappingDescription {
  fileprivate static func unmapped(_ kind: Kind, _ name: String) -> PropertyMappingDescription {
    PropertyMappingDescription(kind, name: name, source: .unmapped)
  }
}
