import CSQLiteFaults
import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Migrations with handlers in which SQLite itself meets a failing disk, damage, or lack of memory.
///
/// Part of the serialized suite, because only one test at a time can make SQLite's calls fail.
extension SQLiteFaultTests {
  @Test(arguments: Fault.all)
  func `if any SQLite call fails around handlers, the store is the old or the new one, and the next run succeeds`(
    fault: Fault
  ) throws {
    func migrate(_ place: MusicPlace) throws {
      try StageChain.manager().migrate(place.store, options: StageChain.options(place.folder.url))
    }
    let trial = try MusicPlace()
    sqlite_faults_begin(trial.folder.url.path, fault.kinds, 0, 0, 0)
    try migrate(trial)
    let count = Int(sqlite_faults_end())
    // The tests without handlers try more of them.
    for failing in stride(from: 1, through: count, by: Seeds.interval == 1 ? 1 : fault.interval * 7) {
      let place = try MusicPlace()
      sqlite_faults_begin(place.folder.url.path, fault.kinds, failing, fault.code, fault.isForGood ? 1 : 0)
      let problem = failure { try migrate(place) }
      sqlite_faults_end()
      let comment = Comment(rawValue: "call \(failing) of \(count)\n\(problem ?? "nothing was thrown")")
      #expect(try StageChain.problems(place) == [], comment)
      #expect(failure { try migrate(place) } == nil, comment)
      #expect(try StageChain.endProblems(place) == [], comment)
    }
  }
}
