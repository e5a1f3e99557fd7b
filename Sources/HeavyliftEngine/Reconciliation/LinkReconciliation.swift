import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Accounts for the links of the source: each one is carried over, replaced by an expression, left to a policy, or
/// dropped because an object at one end was not migrated or the mapping drops the relationship.
///
/// If every object at both ends was migrated exactly once, comparing two counts from indexes is enough. Otherwise each
/// link is read, and counted for the entity mappings that take the objects at its ends.
package struct LinkReconciliation {
  let source: PersistentStore
  let stores: MappedStores
  /// The number of objects of each source entity, not including sub-entities.
  private let counts: [String: Int]
  /// The source entities all of whose rows were surveyed.
  private let surveyed: Set<String>
  /// The keys of the source objects from which each entity mapping created objects, by the mapping's index.
  let keys: [Int: KeySet]
  /// The influence of the program's code; `nil` if only the mappings decide which objects are linked.
  let code: CodeInfluence?
  /// The number of links that each entity mapping's expressions have set, by the mapping's index and the relationship's
  /// name.
  let evaluated: [Int: [String: Int]]
  let old: ManagedObjectModel
  let new: ManagedObjectModel
  let contributions: LinkContributions
  /// The keys of migrated objects by table, because keys are unique within a table.
  private let migrated: [String: KeySet]
  /// Links that were read before the first row was written.
  private let known: [RelationshipEnd: LinkTally]

  /// The links of some source relationships, counted by the entity mappings that take certain objects.
  package struct KnownLinks {
    var keys: [Int: KeySet] = [:]
    fileprivate var tallies: [RelationshipEnd: LinkTally] = [:]

    package init() {}
  }

  /// - Parameters:
  ///   - counts: The number of objects of each source entity; not needed if every link is read.
  ///   - surveyed: The source entities all of whose rows were surveyed.
  package init(
    _ stores: MappedStores, counts: [String: Int] = [:], surveyed: Set<String> = [], keys: [Int: KeySet],
    code: CodeInfluence? = nil, evaluated: [Int: [String: Int]] = [:], known: KnownLinks = KnownLinks()
  ) {
    let source = stores.sourceStore
    (self.source, self.stores, (old, new)) = (source, stores, stores.originalModels)
    (self.counts, self.surveyed) = (counts, surveyed)
    (self.keys, self.code, self.evaluated) = (keys, code, evaluated)
    contributions = LinkContributions(stores)
    var migrated: [String: KeySet] = [:]
    for (mappingIndex, own) in keys {
      guard let table = source.layout.entity(named: stores.mappings[mappingIndex].sourceEntityName)?.tableName
      else {
        continue
      }
      migrated[table, default: KeySet()].formUnion(own)
    }
    self.migrated = migrated
    // They tell nothing about other objects.
    self.known = known.keys.allSatisfy { keys[$0] == $1 } ? known.tallies : [:]
  }

  /// The source's links, as far as the account needs them.
  package struct SourceLinks {
    /// The number of links in each source relationship that has any.
    fileprivate var counts: [RelationshipEnd: Int] = [:]
    fileprivate var tallies: [RelationshipEnd: LinkTally] = [:]
    /// The relationships of which the two ends say different things, so that the number at one end tells nothing.
    fileprivate var contradictory: Set<RelationshipEnd> = []
  }

  /// Reads the links of the source. This uses only the source's connection, so another thread can do it.
  func read() throws -> SourceLinks {
    var links = SourceLinks()
    for end in ends {
      let count = try source.linkCount(ofEntity: end.entity, relationship: end.name) ?? 0
      guard count > 0 else { continue }
      links.counts[end] = count
      guard let own = contributions.all[end] else {
        if contributions.readers[end] != nil { try requireLinkKeys(end) }
        continue
      }
      let tally = try tally(end, own, count, isExact: false)
      (links.tallies[end], links.counts[end]) = (tally, tally.all)
    }
    return links
  }

  /// Accounts for the links, with one entry for each source relationship that has links.
  ///
  /// - Throws: `HopError` if there are unexplained missing or surplus links.
  func account(_ read: SourceLinks, in destination: PersistentStore) throws -> [MigrationReport.Links] {
    let counts = read.counts
    var tallies = read.tallies
    var missing: [RelationshipEnd: Int] = [:]
    for carrier in carriers(of: tallies) {
      var expected = self.expected(carrier, tallies)
      let held = try destination.linkCount(ofEntity: carrier.entity, relationship: carrier.name) ?? 0
      if held == expected.least, held == expected.most, countsTell(carrier, expected) { continue }
      if held != expected.least {
        for end in expected.ends {
          guard let own = contributions.all[end] else { continue }
          tallies[end] = try tally(end, own, counts[end] ?? 0, isExact: true)
        }
        expected = self.expected(carrier, tallies)
      }
      var lost = try missingLinks(of: carrier, held, expected, in: destination)
      for end in expected.ends {
        let part = min(lost, tallies[end]?.expected[carrier] ?? 0)
        missing[end, default: 0] += part
        lost -= part
      }
    }
    try checkFit(tallies)
    try checkUnassociated(tallies)
    return try counts.map { end, count in try links(end, count, tallies[end], missing[end] ?? 0) }
      .sorted { ($0.entityName, $0.relationshipName) < ($1.entityName, $1.relationshipName) }
  }

  // MARK: Losses alone

  /// The relationships that no relationship mapping migrates, and those of objects that are removed.
  ///
  /// - Parameter removed: The source entities whose objects are removed.
  package func endsLosing(objectsOf removed: [String]) -> [RelationshipEnd] {
    let removed = removed.compactMap(old.entity(named:))
    return ends.filter { end in
      guard isCarried(end) else { return true }
      let target = old.relationship(end.name, of: end.entity)?.destinationEntityName ?? end.entity
      return removed.contains { old.entity($0, isKindOf: end.entity) || old.entity($0, isKindOf: target) }
    }
  }

  /// The relationships that carry links to a destination relationship for which a condition is true.
  package func ends(to isIncluded: (RelationshipEnd) -> Bool) -> [RelationshipEnd] {
    ends.filter { contributions.all[$0]?.contains { isIncluded($0.carrier) } ?? false }
  }

  /// Reads each link of some relationships.
  package func read(_ ends: [RelationshipEnd]) throws -> SourceLinks {
    var links = SourceLinks()
    for end in ends {
      guard let count = try source.linkCount(ofEntity: end.entity, relationship: end.name), count > 0 else { continue }
      links.counts[end] = count
      links.tallies[end] = try contributions.all[end].map { try tally(end, $0, count, isExact: true) }
      if try isContradictory([end], ifUnknown: true) || danglesBack(end) { links.contradictory.insert(end) }
    }
    return links
  }

  /// True for a one-to-one relationship with dangling links at the end at which the source's links are not counted.
  private func danglesBack(_ end: RelationshipEnd) throws -> Bool {
    guard let back = old.inverse(of: end), old.relationship(end.name, of: end.entity)?.isToMany == false,
      old.relationship(back.name, of: back.entity)?.isToMany == false
    else { return false }
    return try source.danglingLinkCount(ofEntity: back.entity, relationship: back.name) > 0
  }

  /// Accounts for the links of some relationships before the store is changed, without comparing them with its result.
  package func links(of ends: [RelationshipEnd], _ read: SourceLinks) throws -> [MigrationReport.Links] {
    try ends.compactMap { end in try read.counts[end].map { try links(end, $0, read.tallies[end], 0) } }
      .sorted { ($0.entityName, $0.relationshipName) < ($1.entityName, $1.relationshipName) }
  }

  /// Throws `HopError` unless a store that was changed where it is has the links that were read before.
  ///
  /// - Parameter keepsObjects: True if no object was removed, so that links may stay that lead to an object of another entity
  ///   than their relationship's.
  package func check(_ read: SourceLinks, in destination: PersistentStore, keepsObjects: Bool) throws {
    for carrier in carriers(of: read.tallies) {
      let expected = expected(carrier, read.tallies)
      let held = try destination.linkCount(ofEntity: carrier.entity, relationship: carrier.name) ?? 0
      // Dangling links may stay where they are.
      let most = expected.ends.reduce(keepsObjects ? 0 : expected.most) {
        $0 + (keepsObjects ? read.counts[$1] ?? 0 : read.tallies[$1]?.dangling ?? 0)
      }
      guard held < expected.least || held > most, !read.contradictory.isSuperset(of: expected.ends) else { continue }
      let names = expected.ends.map { "\($0.entity).\($0.name)" }.quotedList
      throw HopError(
        .migration,
        problem:
          "'\(carrier.entity).\(carrier.name)' should have \(expected.least.grouped) links of \(names) after the "
          + "change, but it has \(held.grouped)",
        remedy: Self.remedyInPlace)
    }
  }

  /// The remedy if a store that was changed where it is lacks objects or links.
  package static let remedyInPlace =
    "nothing was changed; migrate with a copy instead, and report this bug of the migration engine with the models"

  /// Accounts for the links of a hop that keeps all objects: a relationship keeps all its links, or loses all of them.
  package func linksOfKeptObjects() throws -> [MigrationReport.Links] {
    try ends.compactMap { end -> MigrationReport.Links? in
      guard let count = try source.linkCount(ofEntity: end.entity, relationship: end.name), count > 0 else {
        return nil
      }
      var links = MigrationReport.Links(entityName: end.entity, relationshipName: end.name, count: count)
      if isCarried(end) { links.carried = count } else { links.dropped = count }
      return links
    }.sorted { ($0.entityName, $0.relationshipName) < ($1.entityName, $1.relationshipName) }
  }

  /// True if a relationship mapping can migrate links of a source relationship.
  private func isCarried(_ end: RelationshipEnd) -> Bool {
    contributions.all[end]?.contains { !$0.others.isEmpty } ?? false
  }

  // MARK: Counting

  /// The relationships of the source, each identified by one of its ends.
  private var ends: [RelationshipEnd] { old.canonicalEnds { !$0.isTransient } }

  private func tally(
    _ end: RelationshipEnd, _ own: [LinkContributions.Contribution], _ count: Int, isExact: Bool
  ) throws -> LinkTally {
    if let known = known[end] { return known }
    if !isExact, let carrier = wholeCarrier(end, own) {
      try requireLinkKeys(end)
      return LinkTally(of: count, carrier: carrier)
    }
    let target = old.relationship(end.name, of: end.entity)?.destinationEntityName ?? ""
    let tables = [end.entity, target].map { source.layout.entity(named: $0)?.tableName ?? "" }
    return try LinkTally(
      of: end, in: source, own, readers: contributions.readers[end] ?? [], keys: keys,
      migrated: (migrated[tables[0]] ?? KeySet(), migrated[tables[1]] ?? KeySet()),
      unassociated: (code?.unassociated[tables[0]] ?? KeySet(), code?.unassociated[tables[1]] ?? KeySet()))
  }

  private func requireLinkKeys(_ end: RelationshipEnd) throws {
    let unsurveyed = counts.filter { $0.value > 0 && !surveyed.contains($0.key) }.keys.compactMap(old.entity(named:))
    try source.requireLinkKeys(
      ofEntity: end.entity, relationship: end.name,
      hasSurveyedOwners: !unsurveyed.contains { old.entity($0, isKindOf: end.entity) })
  }

  /// The relationships that may have links between migrated objects which the destination relationship cannot hold,
  /// judging by the mappings alone.
  private var endsThatMayNotFit: [RelationshipEnd] {
    ends.filter { end in
      let target = old.relationship(end.name, of: end.entity)?.destinationEntityName
      return contributions.all[end]?.contains { contribution in
        guard contribution.mustFit, let entity = contribution.isForward ? target : end.entity else { return false }
        let fitting = Set(
          contribution.others.filter(stores.isUnfiltered).compactMap { stores.mappings[$0].sourceEntityName })
        return stores.mappings.indices.contains { mappingIndex in
          let mapping = stores.mappings[mappingIndex]
          guard mapping.destinationEntityName != nil, let taken = old.entity(named: mapping.sourceEntityName) else {
            return false
          }
          return old.entity(taken, isKindOf: entity) && !fitting.contains(taken.name)
            && !contribution.others.contains(mappingIndex)
        }
      } ?? false
    }
  }

  /// Throws if the source has links between migrated objects that the destination relationship cannot hold. Only
  /// relationships that may have such links are read.
  ///
  /// Skips hops with policies, which may handle such links, and entity mappings whose objects are not known yet. The
  /// reconciliation counts their links.
  ///
  /// - Parameter keys: Returns the keys of the source objects that an entity mapping takes; nil if they are not known.
  /// - Returns: The links that were read.
  @discardableResult
  package static func checkFit(_ stores: MappedStores, keys: (Int) throws -> KeySet?) throws -> KnownLinks {
    var known = KnownLinks()
    guard stores.mappings.allSatisfy({ $0.policyClassName == nil }) else { return known }
    let ends = LinkReconciliation(stores, keys: [:]).endsThatMayNotFit
    if ends.isEmpty { return known }
    for mappingIndex in stores.mappings.indices {
      let mapping = stores.mappings[mappingIndex]
      guard mapping.destinationEntityName != nil, mapping.sourceEntityName != nil else { continue }
      guard let found = try keys(mappingIndex) else { return KnownLinks() }
      known.keys[mappingIndex] = found
    }
    let reconciliation = LinkReconciliation(stores, keys: known.keys)
    for end in ends {
      guard let own = reconciliation.contributions.all[end] else { continue }
      known.tallies[end] = try reconciliation.tally(end, own, 0, isExact: true)
    }
    try reconciliation.checkFit(known.tallies)
    return known
  }

  /// Returns the destination relationship that receives all links, if every object at both ends was migrated exactly
  /// once.
  private func wholeCarrier(
    _ end: RelationshipEnd, _ own: [LinkContributions.Contribution]
  ) -> RelationshipEnd? {
    guard let carrier = own.first?.carrier, own.allSatisfy({ $0.carrier == carrier }),
      let target = old.relationship(end.name, of: end.entity)?.destinationEntityName
    else { return nil }
    var reached: [Int: Set<Int>] = [:]
    for contribution in own {
      for owner in contribution.owners { reached[owner, default: []].formUnion(contribution.targets) }
    }
    guard let owners = mappingIndexes(of: end.entity), let targets = mappingIndexes(of: target), !owners.isEmpty,
      !targets.isEmpty, owners.allSatisfy({ targets.isSubset(of: reached[$0] ?? []) })
    else { return nil }
    return carrier
  }

  /// Returns the indexes of the entity mappings that create objects from an entity's objects, if exactly one of them
  /// migrates each object.
  private func mappingIndexes(of entity: String) -> Set<Int>? {
    var mappingIndexes: Set<Int> = []
    for (name, count) in counts where count > 0 {
      guard let found = old.entity(named: name), old.entity(found, isKindOf: entity) else { continue }
      let makers = stores.mappings.indices.filter { mappingIndex in
        stores.mappings[mappingIndex].sourceEntityName == name
          && stores.mappings[mappingIndex].destinationEntityName != nil
      }
      guard let maker = makers.first, makers.count == 1, keys[maker]?.count == count else { return nil }
      mappingIndexes.insert(maker)
    }
    return mappingIndexes
  }

  private func carriers(of tallies: [RelationshipEnd: LinkTally]) -> [RelationshipEnd] {
    let evaluated = contributions.computed.keys.filter(isEvaluated)
    return Set(tallies.values.flatMap(\.expected.keys)).union(evaluated).sorted {
      ($0.entity, $0.name) < ($1.entity, $1.name)
    }
  }

  private func links(
    _ end: RelationshipEnd, _ count: Int, _ tally: LinkTally?, _ missing: Int
  ) throws -> MigrationReport.Links {
    var links = MigrationReport.Links(entityName: end.entity, relationshipName: end.name, count: count)
    guard count > (tally?.carried ?? 0) - missing else {
      links.carried = count
      return links
    }
    let isHandled = isHandled(end)
    guard let tally else {
      let dangling = try source.danglingLinkCount(ofEntity: end.entity, relationship: end.name)
      links.dangling = dangling
      if isHandled {
        links.leftToPolicy = count - dangling
      } else if contributions.readers[end] != nil {
        links.replaced = count - dangling
      } else {
        links.dropped = count - dangling
      }
      return links
    }
    links.carried = max(0, tally.carried - missing)
    links.dangling = min(tally.dangling, count - links.carried)
    var rest = count - links.carried - links.dangling
    let lost = min(missing, rest)
    rest -= lost
    let unmigrated = min(rest, max(0, tally.unmigrated - tally.dangling))
    rest -= unmigrated
    links.replaced = min(rest, tally.replaced)
    links.dropped = unmigrated + rest - links.replaced
    if isHandled {
      let unassociated = min(tally.unassociated, links.dropped)
      links.dropped -= unassociated
      links.leftToPolicy = lost + unassociated
    } else if contributions.readers[end] != nil {
      links.replaced += lost
    } else {
      links.dropped += lost
    }
    return links
  }
}
