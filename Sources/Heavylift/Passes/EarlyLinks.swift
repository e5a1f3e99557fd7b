import HeavyliftSQLite
import HeavyliftStore

/// To-one relationships that are written along with the rows, although policies might look.
///
/// Rows that grow are moved about, and to fill in links afterwards costs more than to make the rows. Most policies never
/// look at relationships before the second pass is over. As soon as the destination is asked anything, all that was
/// written early is taken back, nothing more is, and the second pass sets it in its order.
final class EarlyLinks {
  /// One relationship of one entity mapping.
  ///
  /// A class, because a loop over them would copy all that they hold.
  private final class Link {
    /// Its place among the mapping's `finalLinks`.
    let number: Int
    let slot: Int
    /// That of the source relationship whose target is meant; nil for the source object itself.
    let sourceSlot: Int?
    let targets: [(keys: KeySet, rule: KeyRule)]

    init(
      number: Int, slot: Int, sourceSlot: Int?, targets: [(keys: KeySet, rule: KeyRule)]
    ) {
      (self.number, self.slot, self.sourceSlot, self.targets) = (number, slot, sourceSlot, targets)
    }

    func destinationKey(_ key: Int64) -> Int64 {
      for target in targets where target.keys.contains(key) { return target.rule.destinationKey(ofSource: key) }
      return 0
    }
  }

  private unowned let run: MigrationRun
  private(set) var isOpen = true
  /// By the entity mapping: the relationships that are written early, by their places among its `finalLinks`.
  private var written: [Int: Set<Int>] = [:]
  /// The objects that were taken for those which relationships can lead to, by the entity mapping that makes them.
  private var expected: [Int: KeySet] = [:]
  /// Those of the entity mapping whose objects are made.
  private var current: [Link] = []
  private var currentStep = -1
  /// Entity mappings of which some object's links could not be told.
  private var incomplete: Set<Int> = []
  /// Whether a statement was writing when they were taken back: the row that it was at came after.
  private var mustRepeat = false
  /// Whether everything was written early, and nothing had to be filled in or set afterwards.
  var isWhole = false

  /// Nil where relationships cannot be written at once.
  init?(_ run: MigrationRun) {
    guard run.plan.hasFinalLinks else { return nil }
    self.run = run
    run.destination.accessHandler = { [weak self] in self?.look() }
  }

  /// The entity mappings whose keys must be known before the first row.
  var predictedSteps: Set<Int> {
    var places: Set<Int> = []
    for (owner, step) in run.plan.steps.enumerated() {
      for target in step.finalLinks.flatMap(\.targets) where target >= owner && run.plan.steps[target].rows.isSQL {
        places.insert(target)
      }
    }
    return places
  }

  /// What of an entity mapping's links can be written with the rows that are made next.
  func begin(_ step: EntityMappingStep) {
    (current, currentStep) = ([], step.number)
    guard isOpen, let destination = step.complete.destinationEntityName else { return }
    let planned = run.plan.steps[step.number]
    guard planned.rows != .nothing else { return }
    for (number, link) in planned.finalLinks.enumerated() {
      guard let own = run.destination.place(ofRelationship: link.relationship, entity: destination) else { continue }
      let reached = Set(own.targets)
      var targets: [(keys: KeySet, rule: KeyRule)] = []
      for place in link.targets {
        guard let rule = run.steps[place].keyRule, let keys = knownKeys(place, before: step.number) else { break }
        // The keys of another table would mean nothing.
        guard let number = run.steps[place].destinationNumber, reached.contains(number) else { break }
        targets.append((keys, rule))
      }
      guard targets.count == link.targets.count else { continue }
      if !planned.rows.isSQL {
        guard own.isKeyAlone else { continue }
        var sourceSlot: Int?
        if let name = link.sourceRelationship {
          // The other end of a to-many without an inverse is no relationship of the model.
          let place =
            step.sourcePlaces[name]
            ?? run.source.place(ofRelationship: name, entity: step.complete.sourceEntityName ?? "")
          guard let found = place, !found.isToMany else { continue }
          sourceSlot = found.slot
        }
        current.append(Link(number: number, slot: own.slot, sourceSlot: sourceSlot, targets: targets))
      }
      for (place, target) in zip(link.targets, targets) { expected[place] = target.keys }
      written[step.number, default: []].insert(number)
    }
  }

  /// The source keys of all objects that an entity mapping makes; nil where that is not known yet.
  private func knownKeys(_ place: Int, before step: Int) -> KeySet? {
    // Said once, said for all: relationships must not disagree about what comes along.
    expected[place] ?? run.predictedKeys[place]
      ?? (place < step ? run.associations.declaredKeys(mapping: place) : KeySet?.none)
  }

  /// The entity mapping as statements are to carry it out.
  func planned(_ step: MigrationPlan.Step, _ number: Int) -> MigrationPlan.Step {
    guard isOpen, let early = written[number] else { return step }
    var step = step
    step.links = early.sorted().map { step.finalLinks[$0] }
    return step
  }

  /// Connects a new object as its row is to be written.
  func link(_ object: ManagedObject, from source: ManagedObject, in step: EntityMappingStep) {
    guard isOpen else { return }
    guard step.number == currentStep else {
      // Somebody had super make it out of turn.
      incomplete.insert(step.number)
      return
    }
    for link in current {
      guard let key = link.sourceSlot.map({ source.storedTargetKey(at: $0) }) ?? source.primaryKey else {
        incomplete.insert(currentStep)
        continue
      }
      let target = link.destinationKey(key)
      if target != 0 { object.setEarlyTarget(target, at: link.slot) }
    }
  }

  /// Whether a relationship stands in all rows of an entity mapping as it would be written now.
  func isWritten(_ number: Int, of step: Int) -> Bool {
    guard isOpen, written[step]?.contains(number) ?? false, !incomplete.contains(step) else { return false }
    return run.plan.steps[step].finalLinks[number].targets.allSatisfy { place in
      expected[place] == run.associations.declaredKeys(mapping: place)
    }
  }

  /// Takes everything back, because somebody may see it; a failure stays with the destination's context.
  func takeBack() {
    guard isOpen else { return }
    isOpen = false
    mustRepeat = run.isStatementRunning
    clear()
  }

  /// Makes everything that was written final: the second pass is over.
  ///
  /// No pass follows that would set the links again, so taking them back now would lose them.
  func finish() { isOpen = false }

  /// To be called when a statement may have written rows.
  func didRunStatement() {
    guard mustRepeat else { return }
    mustRepeat = false
    clear()
  }

  private func look() {
    // What is done here looks at the destination, too.
    guard run.isWatched else { return }
    if isOpen { takeBack() } else if mustRepeat { clear() }
  }

  private func clear() {
    let handler = run.destination.accessHandler
    run.destination.accessHandler = nil
    defer { if mustRepeat { run.destination.accessHandler = handler } }
    var links: [String: Set<String>] = [:]
    for (place, numbers) in written {
      guard let entity = run.steps[place].complete.destinationEntityName else { continue }
      for number in numbers {
        links[entity, default: []].insert(run.plan.steps[place].finalLinks[number].relationship)
      }
    }
    run.destinationContext.keeping(()) {
      try run.destinationContext.takeBackEarlyTargets(links, isStatementRunning: mustRepeat)
    }
  }
}
