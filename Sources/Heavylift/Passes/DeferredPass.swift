/// A second pass in which nobody has looked at relationships so far, and nothing of them was written.
///
/// Entity mappings set relationships one after the other, many of them from both of their ends. As long as policies leave
/// everything to super, and nobody looks, only the outcome counts, and that is written at once. As soon as the destination
/// is asked or told anything, all that was left is done as it would have been.
final class DeferredPass {
  private unowned let run: MigrationRun
  /// What the entity mappings have left, in their order.
  private var left: [(step: EntityMappingStep, connect: () throws -> Void)] = []
  private(set) var isOpen = true
  /// What the policy that runs has left so far.
  var current: DeferredConnections?

  /// Nil where relationships cannot be written at once.
  init?(_ run: MigrationRun) {
    guard FinalLinkExecution.isPossible(in: run) else { return nil }
    self.run = run
    run.destination.accessHandler = { [unowned self] in look() }
  }

  /// Leaves what an entity mapping connects for later.
  func leave(_ step: EntityMappingStep, _ connect: @escaping () throws -> Void) { left.append((step, connect)) }

  /// Does what was left so far, because somebody may see it; a failure stays with the destination's context.
  func look() {
    guard isOpen else { return }
    close()
    run.earlyLinks?.takeBack()
    run.destinationContext.keeping(()) {
      try connectAll()
      try current?.connectObjects()
    }
  }

  /// Does what was left.
  func perform() throws {
    guard isOpen else { return }
    close()
    if FinalLinkExecution.isPossible(in: run) { return try FinalLinkExecution(run).perform() }
    run.earlyLinks?.takeBack()
    try connectAll()
  }

  /// Leaves nothing any more.
  func close() {
    guard isOpen else { return }
    isOpen = false
    run.destination.accessHandler = nil
  }

  private func connectAll() throws {
    let outer = (mapping: run.manager.currentEntityMapping, property: run.currentProperty)
    defer { (run.manager.currentEntityMapping, run.currentProperty) = outer }
    for (step, connect) in left {
      run.manager.currentEntityMapping = step.mapping
      try connect()
    }
    left = []
  }
}
