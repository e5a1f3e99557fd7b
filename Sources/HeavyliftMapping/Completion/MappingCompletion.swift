import HeavyliftConcurrency
import HeavyliftExpression
import HeavyliftModel

/// Fills in the defaults of a mapping model.
struct MappingCompletion {
  let mappingModel: MappingModel
  let pair: ModelPair
  let fitting: FittingMappings
  private let sourceHashes: [String: VersionHash]
  private let destinationHashes: [String: VersionHash]
  private let earlier: [CompleteEntityMapping]
  private let isLast: Bool
  /// The names of all entity mappings available to this mapping model.
  private let names: Set<String>
  /// The implied entity mappings.
  private let implied: [EntityMappingDescription]

  init(
    _ mappingModel: MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel,
    after earlier: [CompleteEntityMapping] = [], isLast: Bool = true
  ) {
    self.mappingModel = mappingModel
    self.earlier = earlier
    self.isLast = isLast
    pair = ModelPair(from: source, to: destination, succession: mappingModel.succession)
    let before = earlier.map(\.description)
    implied =
      isLast
      ? ImpliedMappings(mappingModel, after: before, pair).mappings
      : []
    fitting = FittingMappings(
      mappingModel.entityMappings + implied, after: before, source: pair.source, destination: pair.destination)
    names = Set((mappingModel.entityMappings + implied + before).map(\.name))
    sourceHashes = source.versionHashes
    destinationHashes = destination.versionHashes
  }

  var source: ModelIndex { pair.source }
  var destination: ModelIndex { pair.destination }

  /// Returns true if an expression asks for the objects of an unknown entity mapping, in a mapping model from Xcode.
  ///
  /// Core Data would throw at the first object. Such a relationship stays empty unless its inverse fills it; the check
  /// looks at the store's objects to decide whether that is an error.
  func leadsNowhere(throughMapping name: String?) -> Bool {
    mappingModel.unmentionedEntities == .dropped && name.map { !names.contains($0) } ?? false
  }

  func complete() -> CompleteMappingModel {
    WorkCount.add(.complete, "\(source.model.title) → \(destination.model.title)")
    return CompleteMappingModel(
      mappingModel: mappingModel, sourceModel: source.model, destinationModel: destination.model,
      entityMappings: mappingModel.entityMappings.map { complete($0, .written) }
        + implied.map { complete($0, .implied) }, earlierEntityMappings: earlier, isLast: isLast)
  }

  private func complete(_ written: EntityMappingDescription, _ origin: EntityMappingOrigin) -> CompleteEntityMapping {
    let mapping = written.withFilterOfFetch
    let properties = PropertyCompletion(mapping, in: self)
    return CompleteEntityMapping(
      name: mapping.name, type: type(of: mapping),
      sourceEntityName: mapping.sourceEntityName, destinationEntityName: mapping.destinationEntityName,
      sourceEntityVersionHash: mapping.sourceEntityName.flatMap { sourceHashes[$0] },
      destinationEntityVersionHash: mapping.destinationEntityName.flatMap { destinationHashes[$0] },
      filter: mapping.filter,
      sourceExpression: mapping.sourceExpression
        ?? mapping.sourceEntityName.map { .fetch(ofSourceEntity: $0, where: mapping.filter) },
      takenEntities: Set(mapping.takenEntities(in: source).map { source.model.entities[$0].name }),
      policyClassName: mapping.policyClassName, userInfo: mapping.userInfo,
      attributeMappings: properties.attributeMappings(), relationshipMappings: properties.relationshipMappings(),
      description: mapping, origin: origin)
  }

  /// Returns the actual type. A given type is only a claim, which the check compares with the mapping's effect.
  private func type(of mapping: EntityMappingDescription) -> EntityMappingType {
    if mapping.policyClassName != nil { return .custom }
    switch (mapping.sourceEntityName, mapping.destinationEntityName) {
    case (nil, nil): return .undefined
    case (nil, _?): return .add
    case (_?, nil): return .remove
    case (let old?, let new?): return keepsEverything(old, new) ? .copy : .transform
    }
  }

  /// Returns true if the destination entity has every property of the source entity unchanged; it may have more.
  private func keepsEverything(_ old: String, _ new: String) -> Bool {
    if let oldHash = sourceHashes[old], oldHash == destinationHashes[new] { return true }
    guard let before = source.entity(named: old), let after = destination.entity(named: new) else { return false }
    return source.propertyNames(of: before).allSatisfy { name in
      guard let (property, owner) = source.property(named: name, of: before),
        let (other, otherOwner) = destination.property(named: name, of: after)
      else { return false }
      return property.hasSameVersionHash(
        in: source.model, source.model.entities[owner].name, as: other, in: destination.model,
        destination.model.entities[otherOwner].name)
    }
  }
}
