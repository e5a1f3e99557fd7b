import Foundation
import HeavyliftEngine
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// The work that the caller of a migration does for it.
struct MigrationCaller {
  var files = FileOperations()
  /// True if the caller makes sure that the source is not damaged. A copy would have the same damage.
  var checksSource = false
  /// True to migrate values whose external files are missing as nil, where they cannot stay as they are.
  var acceptsMissingFiles = false
  /// True if the caller syncs the destination to disk before it relies on it.
  var syncsDestination = false
}

extension MigrationManager {
  /// Migrates a store into a new one with one mapping model.
  ///
  /// - Throws: `DiagnosticList` for mistakes in the mapping, before anything is read; otherwise `HopError`.
  @discardableResult
  public func migrateStore(
    from source: URL, to destination: URL, with mapping: MappingModel, options: MigrationOptions = MigrationOptions()
  ) throws -> MigrationReport {
    try migrateStore(from: source, to: destination, with: [mapping], options: options)
  }

  /// Migrates a store into a new one with several mapping models, one after another. A large mapping is easier to write
  /// in parts.
  ///
  /// Each mapping model finishes all its passes before the next one starts, and can refer to the entity mappings of the
  /// earlier ones.
  @discardableResult
  public func migrateStore(
    from source: URL, to destination: URL, with mappings: [MappingModel],
    options: MigrationOptions = MigrationOptions()
  ) throws -> MigrationReport {
    if let configuration = options.configuration { try destinationModel.requireConfiguration(configuration) }
    return try migrateStore(from: source, to: destination, with: mappings, options: options, caller: MigrationCaller())
  }

  func migrateStore(
    from sourceURL: URL, to destinationURL: URL, with mappings: [MappingModel], options: MigrationOptions,
    caller: MigrationCaller
  ) throws -> MigrationReport {
    let completes = mappings.complete(from: sourceModel, to: destinationModel)
    try check(completes)
    return try migrateStore(from: sourceURL, to: destinationURL, completes, options: options, caller: caller)
  }

  /// Migrates with mappings that have been checked.
  func migrateStore(
    from sourceURL: URL, to destinationURL: URL, _ completes: [CompleteMappingModel], options: MigrationOptions,
    caller: MigrationCaller
  ) throws -> MigrationReport {
    try migrating(sourceURL, acceptsMissingFiles: caller.acceptsMissingFiles) { file, source, detector in
      let folder = try DestinationFolder(
        for: destinationURL, besides: sourceURL, files: caller.files, isSyncedByCaller: caller.syncsDestination)
      defer { folder.remove() }
      try folder.check(options.provenance)
      let report = try migrate(
        source, file, detector, to: folder.store, associations: folder.associations, completes, options,
        checksSource: !caller.checksSource
      ) { run in
        guard let provenance = options.provenance else { return }
        try ProvenanceWriter(run).write(to: folder.provenance, FileRights(of: source.url))
        try folder.finishProvenance(for: provenance, cancellation: cancellation)
      }
      // A policy may have deleted or changed objects whose values were in files already.
      if completes.contains(where: { $0.entityMappings.contains { $0.policyClassName != nil } }) {
        try folder.removeUnusedFiles()
      }
      try cancellation.check()
      try folder.finish(provenance: options.provenance)
      return report
    }
  }
}
