import Foundation
import HeavyliftStore

/// The stores in the work folder on which a stage's handlers ran, or were running, when a run was interrupted.
struct HandledStores {
  private let work: WorkFolder

  init(_ work: WorkFolder) { self.work = work }

  /// Finds out which handlers of a hop have run, notes it in the journal, and returns the stores that must be kept.
  ///
  /// A store in which the handlers have not run is not used again, even though SQLite would roll back their changes: a
  /// save may have removed large values from its folder.
  ///
  /// Unless all handlers have run, none of their stores is kept: `willMigrate` may have put values that are no longer in
  /// the store into the memory of a process that has died, for the handlers after it.
  ///
  /// - Parameter hasLaterHandlers: True if the hop has handlers after the change of structure.
  func resume(_ hop: Int, hasLaterHandlers: Bool, _ journal: inout MigrationJournal) throws -> [URL] {
    guard var handlers = journal.handlers else { return [] }
    let old = handlers
    guard handlers.hop == hop else {
      journal.handlers = nil
      try work.write(journal)
      return []
    }
    let stores = [(work.handledSource(hop), \MigrationJournal.Handlers.before, true), (work.hop(hop), \.after, false)]
    var kept: [URL] = []
    for (store, part, isBefore) in stores {
      guard let handled = handlers[keyPath: part] else { continue }
      guard try FileIdentity(store)?.isSameFile(as: handled.identity) == true else {
        handlers[keyPath: part] = nil
        continue
      }
      if !handled.isDone {
        guard let mark = try HandlerMark(journal, hop: hop, isBefore: isBefore).find(in: store) else {
          handlers[keyPath: part] = nil
          continue
        }
        handlers.report = mark.report ?? handlers.report
      }
      handlers[keyPath: part]?.isDone = true
      kept.append(store)
    }
    if hasLaterHandlers, handlers.after == nil {
      handlers.before = nil
      kept = []
    }
    if handlers != old {
      journal.handlers = handlers
      try work.write(journal)
    }
    return kept
  }
}
