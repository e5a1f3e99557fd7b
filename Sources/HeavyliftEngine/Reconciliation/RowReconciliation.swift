import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Accounts for each object of the source after a hop is done.
struct RowReconciliation {
  /// The result of one entity mapping.
  struct Step {
    var name: String
    /// The mapping's source entity, and others whose objects its source expression returns.
    var sourceEntityNames: Set<String>
    /// False for a mapping that removes objects.
    var makesObjects: Bool
    var hasPolicy: Bool
    /// True if the mapping takes all objects of its source entity.
    var isUnfiltered: Bool
    /// The keys of the source objects from which the mapping created objects as declared.
    var migrated: KeySet
    /// The keys of the source objects that the mapping removes; `nil` for all objects of its source entity.
    var removed: KeySet?
  }

  /// The number of objects of each source entity.
  var counts: [String: Int]
  var steps: [Step]
  /// True for Xcode's mapping models, which drop the entities that they do not mention.
  var dropsUnmentioned: Bool
  /// True if code has discarded the associations of source and destination objects.
  var wasReset = false
  /// The keys of the source objects that policies received, associated or deleted.
  var read: [String: KeySet] = [:]
  var associated: [String: KeySet] = [:]
  var deleted: [String: KeySet] = [:]

  /// Returns one entry for each source entity with objects.
  ///
  /// - Throws: `HopError` if objects are not accounted for.
  func rows() throws -> [MigrationReport.Rows] {
    var own: [String: [Step]] = [:]
    for step in steps {
      for name in step.sourceEntityNames { own[name, default: []].append(step) }
    }
    let hasPolicies = steps.contains(where: \.hasPolicy)
    return try counts.filter { $0.value > 0 }.sorted { $0.key < $1.key }.map { name, count in
      let rows = try rows(of: name, count, own[name] ?? [], hasPolicies)
      guard rows.accounted == count else { throw unaccounted(rows) }
      return rows
    }
  }

  private func rows(
    of name: String, _ count: Int, _ own: [Step], _ hasPolicies: Bool
  ) throws -> MigrationReport.Rows {
    let (makers, removers) = (own.filter(\.makesObjects), own.filter { !$0.makesObjects })
    var rows = MigrationReport.Rows(entityName: name, count: count)
    var known = associated[name] ?? KeySet()
    for step in own { known.formUnion(step.migrated) }
    rows.migrated = known.count
    known.formUnion(read[name] ?? KeySet())
    known.formUnion(deleted[name] ?? KeySet())
    let unused = known.count - rows.migrated
    if hasPolicies {
      if makers.isEmpty { rows.removed = unused } else { rows.unused = unused }
    }
    // A mapping without a filter took every object, so none may remain.
    if makers.contains(where: \.isUnfiltered) { return rows }
    if removers.contains(where: { $0.removed == nil }) {
      rows.removed += count - known.count
      return rows
    }
    let explained = known.count
    for step in removers { known.formUnion(step.removed ?? KeySet()) }
    rows.removed += known.count - explained
    let rest = count - known.count
    if !makers.isEmpty {
      rows.filtered = rest
    } else if dropsUnmentioned {
      rows.unmentioned = rest
    } else if rest > 0 {
      throw Self.unexplained(rest, of: count, name, removers.map(\.name))
    }
    return rows
  }

  /// Returns the error for objects that no entity mapping, filter or removal accounts for.
  static func unexplained(_ rest: Int, of count: Int, _ entity: String, _ removers: [String]) -> HopError {
    guard !removers.isEmpty else {
      return HopError(
        .migration,
        problem: "source entity '\(entity)' has objects that no entity mapping covers: "
          + "\(rest.grouped) of \(count.grouped)",
        remedy:
          "write '<entity-mapping type=\"remove\" source=\"\(entity)\"/>' if they are to be deleted, or add an "
          + "entity mapping for them")
    }
    let mappings = (removers.count == 1 ? "entity mapping " : "entity mappings ") + removers.quotedList
    let filter = removers.count == 1 ? "its filter excludes" : "their filters exclude"
    return HopError(
      .migration,
      problem:
        "\(mappings) \(removers.count == 1 ? "uses a filter" : "use filters") to remove objects, but no entity mapping "
        + "covers the objects of source entity '\(entity)' that \(filter): \(rest.grouped) of \(count.grouped)",
      remedy: "write an entity mapping for them, or use no filter if all objects are to be removed")
  }

  private func unaccounted(_ rows: MigrationReport.Rows) -> HopError {
    let parts = [
      ("migrated", rows.migrated), ("filtered", rows.filtered), ("removed", rows.removed), ("unused", rows.unused),
      ("not mentioned", rows.unmentioned),
    ].filter { $0.1 != 0 }.map { "\($0.1) \($0.0)" }
    return HopError(
      .migration,
      problem: "of \(rows.count) objects of source entity '\(rows.entityName)', \(rows.accounted) are accounted for"
        + (parts.isEmpty ? "" : ": \(parts.joined(separator: ", "))"),
      remedy: wasReset
        ? LinkFinding.remedyForReset
        : "this is a bug in the migration engine: report it with the mapping file; nothing was changed")
  }

  /// Compares the number of objects in the finished store with the number created.
  ///
  /// - Throws: `HopError` if the numbers differ for any entity.
  static func check(_ counts: [String: Int], created: [String: Int]) throws {
    for name in Set(counts.keys).union(created.keys).sorted()
    where counts[name, default: 0] != created[name, default: 0] {
      throw HopError(
        .migration,
        problem: "\(created[name, default: 0].grouped) objects of entity '\(name)' were created, but the new store has "
          + "\(counts[name, default: 0].grouped)",
        remedy: "this is a bug in the migration engine: report it with the mapping file; nothing was changed")
    }
  }
}

extension MappedStores {
  /// Throws if two entity mappings create objects of the same entity from the same source objects, and neither says
  /// `duplicates="intended"`.
  ///
  /// The check of mappings finds most of them. Whether two different filters match the same object depends on the store.
  ///
  /// - Parameter keys: The keys of the source objects that an entity mapping takes; nil if they are not known.
  func refuseDoubledObjects(_ keys: (Int) -> KeySet?) throws {
    var earlier: [[String?]: [Int]] = [:]
    for (mappingIndex, mapping) in mappings.enumerated() where mayNotDouble(mappingIndex) {
      let entities = [mapping.sourceEntityName, mapping.destinationEntityName]
      defer { earlier[entities, default: []].append(mappingIndex) }
      guard let others = earlier[entities], let own = keys(mappingIndex) else { continue }
      for other in others {
        guard let taken = keys(other) else { continue }
        var both = own
        both.formUnion(taken)
        let doubled = own.count + taken.count - both.count
        guard doubled > 0 else { continue }
        throw HopError(
          .migration,
          problem: "entity mappings '\(mappings[other].name)' and '\(mapping.name)' both create objects from "
            + "\(doubled.grouped) of the '\(mapping.sourceEntityName ?? "")' objects",
          remedy: "split the objects between them with 'where', or write duplicates=\"intended\"")
      }
    }
  }

  /// False for entity mappings that say so, and for those that come from Xcode, where nothing can say so.
  func mayNotDouble(_ mappingIndex: Int) -> Bool {
    let mapping = mappings[mappingIndex]
    return mapping.sourceEntityName != nil && mapping.destinationEntityName != nil
      && !mapping.description.intendsDuplicates
      && mappingModels[modelIndexes[mappingIndex]].mappingModel.unmentionedEntities == .copied
  }
}

extension MigrationRun {
  /// Returns a warning for each entity mapping that created objects after its relationships were set, by the mapping's
  /// index.
  func lateObjects() throws -> [Int: Diagnostic] {
    try steps.reduce(into: [:]) { late, step in
      guard let entity = step.complete.destinationEntityName, let number = step.destinationNumber else { return }
      var count = 0
      try step.lateKeys.forEach { key in
        if try destinationContext.existingFault(numbered: number, key: key) != nil { count += 1 }
      }
      guard count > 0 else { return }
      late[step.mappingIndex] = Diagnostic(
        .warning, code: "migration.late-objects",
        problem: "\(count.grouped) × \(entity) were created after entity mapping '\(step.name)' had set its "
          + "relationships, so it did not set theirs",
        remedy: "create them in the first pass, or call 'super.createRelationships(forDestination:in:manager:)' for "
          + "them")
    }
  }
}
