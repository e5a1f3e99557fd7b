import Foundation
import HeavyliftStore

/// The paths at which a migration will create files, checked before it starts.
///
/// A file that could not be created at the end is reported at the start, not hours later.
struct MigrationPlaces {
  let store: URL
  /// The path of the new store, which may be that of the old one.
  let target: URL
  let backup: URL?
  /// The path of the provenance file.
  var provenance: URL?
  let files: FileOperations

  /// Returns errors for folders that are missing or not writable, and for disks without enough space for a backup.
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

  /// A backup on the store's own disk is a hard link, which takes no space.
  private func shortageForBackup() throws -> IncrementalMigrationError? {
    guard let backup else { return nil }
    let folder = backup.deletingLastPathComponent()
    guard let here = try FileIdentity(store), let there = try FileIdentity(folder, followingLink: true),
      here.device != there.device,
      let available = try? files.availableBytes(at: folder)
    else { return nil }
    let needed =
      try (files.size(of: store) ?? 0) + (files.size(of: store.appendingToName("-wal")) ?? 0)
      + ExternalDataFolder(store: store).totalBytes()
    return needed <= available ? nil : .noSpace(forBackup: backup, needed: needed, available: available)
  }
}
