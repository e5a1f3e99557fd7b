import Foundation
import HeavyliftStore
import HeavyliftEngine

/// A temporary folder next to the destination. The store is built in it and then moved to its final path.
///
/// The store already has its final name in this folder, because the folder for large values is named after the store.
struct DestinationFolder {
  let url: URL
  let destination: URL
  private let source: URL?
  let files: FileOperations
  private let isSyncedByCaller: Bool

  init(for wanted: URL, besides source: URL? = nil, files: FileOperations, isSyncedByCaller: Bool = false) throws {
    let destination = wanted.resolvingFolder
    self.destination = destination
    self.source = source
    self.files = files
    self.isSyncedByCaller = isSyncedByCaller
    url = destination.deletingLastPathComponent()
      .appending(path: ".\(destination.lastPathComponent).\(UUID().uuidString).migrating")
    do {
      for place in [destination, ExternalDataFolder(store: destination).supportFolder] where try files.exists(place) {
        throw HopError(
          .destinationStore, problem: "'\(place.path)' already exists",
          remedy: "migrate to a new file, or remove the existing one first")
      }
      if let log = try PersistentStore.leftoverLog(at: destination) {
        throw HopError(
          .destinationStore, problem: "'\(log.path)' already exists: SQLite would read it as part of the new store",
          remedy: "migrate to a new file, or remove that one first: it is what a former store of that name has left")
      }
      let family = StoreFamily(store: destination, files: files)
      if let refusal = try family.refusal(besides: [source].compactMap { $0?.resolvingLinks }) {
        throw HopError(.destinationStore, problem: refusal.problem, remedy: refusal.remedy)
      }
      try files.makeFolder(url)
    } catch let error where !(error is HopError) {
      throw HopError(
        .destinationStore, problem: "folder '\(url.path)' cannot be created: \(error.localizedDescription)",
        remedy: "make sure that the folder exists and is writable", underlying: error)
    }
  }

  /// The store while it is being built.
  var store: URL { url.appending(path: destination.lastPathComponent) }
  /// The associations between source and destination objects.
  // Files with these suffixes are not part of the store.
  var associations: URL { store.appendingToName(".associations") }
  /// The provenance database, if a provenance was requested.
  var provenance: URL { store.appendingToName(".provenance") }
  /// The provenance as lines of JSON.
  var provenanceLines: URL { store.appendingToName(".lines") }

  /// Throws if a file already exists at the provenance path.
  func check(_ provenance: URL?) throws {
    guard let provenance, try files.exists(provenance.resolvingFolder) else { return }
    throw HopError(
      .destinationStore, problem: "'\(provenance.path)' already exists",
      remedy: "write the provenance to a new file, or remove the existing one first")
  }

  /// Moves the finished store into place. The store's file is moved last, so that the store never appears without its
  /// large values.
  ///
  /// - Parameter provenance: The path for the provenance, if one was requested.
  func finish(provenance left: URL? = nil) throws {
    let left = left?.resolvingFolder
    var moved: [URL] = []
    if let left {
      let made = ProvenanceForm(of: left) == .lines ? provenanceLines : provenance
      do {
        if let rights = try FileRights(of: store) { try files.setRights(of: made, to: rights) }
        try synchronize(made)
        try files.move(made, to: left)
        moved.append(left)
      } catch {
        throw HopError(
          .destinationStore,
          problem: "the provenance cannot be written to '\(left.path)': \(error.localizedDescription)",
          remedy: "choose a writable folder on the store's disk", underlying: error)
      }
    }
    let support = ExternalDataFolder(store: store).supportFolder
    do {
      if let source { try files.setAttributes(of: store, to: ExtendedAttributes(of: source)) }
      try synchronize(store)
      if try files.exists(support) {
        try synchronizeTree(support)
        try files.move(support, to: ExternalDataFolder(store: destination).supportFolder)
        moved.append(ExternalDataFolder(store: destination).supportFolder)
      }
      try files.move(store, to: destination)
      moved.append(destination)
      try synchronize(destination.deletingLastPathComponent())
    } catch {
      // Removes only the files that this method moved there.
      for place in moved { try? files.remove(place) }
      throw HopError(
        .destinationStore,
        problem: "the finished store cannot be moved to '\(destination.path)': "
          + error.localizedDescription,
        remedy: "make sure that the disk is not full and the folder is writable", underlying: error)
    }
  }

  /// Removes the large values that no row of the new store refers to.
  func removeUnusedFiles() throws {
    do {
      try StoreFamily.removeUnusedFiles(of: store, files)
    } catch {
      throw HopError.wrapping(error, .migration, .init())
    }
  }

  /// Removes the folder and everything in it.
  func remove() { try? files.remove(url) }

  /// Writes the provenance in the requested form.
  func finishProvenance(for left: URL, cancellation: MigrationCancellation) throws {
    guard ProvenanceForm(of: left) == .lines else { return }
    try ProvenanceLines(provenance: provenance, files: files).write(to: provenanceLines, cancellation: cancellation)
  }

  private func synchronize(_ url: URL) throws {
    if !isSyncedByCaller { try files.synchronize(url) }
  }

  /// Syncs the folders, because they have new entries. Files that the migration wrote are already synced, and
  /// hard-linked files belong to another store.
  private func synchronizeTree(_ support: URL) throws {
    let folder = ExternalDataFolder(store: store).url
    if try files.exists(folder) { try synchronize(folder) }
    try synchronize(support)
  }
}
