import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// A store in WAL mode without a `-wal`.
///
/// That is its state after each clean close. But until then, the log has the latest changes, of a new store even all
/// tables. A copy of the store's file alone looks like a closed store, so this only matters if something is
/// missing.
package struct MissingLog {
  private let log: String

  /// Nil if the store has a `-wal`, or is not in WAL mode. An empty `-wal` may come from a connection of our own.
  package init?(_ store: URL) {
    guard let files = try? DatabaseFiles(path: store.path), files.usesWriteAheadLog, (files.writeAheadLogSize ?? 0) == 0
    else {
      return nil
    }
    log = (files.path as NSString).lastPathComponent + "-wal"
  }

  /// The sentence for the remedy of a diagnostic about contents that are missing.
  package var remedy: String { "if the store was copied while its app was open, copy '\(log)', too" }

  /// A note about a store without objects.
  package var note: Diagnostic {
    Diagnostic(
      .note, code: "store.missing-log",
      problem: "the store has no objects; it uses a write-ahead log, and there is no '\(log)' next to it",
      remedy: remedy)
  }
}
