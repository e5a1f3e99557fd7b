import HeavyliftModel

/// Finds the entity mappings that make, out of the objects of a source relationship, those of a destination relationship.
package struct FittingMappings {
  private let names: [String]
  /// Of each mapping that has both sides, the numbers of its entities.
  private let sides: [(source: Int, destination: Int)?]
  /// The places of mappings by the number of their destination entity.
  private let byDestination: [Int: [Int]]
  private let source: ModelIndex
  private let destination: ModelIndex
  /// Those of the mapping models that ran before, as one; an array, because no struct holds another of its own kind.
  private let earlier: [FittingMappings]

  /// - Parameter earlier: The mappings of the mapping models that ran before, in their order.
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

  /// What Xcode's compiler finds, which looks at the destination entity alone.
  ///
  /// - Parameters:
  ///   - sourceEntity: what the source relationship leads to; tells apart several mappings of one destination entity.
  ///   - destinationEntity: what the destination relationship leads to.
  /// - Returns: The names in the order in which the mappings run, and whether Core Data shall choose among them for each
  ///   object: it must as soon as sub-entities have mappings of their own.
  func compiled(from sourceEntity: String?, to destinationEntity: String?) -> (names: [String], isChoice: Bool) {
    guard let wanted = destination.entity(named: destinationEntity) else { return ([], false) }
    let exact = byDestination[wanted] ?? []
    let all = destination.entityAndSubentities(of: wanted).flatMap { byDestination[$0] ?? [] }.sorted()
    if all.count > exact.count { return (all.map { names[$0] }, true) }
    guard exact.count > 1 else { return (exact.map { names[$0] }, false) }
    let related = names(from: sourceEntity, to: destinationEntity)
    return related.count == 1 ? (related, false) : (exact.map { names[$0] }, true)
  }

  /// The names, in the order in which the mappings run; those of earlier mapping models only where none of these fits.
  ///
  /// - Parameters:
  ///   - sourceEntity: what the source relationship leads to; nil if that is not known.
  ///   - destinationEntity: what the destination relationship leads to.
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
