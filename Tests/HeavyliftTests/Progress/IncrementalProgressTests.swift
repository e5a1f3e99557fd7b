import Foundation
import HeavyliftConcurrency
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Progress, cancellation and rehearsal of a chain of hops.
@Suite struct IncrementalProgressTests {
  private let folder: TemporaryFolder
  private let url: URL

  init() throws {
    folder = try TemporaryFolder()
    url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withLog)
  }

  private static func word(_ event: IncrementalMigrationProgress) -> String {
    let step =
      switch event.step {
      case .preparing: "preparing"
      case .migrating(let progress): progress.pass.rawValue
      case .handling(let progress): "\(progress.handler.title)"
      case .finishing: "finishing"
      case .swapping: "swapping"
      }
    return "\(event.hop)/\(event.hopCount) \(step)"
  }

  @Test func `events name the hop and its step, and end with the chain`() async throws {
    let manager = NoteStores.manager(WrittenHops())
    let heard = Locked<[String]>([])
    let fractions = Locked<[Float]>([])
    let monitor = MigrationMonitor {
      if heard.current.last != Self.word($0) { heard.current.append(Self.word($0)) }
      fractions.current.append($0.fraction)
    }
    let events = monitor.events()
    try await manager.migrate(url, monitor: monitor)
    #expect(
      heard.current == [
        "1/2 preparing", "1/2 instances", "1/2 relationships", "1/2 validation", "1/2 finishing",
        "2/2 preparing", "2/2 instances", "2/2 relationships", "2/2 validation", "2/2 finishing", "2/2 swapping",
      ])
    #expect(fractions.current == fractions.current.sorted())
    var last: IncrementalMigrationProgress?
    for await event in events { last = event }
    #expect(last?.step == .swapping)
    #expect(monitor.progress.fractionCompleted == 1)
  }

  @Test(arguments: ["1/2 preparing", "1/2 relationships", "2/2 validation", "2/2 finishing"])
  func `cancelling keeps the old store, and the next run continues`(place: String) throws {
    let before = try NoteStores.listing(folder.url)
    let manager = NoteStores.manager(WrittenHops())
    let cancellation = MigrationCancellation()
    let monitor = MigrationMonitor(cancellation) { if Self.word($0) == place { cancellation.cancel() } }
    let error = #expect(throws: MigrationError.self) { try manager.migrate(url, monitor: monitor) }
    #expect(error?.kind == .cancelled)
    #expect(error?.number == 134_120)
    #expect(try NoteStores.listing(folder.url) == before)
    try NoteStores.manager(WrittenHops()).migrate(url)
    #expect(try NoteStores.contents(url) == NoteStores.newest)
  }

  @Test func `a cancelled chain reports what it was doing`() throws {
    let manager = NoteStores.manager(WrittenHops())
    let cancellation = MigrationCancellation()
    let monitor = MigrationMonitor(cancellation) { if Self.word($0) == "2/2 instances" { cancellation.cancel() } }
    #expect(
      failure { try manager.migrate(url, monitor: monitor) } == """
        error[migration.cancelled]: the migration of store '\(url.resolvingLinks.path)' was cancelled in hop \
        'Notes 2' → 'Notes 3'
          nothing was changed; 1 of 2 hops can be skipped in the next run
        """)
  }

  @Test func `composed hops are reported as one`() throws {
    let manager = NoteStores.manager(MappingHopExecution())
    let heard = Locked<[String]>([])
    let fractions = Locked<[Float]>([])
    let monitor = MigrationMonitor {
      if heard.current.last != Self.word($0) { heard.current.append(Self.word($0)) }
      fractions.current.append($0.fraction)
    }
    #expect(try manager.migrate(url, monitor: monitor).hops.count == 1)
    #expect(
      heard.current == [
        "1/1 preparing", "1/1 instances", "1/1 relationships", "1/1 validation", "1/1 finishing", "1/1 swapping",
      ])
    #expect(fractions.current == fractions.current.sorted())
    #expect(fractions.current.contains { 0.1..<0.9 ~= $0 }, "\(fractions.current)")
    #expect(try NoteStores.contents(url) == NoteStores.newest)
  }

  /// By the time the third note is created, the new store owns the file of the second note's picture.
  @Test(arguments: [
    ("1/1 preparing", 1), ("1/1 instances", 1), ("1/1 instances", 4), ("1/1 relationships", 1), ("1/1 validation", 1),
    ("1/1 finishing", 1), ("1/1 swapping", 1),
  ])
  func `cancelling composed hops keeps the old store and its files, and the next run continues`(
    place: String, time: Int
  ) throws {
    let before = try NoteStores.listing(folder.url)
    let manager = NoteStores.manager(MappingHopExecution())
    let heard = Locked(0)
    let cancellation = MigrationCancellation()
    let monitor = MigrationMonitor(cancellation) {
      guard Self.word($0) == place else { return }
      heard.current += 1
      if heard.current == time { cancellation.cancel() }
    }
    let error = #expect(throws: MigrationError.self) { try manager.migrate(url, monitor: monitor) }
    #expect(error?.kind == .cancelled)
    #expect(heard.current == time)
    #expect(try NoteStores.listing(folder.url) == before)
    let report = try NoteStores.manager(MappingHopExecution()).migrate(url)
    let isDone = ["1/1 finishing", "1/1 swapping"].contains(place)
    #expect(report.hops.map { $0.report == nil } == [isDone])
    #expect(try NoteStores.contents(url) == NoteStores.newest)
    #expect(try ExternalDataFolder(store: url).fileNames().count == 1)
  }

  @Test func `cancelling the task cancels the chain`() async throws {
    let url = url
    let task = Task { () -> MigrationError.Kind? in
      withUnsafeCurrentTask { $0?.cancel() }
      do {
        try NoteStores.manager(WrittenHops()).migrate(url)
        return nil
      } catch let error as MigrationError {
        return error.kind
      }
    }
    #expect(try await task.value == .cancelled)
    #expect(try NoteStores.contents(url) == NoteStores.oldest)
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `a rehearsal provides the new store, and leaves no files`(kind: NoteStores.Kind) throws {
    let other = try TemporaryFolder()
    let url = other.appending("Notes.sqlite")
    try NoteStores.make(at: url, kind)
    let before = try NoteStores.listing(other.url, withWorkFolder: true)
    let seen = try NoteStores.manager(WrittenHops()).rehearse(url) { rehearsal in
      #expect(rehearsal.report.hops.map(\.objectCount) == [3, 3])
      return try NoteStores.contents(rehearsal.newStore)
    }
    #expect(seen == NoteStores.newest)
    #expect(try NoteStores.listing(other.url, withWorkFolder: true) == before)
    #expect(throws: CancellationError.self) {
      try NoteStores.manager(WrittenHops()).rehearse(url) { _ in throw CancellationError() }
    }
    #expect(try NoteStores.listing(other.url, withWorkFolder: true) == before)
  }

  @Test func `a rehearsal keeps the finished hops of a cancelled migration`() throws {
    let manager = NoteStores.manager(WrittenHops())
    let cancellation = MigrationCancellation()
    let monitor = MigrationMonitor(cancellation) { if Self.word($0) == "2/2 instances" { cancellation.cancel() } }
    #expect(throws: MigrationError.self) { try manager.migrate(url, monitor: monitor) }
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    try NoteStores.manager(WrittenHops()).rehearse(url) { _ in }
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
    let report = try NoteStores.manager(WrittenHops()).migrate(url)
    #expect(report.hops.map { $0.report == nil } == [true, false])
  }

  @Test func `obstacles are reported in advance`() throws {
    var files = FileOperations()
    files.availableBytesForTests = 10
    let manager = NoteStores.manager(WrittenHops(), files: files)
    let backup = folder.appending("Backup.sqlite")
    try Data().write(to: backup)
    let open = try Database(path: url.path, mode: .readWrite)
    let plan = try manager.plan(for: url)
    let found = manager.obstacles(to: plan, options: IncrementalMigrationOptions(backup: backup))
    #expect(found.map(\.kind) == [.destinationExists, .noSpace, .inUse])
    try open.close()
    #expect(try NoteStores.manager().obstacles(to: NoteStores.manager().plan(for: url)).isEmpty)
  }
}
