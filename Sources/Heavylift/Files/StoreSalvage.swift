import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Creates a store from everything that can be read from a damaged one.
struct StoreSalvage {
  /// The maximum number of losses that are listed individually.
  private static let listed = 50

  let store: URL
  let findings: [String]
  let files: FileOperations

  /// Creates the new store, and returns a diagnostic for each part of the old one that was lost.
  func make(at target: URL) throws -> [Diagnostic] {
    try files.interceptor?(.copy(from: store, to: target))
    try FileRights(of: store)?.makeFile(at: target)
    let losses: [Salvage.Loss]
    do throws(SQLiteError) {
      let database = try Database(path: target.path, mode: .create)
      losses = try Salvage(of: store.path, into: database).run()
      try database.close()
    } catch {
      throw Diagnostic(
        .error, code: "store.not-salvaged",
        problem: "store '\(store.path)' is damaged, and the parts that can be read are not usable: \(error.message)",
        remedy: "restore it from a backup")
    }
    try StoreCopy(files: files).shareLargeValues(of: store, with: target)
    return diagnostics(losses)
  }

  /// The result in words if no loss is known. SQLite lists only some findings.
  private var resultWithoutLoss: String {
    findings.count < 5 && findings.allSatisfy { $0.contains("index") }
      ? "every row could be read"
      : "no row is known to be lost; rows of lost pages, or of a lost -wal, cannot be listed"
  }

  private func diagnostics(_ losses: [Salvage.Loss]) -> [Diagnostic] {
    let whole = Diagnostic(
      .warning, code: "store.damaged",
      problem: "store '\(store.path)' is damaged (\(findings.joined(separator: "; "))), and was migrated as far as "
        + "possible: "
        + (losses.isEmpty
          ? resultWithoutLoss : "\(losses.count == 1 ? "one part is" : "\(losses.count.grouped) parts are") lost"),
      remedy: "compare the new store with a backup")
    var lost = losses.prefix(Self.listed).map { loss in
      if case .object(let name, let reason) = loss {
        return Diagnostic(
          .warning, code: "store.unreadable", problem: "'\(name)' could not be recreated: \(reason)",
          remedy: "no row is lost; recreate it with the program that created it")
      }
      return Diagnostic(.warning, code: "store.unreadable", problem: "\(loss) cannot be read")
    }
    if losses.count > Self.listed {
      lost.append(
        Diagnostic(
          .warning, code: "store.unreadable",
          problem: "\((losses.count - Self.listed).grouped) more parts cannot be read"))
    }
    return [whole] + lost
  }
}
