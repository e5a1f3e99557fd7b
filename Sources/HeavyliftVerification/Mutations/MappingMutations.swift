import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// Deliberate mistakes in mapping models.
struct MappingMutations {
  private let pair: MigrationPair
  /// The pair's mappings, with the entity mappings that they imply written out.
  private let mappings: [MappingModel]
  private let completes: [CompleteMappingModel]
  private let graph: ObjectGraph
  private let rows: GraphRows
  private(set) var all: [Mutation] = []

  /// - Parameter graph: The contents of the old store.
  init(_ pair: MigrationPair, _ graph: ObjectGraph) {
    self.pair = pair
    self.graph = graph
    rows = GraphRows(graph, model: pair.sourceModel)
    completes = pair.mappings.complete(from: pair.sourceModel, to: pair.destinationModel)
    mappings = completes.map { complete in
      var mapping = complete.mappingModel
      mapping.entityMappings = complete.entityMappings.map(\.description)
      return mapping
    }
    for (stage, complete) in completes.enumerated() {
      for (place, mapping) in complete.entityMappings.enumerated() where isForObjects(mapping) {
        mutate(mapping, stage, place)
        forgetProperties(of: mapping, stage, place)
      }
    }
  }

  /// Returns false if the mapping creates nothing, or if no object can exist for it.
  private func isForObjects(_ mapping: CompleteEntityMapping) -> Bool {
    guard mapping.destinationEntityName != nil else { return false }
    return mapping.sourceEntityName == nil
      || mapping.takenEntities.contains { pair.sourceModel.entity(named: $0)?.isAbstract == false }
  }

  /// Mutates an entity mapping as a whole: its filter, its policy, and its source objects.
  private mutating func mutate(_ mapping: CompleteEntityMapping, _ stage: Int, _ place: Int) {
    let name = mapping.name.quotedName
    let lack = LackingObject(takenBy: mapping)
    if let filter = mapping.filter, filter.kind != .literal(true) {
      add("forget the filter of \(name)", stage, place, lack: LackingObject.excluded(by: mapping)) { $0.filter = nil }
    }
    if mapping.policyClassName != nil {
      add("forget the policy of \(name)", stage, place, lack: lack.textForPolicy) { $0.policyClassName = nil }
    }
    guard mapping.sourceEntityName != nil else { return }
    add("exclude all objects of \(name)", stage, place, lack: lack.text) {
      $0.filter = MappingPredicate(.literal(false))
    }
    // Creates the mapping's objects twice; nothing refers to the duplicates.
    var mappings = mappings
    var copy = mappings[stage].entityMappings[place]
    copy.givenName = mapping.name + " again"
    mappings[stage].entityMappings.append(copy)
    all.append(Mutation(name: "run \(name) twice", place: [], kind: .pair(pair(with: mappings)), lack: lack.text))
  }

  private mutating func add(
    _ name: String, _ stage: Int, _ index: Int, lack: String, _ change: (inout EntityMappingDescription) -> Void
  ) {
    var mappings = mappings
    change(&mappings[stage].entityMappings[index])
    all.append(Mutation(name: name, place: [], kind: .pair(pair(with: mappings)), lack: lack))
  }

  private func pair(with mappings: [MappingModel]) -> MigrationPair {
    var other = pair
    other.mappings = mappings
    return other
  }

  // MARK: Properties

  private mutating func forgetProperties(of mapping: CompleteEntityMapping, _ stage: Int, _ place: Int) {
    guard let entity = pair.destinationModel.entity(named: mapping.destinationEntityName) else { return }
    let shape = GraphEntity(entity, in: pair.destinationModel)
    let stored = Set(shape.storedAttributes.map(\.name))
    let lacking = LackingObject(takenBy: mapping)
    for property in mapping.attributeMappings where stored.contains(property.name) {
      guard let expression = property.valueExpression, let attribute = shape.attributes[property.name] else { continue }
      // A constant that is the default needs no mapping.
      if case .constant(.value(let value)) = expression.kind,
        value.converted(to: attribute.type)?.isIdentical(to: attribute.defaultValue) == true
      {
        continue
      }
      var mutation = forgetting(property.name, mapping, stage, place)
      if !isDecidedByPolicy(property, default: attribute.defaultValue, mapping) {
        mutation.lack = lacking.text(for: property, default: attribute.defaultValue, isToMany: false)
      }
      all.append(mutation)
    }
    for property in mapping.relationshipMappings where property.valueExpression != nil {
      guard let relationship = shape.relationships[property.name], !relationship.isTransient else { continue }
      var mutation = forgetting(property.name, mapping, stage, place)
      if !isDecidedByPolicy(property, default: nil, mapping) {
        mutation.lack = lacking.text(for: property, default: nil, isToMany: relationship.isToMany)
      }
      if let both = forgettingBothSides(mutation, relationship) { mutation.onBothSides = [both] }
      all.append(mutation)
    }
  }

  /// Returns true if the graph has an object with a value for the property, but the mapping has a policy: if the result
  /// does not show the value, the policy sets another one, and no graph can show a mistake in the declaration.
  private func isDecidedByPolicy(
    _ property: CompletePropertyMapping, default: Value?, _ mapping: CompleteEntityMapping
  ) -> Bool {
    guard mapping.policyClassName != nil else { return false }
    let filter = mapping.filter.flatMap { try? CompiledPredicate($0) }
    return graph.objects.contains { object in
      guard mapping.takenEntities.contains(object.entityName), filter.map({ rows.holds($0, for: object) }) ?? true
      else { return false }
      let request = property.valueExpression?.counterpartsRequest
      guard let key = property.valueExpression?.sourceKey ?? request?.sourceKey else { return true }
      guard let value = `default` else { return !rows.targets(of: object.name, key).isEmpty }
      return rows.value(of: key, object)?.isIdentical(to: value) == false
    }
  }

  private func forgetting(
    _ property: String, _ mapping: CompleteEntityMapping, _ stage: Int, _ place: Int
  ) -> Mutation {
    var mappings = mappings
    mappings[stage].entityMappings[place].forget(property, of: mapping)
    return Mutation(
      name: "forget \(property.quotedName) in \(mapping.name.quotedName)", place: [property.quotedName],
      kind: .pair(pair(with: mappings)), property: property)
  }

  /// Returns the mutation with the mappings of the inverse forgotten, too; `nil` if nothing maps the inverse.
  private func forgettingBothSides(_ mutation: Mutation, _ relationship: RelationshipDescription) -> Mutation? {
    let model = pair.destinationModel
    guard case .pair(let oneSided) = mutation.kind, let inverse = relationship.inverseName,
      let target = relationship.destinationEntityName
    else { return nil }
    var mappings = oneSided.mappings
    var isMapped = false
    for (stage, complete) in completes.enumerated() {
      for (place, other) in complete.entityMappings.enumerated() {
        guard let entity = model.entity(named: other.destinationEntityName), model.entity(entity, isKindOf: target),
          other.propertyMapping(named: inverse)?.valueExpression != nil
        else { continue }
        isMapped = true
        mappings[stage].entityMappings[place].forget(inverse, of: other)
      }
    }
    guard isMapped else { return nil }
    return Mutation(
      name: "\(mutation.name) and its inverse \(inverse.quotedName)", place: mutation.place,
      kind: .pair(pair(with: mappings)), property: mutation.property, lack: mutation.lack)
  }
}

extension EntityMappingDescription {
  /// Gives a property no value.
  fileprivate mutating func forget(_ property: String, of mapping: CompleteEntityMapping) {
    guard let complete = mapping.propertyMapping(named: property) else { return }
    propertyMappings.removeAll { $0.name == property }
    propertyMappings.append(PropertyMappingDescription(complete.kind, name: property, source: .unmapped))
  }
}
