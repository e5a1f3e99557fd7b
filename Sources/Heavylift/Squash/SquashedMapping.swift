import HeavyliftMapping
import HeavyliftModel

/// One mapping in place of several hops, as an author would write it.
struct SquashedMapping {
  private let composed: HopComposition.Composed
  private let complete: CompleteMappingModel
  private var source: ManagedObjectModel { composed.hop.sourceModel }
  private var destination: ManagedObjectModel { composed.hop.destinationModel }

  init(_ composed: HopComposition.Composed) {
    self.composed = composed
    complete = composed.hop.completedMappings[0]
  }

  /// Returns the mapping in its shortest form, with everything that it loses dropped or removed by name, and with comments
  /// that say which versions a line comes from.
  func written() throws(HopCut) -> MappingModel {
    var explicit = MappingModel(
      source: ModelReference(name: source.name), destination: ModelReference(name: destination.name))
    explicit.entityMappings = complete.entityMappings.map(described)
    let text: Void? = try? explicit.entityMappings.flatMap(\.propertyMappings).forEach {
      if case .expression(let value) = $0.source { _ = try value.text() }
    }
    var shortest = explicit.converted(for: source, destination: destination)
    guard text != nil, isSame(shortest, explicit) else {
      throw HopCut(reason: "their composition cannot be written as a file")
    }
    for place in shortest.entityMappings.indices where shortest.entityMappings[place].sourceEntityName == nil {
      shortest.entityMappings[place].givenType = .add
    }
    dropLosses(in: &shortest)
    MappingHistory(composed).comment(on: &shortest)
    let mistakes = shortest.complete(from: source, to: destination).check().filter { $0.severity == .error }
    if let mistake = mistakes.first { throw HopCut(reason: mistake.problem) }
    return shortest
  }

  private func described(_ mapping: CompleteEntityMapping) -> EntityMappingDescription {
    guard let source = mapping.sourceEntityName, let destination = mapping.destinationEntityName else {
      return EntityMappingDescription(
        type: mapping.sourceEntityName == nil ? .add : .remove, source: mapping.sourceEntityName,
        destination: mapping.destinationEntityName)
    }
    var description = EntityMappingDescription(source: source, destination: destination)
    description.propertyMappings = (mapping.attributeMappings + mapping.relationshipMappings).map { property in
      PropertyMappingDescription(
        property.kind, name: property.name, source: property.valueExpression.map { .expression($0) } ?? .unmapped)
    }
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

  private func dropLosses(in mapping: inout MappingModel) {
    let losses = [mapping.complete(from: source, to: destination)].losses.filter { $0.reason != .dropped }
    let index = ModelIndex(source)
    mapping.drop(losses.compactMap { loss in loss.property.map { (loss.entity, $0) } }, from: index)
    for place in mapping.entityMappings.indices {
      mapping.entityMappings[place].droppedProperties += replaced(by: mapping.entityMappings[place])
        .map { DroppedProperty($0) }
    }
  }

  /// The properties that a version removes, and a later one adds again, without their old values. The mapping does not copy
  /// them, and they have a successor by name.
  private func replaced(by mapping: EntityMappingDescription) -> [String] {
    let pair = ModelPair(
      from: source, to: destination, succession: composed.hop.mappings[0].succession)
    guard let old = pair.source.entity(named: mapping.sourceEntityName),
      let new = pair.destination.entity(named: mapping.destinationEntityName)
    else { return [] }
    let (olds, news) = (pair.source.properties(of: old), pair.destination.properties(of: new))
    let names = Set(news.flatMap { [$0.name, $0.renamingIdentifier ?? $0.name] })
    let written = mapping.propertyMappings.compactMap {
      if case .expression(let value) = $0.source { value } else { nil }
    }
    return pair.match(old, new).pairs.compactMap { match in
      guard match.new == nil, let name = match.old.map({ olds[$0].name }), names.contains(name),
        !mapping.droppedProperties.contains(where: { $0.name == name })
      else { return nil }
      var isRead = false
      for value in written { value.visit { isRead = isRead || $0.sourceKey == name } }
      return isRead ? nil : name
    }
  }
}
