import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// One mapping in place of several hops, as an author would write it.
struct ComposedMapping {
  private let steps: [HopSuccession]
  private let lineage: HopLineage
  private let values: ComputedValues
  private let complete: CompleteMappingModel
  private var last: Int { lineage.last }
  private var source: ManagedObjectModel { lineage.indexes[0].model }
  private var destination: ManagedObjectModel { lineage.indexes[last].model }

  /// - Throws: `SquashCut` if it is not certain that one mapping has the result of the hops, or if it cannot be written.
  init(_ steps: [HopSuccession]) throws(SquashCut) {
    self.steps = steps
    values = try ComputedValues(HopLineage(steps))
    lineage = values.lineage
    var hops: [MigrationHop] = []
    let models = try lineage.models()
    for (old, new) in zip(models, models.dropFirst()) {
      do {
        let mapping = try MappingModel.inferred(from: old, to: new)
        hops.append(MigrationHop(sourceModel: old, destinationModel: new, mappings: [mapping], origin: .inferred))
      } catch {
        let problem = error.diagnostics.first?.problem ?? "no mapping can be inferred"
        throw SquashCut(reason: lineage.withRealNames(problem))
      }
    }
    var composition = HopComposition(hops)
    let result = composition.composed()
    guard result.hops.count == 1, let mapping = result.hops[0].mappings.first else {
      let reason = result.reasons.compactMap(\.self).first ?? "the result of one mapping would differ"
      throw SquashCut(reason: lineage.withRealNames(reason))
    }
    complete = mapping.complete(from: models[0], to: models[models.count - 1])
    if steps.count == 1, let difference = difference(from: steps[0]) { throw SquashCut(reason: difference) }
  }

  // MARK: Comparing

  /// The difference between a hop and the mapping that has been inferred for its lineage, in words; `nil` if they are the
  /// same except for computed attributes.
  private func difference(from step: HopSuccession) -> String? {
    let inferred = Dictionary(
      complete.entityMappings.compactMap { mapping -> (Int, CompleteEntityMapping)? in
        guard mapping.sourceEntityName != nil, let name = mapping.destinationEntityName,
          let entity = lineage.entity(named: name, in: 1)
        else { return nil }
        return (entity, mapping)
      }, uniquingKeysWith: { first, _ in first })
    for (entity, mapping) in step.mappings.sorted(by: { $0.key < $1.key }) {
      let shown = "entity mapping \(mapping.name.quotedName)"
      guard let other = inferred[entity] else { return "\(shown) does what no inferred mapping does" }
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        guard let name = lineage.name(of: property.name, ofEntity: entity, in: 1),
          step.computed[entity]?.contains(property.name) != true,
          let expected = other.propertyMapping(named: name)
        else { continue }
        let value = real(expected, from: step.predecessors[entity]) { source, destination in
          step.mappings[destination]?.sourceEntityName == self.source.entities[source].name
            ? step.mappings[destination]?.name : nil
        }
        guard value == property.valueExpression else {
          return "\(property.kind.rawValue) \(property.name.quotedName) of \(shown) is not a plain copy: "
            + (property.valueExpression.map { "\($0)" } ?? "it gets no value")
        }
      }
    }
    if let extra = inferred.keys.sorted().first(where: { step.mappings[$0] == nil }) {
      return "no entity mapping creates objects of entity \(destination.entities[extra].name.quotedName)"
    }
    return nil
  }

  /// Returns a value with the names of the first version, and of its own entity mappings.
  ///
  /// - Parameter mappingName: Returns the name of the entity mapping from one entity to another, by their indexes.
  private func real(
    _ property: CompletePropertyMapping, from entity: Int?, _ mappingName: (Int, Int) -> String?
  ) -> MappingExpression? {
    guard let expression = property.valueExpression, let entity else { return nil }
    func realKeys(_ expression: MappingExpression) -> MappingExpression {
      expression.replacingSourceKeys { .source(key: lineage.realName($0, of: entity, in: 0) ?? $0) }
    }
    guard property.kind == .relationship, let request = expression.counterpartsRequest else {
      return realKeys(expression)
    }
    switch request.through {
    case .relationship(let name):
      return .destinationInstances(
        ofSourceRelationship: lineage.realName(name, of: entity, in: 0) ?? name, for: realKeys(request.objects))
    case .mapping(let name):
      guard let mapping = complete.entityMapping(named: name), let ends = ends(of: mapping),
        let own = mappingName(ends.source, ends.destination)
      else { return nil }
      return .destinationInstances(ofEntityMapping: own, for: realKeys(request.objects))
    }
  }

  private func ends(of mapping: CompleteEntityMapping) -> (source: Int, destination: Int)? {
    guard let source = lineage.entity(named: mapping.sourceEntityName, in: 0),
      let destination = lineage.entity(named: mapping.destinationEntityName, in: last)
    else { return nil }
    return (source, destination)
  }

  // MARK: Writing

  /// Returns the mapping in its shortest form, with everything that it loses dropped or removed by name, and with comments
  /// that say which versions a line comes from.
  func written() throws(SquashCut) -> MappingModel {
    var explicit = MappingModel(
      source: ModelReference(name: source.name), destination: ModelReference(name: destination.name))
    for mapping in complete.entityMappings { explicit.entityMappings.append(try written(mapping)) }
    var shortest = explicit.converted(for: source, destination: destination)
    guard isSame(shortest, explicit) else { throw SquashCut(reason: "their composition cannot be written as a file") }
    for place in shortest.entityMappings.indices where shortest.entityMappings[place].sourceEntityName == nil {
      shortest.entityMappings[place].givenType = .add
    }
    dropLosses(in: &shortest)
    MappingHistory(lineage, values).comment(on: &shortest)
    let mistakes = shortest.complete(from: source, to: destination).check().filter { $0.severity == .error }
    if let mistake = mistakes.first { throw SquashCut(reason: mistake.problem) }
    return shortest
  }

  private func written(_ mapping: CompleteEntityMapping) throws(SquashCut) -> EntityMappingDescription {
    func described(_ source: Int, _ destination: Int) -> EntityMappingDescription {
      EntityMappingDescription(
        source: self.source.entities[source].name, destination: self.destination.entities[destination].name)
    }
    guard let ends = ends(of: mapping) else {
      if let entity = lineage.entity(named: mapping.sourceEntityName, in: 0) {
        return EntityMappingDescription(type: .remove, source: source.entities[entity].name)
      }
      let entity = lineage.entity(named: mapping.destinationEntityName, in: last)
      return EntityMappingDescription(type: .add, destination: entity.map { destination.entities[$0].name })
    }
    var description = described(ends.source, ends.destination)
    let computed = try values.values(of: ends.destination)
    for property in mapping.attributeMappings + mapping.relationshipMappings {
      guard let name = lineage.realName(property.name, of: ends.destination, in: last) else { continue }
      let value = real(property, from: ends.source) { described($0, $1).name }
      description.propertyMappings.append(
        PropertyMappingDescription(property.kind, name: name, source: value.map { .expression($0) } ?? .unmapped))
    }
    description.propertyMappings += computed.sorted { $0.key < $1.key }.map { .attribute($0.key, $0.value) }
    description.propertyMappings.sort { one, other in
      one.kind == other.kind ? one.name < other.name : one.kind == .attribute
    }
    return description
  }

  private func isSame(_ one: MappingModel, _ other: MappingModel) -> Bool {
    let (first, second) = (
      one.complete(from: source, to: destination), other.complete(from: source, to: destination)
    )
    return first.entityMappings.count == second.entityMappings.count
      && zip(first.entityMappings, second.entityMappings).allSatisfy { one, other in
        one.name == other.name && one.sourceEntityName == other.sourceEntityName
          && one.destinationEntityName == other.destinationEntityName && one.filter == other.filter
          && (one.attributeMappings + one.relationshipMappings).map { [$0.name: $0.valueExpression] }
            == (other.attributeMappings + other.relationshipMappings).map { [$0.name: $0.valueExpression] }
      }
  }

  /// Drops every property by name that the mapping loses, once for all entities that inherit it.
  private func dropLosses(in mapping: inout MappingModel) {
    let index = lineage.indexes[0]
    let losses = [mapping.complete(from: source, to: destination)].losses.filter { $0.reason != .dropped }
    let lost = Set(losses.map { [$0.entity, $0.property ?? ""] })
    for loss in losses {
      guard let property = loss.property, let entity = index.entity(named: loss.entity),
        let place = mapping.entityMappings.firstIndex(where: {
          $0.sourceEntityName == loss.entity && $0.destinationEntityName != nil
        })
      else { continue }
      let parents = sequence(first: entity) { index.entity(named: source.entities[$0].superentityName) }.dropFirst()
      guard !parents.contains(where: { lost.contains([source.entities[$0].name, property]) }) else { continue }
      mapping.entityMappings[place].droppedProperties.append(DroppedProperty(property))
    }
    for place in mapping.entityMappings.indices {
      mapping.entityMappings[place].droppedProperties += replaced(by: mapping.entityMappings[place])
        .map { DroppedProperty($0) }
    }
  }

  /// The properties that a version removes, and a later one adds again, without their old values. The mapping does not copy
  /// them, and does not count as losing them, because they have a successor by name.
  private func replaced(by mapping: EntityMappingDescription) -> [String] {
    let (first, last) = (lineage.indexes[0], lineage.indexes[last])
    guard let old = first.entity(named: mapping.sourceEntityName),
      let new = last.entity(named: mapping.destinationEntityName)
    else { return [] }
    let kept = Set(last.properties(of: new).compactMap { lineage.number($0.name, of: new, in: self.last) })
    let names = Set(last.properties(of: new).flatMap { [$0.name, $0.identity] })
    let written = mapping.propertyMappings.compactMap {
      if case .expression(let value) = $0.source { value } else { nil }
    }
    return first.properties(of: old).map(\.name).filter { name in
      guard let number = lineage.number(name, of: old, in: 0), !kept.contains(number), names.contains(name),
        !mapping.droppedProperties.contains(where: { $0.name == name })
      else { return false }
      var isRead = false
      for value in written { value.visit { isRead = isRead || $0.sourceKey == name } }
      return !isRead
    }
  }
}
