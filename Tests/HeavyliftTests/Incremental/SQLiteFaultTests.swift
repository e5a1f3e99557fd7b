import CSQLiteFaults
import Foundation
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Migrations in which SQLite itself meets a failing disk, a full disk, another connection's lock, damage, or lack of
/// memory.
@Suite(.serialized)
struct SQLiteFaultTests {
  struct Fault: CustomStringConvertible, Sendable {
    var description: String
    var calls: [sqlite_faults_call]
    var code: Int32
    var isForGood = false
    /// The interval between calls that fail; with `Scripts/test --thorough`, every call fails in turn.
    var interval: Int

    static let all = [
      Fault(description: "a read fails once", calls: [sqlite_faults_read], code: 266, interval: 59),
      Fault(
        description: "all later reads fail", calls: [sqlite_faults_read], code: 266, isForGood: true, interval: 75),
      Fault(description: "a page is damaged", calls: [sqlite_faults_read], code: 11, interval: 63),
      Fault(description: "a write fails once", calls: [sqlite_faults_write], code: 778, interval: 47),
      Fault(
        description: "the disk stays full", calls: [sqlite_faults_write, sqlite_faults_truncate], code: 13,
        isForGood: true, interval: 59),
      Fault(description: "a sync fails once", calls: [sqlite_faults_sync], code: 1_034, interval: 11),
      Fault(description: "a lock is refused once", calls: [sqlite_faults_lock], code: 5, interval: 47),
      Fault(description: "a lock fails once", calls: [sqlite_faults_lock], code: 3_850, interval: 59),
      Fault(description: "a file cannot be opened", calls: [sqlite_faults_open], code: 14, interval: 15),
      Fault(
        description: "a file cannot be deleted, examined or truncated",
        calls: [sqlite_faults_remove, sqlite_faults_examine, sqlite_faults_truncate], code: 2_570, interval: 47),
      Fault(
        description: "the log's index cannot be mapped", calls: [sqlite_faults_shared_memory], code: 5_386, interval: 11
      ),
      Fault(
        description: "memory is exhausted",
        calls: [
          sqlite_faults_read, sqlite_faults_write, sqlite_faults_open, sqlite_faults_shared_memory,
          sqlite_faults_examine,
        ], code: 3_082, interval: 123),
    ]

    var kinds: UInt32 { calls.map(\.rawValue).reduce(0, |) }
  }

  static let scenarios =
    [
      FaultScenario(kind: .withUnmergedLog, hasBackup: true, usesEngine: true),
      FaultScenario(kind: .withoutLog, usesEngine: true),
      FaultScenario(kind: .withLog, isInto: true, usesEngine: true),
    ] + FaultScenario.continued.prefix(1)

  init() { #expect(sqlite_faults_install() == 0) }

  /// The number of SQLite calls in a migration.
  private func count(_ scenario: FaultScenario, _ fault: Fault) throws -> Int {
    let place = try FaultScenario.Place(scenario)
    sqlite_faults_begin(place.folder.url.path, fault.kinds, 0, 0, 0)
    defer { sqlite_faults_end() }
    try place.migrate()
    return Int(sqlite_faults_end())
  }

  /// A disk that fails for a moment is not damage.
  @Test func `no row is lost if a read fails once while a damaged store is salvaged`() throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withoutLog))
    func salvage(failing nth: Int) throws -> (losses: [Salvage.Loss], calls: Int) {
      let path = place.folder.appending("salvaged.sqlite").path
      try? FileManager.default.removeItem(atPath: path)
      let new = try Database(path: path, mode: .create)
      defer { try? new.close() }
      sqlite_faults_begin(place.store.path, sqlite_faults_read.rawValue, nth, 266, 0)
      defer { sqlite_faults_end() }
      let losses = try Salvage(of: place.store.path, into: new).run()
      return (losses, Int(sqlite_faults_end()))
    }
    let calls = try salvage(failing: 0).calls
    #expect(calls > 10)
    var failed = 0
    for nth in 1...calls {
      do {
        #expect(try salvage(failing: nth).losses == [], "call \(nth) of \(calls)")
      } catch is SQLiteError {
        // The schema is read only once.
        failed += 1
      }
    }
    #expect(failed < calls)
  }

  @Test(arguments: scenarios, Fault.all)
  func `if any SQLite call fails, the store is the old one or the new one, and the next run ends with the new one`(
    scenario: FaultScenario, fault: Fault
  ) throws {
    let count = try count(scenario, fault)
    let isMapped = fault.calls == [sqlite_faults_shared_memory]
    guard count > 0 else {
      // The engine syncs the stores that it writes; SQLite only syncs when it merges the old store's log.
      let isSync = fault.calls == [sqlite_faults_sync]
      #expect(isMapped && scenario.kind == .withoutLog || isSync && scenario.kind != .withUnmergedLog)
      return
    }
    var failures = 0
    for failing in stride(from: 1, through: count, by: Seeds.interval == 1 ? 1 : fault.interval) {
      let place = try FaultScenario.Place(scenario)
      sqlite_faults_begin(place.folder.url.path, fault.kinds, failing, fault.code, fault.isForGood ? 1 : 0)
      let problem = failure { try place.migrate() }
      sqlite_faults_end()
      if problem != nil { failures += 1 }
      let comment = Comment(rawValue: "call \(failing) of \(count)\n\(problem ?? "nothing was thrown")")
      #expect(try place.check() == [], comment)
      let second = failure { try place.migrate() }
      #expect(second == nil || scenario.isInto && second?.contains("already exists") == true, comment)
      #expect(try place.checkEnd() == [], comment)
    }
    // A lock that is refused is requested again.
    #expect(failures > 0 || fault.code == 5 || isMapped, "nothing failed in \(count) calls")
  }
}
