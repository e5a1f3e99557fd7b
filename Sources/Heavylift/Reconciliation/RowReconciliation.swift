import HeavyliftStore

/// Accounts for each object of the source, from what is known when a hop is done.
struct RowReconciliation {
  /// What one entity mapping did.
  struct Step {
    var sourceEntityName: String?
    /// False for a mapping that removes.
    var makesObjects: Bool
    var hasPolicy: Bool
    /// True if the mapping takes all objects of its source entity.
    var isUnfiltered: Bool
    /// The keys of the source objects of which it made objects as declared.
    var made: KeySet
  }

  /// How many objects each source entity has.
  var counts: [String: Int]
  var steps: [Step]
  /// The keys of the source objects that policies were given, that they associated, and that they deleted.
  var read: [String: KeySet] = [:]
  var associated: [String: KeySet] = [:]
  var deleted: [String: KeySet] = [:]

  /// One entry for each source entity with objects.
  ///
  /// - Throws: `MigrationError` if objects are unaccounted for.
  func rows() throws -> [MigrationReport.Rows] {
    try counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { name, count in
      let rows = rows(of: name, count)
      guard rows.accounted == count else { throw Self.unaccounted(rows) }
      return rows
    }
  }

  private func rows(of name: String, _ count: Int) -> MigrationReport.Rows {
    let own = steps.filter { $0.sourceEntityName == name }
    var rows = MigrationReport.Rows(entityName: name, count: count)
    var known = associated[name] ?? KeySet()
    for step in own { known.formUnion(step.made) }
    rows.migrated = known.count
    known.formUnion(read[name] ?? KeySet())
    known.formUnion(deleted[name] ?? KeySet())
    let unused = known.count - rows.migrated
    if steps.contains(where: \.hasPolicy) {
      if own.contains(where: \.makesObjects) { rows.unused = unused } else { rows.removed = unused }
    }
    let rest = count - known.count
    if own.contains(where: { $0.makesObjects && $0.isUnfiltered }) {
      // It took every object, so nothing may be left.
    } else if own.contains(where: { !$0.makesObjects && $0.isUnfiltered }) {
      rows.removed += rest
    } else if own.contains(where: \.makesObjects) {
      rows.filtered = rest
    } else if own.isEmpty {
      rows.unmentioned = rest
    } else {
      rows.removed += rest
    }
    return rows
  }

  private static func unaccounted(_ rows: MigrationReport.Rows) -> MigrationError {
    let parts = [
      ("migrated", rows.migrated), ("filtered", rows.filtered), ("removed", rows.removed), ("unused", rows.unused),
      ("not mentioned", rows.unmentioned),
    ].filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
    return MigrationError(
      .migration,
      problem: "of \(rows.count) objects of source entity '\(rows.entityName)', \(rows.accounted) are accounted for"
        + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"),
      remedy: "this is a defect of the migration engine: report it with the mapping file; nothing was changed")
  }

  /// Compares the objects of the finished store with what was made.
  ///
  /// - Throws: `MigrationError` if an entity has more or fewer.
  static func check(_ counts: [String: Int], made: [String: Int]) throws {
    for name in Set(counts.keys).union(made.keys).sorted() where counts[name, default: 0] != made[name, default: 0] {
      throw MigrationError(
        .migration,
        problem: "\(made[name, default: 0]) objects of entity '\(name)' were made, and the new store has "
          + "\(counts[name, default: 0])",
        remedy: "this is a defect of the migration engine: report it with the mapping file; nothing was changed")
    }
  }
}
