import HeavyliftStore

extension MigrationRun {
  /// Calls a body with the objects that some source keys stand for and what was made of them as declared, each pair let go
  /// of before the next comes.
  func forEachPair(
    of step: EntityMappingStep, _ keys: [Int64],
    _ body: (_ source: ManagedObject, _ object: ManagedObject) throws -> Void
  ) throws {
    var pairs = try pairs(of: step, keys)
    while let (source, object) = pairs.popLast() { try body(source, object) }
  }

  /// The last first.
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
