import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftSQLite
@testable import HeavyliftStore

/// Failures of fused hops: a fusing bug is reported, and a failure that would recur is not retried.
@Suite struct FusedFailureTests {
  /// Fails whenever hops are fused, and counts the hops that run alone.
  private struct FailingFusion: EngineHopExecution {
    final class Log {
      var hops: [String] = []
    }

    var error: any Error
    var log = Log()
    var provenance: URL? { nil }
    private let execution = MappingHopExecution()

    init(_ error: any Error) { self.error = error }

    func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport {
      log.hops.append(hop.title)
      return try execution.migrate(from: source, to: destination, hop: hop)
    }

    func reasonToWrite(_ hop: MigrationHop, before next: MigrationHop) -> String? { nil }

    func migrateFused(
      from source: URL, hops: [MigrationHop], monitor: (Int) -> HopMonitor, to destination: (Int) -> URL
    ) throws -> FusedHops {
      throw FusedHopFailure(number: 1, error: error)
    }
  }

  @Test func `a fusing failure is reported with the hops that then ran one by one`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withLog)
    let execution = FailingFusion(Diagnostic(.error, code: "test", problem: "no such view"))
    let report = try NoteStores.manager(execution).migrate(url, options: .fusing)
    #expect(execution.log.hops == ["'Notes 1' → 'Notes 2'", "'Notes 2' → 'Notes 3'"])
    #expect(
      report.hops.map(\.reasonToWrite) == [
        "fusing it with the next hop failed: error[test]: no such view", "it is the last hop",
      ])
    #expect(
      report.hops.map { $0.report?.notes.map(\.description) } == [
        [
          """
          warning[migration.not-fused]: fusing hop 'Notes 1' → 'Notes 2' with the next hop failed, so the hops ran one \
          by one: error[test]: no such view
            the new store is complete; report this as a bug
          """
        ], [],
      ])
    #expect(try NoteStores.contents(url) == NoteStores.newest)
  }

  private static let finalErrors: [any Error & Sendable] = [
    SQLiteError(code: .full, message: "database or disk is full"),
    SQLiteError(code: .inputOutput, message: "disk I/O error"),
    MigrationError(
      .migration, problem: "cannot be written",
      underlying: Diagnostic(.error, code: "store.disk-full", problem: "cannot be written")),
    POSIXError(.ENOSPC), CocoaError(.fileWriteOutOfSpace),
  ]

  @Test(arguments: finalErrors.indices)
  func `a disk failure is not retried`(number: Int) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withLog)
    let execution = FailingFusion(Self.finalErrors[number])
    do {
      try NoteStores.manager(execution).migrate(url, options: .fusing)
      Issue.record("nothing was thrown")
    } catch let error as IncrementalMigrationError {
      #expect(error.kind == .hop)
      #expect(error.problem.hasPrefix("hop 'Notes 2' → 'Notes 3' of store '\(url.path)' failed: "))
    }
    #expect(execution.log.hops.isEmpty)
    #expect(try NoteStores.contents(url) == NoteStores.oldest)
  }

  @Test(arguments: [
    (ResultCode.full, "disk-full", "cannot be written", "free some space on the disk, then try again"),
    (
      .inputOutput, "disk-failure", "cannot be read or written",
      "check the disk and the permissions of its files, then try again"
    ),
  ])
  func `a disk failure has its own code`(
    code: ResultCode, name: String, problem: String, remedy: String
  ) throws {
    let diagnostic = StoreOpening.diagnostic(
      for: SQLiteError(code: code, message: "no"), url: URL(filePath: "/a.sqlite"))
    #expect(
      "\(diagnostic)" == """
        error[store.\(name)]: store '/a.sqlite' \(problem): no (\(code))
          \(remedy); nothing was changed
        """)
  }
}
