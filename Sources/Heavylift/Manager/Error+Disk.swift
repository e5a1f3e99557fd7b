import Foundation
import HeavyliftModel
import HeavyliftSQLite

extension Error {
  /// True if the disk failed or the migration was cancelled, so that neither data nor code is at fault.
  var isOfDiskOrCancellation: Bool {
    switch self as any Error {
    case let error as MigrationError: error.code == .cancelled || error.underlying?.isOfDiskOrCancellation ?? false
    case let error as Diagnostic: diskCodes.contains(error.code)
    case let error as SQLiteError:
      error.isFull || error.isInputOutput || error.isInterrupt || error.isCantOpen || error.isReadOnly
        || error.isCorrupt || error.underlyingError?.isOfDiskOrCancellation ?? false
    case is POSIXError, is CocoaError, is CancellationError: true
    default: false
    }
  }
}

private let diskCodes: Set = [
  "store.disk-full", "store.disk-failure", "store.read-only", "store.corrupt", "store.truncated", "store.locked",
]
