import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore
import HeavyliftEngine

/// Carries out hops in the store that the hop before them has written, so that what stays the same is not written again.
///
/// Each hop is one transaction. If it fails, the store is still that of the hop before, and the failed hop writes a new
/// store, which avoids the failure or reports it.
struct HopContinuation {
  /// The hops that were carried out.
  struct Result {
    var hops: [IncrementalMigrationReport.Hop] = []
    /// A warning about a failure of the next hop that might not recur if it writes a store.
    var note: Diagnostic?
  }

  let run: ChainRun
  private var manager: IncrementalMigrationManager { run.session.manager }
  private var options: IncrementalMigrationOptions { run.session.options }

  /// Carries out as many hops as possible.
  ///
  /// - Parameters:
  ///   - number: The hop that has written the store; hops are numbered from 1.
  ///   - store: The store, which the journal does not mention yet.
  func perform(after number: Int, in store: URL) -> Result {
    var result = Result()
    guard let execution = manager.engineHops, options.composesHops, options.provenance == nil,
      manager.hopHandler == nil, run.damage.isEmpty, execution.options.provenance == nil,
      !execution.options.forcesObjects, !execution.options.startsFresh
    else { return result }
    for (place, hop) in run.plan.hops.enumerated().dropFirst(number) {
      guard hop.keepsObjects else { break }
      do {
        result.hops.append(try perform(hop, place + 1, in: store, execution))
      } catch is InPlaceRefusal {
        break
      } catch {
        // A cancellation, or a failure that recurs, is reported by the attempt to write a store.
        if run.session.monitor.cancellation.reason == nil { result.note = Self.warning(hop, error) }
        break
      }
    }
    return result
  }

  private static func warning(_ hop: MigrationHop, _ error: any Error) -> Diagnostic {
    Diagnostic(
      .warning, code: "migration.not-continued",
      problem: "hop \(hop.title) failed in the store of the hop before, so it wrote its own store: \(error)",
      remedy: "the new store is complete; report this as a bug")
  }

  private func perform(
    _ hop: MigrationHop, _ number: Int, in store: URL, _ execution: MappingHopExecution
  ) throws -> IncrementalMigrationReport.Hop {
    run.record(number, .preparing, fraction: 0)
    let report = try change(store, hop, execution)
    run.record(number, .finishing, fraction: 1)
    return report
  }

  private func change(
    _ store: URL, _ hop: MigrationHop, _ execution: MappingHopExecution
  ) throws -> IncrementalMigrationReport.Hop {
    let (files, cancellation) = (run.files, run.session.monitor.cancellation)
    let file = try StoreFile(url: store, mode: .readWrite)
    defer { try? file.close() }
    file.database.interrupt { cancellation.isCancelled }
    // The store is synced to disk when the hops are noted in the journal.
    try file.database.execute("PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = OFF; PRAGMA temp_store = FILE")
    let result = try file.database.transaction(.exclusive) {
      func willRun() throws {
        try files.interceptor?(.change(store))
        if let reason = cancellation.reason { throw reason }
      }
      let change = InPlaceHopRun(
        hop: hop, execution: execution, writer: .hopBefore, cancellation: cancellation, willRun: willRun)
      let result = try change.run(StoreFile(reopening: file))
      _ = try StoreFile(reopening: file).requireVersion(hop.destinationModel)
      try willRun()
      return result
    }
    // The hop is done from here on: an error would make it run again.
    try? file.database.execute("PRAGMA incremental_vacuum")
    return result
  }
}

extension MigrationHop {
  /// True if the hop takes each object over as one object of one entity, with its links, judging by its mappings alone.
  fileprivate var keepsObjects: Bool {
    guard handlers.isEmpty, mappings.count == 1 else { return false }
    let complete = completedMappings.flatMap(\.entityMappings)
    let (sources, destinations) = (
      complete.compactMap(\.sourceEntityName), complete.compactMap(\.destinationEntityName)
    )
    return Set(sources).count == sources.count && Set(destinations).count == destinations.count
      && complete.allSatisfy { $0.policyClassName == nil && $0.takesAllObjects }
      && LinkStructure(complete, from: sourceModel, to: destinationModel).isKept
  }
}

/// The relationships of a hop's versions, as its mappings connect them.
struct LinkStructure {
  private let source: ManagedObjectModel
  private let destination: ManagedObjectModel
  private let mappings: [CompleteEntityMapping]

  init(_ mappings: [CompleteEntityMapping], from source: ManagedObjectModel, to destination: ManagedObjectModel) {
    (self.mappings, self.source, self.destination) = (mappings, source, destination)
  }

  /// True if each relationship keeps all its links, or is removed as a whole: it leads from and to the same objects, and
  /// has the same inverse, up to names and order.
  var isKept: Bool {
    var uses: [RelationshipEnd: Set<Bool>] = [:]
    for mapping in mappings {
      guard let old = mapping.sourceEntityName, let new = mapping.destinationEntityName else { continue }
      var used: Set<String> = []
      for relationship in relationships(of: new, in: destination) {
        switch mapping.origin(ofRelationship: relationship.name) {
        case .rebuilt(let name, let through):
          guard used.insert(name).inserted, let former = source.relationship(name, of: old),
            isSame(former, relationship, through: through)
          else { return false }
        case .unmapped(.notInSource), .unmapped(.noSource), .unmapped(.notStored):
          // Links could still come through the inverse.
          guard !isFilledByInverse(relationship) else { return false }
        case .written, .copied, .unmapped, nil: return false
        }
      }
      for relationship in relationships(of: old, in: source) {
        guard let end = source.end(of: relationship.name, entity: old) else { return false }
        uses[end, default: []].insert(used.contains(relationship.name))
      }
    }
    return uses.values.allSatisfy { $0.count == 1 }
  }

  private func isSame(_ old: RelationshipDescription, _ new: RelationshipDescription, through names: [String]) -> Bool {
    guard old.isToMany == new.isToMany, let oldTarget = old.destinationEntityName,
      let newTarget = new.destinationEntityName
    else { return false }
    let (oldInverse, newInverse) = (source.inverse(of: old), destination.inverse(of: new))
    guard (oldInverse == nil) == (newInverse == nil) else { return false }
    return mappings.allSatisfy { mapping in
      guard let entity = source.entity(named: mapping.sourceEntityName),
        let made = destination.entity(named: mapping.destinationEntityName)
      else { return true }
      guard source.entity(entity, isKindOf: oldTarget) else { return !destination.entity(made, isKindOf: newTarget) }
      guard destination.entity(made, isKindOf: newTarget), names.contains(mapping.name) else { return false }
      guard let oldInverse, let newInverse else { return true }
      guard case .rebuilt(oldInverse.name, _)? = mapping.origin(ofRelationship: newInverse.name) else { return false }
      return true
    }
  }

  private func isFilledByInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = destination.inverse(of: relationship), let target = relationship.destinationEntityName else {
      return false
    }
    return mappings.contains { mapping in
      guard let made = destination.entity(named: mapping.destinationEntityName),
        destination.entity(made, isKindOf: target)
      else { return false }
      if case .unmapped? = mapping.origin(ofRelationship: inverse.name) { return false }
      return true
    }
  }

  private func relationships(of entity: String, in model: ManagedObjectModel) -> [RelationshipDescription] {
    model.entity(named: entity).map { model.allRelationships(of: $0).filter { !$0.isTransient } } ?? []
  }
}

extension CompleteEntityMapping {
  fileprivate func origin(ofRelationship name: String) -> PropertyMappingOrigin? {
    relationshipMappings.first { $0.name == name }?.origin
  }
}
