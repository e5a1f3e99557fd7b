import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// The facts about the source's objects that are known before any row of the destination is written.
package struct SourceSurvey {
  /// The source rows of an entity mapping whose rows a statement creates.
  struct Rows {
    /// The statement, without relationships.
    let statement: RowTransfer
    /// The keys of the rows.
    let keys: KeySet
    /// The facts about their columns; nil if there is nothing to note.
    let columns: ColumnFacts?
    /// The question that the survey answered.
    let question: RowTransfer.Question
  }

  package let stores: MappedStores
  /// The number of objects of each source entity, not including sub-entities.
  package let counts: [String: Int]
  /// The rows that were found to be as statements need them, by the index of their entity mapping.
  private(set) var rows: [Int: Rows] = [:]
  package let keys: SourceKeys
  /// The keys of the source objects that each entity mapping removes with a filter, by the mapping's index.
  var removedKeys: [Int: KeySet] = [:]
  /// Columns that statements or filters read from an entity's rows.
  struct Read: Hashable {
    let entity: String
    let includesSubentities: Bool
    let columns: Set<String>
  }

  /// The keys of the first rows with invalid values in columns that no survey checked; nil if there is none.
  var misfits: [Read: Int64?] = [:]
  /// Links of the source's one-to-one relationships whose ends contradict each other.
  var contradictoryLinks: [ContradictoryLinks] = []
  /// Both ends of these relationships.
  var contradictoryEnds: Set<RelationshipEnd> = []
  /// The links that were read to find out whether the destination can hold them.
  private(set) var knownLinks = LinkReconciliation.KnownLinks()
  /// Dangling links of the source's one-to-one relationships, at the end at which links are not counted.
  var danglingBackLinks: [DanglingLinks] = []

  init(_ stores: MappedStores) throws {
    self.stores = stores
    keys = SourceKeys(stores)
    counts = try stores.sourceStore.objectCounts()
  }

  /// Adds rows, or removes those of an entity mapping for which no statement creates rows after all.
  mutating func setRows(_ found: Rows?, of mappingIndex: Int) {
    rows[mappingIndex] = found
    if let found { keys.note(found.keys, takenBy: mappingIndex) }
  }

  /// Returns the keys of the source objects that an entity mapping migrates; nil if a policy or a filter that SQL cannot
  /// evaluate decides. They are known for all entity mappings with a statement.
  package func knownKeys(_ mappingIndex: Int) -> KeySet? { rows[mappingIndex]?.keys }

  /// True if two entity mappings take exactly the same source objects.
  func isSameRows(_ mappingIndex: Int, _ other: Int) -> Bool {
    guard let question = rows[mappingIndex]?.question else { return false }
    return question == rows[other]?.question
  }

  /// The source entities all of whose rows were read.
  var readEntities: Set<String> {
    var read: [String: KeySet] = [:]
    for (mappingIndex, rows) in rows {
      if let name = stores.mappings[mappingIndex].sourceEntityName {
        read[name, default: KeySet()].formUnion(rows.keys)
      }
    }
    return Set(read.filter { $1.count == counts[$0] ?? 0 }.keys)
  }

  /// Returns true if a survey found columns that filters read to be valid in all rows of an entity, for this or for another
  /// entity mapping.
  func hasSurveyed(filterColumns columns: Set<String>, of entity: String) -> Bool {
    rows.contains { mappingIndex, rows in
      stores.mappings[mappingIndex].sourceEntityName == entity
        && rows.statement.filterColumns.isSuperset(of: columns)
    }
  }
}

extension SourceSurvey {
  /// Counts the links of one-to-one relationships whose two ends contradict each other.
  mutating func findContradictoryLinks() throws {
    let model = stores.sourceModel
    // Unlike `canonicalEnds`, counts the links once if a sub-entity declares the relationship again.
    var seen: Set<RelationshipEnd> = []
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isToMany {
        guard let target = relationship.destinationEntityName, let name = relationship.inverseName,
          let other = model.relationship(name, of: target), !other.isToMany
        else { continue }
        let ends = [
          RelationshipEnd(entity: entity.name, name: relationship.name), model.end(of: name, entity: target),
        ].compactMap(\.self)
        guard seen.isDisjoint(with: ends) else { continue }
        seen.formUnion(ends)
        // Links are counted at the canonical end only, so dangling links at the other end need a count of their own.
        for end in Set(ends) where model.canonicalEnd(of: end) != end {
          let count = try stores.sourceStore.danglingLinkCount(ofEntity: end.entity, relationship: end.name)
          guard count > 0 else { continue }
          danglingBackLinks.append(DanglingLinks(entity: end.entity, relationship: end.name, count: count))
        }
        let count = try stores.sourceStore.contradictoryLinkCount(entity.name, relationship.name, target, name)
        guard count != 0 else { continue }
        contradictoryEnds.formUnion(ends)
        contradictoryLinks.append(
          ContradictoryLinks(entity: entity.name, relationship: relationship.name, count: count ?? 0))
      }
    }
  }
}

extension PreparedMigration {
  /// True if all links of one-to-one relationships whose ends contradict each other are written with the rows, so that
  /// each end keeps its own.
  var keepsContradictoryLinks: Bool {
    let (model, steps) = (stores.sourceModel, plan.steps)
    return survey.contradictoryEnds.allSatisfy { end in
      let writers = steps.filter { step in
        step.relationshipPlans.contains { $0.source == end.name && $0.way == .withRow }
      }.compactMap(\.sourceEntityName)
      return steps.compactMap(\.sourceEntityName).compactMap(model.entity(named:)).allSatisfy { entity in
        !model.entity(entity, isKindOf: end.entity) || writers.contains(entity.name)
      }
    }
  }
}

/// Values that statements read from rows that were not surveyed: those of related objects, and those that a filter
/// excludes. SQL could read them as other values.
extension SourceSurvey {
  /// Returns the reason why no statement can create an entity mapping's rows; nil if there is none.
  ///
  /// - Parameter surveyed: The source entities all of whose rows were surveyed.
  mutating func misreading(_ mappingIndex: Int, besides surveyed: Set<String>) throws -> MigrationPlan.Reason? {
    guard let statement = rows[mappingIndex]?.statement else { return nil }
    return try misfits(in: statement.otherReads, besides: surveyed).first.map { entity, key in
      .init("object \(key) of entity '\(entity)', which it reads, has a value that SQL may read as another one")
    }
  }

  /// Throws if an entity mapping's filter reads an invalid value: SQL would not take the object, or take it by mistake.
  mutating func checkFilterReads(_ mappingIndex: Int, besides surveyed: Set<String>) throws {
    let mapping = stores.mappings[mappingIndex]
    guard mapping.filter != nil, let entity = mapping.sourceEntityName,
      let statement = try? stores.rowsAlone(of: mappingIndex)
    else { return }
    var found = try misfits(in: statement.otherFilterReads, besides: surveyed)
    let own = Read(entity: entity, includesSubentities: false, columns: statement.filterColumns)
    if !surveyed.contains(entity), !hasSurveyed(filterColumns: own.columns, of: entity), let key = try misfit(own) {
      found.append((entity, key))
    }
    for (entity, key) in found {
      do {
        try stores.sourceStore.requireValidValues(ofEntity: entity, key: key)
      } catch {
        var wrapped = HopError.wrapping(error, .migration, .init(mapping: mapping.name))
        wrapped.problem = "its filter fails: \(wrapped.problem)"
        throw wrapped
      }
    }
  }

  private mutating func misfits(
    in reads: [String: Set<String>], besides surveyed: Set<String>
  ) throws -> [(entity: String, key: Int64)] {
    try reads.sorted { $0.key < $1.key }.compactMap { name, columns in
      let read = Read(entity: name, includesSubentities: true, columns: columns)
      if entities(read).allSatisfy({ counts[$0] ?? 0 == 0 || surveyed.contains($0) }) { return nil }
      return try misfit(read).map { (name, $0) }
    }
  }

  private mutating func misfit(_ read: Read) throws -> Int64? {
    if let known = misfits[read] { return known }
    let entities = entities(read)
    let misfit = try stores.sourceStore.misfit(inColumns: read.columns, ofEntities: entities)
    misfits[read] = .some(misfit)
    return misfit
  }

  private func entities(_ read: Read) -> [String] {
    guard read.includesSubentities else { return [read.entity] }
    let model = stores.sourceModel
    return model.entities.filter { model.entity($0, isKindOf: read.entity) }.map(\.name)
  }
}

extension SourceSurvey {
  /// Throws if the source has more links than the destination can hold, because an end that is to-many in the source is
  /// to-one in the destination.
  ///
  /// Skips entity mappings with a policy, which may handle such links. Also skips filters that SQL cannot evaluate; the
  /// reconciliation counts their links.
  func checkSharedTargets() throws {
    let contributions = LinkContributions(stores)
    for (end, own) in contributions.all.sorted(by: { ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name) }) {
      for carrier in Set(own.map(\.carrier)).sorted(by: { ($0.entity, $0.name) < ($1.entity, $1.name) }) {
        let parts = own.filter { $0.carrier == carrier }
        let limits = Set(parts.map(\.limitsTargets))
        guard limits.count == 1, let limitsTargets = limits.first ?? nil, mayShare(end, targets: limitsTargets),
          !parts.allSatisfy(\.leavesSharedToLast),
          !parts.contains(where: { contributions.isDecided(carrier, besides: $0.settingEnd) })
        else { continue }
        let mappingIndexes = Set(parts.flatMap { $0.owners.union($0.targets) })
        guard mappingIndexes.allSatisfy({ stores.mappings[$0].policyClassName == nil }),
          let owners = takenKeys(Set(parts.flatMap(\.owners))),
          let targets = takenKeys(Set(parts.flatMap(\.targets)))
        else { continue }
        let shared = try SharedTargets(
          of: end, in: stores.sourceStore, from: stores.originalModels.source, owners: owners, targets: targets,
          isForward: limitsTargets)
        guard shared.count > 0 else { continue }
        throw LinkFinding.narrowed(
          "relationship '\(end.entity).\(end.name)'", "'\(carrier.entity).\(carrier.name)'", shared,
          lost: shared.surplus, isWritten: stores.isWritten)
      }
    }
  }

  /// True if several source objects can lead to the same target through a relationship, or through its inverse.
  private func mayShare(_ end: RelationshipEnd, targets: Bool) -> Bool {
    guard let relationship = stores.originalModels.source.relationship(end.name, of: end.entity) else { return false }
    if !targets { return relationship.isToMany }
    return stores.originalModels.source.inverse(of: relationship)?.isToMany ?? !relationship.isToMany
  }

  /// Returns the keys of the source objects that entity mappings take; nil if they are not known before the first pass.
  private func takenKeys(_ mappingIndexes: Set<Int>) -> KeySet? {
    var keys = KeySet()
    for mappingIndex in mappingIndexes {
      guard let some = knownKeys(mappingIndex) else { return nil }
      keys.formUnion(some)
    }
    return keys
  }
}

extension SourceSurvey {
  /// Throws if the source has links between migrated objects that the destination relationship cannot hold.
  mutating func checkFit() throws {
    knownLinks = try LinkReconciliation.checkFit(stores) { mappingIndex in
      if let keys = knownKeys(mappingIndex) { return keys }
      guard stores.isUnfiltered(mappingIndex),
        stores.mappings[mappingIndex].description.sourceExpression == nil
      else { return nil }
      return try keys.taken(by: mappingIndex)
    }
  }
}
