import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftStore
import Synchronization

/// Stops an in-place migration at some step, with an error or by cancelling it, and checks what remains.
struct LawInterruption {
  private enum Way: Sendable {
    case failing, cancelling
  }

  private final class Counter: Sendable {
    private let count = Atomic<Int>(0)

    var value: Int { count.load(ordering: .relaxed) }

    func next() -> Int { count.add(1, ordering: .relaxed).newValue }
  }

  private let trial: LawTrial
  private let folder: URL
  private let model: ManagedObjectModel

  init(_ trial: LawTrial, folder: URL) {
    self.trial = trial
    self.folder = folder
    model = trial.rest.last?.destinationModel ?? trial.pair.destinationModel
  }

  func mistakes(_ random: inout SeededGenerator) throws -> [String] {
    let undisturbed = folder.appending(path: "undisturbed")
    let (steps, events) = try migrate(in: undisturbed, ending: nil)
    return try mistakes(.failing, Int.random(in: 1...max(1, steps), using: &random), undisturbed)
      + mistakes(.cancelling, Int.random(in: 1...max(1, events), using: &random), undisturbed)
  }

  private func mistakes(_ way: Way, _ number: Int, _ undisturbed: URL) throws -> [String] {
    let place = folder.appending(path: "\(way)")
    let what = way == .failing ? "file operation number \(number) failed" : "a cancellation at event \(number)"
    var before: [String: Data] = [:]
    do {
      _ = try migrate(in: place, ending: (way, number)) { before = $0 }
    } catch {
      // This error is expected; only the remaining files matter.
    }
    var found: [String] = []
    let left = try LawFolder(place, withWorkFolders: false).contents
    let changes = LawFolder.changes(from: before, to: left.filter { before.keys.contains($0.key) })
    if changes.isEmpty {
      found += left.keys.filter { !before.keys.contains($0) }.sorted().map {
        "after \(what), the migration leaves \($0.quotedName) behind"
      }
    } else if !(try isLike(undisturbed, place)) {
      found.append("after \(what), the store is neither the old one nor the new one: \(changes.quotedList)")
    }
    do {
      _ = try manager.migrate(place.appending(path: "store.sqlite"))
      if !(try isLike(undisturbed, place)) {
        found.append("after \(what), the next run does not create the same store as an undisturbed run")
      }
    } catch {
      found.append("after \(what), the next run fails: \(error)")
    }
    return found
  }

  private var manager: IncrementalMigrationManager { MigrationChain([trial.pair] + trial.rest).manager }

  /// Builds a store and migrates it in place.
  ///
  /// - Returns: The number of file operations, and the number of progress events.
  private func migrate(
    in place: URL, ending: (way: Way, number: Int)?, before: ([String: Data]) -> Void = { _ in }
  ) throws -> (steps: Int, events: Int) {
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    let store = place.appending(path: "store.sqlite")
    try trial.build(at: store)
    before(try LawFolder(place, withWorkFolders: false).contents)
    let steps = Counter()
    let events = Counter()
    let manager = manager.observingFileSteps {
      if steps.next() == ending?.number, ending?.way == .failing { throw POSIXError(.EIO) }
    }
    let cancellation = MigrationCancellation()
    let monitor = MigrationMonitor(cancellation) { _ in
      if events.next() == ending?.number, ending?.way == .cancelling { cancellation.cancel() }
    }
    _ = try manager.migrate(store, monitor: monitor)
    return (steps.value, events.value)
  }

  private func isLike(_ one: URL, _ other: URL) throws -> Bool {
    func open(_ folder: URL) throws -> PersistentStore {
      try PersistentStore(url: folder.appending(path: "store.sqlite"), models: [model], mode: .readOnly)
    }
    let expected = try open(one)
    defer { try? expected.close() }
    guard let found = try? open(other) else { return false }
    defer { try? found.close() }
    return try LawDifferences(from: expected, to: found).mistakes.isEmpty
  }
}
