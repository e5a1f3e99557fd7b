import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Migrations on several threads of a process, and migrations that another thread cancels.
@Suite struct MigrationThreadTests {
  private enum End: Hashable {
    case migrated, cancelled, alreadyRunning, inUse
    case failed(String)
  }

  private static func end(_ migrate: () throws -> Void) -> End {
    do {
      try migrate()
      return .migrated
    } catch let error as MigrationError {
      switch error.kind {
      case .cancelled: return .cancelled
      case .alreadyRunning: return .alreadyRunning
      case .inUse: return .inUse
      default: return .failed("\(error)")
      }
    } catch {
      return .failed("\(error)")
    }
  }

  /// Uses threads, not tasks: a migration blocks, and tasks have only as many threads as there are cores.
  private static func onThreads(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) -> [End] {
    let ends = Recorder<End>()
    let group = DispatchGroup()
    for number in 0..<count {
      group.enter()
      Thread.detachNewThread {
        ends.append(end { try body(number) })
        group.leave()
      }
    }
    group.wait()
    return ends.values
  }

  @Test func `managers on several threads migrate their stores`() throws {
    let places = try (0..<8).map { number in
      try FaultScenario.Place(
        FaultScenario(kind: NoteStores.Kind.allCases[number % 3], hasBackup: number.isMultiple(of: 2), usesEngine: true)
      )
    }
    let ends = Self.onThreads(places.count) { try places[$0].migrate() }
    #expect(ends == places.map { _ in .migrated })
    for place in places {
      #expect(try place.checkEnd() == [])
      #expect(try Self.openFiles(in: place.folder.url) == [])
    }
  }

  private static func openFiles(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
      .compactMap { try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)") }
      .filter { $0.hasPrefix(folder.resolvingLinks.path + "/") }
  }

  @Test func `a manager that migrates many stores leaves no file open`() throws {
    let manager = NoteStores.manager(MappingHopExecution())
    for number in 0..<Seeds.some(of: 100) {
      let place = try FaultScenario.Place(FaultScenario(kind: NoteStores.Kind.allCases[number % 3], usesEngine: true))
      try manager.migrate(place.store)
      #expect(try place.checkEnd() == [])
      #expect(try Self.openFiles(in: place.folder.url) == [])
    }
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `managers that migrate one store at once each migrate it, find it migrated, or report who is migrating it`(
    kind: NoteStores.Kind
  ) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind, usesEngine: true))
    let ends = Self.onThreads(6) { _ in try place.migrate() }
    #expect(ends.contains(.migrated))
    #expect(Set(ends).isSubset(of: [.migrated, .alreadyRunning, .inUse]), "\(ends)")
    #expect(try place.checkEnd() == [])
  }

  @Test func `a refused migration does not release the locks of the program's own connection`() throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog, usesEngine: true))
    let database = try Database(path: place.store.path, mode: .readWrite)
    _ = try database.firstValue("SELECT count(*) FROM sqlite_master")
    let probes = [LockProbe(place.store.path), LockProbe(place.store.path + "-shm")]
    #expect(probes.map(\.isLocked) == [true, true])
    #expect(Self.end { try place.migrate() } == .inUse)
    #expect(probes.map(\.isLocked) == [true, true])
    try database.close()
    withExtendedLifetime(probes) {}
  }

  @Test(arguments: FaultScenario.all)
  func `a task that is cancelled at any step leaves the old store or the new one`(scenario: FaultScenario) async throws
  {
    let count = try scenario.steps().count
    var ends: [End: Int] = [:]
    for step in scenario.sample(of: Array(1...count)) {
      let place = try FaultScenario.Place(scenario)
      let end = await Task {
        let counter = Recorder<Int>()
        let files = FileOperations { _ in
          counter.append(0)
          if counter.values.count == step { withUnsafeCurrentTask { $0?.cancel() } }
        }
        return Self.end { try place.migrate(files) }
      }.value
      let comment = Comment(rawValue: "cancelled at step \(step) of \(count): \(end)")
      ends[end, default: 0] += 1
      #expect(end == .cancelled || end == .migrated, comment)
      #expect(try place.check() == [], comment)
      if end == .migrated, scenario.isInto { continue }
      try place.migrate()
      #expect(try place.checkEnd() == [], comment)
    }
    // There are steps to cancel before the first hop, and nothing can be cancelled after the last one.
    #expect(ends[.migrated] != nil && (ends[.cancelled] != nil || !scenario.usesEngine), "\(ends)")
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `a migration that another thread cancels at any time leaves the old store or the new one`(
    kind: NoteStores.Kind
  ) throws {
    let seed = UInt64.random(in: 0..<1 << 32)
    var random = SeededGenerator(seed: seed)
    for round in 0..<Seeds.some(of: 50) {
      let place = try FaultScenario.Place(FaultScenario(kind: kind, usesEngine: true))
      let manager = NoteStores.manager(MappingHopExecution())
      let delay = UInt32.random(in: 0..<60_000, using: &random)
      let monitor = MigrationMonitor()
      let cancelled = DispatchGroup()
      cancelled.enter()
      Thread.detachNewThread {
        usleep(delay)
        monitor.cancel()
        cancelled.leave()
      }
      let end = Self.end { try manager.migrate(place.store, monitor: monitor) }
      cancelled.wait()
      let comment = Comment(rawValue: "seed \(seed), round \(round), cancelled after \(delay) µs: \(end)")
      #expect(end == .migrated || end == .cancelled, comment)
      #expect(try place.check() == [], comment)
      try manager.migrate(place.store)
      #expect(try place.checkEnd() == [], comment)
    }
  }
}
