import Heavylift
import HeavyliftConcurrency

/// `heavylift finish-cleanup STORE`: drops the tables and columns that a migration in place has left in a store.
package struct FinishCleanupCommand: Command {
  package static let description = CommandDescription(
    name: "finish-cleanup", abstract: "Drop what 'migrate --defer-cleanup' has left in a store",
    discussion: """
      With --defer-cleanup, a migration in place only renames the tables and columns that are no longer needed, and \
      records them in the store. This command drops them, each in a transaction of its own, so that you can interrupt it \
      at any time and continue later. It needs no model. The next migration in place does the same, unless it defers its \
      own cleanup, too.

      Dropping a column takes as long as writing its table. No process may have the store open.

      Exits with 0 if nothing is left to drop, or if you asked for one step or a dry run.
      """,
    arguments: [.init("STORE", help: "The store's file.")],
    options: [
      .init(flag: "dry-run", help: "Only list what would be dropped. The store may be in use."),
      .init(flag: "one", help: "Drop only one table or column."),
    ],
    examples: [
      .init("finish-cleanup Library.sqlite", "Drops everything that is waiting."),
      .init("finish-cleanup Library.sqlite --dry-run", "Lists it."),
    ])

  /// The path of the store.
  package var store: String
  /// True to list what would be dropped, without changing anything.
  package var isDryRun: Bool
  /// True to drop only one table or column.
  package var dropsOne: Bool
  package var writesJSON: Bool

  /// Creates the command.
  package init(_ store: String, isDryRun: Bool = false, dropsOne: Bool = false, writesJSON: Bool = false) {
    self.store = store
    self.isDryRun = isDryRun
    self.dropsOne = dropsOne
    self.writesJSON = writesJSON
  }

  package init(_ arguments: ParsedArguments) throws(UsageError) {
    self.init(
      arguments[argument: "STORE"], isDryRun: arguments.has("dry-run"), dropsOne: arguments.has("one"),
      writesJSON: arguments.has("json"))
  }

  package func run(_ io: CommandIO) throws -> ExitCode {
    let url = io.url(store)
    let manager = IncrementalMigrationManager(models: [])
    let monitor = MigrationMonitor()
    if !isDryRun { try manager.rollBackUnfinishedWrite(to: url) }
    var waiting = try tasks(io)
    var dropped: [CleanupTask] = []
    let ended = Locked<ExitCode?>(nil)
    do {
      try io.interruptions.watching { code in
        ended.withLock { $0 = $0 ?? code }
        monitor.cancel()
      } _: {
        while !isDryRun, !waiting.isEmpty, !dropsOne || dropped.isEmpty, !monitor.isCancelled {
          try manager.finishDeferredLightweightMigrationTask(of: url, monitor: monitor)
          dropped.append(waiting.removeFirst())
        }
      }
    } catch {
      // The statement that was interrupted has been rolled back.
      guard ended.withLock({ $0 }) != nil else { throw error }
    }
    try write(dropped, waiting, io)
    return ended.withLock { $0 } ?? .success
  }

  private func tasks(_ io: CommandIO) throws -> [CleanupTask] {
    let file = try StoreFile(url: io.url(store), mode: .readOnly)
    defer { try? file.close() }
    return file.metadata.deferredCleanup
  }

  private func write(_ dropped: [CleanupTask], _ waiting: [CleanupTask], _ io: CommandIO) throws {
    guard !writesJSON else {
      let members = [("dropped", dropped), ("waiting", waiting)].map { ($0, JSONValue.array($1.map(\.json))) }
      return try io.write(JSONValue.object([("store", .string(store))] + members).indented)
    }
    var lines = dropped.map { "dropped \($0.subject.shown)" }
    lines += waiting.map { isDryRun ? "would drop \($0.subject.shown)" : "waiting: \($0.subject.shown)" }
    try io.write(lines: lines.isEmpty ? ["nothing to drop"] : lines)
  }
}

extension CleanupTask {
  var json: JSONValue {
    .object([("table", .string(table)), ("column", .optional(column)), ("formerName", .string(formerName))])
  }
}
