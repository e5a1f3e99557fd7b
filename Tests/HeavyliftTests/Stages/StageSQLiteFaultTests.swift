import CSQLiteFaults
import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Migrations with handlers in which SQLite itself meets a failing disk, damage, or lack of memory.
@Suite(.serialized)
struct StageSQLiteFaultTests {
  init() { #expect(sqlite_faults_install() == 0) }

  private static func migrate(_ place: MusicPlace) throws {
    try StageChain.manager().migrate(place.store, options: StageChain.options(place.folder.url))
  }

  @Test(arguments: SQLiteFaultTests.Fault.all)
  func `if any SQLite call fails, the store is the old one or the new one, and the next run ends with the new one`(
    fault: SQLiteFaultTests.Fault
  ) throws {
    let trial = try MusicPlace()
    sqlite_faults_begin(trial.folder.url.path, fault.kinds, 0, 0, 0)
    try Self.migrate(trial)
    let count = Int(sqlite_faults_end())
    // Without handlers, `SQLiteFaultTests` tries more of them.
    for failing in stride(from: 1, through: count, by: Seeds.interval == 1 ? 1 : fault.interval * 7) {
      let place = try MusicPlace()
      sqlite_faults_begin(place.folder.url.path, fault.kinds, failing, fault.code, fault.isForGood ? 1 : 0)
      let problem = failure { try Self.migrate(place) }
      sqlite_faults_end()
      let comment = Comment(rawValue: "call \(failing) of \(count)\n\(problem ?? "nothing was thrown")")
      #expect(try StageChain.problems(place) == [], comment)
      #expect(failure { try Self.migrate(place) } == nil, comment)
      #expect(try StageChain.endProblems(place) == [], comment)
    }
  }
}
