import HeavyliftMapping
import HeavyliftModel

/// Composes consecutive hops into one, so that rows move once and are checked once.
///
/// One mapping, inferred from the first version to the last along what each hop makes of entities and properties, and with
/// the values that hops compute, replaces several hops only if its result is certainly the same as theirs, and if none of
/// them would have reported anything that it does not report.
struct HopComposition {
  /// Consecutive hops, and the one that replaces them: itself for a single hop.
  struct Part: Sendable {
    var hop: MigrationHop
    /// The number of hops.
    var count = 1
    /// The hop that cannot be composed with this part, and the reason; `nil` for the last part.
    var cut: (hop: MigrationHop, reason: String)?
  }

  /// A hop in place of several others.
  struct Composed {
    var hop: MigrationHop
    let lineages: VersionLineages
    let versions: ClosedRange<Int>
  }

  private let hops: [MigrationHop]
  private let reach: Reach
  private let finish: (Composed) throws(HopCut) -> MigrationHop
  private let lineages: VersionLineages
  /// The reason a hop cannot be composed at all, if it has been asked for; `nil` if there is none.
  private var obstacles: [Int: HopCut?] = [:]
  /// Warnings and errors about each inferred hop, once they have been asked for.
  private var findings: [Int: [Diagnostic]] = [:]

  /// The hops that may be composed.
  enum Reach: Hashable, Comparable {
    case inferred
    /// Hops with mapping files, too.
    case files
    /// Stages without handlers, too.
    case stages
  }

  /// - Parameters:
  ///   - finish: Adapts a hop that replaces several others; throws if they cannot be replaced.
  init(
    _ hops: [MigrationHop], reach: Reach = .files,
    finish: @escaping (Composed) throws(HopCut) -> MigrationHop = Self.keepingLosses
  ) {
    (self.hops, self.reach, self.finish) = (hops, reach, finish)
    lineages = VersionLineages(hops)
  }

  /// Returns the parts, each as long as possible, in order.
  mutating func parts() -> [Part] {
    var parts: [Part] = []
    var start = 0
    while start < hops.count {
      parts.append(longest(from: start))
      start += parts[parts.count - 1].count
    }
    return parts
  }

  private mutating func longest(from start: Int) -> Part {
    guard start + 1 < hops.count else { return Part(hop: hops[start]) }
    if let cut = obstacle(start) { return Part(hop: hops[start], cut: (hops[start], cut.reason)) }
    var end = start + 1
    while end < hops.count, obstacle(end) == nil { end += 1 }
    var part = Part(hop: hops[start])
    var (least, most) = (2, end - start)
    var (next, reason) = (most, String?.none)
    while least <= most {
      do throws(HopCut) {
        part = Part(hop: try composition(start..<start + next), count: next)
        least = next + 1
      } catch {
        (reason, most) = (error.reason, next - 1)
      }
      next = (least + most + 1) / 2
    }
    if start + part.count == end, end < hops.count, let cut = obstacle(end) {
      part.cut = (hops[end], cut.reason)
    } else if let reason, start + part.count < hops.count {
      part.cut = (hops[start + part.count], reason)
    }
    return part
  }

  private mutating func obstacle(_ number: Int) -> HopCut? {
    if let known = obstacles[number] { return known }
    var obstacle: HopCut?
    if let stage = hops[number].stage, reach < .stages {
      obstacle = HopCut(reason: "\(stage.title) is a step of its own")
    } else if hops[number].origin != .inferred, reach < .files {
      obstacle = HopCut(reason: "provenance and verification are about each mapping file")
    } else {
      do throws(HopCut) {
        lineages.follow(try HopSuccession(hops[number]), from: number)
      } catch {
        obstacle = error
      }
    }
    obstacles[number] = .some(obstacle)
    return obstacle
  }

  private mutating func composition(_ range: Range<Int>) throws(HopCut) -> MigrationHop {
    for number in range {
      if number > range.lowerBound, hops[number].sourceModel != hops[number - 1].destinationModel {
        throw HopCut(reason: "\(hops[number].title) starts from another version with the same version hashes")
      }
      // The author sees the mistake with the versions that it is about.
      if let error = findings(about: number).first(where: { $0.severity == .error }) {
        throw HopCut(reason: error.problem)
      }
    }
    let versions = range.lowerBound...range.upperBound
    if let reason = VersionComparison(lineages, versions).difference { throw HopCut(reason: reason) }
    let values = try ComputedValues(lineages, versions).values
    let (source, destination) = (hops[range.lowerBound].sourceModel, hops[range.upperBound - 1].destinationModel)
    var mapping: MappingModel
    do {
      mapping = try MappingModel.inferred(
        from: source, to: destination, succession: lineages.succession(versions), values: values)
    } catch {
      throw HopCut(reason: error.diagnostics.first?.problem ?? "no mapping can be inferred")
    }
    if hops[range].contains(where: { $0.origin != .inferred }) {
      let dropped = Self.losses(of: Array(hops[range]), lineages, versions).filter { $0.reason == .dropped }
      mapping.drop(dropped.map { ($0.entity, $0.property) }, from: ModelIndex(source))
    }
    var hop = MigrationHop(sourceModel: source, destinationModel: destination, mappings: [mapping])
    hop.parts = range.map { number in
      var part = hops[number]
      part.knownFindings = findings[number]
      return part
    }
    hop.origin = MigrationHop.Origin(of: hop.parts)
    if let error = hop.findings.first(where: { $0.severity == .error }) { throw HopCut(reason: error.problem) }
    return try finish(Composed(hop: hop, lineages: lineages, versions: versions))
  }

  /// Returns the warnings and errors about an inferred hop. One that only adds something needs none. Written mappings have
  /// been checked.
  private mutating func findings(about number: Int) -> [Diagnostic] {
    guard hops[number].origin == .inferred else { return [] }
    if let known = findings[number] { return known }
    let found = VersionComparison(lineages, number...number + 1).losesProperties ? hops[number].findings : []
    findings[number] = found
    return found
  }
}

extension HopComposition {
  /// Requires that the same data of the first version is lost as hop by hop.
  static func keepingLosses(_ composed: Composed) throws(HopCut) -> MigrationHop {
    let hop = composed.hop
    guard hop.origin != .inferred else { return hop }
    let expected = losses(of: hop.parts, composed.lineages, composed.versions)
    if let partial = expected.first(where: \.isPartial) {
      throw HopCut(reason: "only some objects lose \(partial.text)")
    }
    let own = Set(hop.completedMappings.losses.map(Loss.init))
    if let difference = own.symmetricDifference(expected).map(\.text).min() {
      throw HopCut(reason: "one mapping would not report the same loss of \(difference)")
    }
    return hop
  }

  private struct Loss: Hashable {
    var entity: String
    var property: String
    var reason: MappingLoss.Reason
    /// True if only some objects lose the property.
    var isPartial: Bool

    init(_ loss: MappingLoss) {
      (entity, property, reason) = (loss.entity, loss.property ?? "", loss.reason)
      isPartial = !loss.readers.isEmpty || !loss.visits.isEmpty
    }

    var text: String {
      property.isEmpty ? "entity \(entity.quotedName)" : "\(property.quotedName) of entity \(entity.quotedName)"
    }
  }

  /// The data of the first version that hops lose, except for objects that a later hop removes.
  private static func losses(
    of hops: [MigrationHop], _ lineages: VersionLineages, _ versions: ClosedRange<Int>
  ) -> Set<Loss> {
    var losses: Set<Loss> = []
    for (version, hop) in zip(versions, hops)
    where hop.origin != .inferred || VersionComparison(lineages, version...version + 1).losesProperties {
      for found in hop.completedMappings.losses
      where lineages.survives(found.entity, from: version, to: versions.upperBound) {
        guard let origin = lineages.names(of: found.property, found.entity, in: version, versions.lowerBound) else {
          continue
        }
        var loss = Loss(found)
        (loss.entity, loss.property) = (origin.entity, origin.property ?? "")
        losses.insert(loss)
      }
    }
    return losses
  }
}

extension MappingModel {
  /// Drops properties by name, each once for all entities that inherit it.
  mutating func drop(_ properties: [(entity: String, property: String)], from source: ModelIndex) {
    let all = Set(properties.map { [$0.entity, $0.property] })
    for (name, property) in properties.sorted(by: { ($0.entity, $0.property) < ($1.entity, $1.property) }) {
      guard let entity = source.entity(named: name),
        let place = entityMappings.firstIndex(where: {
          $0.sourceEntityName == name && $0.destinationEntityName != nil
        })
      else { continue }
      let parents = sequence(first: entity) { source.entity(named: source.model.entities[$0].superentityName) }
        .dropFirst()
      guard !parents.contains(where: { all.contains([source.model.entities[$0].name, property]) }) else { continue }
      entityMappings[place].droppedProperties.append(DroppedProperty(property))
    }
  }
}

/// The reason a hop cannot be composed with its neighbors.
struct HopCut: Error {
  var reason: String
}
