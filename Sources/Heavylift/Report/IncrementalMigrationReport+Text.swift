import HeavyliftModel
import HeavyliftEngine

extension IncrementalMigrationReport: CustomStringConvertible {
  /// The result, with a line for each hop and its warnings.
  public var description: String {
    let all = earlierHops + hops
    guard !all.isEmpty else {
      return wasCurrent ? "store '\(store.path)' is current" : "store '\(store.path)' was migrated by an earlier run"
    }
    let first = "store '\(store.path)' was migrated in \(all.count.counted(as: "hop"))"
    return ([first] + all.map { "  \($0)" } + [backup.map { "  backup: '\($0.path)'" }].compactMap(\.self))
      .joined(separator: "\n")
  }
}

extension IncrementalMigrationReport.Hop: CustomStringConvertible {
  /// The versions, the number of objects and the time, with a line for each warning.
  public var description: String {
    let objects = objectCount.map { ", \($0.counted(as: "object"))" } ?? ""
    let changes = inPlaceSteps.map { ", \($0.count.counted(as: "change")) in place" } ?? ""
    let notes = (report ?? earlierReport)?.notes.filter { $0.severity != .note } ?? []
    return (["\(title)\(objects)\(changes), \(seconds.shortSeconds)"] + notes.map { "    \($0)" })
      .joined(separator: "\n")
  }
}
