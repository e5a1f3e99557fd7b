import HeavyliftMapping

@testable import Heavylift
@testable import HeavyliftStore

/// The losses of hops one after the other, and of mappings that replace them: they must be the same losses of the first
/// version's data.
///
/// If a hop removes objects, their values and the links to them do not count as losses of their own. A default value that an
/// attribute gets in a version in between counts only hop by hop.
struct ComposedLosses {
  private struct Place: Hashable, CustomStringConvertible {
    var part: String
    var entity: String
    var property: String
    var unit: MigrationLoss.Unit
    /// `nil` for a squashed mapping, which drops everything by name.
    var reason: MappingLoss.Reason?
    var description: String { "\(part): \(unit) of \(entity).\(property) \(reason?.rawValue ?? "")" }
  }

  private var single: [Place: Int] = [:]
  private var composed: [Place: Int] = [:]
  /// Attributes that may get a default value in a version in between.
  private var defaulted: Set<Place> = []

  /// - Parameter parts: The parts that the mappings replace.
  init(_ single: HopChain.Outcome, _ composed: HopChain.Outcome, _ parts: [MigrationSquash.Part]) {
    var number = 0
    for (place, part) in parts.enumerated() {
      defer { number += part.hops.count }
      guard part.hops.count > 1, let lineages = VersionLineages(following: part.hops) else { continue }
      for version in part.hops.indices where number + version < single.losses.count {
        for loss in single.losses[number + version] {
          guard let place = self.place(of: loss, in: version, part, lineages) else { continue }
          self.single[place, default: 0] += loss.count ?? 0
        }
      }
      for loss in place < composed.losses.count ? composed.losses[place] : [] {
        guard let place = self.place(of: loss, in: 0, part, lineages) else { continue }
        self.composed[place, default: 0] += loss.count ?? 0
      }
    }
  }

  /// Returns the place in the first version; `nil` if the loss is part of another one.
  private mutating func place(
    of loss: MigrationLoss, in version: Int, _ part: MigrationSquash.Part, _ lineages: VersionLineages
  ) -> Place? {
    func survives(_ entity: Int) -> Bool {
      lineages.survives(lineages.models[0].entities[entity].name, from: 0, to: part.hops.count)
    }
    guard let origin = lineages.names(of: loss.property, loss.entity, in: version, 0),
      let entity = lineages.index(0).entity(named: origin.entity)
    else { return nil }
    let place = Place(
      part: part.title, entity: origin.entity, property: origin.property ?? "", unit: loss.unit,
      // Entity mappings of relatives may read a property that an entity inherits, but not once it has left its hierarchy.
      reason: part.mapping != nil ? nil : loss.reason == .unread ? .gone : loss.reason)
    guard var property = origin.property.flatMap({ lineages.place($0, of: entity, in: 0) }) else { return place }
    guard survives(entity) else { return nil }
    if case .relationship(let relationship) = lineages.reference(property),
      let target = lineages.index(0).entity(named: relationship.destinationEntityName)
    {
      let targets = lineages.index(0).entityAndSubentities(of: target)
      return targets.allSatisfy { lineages.models[0].entities[$0].isAbstract || survives($0) } ? place : nil
    }
    while let next = lineages.successor(of: property) {
      if let attribute = lineages.attribute(next), !attribute.isOptional, !attribute.defaultValue.isNull {
        defaulted.insert(place)
      }
      property = next
    }
    return place
  }

  /// The difference in words; `nil` if there is none.
  var difference: String? {
    let places = Set(single.keys).union(composed.keys).filter { place in
      let (most, own) = (single[place, default: 0], composed[place, default: 0])
      return defaulted.contains(place) ? own > most : own != most
    }
    return places.isEmpty
      ? nil
      : places.map { "\($0): hop by hop \(single[$0] ?? 0), composed \(composed[$0] ?? 0)" }.sorted()
        .joined(separator: "\n")
  }
}
