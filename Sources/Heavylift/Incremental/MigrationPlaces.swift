import Foundation
import HeavyliftStore

/// The paths that a migration is to make something at, looked at before it begins.
///
/// What cannot be made at the end is told at the beginning, and not after hours.
struct MigrationPlaces {
  let store: URL
  /// Where the new store is to be: the old one's place, or another.
  let target: URL
  let backup: URL?
  /// Where to leave which objects came of which.
  var provenance: URL?
  let files: FileOperations

  /// Folders that are not there or may not be written, and disks that have no room for a backup.
  func obstacles() throws -> [IncrementalMigrationError] {
    var found: [IncrementalMigrationError] = []
    if let provenance, [store, target, backup].contains(provenance) { found.append(.sameFile(provenance)) }
    for place in [target, backup, provenance].compactMap(\.self) {
      let folder = place.deletingLastPathComponent()
      if let error = files.refusal(of: folder) {
        found.append(
          place == store
            ? .files(store, "folder '\(folder.path)'", error) : .folder(folder, for: place, error))
      }
    }
    for place in [target, backup].compactMap(\.self) where found.isEmpty && place != store {
      let others = [store, target, backup].compactMap(\.self)
      if let refusal = try StoreFamily(store: place, files: files).refusal(besides: others) { found.append(refusal) }
    }
    if found.isEmpty, let shortage = try shortageForBackup() { found.append(shortage) }
    return found
  }

  /// A backup on the store's own disk is a second name, which takes no room.
  private func shortageForBackup() throws -> IncrementalMigrationError? {
    guard let backup else { return nil }
    let folder = backup.deletingLastPathComponent()
    guard let here = try FileIdentity(store), let there = try FileIdentity(folder, followingLink: true),
      here.device != there.device,
      let available = try? files.availableBytes(at: folder)
    else { return nil }
    let values = ExternalDataFolder(store: store)
    let names = try values.fileNames()
    let sizes = try ([store, store.appendingToName("-wal")] + names.map { values.file(named: $0) }).map {
      try files.size(of: $0) ?? 0
    }
    let needed = sizes.reduce(0, +)
    return needed <= available ? nil : .noSpace(forBackup: backup, needed: needed, available: available)
  }
}
