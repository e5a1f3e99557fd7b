public import Foundation

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
  ) -> [IncrementalMigrationError] {
    guard !plan.isCurrent else { return [] }
    var found: [IncrementalMigrationError] = []
    let target = destination?.resolvingFolder ?? plan.store
    let (backup, provenance) = (options.backup?.resolvingFolder, options.provenance?.resolvingFolder)
    var places: [IncrementalMigrationError] = []
    do {
      for place in [destination, backup, provenance].compactMap(\.self) {
        if let refusal = try IncrementalMigrationError.taken(place, besides: plan.store, files) {
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
    } catch let error as IncrementalMigrationError {
      found.append(error)
    } catch {
      found.append(.files(plan.store, "it is not writable", error))
    }
    return found
  }
}
