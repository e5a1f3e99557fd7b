import HeavyliftStore

extension MigrationRun {
  /// Calls `body` with each source object and the counterpart that was created from it as declared. Each pair is
  /// released before the next one.
  func forEachPair(
    of step: EntityMappingStep, _ keys: [Int64],
    _ body: (_ source: ManagedObject, _ object: ManagedObject) throws -> Void
  ) throws {
    var pairs = try pairs(of: step, keys)
    while let (source, object) = pairs.popLast() { try body(source, object) }
  }

  /// Returns the pairs in reverse, so `popLast` returns and releases them in key order.
  private func pairs(
    of step: EntityMappingStep, _ keys: [Int64]
  ) throws -> [(source: ManagedObject, object: ManagedObject)] {
    guard let rule = step.keyRule, let source = step.complete.sourceEntityName,
      let destination = step.complete.destinationEntityName
    else { return [] }
    let sources = try sourceContext.faults(source, keys: keys)
    let objects = try destinationContext.faults(destination, keys: keys.map(rule.destinationKey(ofSource:)))
    return zip(sources, objects).reversed().map { ($0, $1) }
  }
}
