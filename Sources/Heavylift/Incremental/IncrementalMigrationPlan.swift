public import Foundation
import HeavyliftEngine
public import HeavyliftModel

/// The plan for migrating a store to a version. Every decision is made in advance.
public struct IncrementalMigrationPlan: Hashable, Sendable {
  /// The store, with symbolic links resolved.
  public var store: URL
  /// The model that the store was written with.
  public var version: ManagedObjectModel
  /// The other versions with the same version hashes; a store does not show which of them it has.
  public var sameVersions: [ManagedObjectModel] = []
  /// The evidence for the store's version.
  public var evidence: StoreVersion.Evidence
  /// The configuration of the model that the store contains; `nil` for all entities.
  public var configuration: String?
  /// The requested version.
  public var destinationModel: ManagedObjectModel
  /// The hops in the order in which they run; empty if the store is at the requested version.
  public var hops: [MigrationHop]
  /// For each hop, the reason it is not composed with the next one; `nil` for the last hop and before and after stages.
  public internal(set) var reasonsNotComposed: [String?] = []
  /// How each hop is carried out, with what it would lose; empty if the hops change the store itself.
  ///
  /// Objects are counted in the store for the first hop only.
  public internal(set) var hopPlans: [MigrationPlan] = []
  /// The changes that the hops make in the store itself; `nil` if they write new stores.
  public internal(set) var inPlace: InPlacePlan?
  /// Warnings about versions that have the same version hashes, so that a store does not show which of them it has.
  public internal(set) var warnings: [Diagnostic] = []
  /// The size of the store without large values, which are shared, not copied, unless the new store is on another disk.
  public var storeBytes: Int64
  /// An estimate of the space needed during the migration, on the disk of the new store.
  public var neededBytes: Int64
  /// The free space on that disk; `nil` if it cannot be determined.
  public var availableBytes: Int64?

  /// The store's version with the names of those that have the same hashes: `'Library 2' (the same as 'Library 3')`.
  public var versionTitle: String { StoreVersion.title(of: version, sameVersions) }

  /// A Boolean value that indicates whether the store is at the requested version.
  public var isCurrent: Bool { hops.isEmpty }

  /// A digest of everything that determines the result, except for the store.
  var digest: String { hops.map(\.digest).joined(separator: "\n").digestText }
}

extension IncrementalMigrationPlan: CustomStringConvertible {
  /// The plan as readable text.
  public var description: String { text + warnings.map { "\n\($0)" }.joined() }

  private var text: String {
    let known =
      "store '\(store.path)' has version \(versionTitle)"
      + (configuration.map { ", configuration \($0.quotedName)" } ?? "") + ", according to its \(evidence.rawValue)"
    guard !isCurrent else { return "\(known): nothing to do" }
    let lines = hops.enumerated().map { number, hop in
      "\n  \(number + 1). \(hop.title), \(hop.reason)"
        + (hopPlans.indices.contains(number)
          ? hopPlans[number].summary(counts: number == 0).map { "\n     \($0)" }.joined() : "")
    }
    if let inPlace {
      return known
        + zip(hops, inPlace.hops).enumerated().map { number, pair in
          "\n  \(number + 1). \(pair.0.title), \(pair.0.reason), in place"
            + pair.1.map { "\n     \($0)" }.joined()
        }.joined()
    }
    let free = availableBytes.map { "\($0) are free" } ?? "free space is unknown"
    return known + lines.joined() + "\n  needs about \(neededBytes) bytes on disk temporarily; \(free)"
  }
}

extension IncrementalMigrationManager {
  /// Returns the errors that would stop a migration if it started now, as far as they can be detected in advance.
  ///
  /// - Parameters:
  ///   - plan: The plan to carry out.
  ///   - destination: The path of the new store; `nil` to migrate in place.
  ///   - options: The options for the migration.
  public func obstacles(
    to plan: IncrementalMigrationPlan, into destination: URL? = nil,
    options: IncrementalMigrationOptions = IncrementalMigrationOptions()
  ) -> [MigrationError] {
    guard !plan.isCurrent else { return [] }
    var found: [MigrationError] = []
    let target = destination?.resolvingFolder ?? plan.store
    let (backup, provenance) = (options.backup?.resolvingFolder, options.provenance?.resolvingFolder)
    var places: [MigrationError] = []
    do {
      for place in [destination, backup, provenance].compactMap(\.self) {
        if let refusal = try MigrationError.taken(place, besides: plan.store, files) {
          found.append(refusal)
        }
      }
      if let values = backup.map({ ExternalDataFolder(store: $0).supportFolder }), try files.exists(values) {
        found.append(.destinationExists(values))
      }
      places = try MigrationPlaces(
        store: plan.store, target: target, backup: backup, provenance: provenance, files: files
      ).obstacles()
    } catch {
      places = [.files(plan.store, "a file operation failed", error)]
    }
    found += places
    if !options.acceptsDamage, let damage = try? SourceCheck.logDamage(plan.store), !damage.isEmpty {
      found.append(.damaged(plan.store, damage))
    }
    if options.mode == .inPlace, let refusal = refusalInPlace(plan, options) { found.append(refusal) }
    // A migration in place needs at most the given space, and SQLite undoes it if there is less than it needs.
    let space = NeededSpace(plan, at: target, options, files)
    if places.isEmpty, options.mode == .copy, let available = space.available, available < space.bytes {
      found.append(.noSpace(plan.store, at: target, needed: space.bytes, available: available))
    }
    if let process = MigrationLock.owner(of: WorkFolder(for: target, files: files).lockFile) {
      found.append(.alreadyRunning(plan.store, process: process))
    }
    guard destination == nil else { return found }
    do {
      if let process = try StoreHold.user(of: plan.store) { found.append(.inUse(plan.store, process: process)) }
    } catch let error as MigrationError {
      found.append(error)
    } catch {
      found.append(.files(plan.store, "it is not writable", error))
    }
    return found
  }
}
