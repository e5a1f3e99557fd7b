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
  }

  /// Returns the number of links that a destination relationship should have, unless it gets the same link several times.
  /// Links that expressions set are included if they were counted.
  func expected(_ carrier: RelationshipEnd, _ tallies: [RelationshipEnd: LinkTally]) -> Expected {
    let feeding = tallies.filter { $0.value.expected[carrier] != nil }
    var expected = Expected(
      ends: feeding.keys.sorted { ($0.entity, $0.name) < ($1.entity, $1.name) },
      least: feeding.values.reduce(0) { $0 + ($1.expected[carrier] ?? 0) },
      most: feeding.values.reduce(0) { $0 + ($1.most[carrier] ?? 0) })
    guard isEvaluated(carrier) else { return expected }
    for computation in contributions.computed[carrier] ?? [] {
      let count = evaluated[computation.mappingIndex]?[computation.end.name] ?? 0
      expected.least += count
      expected.most += count
    }
    return expected
  }

  /// True if no link is missing in a destination relationship that has as many as expected.
  func countsTell(_ carrier: RelationshipEnd, _ expected: Expected) -> Bool {
    contributions.computed[carrier] != nil
      || !contributions.mayOverlap(carrier, from: expected.ends)
        && !hasRecorded(contributions.feeding(carrier, from: expected.ends))
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

  /// Returns the number of links that are missing in a destination relationship for a good reason.
  ///
  /// - Throws: `HopError` for links that are missing for no reason, or that nothing explains.
  func missingLinks(
    of carrier: RelationshipEnd, _ held: Int, _ expected: Expected, in destination: PersistentStore
  ) throws -> Int {
    let isLeftToCode = isLeftToCode(carrier, expected.ends)
    if let computed = contributions.computed[carrier] {
      if isEvaluated(carrier), !isLeftToCode { try check(carrier, held, expected, computed) }
      return max(0, expected.least - held)
    }
    let isReflexive = isItsOwnInverse(carrier, in: new)
    // Nothing depends on it: only the report says how many links were left to a policy.
    if isLeftToCode, !isReflexive, !contributions.mayOverlap(carrier, from: expected.ends) {
      return max(0, expected.least - held)
    }
    let own = contributions.feeding(carrier, from: expected.ends)
    let found = try LinkComparison(
      of: own, with: carrier, held, in: stores, destination, keys: keys, recorded: code?.counterparts ?? [:]
    ).result()
    if isLeftToCode { return found.missing }
    // A policy decides about the links of objects that it associates.
    let isRecorded = hasRecorded(own)
    if found.surplus > 0, !isRecorded, try !isContradictory(expected.ends, ifUnknown: false) {
      throw LinkFinding(
        ends: expected.ends, carrier: carrier, wanted: held - found.surplus, held: held, isWritten: stores.isWritten
      ).error
    }
    guard found.missing > 0, !own.allSatisfy(\.leavesSharedToLast),
      try isRecorded || !isContradictory(expected.ends, ifUnknown: true)
    else { return found.missing }
    throw try finding(carrier, expected, own, found).error
  }

  private func finding(
    _ carrier: RelationshipEnd, _ expected: Expected, _ own: [LinkContributions.Contribution],
    _ found: LinkComparison.Result
  ) throws -> LinkFinding {
    var finding = LinkFinding(
      ends: expected.ends, carrier: carrier, wanted: expected.least, held: expected.least - found.missing,
      isWritten: stores.isWritten)
    finding.unsetBy = code?.unset(by: own)
    finding.late = own.flatMap(\.mappingIndexes).sorted().lazy.compactMap { code?.late[$0] }.first
    finding.isAfterReset = code?.hasReset ?? false
    let limits = Set(own.map(\.limitsTargets))
    let isReflexive = isItsOwnInverse(carrier, in: new)
    if isReflexive || contributions.mayOverlap(carrier, from: expected.ends) {
      func text(_ object: LinkComparison.Object) -> String {
        "\(stores.mappings[object.mappingIndex].sourceEntityName ?? "")/p\(object.key)"
      }
      finding.disagreement = LinkDisagreement(
        isReflexive: isReflexive, count: found.missing,
        examples: found.examples.map { "\(text($0.owner)) and \(text($0.target))" })
    } else if let end = expected.ends.first, expected.ends.count == 1, limits.count == 1,
      let limitsTargets = limits.first ?? nil
    {
      finding.shared = try SharedTargets(
        of: end, in: source, from: old, owners: unionOfKeys(own, \.owners), targets: unionOfKeys(own, \.targets),
        isForward: limitsTargets)
    }
    return finding
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

  /// True if policies have associated some of the objects whose links a destination relationship receives.
  private func hasRecorded(_ own: [LinkContributions.Contribution]) -> Bool {
    guard let recorded = code?.counterparts, !recorded.isEmpty else { return false }
    return own.contains { $0.mappingIndexes.contains { recorded[$0] != nil } }
  }

  private func unionOfKeys(
    _ contributions: [LinkContributions.Contribution],
    _ mappingIndexes: KeyPath<LinkContributions.Contribution, Set<Int>>
  ) -> KeySet {
    contributions.reduce(into: KeySet()) { union, contribution in
      for mappingIndex in contribution[keyPath: mappingIndexes] { union.formUnion(keys[mappingIndex] ?? KeySet()) }
    }
  }

  private func isItsOwnInverse(_ end: RelationshipEnd, in model: ManagedObjectModel) -> Bool {
    model.inverse(of: end) == end
  }

  /// True for one-to-one relationships whose ends disagree in some row, so that the number of links at one end does not
  /// tell how many a migration object by object creates.
  ///
  /// - Parameter isUnknown: The result for a relationship of which the store has one end only.
  func isContradictory(_ ends: [RelationshipEnd], ifUnknown isUnknown: Bool) throws -> Bool {
    try ends.contains { end in
      guard let relationship = old.relationship(end.name, of: end.entity), !relationship.isToMany,
        let inverse = old.inverse(of: end), let other = old.relationship(inverse.name, of: inverse.entity),
        !other.isToMany
      else { return false }
      return try source.contradictoryLinkCount(end.entity, end.name, inverse.entity, inverse.name).map { $0 != 0 }
        ?? isUnknown
    }
  }
}
