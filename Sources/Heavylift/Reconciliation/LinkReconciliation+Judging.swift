import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Compares the links of a finished store with those that it should have.
extension LinkReconciliation {
  struct Expected {
    /// The source relationships whose links a destination relationship receives, sorted by name.
    var ends: [RelationshipEnd]
    var least: Int
    var most: Int
    /// The number of links in the destination for each source link.
    var copies = 1
    /// Present if the destination relationship may receive the same link several times.
    var union: LinkUnion?
  }

  /// Returns the number of links that a destination relationship should have. Links that expressions set are included if
  /// they were counted.
  ///
  /// - Parameter isDoubtful: True if counts were not enough. A damaged store may have links of a relationship that is its
  ///   own inverse in one direction only; the migration adds the other.
  func expected(
    _ carrier: RelationshipEnd, _ tallies: [RelationshipEnd: LinkTally], isDoubtful: Bool = false
  ) throws -> Expected {
    let feeding = tallies.filter { $0.value.expected[carrier] != nil }
    var expected = Expected(
      ends: feeding.keys.sorted { ($0.entity, $0.name) < ($1.entity, $1.name) },
      least: feeding.values.reduce(0) { $0 + ($1.expected[carrier] ?? 0) },
      most: feeding.values.reduce(0) { $0 + ($1.most[carrier] ?? 0) })
    if isEvaluated(carrier) {
      for computation in contributions.computed[carrier] ?? [] {
        let count = evaluated[computation.mappingIndex]?[computation.end.name] ?? 0
        expected.least += count
        expected.most += count
      }
      return expected
    }
    let isReflexive = isItsOwnInverse(carrier, in: new)
    if contributions.computed[carrier] == nil,
      isReflexive && isDoubtful || contributions.mayOverlap(carrier, from: expected.ends)
    {
      let union = LinkUnion(
        of: contributions.feeding(carrier, from: expected.ends), count: feeding.values.reduce(0) { $0 + $1.all },
        isReflexive: isReflexive, in: source, keys: keys)
      (expected.least, expected.most) = try union.counts()
      expected.union = union
      if isReflexive, !expected.ends.contains(where: { isItsOwnInverse($0, in: old) }) { expected.copies = 2 }
    }
    return expected
  }

  /// True if expressions set a destination relationship, and the number of its links is known all the same: objects have
  /// no other links than those that entity mappings gave them at one end.
  func isEvaluated(_ carrier: RelationshipEnd) -> Bool {
    guard code?.handled.destination.contains(carrier) != true, code?.counterparts.isEmpty != false,
      !evaluated.isEmpty, !isItsOwnInverse(carrier, in: new), let computed = contributions.computed[carrier],
      let end = computed.first?.end
    else { return false }
    return computed.allSatisfy { $0.isCounted && $0.end == end }
      && contributions.feeding(carrier).allSatisfy { $0.settingEnd == end }
  }

  func check(_ carrier: RelationshipEnd, _ held: Int, _ expected: Expected, in destination: PersistentStore) throws {
    if isLeftToCode(carrier, expected.ends) { return }
    if let computed = contributions.computed[carrier] {
      return isEvaluated(carrier) ? try check(carrier, held, expected, computed) : ()
    }
    if hasRecorded(carrier, expected) { return try checkRecorded(carrier, expected, in: destination) }
    let isTooMany = held > expected.most
    guard isTooMany || held < expected.least,
      try !expected.ends.contains(where: { try isContradictory($0, ifUnknown: !isTooMany) })
    else { return }
    if isTooMany {
      throw LinkFinding(
        ends: expected.ends, carrier: carrier, wanted: expected.most, held: held, isWritten: stores.isWritten
      ).error
    }
    let own = contributions.feeding(carrier, from: expected.ends)
    if own.allSatisfy(\.leavesSharedToLast) { return }
    var finding = LinkFinding(
      ends: expected.ends, carrier: carrier, wanted: expected.least, held: held, isWritten: stores.isWritten)
    finding.unsetBy = code?.unset(by: own)
    finding.late = own.flatMap(\.mappingIndexes).sorted().lazy.compactMap { code?.late[$0] }.first
    finding.isAfterReset = code?.hasReset ?? false
    let limits = Set(own.map(\.limitsTargets))
    if let union = expected.union {
      finding.disagreement = try disagreement(in: union, carrier, destination)
    } else if let end = expected.ends.first, expected.ends.count == 1, limits.count == 1,
      let limitsTargets = limits.first ?? nil
    {
      finding.shared = try SharedTargets(
        of: end, in: source, from: old, owners: unionOfKeys(own, \.owners), targets: unionOfKeys(own, \.targets),
        isForward: limitsTargets)
    }
    throw finding.error
  }

  /// Throws if an object has lost a link because an expression gave the target to another object.
  private func check(
    _ carrier: RelationshipEnd, _ held: Int, _ expected: Expected, _ computed: [LinkContributions.Computation]
  ) throws {
    guard held < expected.least else { return }
    let own = contributions.feeding(carrier, from: expected.ends)
    if computed.allSatisfy(\.leavesSharedToLast), own.allSatisfy(\.leavesSharedToLast) { return }
    let mappings = Set(computed.map(\.mappingIndex) + own.map(\.mappingIndex)).sorted()
    throw LinkFinding.taken(
      computed[0].end, carrier, mappings.map { stores.mappings[$0].name }, lost: expected.least - held)
  }

  private func disagreement(
    in union: LinkUnion, _ carrier: RelationshipEnd, _ destination: PersistentStore
  ) throws -> LinkDisagreement {
    let missing = try union.missing(from: destination, carrier, rules: stores.keys.rules, atMost: 3)
    func text(_ object: LinkUnion.Object) -> String {
      "\(stores.mappings[object.mappingIndex].sourceEntityName ?? "")/p\(object.key)"
    }
    return LinkDisagreement(
      isReflexive: isItsOwnInverse(carrier, in: new), count: missing.count,
      examples: missing.examples.map { "\(text($0.owner)) and \(text($0.target))" })
  }

  /// Throws if there are links between migrated objects that the destination relationship cannot hold.
  func checkFit(_ tallies: [RelationshipEnd: LinkTally]) throws {
    let sorted = tallies.sorted { ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name) }
    let unfit = sorted.compactMap { end, tally -> UnfitLinks? in
      guard tally.unfit > 0, let own = contributions.all[end]?.filter(\.mustFit), let first = own.first,
        !isLeftToCode(first.carrier, [end])
      else { return nil }
      let narrow = own.min { $0.others.count < $1.others.count } ?? first
      guard let relationship = new.relationship(narrow.settingEnd.name, of: narrow.settingEnd.entity) else {
        return nil
      }
      let loss = RelationshipLoss(relationship, fitting: narrow.others.sorted().map { stores.mappings[$0].name })
      return UnfitLinks(
        end: end, settingEnd: narrow.settingEnd, wanted: relationship.destinationEntityName ?? "",
        mapping: stores.mappings[narrow.mappingIndex], loss: loss, count: tally.unfit)
    }
    guard unfit.isEmpty else { throw UnfitLinks.error(unfit, isWritten: stores.isWritten) }
  }

  /// Throws if links are lost because a policy created objects that are not associated with their source objects, and
  /// no code has read or set the relationship.
  func checkUnassociated(_ tallies: [RelationshipEnd: LinkTally]) throws {
    guard let code else { return }
    let lost = tallies.filter { end, tally in
      tally.unassociated > 0
        && !tally.expected.keys.contains { isLeftToCode($0, [end]) }
        && !(contributions.all[end] ?? []).contains { isLeftToCode($0.carrier, [end]) }
    }.sorted { ($0.key.entity, $0.key.name) < ($1.key.entity, $1.key.name) }
    guard !lost.isEmpty else { return }
    throw LinkFinding.unassociated(
      lost.map { ($0.key, $0.value.unassociated) }, policies: code.unassociatedPolicies)
  }

  /// True if code has read or set a source relationship, or a relationship that receives its links: missing links are
  /// its decision.
  func isHandled(_ end: RelationshipEnd) -> Bool {
    guard let code else { return false }
    return code.handled.source.contains(end)
      || contributions.all[end]?.contains { code.handled.destination.contains($0.carrier) } ?? false
  }

  /// True if code decides about the links of a destination relationship, or may lose them on purpose.
  private func isLeftToCode(_ carrier: RelationshipEnd, _ ends: [RelationshipEnd]) -> Bool {
    guard let code else { return false }
    if code.handled.destination.contains(carrier) || !code.handled.source.isDisjoint(with: ends) { return true }
    return contributions.feeding(carrier, from: ends).contains { !$0.mappingIndexes.isDisjoint(with: code.losing) }
  }

  /// True if a policy has associated objects whose links the destination relationship receives.
  func hasRecorded(_ carrier: RelationshipEnd, _ expected: Expected) -> Bool {
    guard let code, !code.counterparts.isEmpty else { return false }
    return contributions.feeding(carrier, from: expected.ends).contains { contribution in
      contribution.mappingIndexes.contains { code.counterparts[$0] != nil }
    }
  }

  /// Throws if a link is missing between the counterparts of its objects, some of which policies have associated.
  private func checkRecorded(
    _ carrier: RelationshipEnd, _ expected: Expected, in destination: PersistentStore
  ) throws {
    guard let code, contributions.computed[carrier] == nil else { return }
    let own = contributions.feeding(carrier, from: expected.ends)
    if own.allSatisfy(\.leavesSharedToLast) { return }
    let missing = try RecordedLinks(
      of: own, keys: keys, rules: stores.keys.rules, recorded: code.counterparts, in: source
    ).missing(from: destination, carrier, in: new)
    guard missing > 0 else { return }
    var finding = LinkFinding(
      ends: expected.ends, carrier: carrier, wanted: expected.least, held: expected.least - missing,
      isWritten: stores.isWritten)
    finding.unsetBy = code.unset(by: own)
    throw finding.error
  }

  private func unionOfKeys(
    _ contributions: [LinkContributions.Contribution],
    _ mappingIndexes: Swift.KeyPath<LinkContributions.Contribution, Set<Int>>
  ) -> KeySet {
    contributions.reduce(into: KeySet()) { union, contribution in
      for mappingIndex in contribution[keyPath: mappingIndexes] { union.formUnion(keys[mappingIndex] ?? KeySet()) }
    }
  }

  private func isItsOwnInverse(_ end: RelationshipEnd, in model: ManagedObjectModel) -> Bool {
    model.inverse(of: end) == end
  }

  /// True for a one-to-one relationship whose ends disagree in some row, so that the number of links at one end does not
  /// tell how many a migration object by object creates.
  ///
  /// - Parameter isUnknown: The result for a relationship of which the store has one end only.
  private func isContradictory(_ end: RelationshipEnd, ifUnknown isUnknown: Bool) throws -> Bool {
    guard let relationship = old.relationship(end.name, of: end.entity), !relationship.isToMany,
      let inverse = old.inverse(of: end), let other = old.relationship(inverse.name, of: inverse.entity),
      !other.isToMany
    else { return false }
    return try source.contradictoryLinkCount(end.entity, end.name, inverse.entity, inverse.name).map { $0 != 0 }
      ?? isUnknown
  }
}
