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

  package init(_ mappings: [EntityMappingDescription], source: ModelIndex, destination: ModelIndex) {
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

  /// The names, in the order in which the mappings run.
  ///
  /// - Parameters:
  ///   - sourceEntity: what the source relationship leads to; nil if that is not known.
  ///   - destinationEntity: what the destination relationship leads to.
  package func names(from sourceEntity: String?, to destinationEntity: String?) -> [String] {
    guard let wanted = destination.entity(named: destinationEntity) else { return [] }
    let places = destination.entityAndSubentities(of: wanted).flatMap { byDestination[$0] ?? [] }.sorted()
    let given = source.entity(named: sourceEntity)
    return places.compactMap { place in
      guard let side = sides[place] else { return nil }
      if let given, !source.areRelated(side.source, given) { return nil }
      return names[place]
    }
  }
}
