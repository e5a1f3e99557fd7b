import HeavyliftModel
import HeavyliftStore

/// The relationships that are written with the rows. Decides when policies see them.
///
/// If policies may look, the links are hidden. When an entity mapping sets its relationships in the second pass, the
/// links of its objects are shown, which costs one bit for each object. Links that are still hidden at the end of the
/// pass, because a policy did not call `super` for their objects, are deleted.
final class RowLinks {
  /// One relationship that is written with the rows.
  fileprivate final class Relationship {
    /// The objects at the first end and at the second, by entity mapping.
    let ends: [[Objects]]
    /// Nil if no policy can see links before their entity mapping sets its relationships.
    var hidden: HiddenRelationship?
    /// The source keys of the objects that links may lead to, as far as they were known when the links were written, by
    /// entity mapping; nil for any key.
    var assumedTargets: [(mapping: Int, keys: KeySet?)] = []
    /// The index of the last mapping model that creates objects at one of the ends.
    var lastModelIndex: Int { ends.joined().map(\.step.modelIndex).max() ?? 0 }
    /// True while the rows contain the links as the plan wants them, and no policy has seen them.
    var isIntact: Bool { hidden?.isHidden ?? true }

    init(_ planned: RowRelationship, in run: MigrationRun) {
      func objects(_ mappingIndexes: RowRelationship.Mappings) -> [Objects] {
        mappingIndexes.all.sorted().compactMap { mappingIndex in
          run.steps[mappingIndex].keyRule.map {
            Objects(run.steps[mappingIndex], $0, setsRelationship: mappingIndexes.declaring.contains(mappingIndex))
          }
        }
      }
      let first = objects(planned.first)
      // An object whose relationship is its own inverse is at both ends at once.
      ends = [first, planned.isOwnInverse ? first : objects(planned.second)]
    }
  }

  /// The objects of one entity mapping at one end of a relationship.
  fileprivate final class Objects {
    let step: EntityMappingStep
    let rule: KeyRule
    let setsRelationship: Bool
    /// The source keys of the objects whose links were shown one relationship at a time.
    var shown = KeySet()

    init(_ step: EntityMappingStep, _ rule: KeyRule, setsRelationship: Bool) {
      (self.step, self.rule, self.setsRelationship) = (step, rule, setsRelationship)
    }
  }

  /// A to-one relationship that is written with an object's row.
  ///
  /// A class, because a loop over structs would copy everything that they hold.
  fileprivate final class RowLink {
    let relationship: Relationship
    let slot: Int
    /// The slot of the source relationship; nil for the source object itself.
    let sourceSlot: Int?
    let targets: [LookedUpObjects]

    init(_ relationship: Relationship, slot: Int, sourceSlot: Int?, targets: [LookedUpObjects]) {
      (self.relationship, self.slot, self.sourceSlot, self.targets) = (relationship, slot, sourceSlot, targets)
    }

    /// Adds the link to the row of an object that was just created for a source object; returns false if a policy has
    /// changed the source object.
    func write(_ object: ManagedObject, from source: ManagedObject) throws -> Bool {
      var key = source.primaryKey
      if let sourceSlot {
        guard let stored = try source.storedTargetKey(at: sourceSlot) else { return false }
        key = stored
      }
      // Copying a target would retain its keys.
      for index in targets.indices where targets[index].contains(key) {
        object.setHiddenTarget(targets[index].rule.destinationKey(ofSource: key), at: slot)
        break
      }
      return true
    }
  }

  /// A relationship, and the objects of one entity mapping at one of its ends.
  ///
  /// A class for the same reason.
  fileprivate final class End {
    let relationship: Relationship
    let objects: Objects

    init(_ relationship: Relationship, _ objects: Objects) {
      (self.relationship, self.objects) = (relationship, objects)
    }
  }

  private unowned let run: MigrationRun
  private let relationships: [Relationship]
  /// The relationships of each entity mapping, by the mapping's index and by name.
  private var byName: [[String: End]]
  /// For each entity mapping, the relationships that it sets; nil if some of them are not written with the rows.
  private var complete: [[Relationship]?] = []
  /// For each entity mapping, the source keys of the objects whose relationships were all shown at once. A policy that
  /// only calls `super` does this for every object.
  private var shownAtOnce: [KeySet]
  /// The links to write with the rows of the entity mapping that is running.
  private var current: (step: Int, links: [RowLink]) = (-1, [])
  /// True if all links were written with their rows and none was deleted afterward.
  var areAllWritten: Bool { relationships.allSatisfy { $0.hidden?.areDiscarded != true } }

  init(_ run: MigrationRun) throws {
    self.run = run
    let plan = run.plan
    byName = plan.steps.map { _ in [:] }
    shownAtOnce = plan.steps.map { _ in KeySet() }
    relationships = plan.rowRelationships.map { Relationship($0, in: run) }
    for (relationship, planned) in zip(relationships, plan.rowRelationships) {
      for (end, objects) in zip(planned.ends, relationship.ends) {
        for some in objects { byName[some.step.mappingIndex][end.name] = End(relationship, some) }
      }
      guard plan.hidesLinks else { continue }
      let hidden = HiddenRelationship { [unowned self, unowned relationship] first, second in
        isVisible(first, second, relationship)
      }
      relationship.hidden = hidden
      let ends = planned.isOwnInverse ? Array(planned.ends.prefix(1)) : planned.ends
      try run.destinationContext.hide(hidden, ends: ends.map { ($0.entity, $0.name) })
    }
    complete = run.steps.map { step in
      let ends = step.relationships.filter { $0.mapping.valueExpression != nil }.map {
        byName[step.mappingIndex][$0.relationship.name]
      }
      return ends.allSatisfy { $0?.objects.setsRelationship == true } ? ends.compactMap { $0?.relationship } : nil
    }
  }

  // MARK: Rows

  /// The objects that a link may lead to, with the keys that are known while an entity mapping's rows are written.
  func targets(_ link: RelationshipPlan, from mappingIndex: Int) -> [LookedUpObjects] {
    link.targets.map { target in
      let known =
        run.plan.steps[target].rows.isSQL
        ? run.survey.knownKeys(target) : target < mappingIndex ? run.associations.declaredKeys(mapping: target) : nil
      assume(known, ofTarget: target, for: link, from: mappingIndex)
      return run.stores.lookedUp(target, among: known)
    }
  }

  /// Takes note of the links in rows that came with a carried table. They lead to the counterparts of all targets.
  func noteCarriedRows(of mappingIndex: Int) {
    for link in run.plan.steps[mappingIndex].rowRelationships {
      for target in link.targets {
        assume(run.survey.knownKeys(target), ofTarget: target, for: link, from: mappingIndex)
      }
    }
  }

  private func assume(_ keys: KeySet?, ofTarget target: Int, for link: RelationshipPlan, from mappingIndex: Int) {
    byName[mappingIndex][link.name]?.relationship.assumedTargets.append((target, keys))
  }

  /// True while a relationship is written with the rows: no policy has changed its links.
  func isWritten(_ name: String, at mappingIndex: Int) -> Bool {
    byName[mappingIndex][name]?.relationship.isIntact ?? true
  }

  /// Returns the same condition as a closure for each row of a statement; nil if the condition always holds.
  func writingTest(_ name: String, at mappingIndex: Int) -> (() -> Bool)? {
    byName[mappingIndex][name]?.relationship.hidden.map { hidden in { hidden.isHidden } }
  }

  /// Prepares for the rows of an entity mapping that runs object by object.
  func begin(_ step: EntityMappingStep) {
    current = (step.mappingIndex, [])
    guard let source = step.complete.sourceEntityName, let destination = step.complete.destinationEntityName else {
      return
    }
    for link in run.plan.steps[step.mappingIndex].rowRelationships {
      guard let relationship = byName[step.mappingIndex][link.name]?.relationship,
        let own = run.destination.slot(ofRelationship: link.name, entity: destination), own.isKeyAlone
      else { continue }
      let sourcePlace = link.source.flatMap { run.source.slot(ofRelationship: $0, entity: source) }
      if link.source != nil, sourcePlace == nil { continue }
      current.links.append(
        RowLink(
          relationship, slot: own.slot, sourceSlot: sourcePlace?.slot, targets: targets(link, from: step.mappingIndex)))
    }
  }

  /// Adds links to the row of an object that was just created for a source object.
  func write(_ object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep) throws {
    guard step.mappingIndex == current.step else {
      // A policy called `super` for an entity mapping other than the running one. Its links are not prepared, and no
      // row that has been written leads to it.
      return try discard(
        relationships.filter { relationship in
          relationship.ends.contains { end in end.contains { $0.step.mappingIndex == step.mappingIndex } }
        })
    }
    for link in current.links where link.relationship.isIntact {
      // A policy that has changed the source object may still undo the change.
      if try !link.write(object, from: source) { try discard([link.relationship]) }
    }
  }

  /// Discards all hidden links. Called after a policy has changed source objects, because the links come from the file.
  func discardHidden() throws { try discard(relationships) }

  /// Called when all objects of the first pass have been created.
  func endRows() { current = (-1, []) }

  // MARK: The second pass

  /// Shows the links of all objects of an entity mapping without a policy.
  ///
  /// - Returns: The names of the relationships that are now set.
  func show(_ step: EntityMappingStep) -> Set<String> {
    var names: Set<String> = []
    guard areRowsCurrent(step) else { return names }
    for (name, end) in byName[step.mappingIndex] where mayShow(end) {
      end.objects.shown = run.associations.declaredKeys(mapping: step.mappingIndex)
      names.insert(name)
    }
    return names
  }

  /// True in the first pass. A policy that sets relationships then must not get links to objects that will be created
  /// later.
  private var isCreating: Bool { current.step >= 0 }

  /// Shows all links of an object; returns false if some of its relationships must be set object by object.
  func show(_ object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep) -> Bool {
    guard !isCreating, let all = complete[step.mappingIndex], object.hasRow, areRowsCurrent(step) else { return false }
    let hasRecorded = run.associations.hasRecorded
    for relationship in all where !relationship.isIntact || hasRecorded && hasRecordedEnd(relationship) {
      return false
    }
    shownAtOnce[step.mappingIndex].insert(source.primaryKey)
    return true
  }

  /// Shows the links of one relationship of an object; returns false if the relationship must be set object by object.
  func show(_ name: String, of object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep) -> Bool {
    guard !isCreating, object.hasRow, let end = byName[step.mappingIndex][name], areRowsCurrent(step), mayShow(end)
    else {
      return false
    }
    end.objects.shown.insert(source.primaryKey)
    return true
  }

  /// Stops hiding relationships of an object that is about to be deleted, if some of their links are visible: these must
  /// not vanish with the object, but obey delete rules, or be reported because they lead to it.
  ///
  /// - Parameter steps: The entity mappings that created the object.
  func prepareDeletion(ofObjectFrom steps: [EntityMappingStep]) throws {
    try discard(
      relationships.filter { relationship in
        let objects = relationship.ends.joined()
        return relationship.hidden?.isHidden == true
          && objects.contains { objects in steps.contains { $0 === objects.step } }
          && objects.contains {
            $0.shown.count > 0 || $0.setsRelationship && shownAtOnce[$0.step.mappingIndex].count > 0
          }
      })
  }

  /// False if the links that an entity mapping should set may differ from those in the rows.
  private func areRowsCurrent(_ step: EntityMappingStep) -> Bool {
    step.mapping.revision == 0 && !run.isSourceChanged && !run.associations.hasShared
  }

  private func mayShow(_ end: End) -> Bool {
    guard end.objects.setsRelationship, end.relationship.isIntact else { return false }
    return !run.associations.hasRecorded || !hasRecordedEnd(end.relationship)
  }

  /// True if a policy has associated objects at one of the ends itself.
  private func hasRecordedEnd(_ relationship: Relationship) -> Bool {
    relationship.ends.contains { end in end.contains { run.associations.hasRecorded(mapping: $0.step.mappingIndex) } }
  }

  /// Stops hiding relationships, and deletes the links that were not shown.
  ///
  /// - Parameter modelIndex: The index of the mapping model that ends. Relationships of objects that a later one creates
  ///   stay hidden.
  func finish(_ modelIndex: Int) throws {
    for relationship in relationships where relationship.lastModelIndex <= modelIndex {
      guard let hidden = relationship.hidden, hidden.isHidden else { continue }
      if mayLeadNowhere(relationship) || run.destinationContext.hasDeleted
        || !relationship.ends.contains(where: areAllShown)
      {
        try discard([relationship])
      } else {
        try run.destinationContext.show(hidden)
      }
    }
  }

  /// True if some links may lead to objects that were never created.
  private func mayLeadNowhere(_ relationship: Relationship) -> Bool {
    !relationship.assumedTargets.allSatisfy { mapping, keys in
      keys?.isSubset(of: run.associations.declaredKeys(mapping: mapping)) ?? false
    }
  }

  private func areAllShown(_ end: [Objects]) -> Bool {
    end.allSatisfy { objects in
      var shown = objects.shown
      if objects.setsRelationship { shown.formUnion(shownAtOnce[objects.step.mappingIndex]) }
      return shown == run.associations.declaredKeys(mapping: objects.step.mappingIndex)
    }
  }

  private func discard(_ relationships: [Relationship]) throws {
    for relationship in relationships {
      guard let hidden = relationship.hidden, hidden.isHidden else { continue }
      try run.destinationContext.discardHidden(hidden)
    }
  }

  private func isVisible(_ first: Int64, _ second: Int64, _ relationship: Relationship) -> Bool {
    // Both objects must exist: a policy may delete one of them, or not create it.
    func isShown(_ key: Int64, _ end: [Objects]) -> Bool? {
      for objects in end {
        let source = objects.rule.sourceKey(ofDestination: key)
        guard run.associations.isDeclared(source, mapping: objects.step.mappingIndex) else { continue }
        return objects.shown.contains(source)
          || objects.setsRelationship && shownAtOnce[objects.step.mappingIndex].contains(source)
      }
      return nil
    }
    guard let isFirst = isShown(first, relationship.ends[0]), let isSecond = isShown(second, relationship.ends[1])
    else {
      return false
    }
    return isFirst || isSecond
  }
}
