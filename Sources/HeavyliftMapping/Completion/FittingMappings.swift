import HeavyliftModel

/// Finds the entity mappings that turn the objects of a source relationship into those of a destination relationship.
package struct FittingMappings {
  private let names: [String]
  /// The indexes of the entities of each mapping; nil for a mapping without a source or without a destination.
  private let sides: [(source: Int, destination: Int)?]
  /// The indexes of mappings by their destination entity.
  private let byDestination: [Int: [Int]]
  private let source: ModelIndex
  private let destination: ModelIndex
  /// The mappings of all earlier mapping models; an array of at most one element, because a struct cannot contain
  /// itself.
  private let earlier: [FittingMappings]

  /// - Parameter earlier: The mappings of earlier mapping models, in order.
  package init(
    _ mappings: [EntityMappingDescription], after earlier: [EntityMappingDescription] = [], source: ModelIndex,
    destination: ModelIndex
  ) {
    self.earlier =
      earlier.isEmpty ? [] : [FittingMappings(earlier, source: source, destination: destination)]
    names = mappings.map(\.name)
    sides = mappings.map { mapping in
      guard let old = source.entity(named: mapping.sourceEntityName),
        let new = destination.entity(named: mapping.destinationEntityName)
      else { return nil }
      return (old, new)
    }
    var byDestination: [Int: [Int]] = [:]
    for (place, side) in sides.enumerated() {
      if let side { byDestination[side.destination, default: []].append(place) }
    }
    self.byDestination = byDestination
    self.source = source
    self.destination = destination
  }

  /// Finds mappings as Xcode's compiler does: by their destination entity.
  ///
  /// - Parameters:
  ///   - sourceEntity: The target of the source relationship; selects among several mappings of one destination entity.
  ///   - destinationEntity: The target of the destination relationship.
  /// - Returns: The names in the order in which the mappings run, and whether Core Data must choose among them for each
  ///   object: it must if sub-entities have mappings of their own, or if more than one mapping fits.
  func compiled(from sourceEntity: String?, to destinationEntity: String?) -> (names: [String], isChoice: Bool) {
    guard let wanted = destination.entity(named: destinationEntity) else { return ([], false) }
    let exact = byDestination[wanted] ?? []
    let all = destination.entityAndSubentities(of: wanted).flatMap { byDestination[$0] ?? [] }.sorted()
    if all.count > exact.count { return (all.map { names[$0] }, true) }
    guard exact.count > 1 else { return (exact.map { names[$0] }, false) }
    let related = names(from: sourceEntity, to: destinationEntity)
    return related.count == 1 ? (related, false) : (exact.map { names[$0] }, true)
  }

  /// Returns the names in the order in which the mappings run; uses earlier mapping models only if none here fits.
  ///
  /// - Parameters:
  ///   - sourceEntity: The target of the source relationship; nil if unknown.
  ///   - destinationEntity: The target of the destination relationship.
  package func names(from sourceEntity: String?, to destinationEntity: String?) -> [String] {
    guard let wanted = destination.entity(named: destinationEntity) else { return [] }
    let places = destination.entityAndSubentities(of: wanted).flatMap { byDestination[$0] ?? [] }.sorted()
    let given = source.entity(named: sourceEntity)
    let fitting = places.compactMap { place -> String? in
      guard let side = sides[place] else { return nil }
      if let given, !source.areRelated(side.source, given) { return nil }
      return names[place]
    }
    guard fitting.isEmpty, let earlier = earlier.first else { return fitting }
    return earlier.names(from: sourceEntity, to: destinationEntity)
  }
}

extension CompleteMappingModel {
  /// Finds the entity mappings, of this mapping model or earlier ones, that fit a relationship.
  package var fitting: FittingMappings {
    FittingMappings(
      entityMappings.map(\.description), after: earlierEntityMappings.map(\.description),
      source: ModelIndex(sourceModel),
      destination: ModelIndex(destinationModel))
  }
}
