import HeavyliftStore

/// Relationships of an entity mapping's objects that its policy has left to super, and that nobody has looked at since.
///
/// To a policy it makes no difference whether super sets the relationships at once or when somebody looks. Most policies
/// do not look in the second pass, and statements then set the relationships of all objects at once. As soon as the
/// destination is asked or told anything, what was left so far is set object by object, and whatever follows at once.
final class DeferredConnections {
  private unowned let run: MigrationRun
  private let step: EntityMappingStep
  private let plans: [ConnectionPlan]
  /// The source keys of the objects.
  private var keys = KeySet()
  private var isOpen = true
  /// What earlier entity mappings have left.
  private let pass: DeferredPass?

  /// Nil where statements cannot set all relationships that the mapping declares.
  init?(_ run: MigrationRun, _ step: EntityMappingStep) {
    plans = run.plan.steps[step.number].deferrablePlans
    guard !plans.isEmpty, step.keyRule != nil else { return nil }
    (self.run, self.step) = (run, step)
    pass = run.deferredPass.flatMap { $0.isOpen ? $0 : nil }
    if let pass {
      pass.current = self
    } else {
      run.destination.accessHandler = { [unowned self] in catchUp() }
    }
  }

  /// Takes note that the relationships of an object are to be as declared; false where they must be set now.
  func take(_ object: ManagedObject, in step: EntityMappingStep) -> Bool {
    guard isOpen, pass?.isOpen ?? true, !run.associations.hasShared, step === self.step, let pair = step.currentPair,
      pair.destination === object,
      let source = pair.source, run.isDeclared(object, in: step),
      step.relationships.allSatisfy({ $0.mapping.revision == 0 })
    else { return false }
    keys.insert(source.primaryKey)
    return true
  }

  /// Sets what was left so far, because somebody may see it; a failure stays with the destination's context.
  func catchUp() {
    guard isOpen else { return }
    if let pass, pass.isOpen { return pass.look() }
    run.destinationContext.keeping(()) { try connectObjects() }
  }

  /// Sets what was left, or leaves it to the end of the pass.
  func perform() throws {
    guard isOpen else { return }
    let isWhole = keys.count == run.associations.declaredKeys(mapping: step.number).count
    if let pass, pass.isOpen {
      pass.current = nil
      if isWhole {
        pass.leave(step) { try self.connectWhole() }
        return
      }
      pass.look()
    }
    try isWhole ? connectWhole() : connectObjects()
  }

  /// Leaves nothing to anybody from now on.
  func close() {
    guard isOpen else { return }
    isOpen = false
    if pass == nil { run.destination.accessHandler = nil }
  }

  private func connectWhole() throws {
    guard isOpen else { return }
    if pass == nil { run.destination.accessHandler = nil }
    if keys.count > 0, !run.isSourceChanged, try LinkExecution(run, step, plans).perform() { return close() }
    try connectObjects()
  }

  /// Sets them object by object, whatever comes after it at once.
  func connectObjects() throws {
    guard isOpen else { return }
    close()
    let outer = (pair: step.currentPair, property: run.currentProperty)
    defer { (step.currentPair, run.currentProperty) = outer }
    let pages = keys.sortedPages
    var last: Int64 = 0
    while case let some = keys.keys(after: last, atMost: ObjectMappingExecution.chunk, pages: pages),
      let end = some.last
    {
      try run.forEachPair(of: step, some) { source, object in
        step.currentPair = (object, source)
        try run.calling("createRelationships", step, object: source) {
          try DeclaredRelationships(run).createNow(of: object, in: step)
        }
        try run.flushIfNeeded()
      }
      last = end
    }
  }
}
