import HeavyliftEngine
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// The losses of hops whose stores do not exist yet, counted in the store that the first hop reads.
extension SourceSurvey {
  /// Returns the losses of each hop after the first.
  ///
  /// Values that reach a later hop as copies are counted in the store, where they come from. Every entity of the store is
  /// read at most once.
  ///
  /// - Parameter hops: All hops; the survey is that of the first.
  func lossesOfLaterHops(_ hops: [MigrationHop]) throws -> [[MigrationLoss]] {
    guard let first = hops.first, hops.count > 1 else { return [] }
    var lineage = DataLineage(of: first.sourceModel)
    lineage.advance(through: first)
    var losses: [[LaterLoss]] = []
    for hop in hops.dropFirst() {
      losses.append(LaterLoss.losses(of: hop, lineage))
      lineage.advance(through: hop)
    }
    let counts = try counts(of: Set(losses.joined().flatMap { $0.parts.map(\.source) }))
    return losses.map { $0.compactMap { $0.counted(counts) } }
  }

  private func counts(of sources: Set<LaterLoss.Source>) throws -> [LaterLoss.Source: LaterLoss.Count] {
    var found: [LaterLoss.Source: LaterLoss.Count] = [:]
    for (entity, sources) in Dictionary(grouping: sources, by: \.objects.entity) {
      var properties: [(source: LaterLoss.Source, name: String, isCounted: (Int64) -> Bool)] = []
      for source in sources {
        let keys = source.objects.taker.flatMap { takenKeys($0, of: entity) }
        let isExact = keys != nil || source.objects.taker == nil
        let all = keys?.count ?? counts[entity] ?? 0
        found[source] = LaterLoss.Count(number: all, isExact: isExact)
        guard all > 0, let name = source.property else { continue }
        properties.append((source, name, { keys?.contains($0) != false }))
      }
      guard !properties.isEmpty else { continue }
      let counts = try stores.sourceStore.counts(
        of: properties.map { ($0.name, $0.isCounted) }, entity: entity, with: nil)
      for (property, count) in zip(properties, counts) { found[property.source]?.number = count ?? 0 }
    }
    return found
  }

  /// Returns the keys of the objects that the entity mappings of a name take; nil if they are not known.
  private func takenKeys(_ name: String, of entity: String) -> KeySet? {
    var keys = KeySet()
    for mappingIndex in mappingIndexes([name], entity) {
      guard let known = self.keys.known(mappingIndex) else { return nil }
      keys.formUnion(known)
    }
    return keys
  }
}

/// A loss of a later hop, with the places in the store where what it loses is now.
private struct LaterLoss {
  /// Objects of the store, or their values of one property.
  struct Source: Hashable {
    var objects: DataLineage.ObjectOrigin
    /// The property; nil for the objects themselves.
    var property: String?
  }

  struct Count {
    var number: Int
    /// False if only some of the objects are taken, and it is not known how many.
    var isExact: Bool
  }

  struct Part {
    var source: Source
    /// True if an object may have no value.
    var isComputed = false
  }

  private let loss: MappingLoss
  private let unit: MigrationLoss.Unit
  /// True if the hop may lose only some of the values.
  private let isPartial: Bool
  /// True if the code of an earlier hop may change the number.
  private let dependsOnCode: Bool
  private(set) var parts: [Part] = []

  static func losses(of hop: MigrationHop, _ lineage: DataLineage) -> [LaterLoss] {
    let complete = hop.completedMappings
    let mappings = complete.flatMap(\.entityMappings)
    return complete.losses.map { LaterLoss($0, mappings, hop.sourceModel, lineage) }
  }

  private init(
    _ loss: MappingLoss, _ mappings: [CompleteEntityMapping], _ model: ManagedObjectModel, _ lineage: DataLineage
  ) {
    self.loss = loss
    dependsOnCode = lineage.hasCode
    guard let path = loss.property else {
      (unit, isPartial) = (.objects, false)
      parts = (lineage.objects[loss.entity] ?? []).map { Part(source: Source(objects: $0)) }
      return
    }
    unit = model.relationship(path, of: loss.entity) == nil ? .values : .links
    let takers = mappings.filter { loss.entityMappings.contains($0.name) && $0.sourceEntityName == loss.entity }
    isPartial =
      !loss.readers.isEmpty || !loss.visits.isEmpty || !(takers.isEmpty || takers.contains(where: \.takesAllObjects))
    let keys = path.split(separator: ".", maxSplits: 1).map(String.init)
    parts = (lineage.values[loss.entity]?[keys[0]] ?? []).map { origin in
      guard case .copied(let name) = origin.kind else {
        return Part(source: Source(objects: origin.objects), isComputed: origin.kind != .constant)
      }
      // A composite's element.
      return Part(source: Source(objects: origin.objects, property: ([name] + keys.dropFirst()).joined(separator: ".")))
    }
  }

  /// Returns the loss with its count; nil if there is nothing to lose.
  func counted(_ counts: [Source: Count]) -> MigrationLoss? {
    let found = parts.map { counts[$0.source] ?? Count(number: 0, isExact: true) }
    let number = found.reduce(0) { $0 + $1.number }
    var counted = MigrationLoss(
      entity: loss.entity, property: loss.property, reason: loss.reason, entityMappings: loss.entityMappings,
      unit: unit, count: number)
    if number == 0 {
      // Code may create what no mapping copies.
      guard dependsOnCode, parts.isEmpty || parts.contains(where: \.isComputed) else { return nil }
      counted.count = nil
    } else if dependsOnCode {
      counted.estimate = .about
    } else if isPartial
      || zip(parts, found).contains(where: {
        $0.isComputed || $0.source.objects.isPartial || !$1.isExact
      })
    {
      counted.estimate = .upTo
    }
    return counted
  }
}
