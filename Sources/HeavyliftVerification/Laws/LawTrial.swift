import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftStore

/// A store that is checked against one law after another.
final class LawTrial {
  let pair: MigrationPair
  /// The pairs that follow in the chain.
  let rest: [MigrationPair]
  let graph: ObjectGraph
  let seed: UInt64
  private let folder: URL

  init(_ pair: MigrationPair, _ rest: [MigrationPair], _ graph: ObjectGraph, seed: UInt64) {
    (self.pair, self.rest, self.graph, self.seed) = (pair, rest, graph, seed)
    folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-laws-\(UUID().uuidString)")
  }

  deinit { try? FileManager.default.removeItem(at: folder) }

  /// Builds the store, to check that its model allows it.
  func makeStore() throws {
    do {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      try build(at: folder.appending(path: "try.sqlite"))
    } catch {
      throw Diagnostic(
        .error, code: "laws.no-store",
        problem: "no store for model '\(pair.sourceModel.title)' can be generated with seed \(seed): "
          + "\(error)",
        remedy: "give values that the model's rules allow: MigrationLawOptions(values: [\"Entity.attribute\": […]])")
    }
  }

  func mistakes(against law: MigrationLaw) -> [String] {
    do {
      switch law {
      case .migrates: return refusal.map { ["\($0)"] } ?? []
      case .chains: return try chainMistakes()
      case .needsNoCopy: return try inPlaceMistakes()
      case .leavesSource: return try second.get().changedFiles.map { "'\($0)' is a different file than before" }
      case .survives: return refusal == nil ? try interruptionMistakes() : []
      case .isValid, .agrees, .conserves, .repeats, .usesNoShortcut:
        // A refusal breaks only the law 'every store migrates'; these laws skip the store.
        guard refusal == nil else { return [] }
        let migration = try migration.get()
        switch law {
        case .isValid: return try LawRules(migration).mistakes
        case .agrees: return Self.disagreements(migration)
        case .conserves: return LawCounts(migration).mistakes
        case .repeats: return try second.get().difference.map { try differences(from: migration.store, to: $0) } ?? []
        default: return try differences(from: migration.store, to: run(forcingObjects: true, in: "objects").store)
        }
      }
    } catch {
      return ["\(error)"]
    }
  }

  // MARK: The migration

  private lazy var migration = Result { try TestedMigration(pair, graph) }

  /// The error that kept the store from being migrated, if any.
  private(set) lazy var refusal: (any Error)? = {
    guard case .failure(let error) = migration else { return nil }
    return error
  }()

  private static func disagreements(_ migration: TestedMigration) -> [String] {
    let told = migration.failures().map(\.description)
    guard told.isEmpty, !migration.verification.isClean else { return told }
    return ["\(migration.verification.differences.grouped) values are not what the mapping says"]
  }

  func build(at url: URL) throws {
    var options = PersistentStore.CreationOptions()
    options.identifier = TestedMigration.storeIdentifier
    try graph.build(at: url, model: pair.sourceModel, options: options)
  }

  // MARK: Another run

  private struct Run {
    var store: URL
    var changedFiles: [String]
  }

  private lazy var second = Result<(changedFiles: [String], difference: URL?), any Error> {
    let made = try run(forcingObjects: false, in: "second")
    return (made.changedFiles, refusal == nil ? made.store : nil)
  }

  /// Migrates the store once more, in a folder of its own.
  private func run(forcingObjects: Bool, in name: String) throws -> Run {
    let place = folder.appending(path: name)
    try? FileManager.default.removeItem(at: place)
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let (old, new) = (place.appending(path: "old.sqlite"), place.appending(path: "new.sqlite"))
    try build(at: old)
    let before = try LawFolder(place).contents
    do {
      _ = try pair.carryOut(from: old, to: new, forcesObjects: forcingObjects)
    } catch {
      // A failed migration must leave nothing but the old store.
      let after = try LawFolder(place, withWorkFolders: pair.stages == nil).contents
      guard refusal == nil else { return Run(store: new, changedFiles: LawFolder.changes(from: before, to: after)) }
      throw error
    }
    let after = try LawFolder(place).contents.filter { before.keys.contains($0.key) }
    return Run(store: new, changedFiles: LawFolder.changes(from: before, to: after))
  }

  /// Returns the differences between the expected store and another store of the new version.
  func differences(from expected: PersistentStore, to url: URL) throws -> [String] {
    let found = try PersistentStore(url: url, models: [expected.model], mode: .readOnly)
    defer { try? found.close() }
    return try LawDifferences(from: expected, to: found).mistakes
  }

  // MARK: Chains

  private func chainMistakes() throws -> [String] {
    guard refusal == nil else { return [] }
    return try MigrationChain([pair] + rest).mistakes(in: graph, from: 0)
  }

  /// Compares a store that was changed itself with one that was copied, if stages allow both.
  private func inPlaceMistakes() throws -> [String] {
    guard refusal == nil, pair.stages != nil, !pair.hasHandlers else { return [] }
    let place = folder.appending(path: "in-place")
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let store = place.appending(path: "store.sqlite")
    try build(at: store)
    do {
      try MigrationChain([pair]).manager.migrate(store, options: IncrementalMigrationOptions(mode: .inPlace))
    } catch let error where error.kind == .notInPlace {
      return []
    }
    return try differences(from: migration.get().store, to: store)
  }

  private func interruptionMistakes() throws -> [String] {
    var random = SeededGenerator(seed: seed &+ 1)
    return try LawInterruption(self, folder: folder.appending(path: "interrupted")).mistakes(&random)
  }
}
