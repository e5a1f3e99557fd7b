import Foundation
import HeavyliftModel
import HeavyliftStore

extension MigrationManager {
  /// Calls a function with a store in its present state, including its metadata, whatever another program writes
  /// meanwhile.
  func reading<Result>(
    _ url: URL, _ caller: MigrationCaller = MigrationCaller(),
    _ body: (StoreFile, PersistentStore, ChangeDetector) throws -> Result
  ) throws -> Result {
    let opened: StoreFile
    do {
      opened = try StoreFile(url: url, mode: .readOnly)
    } catch {
      throw MigrationError.wrapping(error, .sourceStore, .init())
    }
    var source: PersistentStore?
    defer { try? source.map { try $0.close() } ?? opened.close() }
    opened.database.interrupt { [cancellation] in cancellation.isCancelled }
    let detector = try ChangeDetector(opened)
    return try opened.readingConsistently { file in
      let store = try openSource(file, caller)
      source = store
      return try store.reporting { try body(file, store, detector) }
    }
  }

  private func openSource(_ file: StoreFile, _ caller: MigrationCaller) throws -> PersistentStore {
    do {
      let fit = try file.model(among: [sourceModel])
      guard fit.evidence != .modelCache else { throw foreignVersion(file) }
      let store = try PersistentStore(file: file, model: sourceModel, configuration: fit.configuration)
      if caller.acceptsMissingFiles { store.externalData.lostFiles = LostFiles() }
      return store
    } catch {
      let isForeign = (error as? Diagnostic)?.code == "store.unknown-version"
      throw MigrationError.wrapping(error, isForeign ? .missingSourceModel : .sourceStore, .init())
    }
  }

  /// The error for a store whose metadata identifies a model other than the source model.
  private func foreignVersion(_ file: StoreFile) -> MigrationError {
    let reasons = (try? file.misfits(among: [sourceModel]).first?.reasons) ?? []
    return MigrationError(
      .missingSourceModel,
      problem: "store '\(file.url.path)' does not match the source model '\(sourceModel.title)': "
        + reasons.prefix(3).joined(separator: "; "),
      remedy: "specify the model that the store was written with")
  }
}
