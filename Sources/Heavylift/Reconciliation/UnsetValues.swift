import HeavyliftModel
import HeavyliftStore

extension MigrationRun {
  /// Throws if a policy created objects without `super`, and neither read a source attribute that the mapping copies nor
  /// set the new one: its values would be lost.
  func refuseUnsetValues() throws {
    for step in steps where step.hasPolicy && !step.intendsLosses { try refuseUnsetValues(of: step) }
  }

  private func refuseUnsetValues(of step: EntityMappingStep) throws {
    guard let entity = step.complete.sourceEntityName, let destination = step.complete.destinationEntityName else {
      return
    }
    let keys = keysWithoutSuper(step)
    guard keys.count > 0 else { return }
    let unset = step.complete.attributeMappings.compactMap { property -> (source: String, destination: String)? in
      guard let name = property.copiedName, !isHandled(name, of: entity),
        !handled.destination.contains(where: {
          stores.originalModels.destination.areRelated($0, destination) && $1 == property.name
        })
      else { return nil }
      return (name, property.name)
    }
    guard !unset.isEmpty else { return }
    let counts = try source.counts(of: unset.map { ($0.source, keys.contains) }, entity: entity, with: nil)
    let lost = zip(unset, counts).filter { ($1 ?? 0) > 0 }
    guard !lost.isEmpty else { return }
    let list = lost.map { "\(($1 ?? 0).grouped) of '\($0.source)'" }.joined(separator: ", ")
    let name = CodeInfluence.PolicyName(policy: "\(type(of: step.policy))", mapping: step.name)
    throw MigrationError(
      .migration,
      problem: "values of \(entity.quotedName) would be lost: \(list). \([name].list) created objects without 'super', "
        + "and neither read \(lost.count == 1 ? "this attribute nor set the new one" : "these attributes nor set the new ones")",
      remedy: "set \(lost.map(\.0.destination).quotedList), call "
        + "'super.createDestinationInstances(forSource:in:manager:)', or write 'losses=\"intended\"' in the entity mapping "
        + "if the values are to be dropped")
  }

  /// Returns the keys of the source objects for which a step's policy created instances only without `super`.
  private func keysWithoutSuper(_ step: EntityMappingStep) -> KeySet {
    var keys = step.keysOfInstancesWithoutSuper
    if keys.count > 0 { associations.createdKeys(mapping: step.mappingIndex).forEach { keys.remove($0) } }
    return keys
  }
}

extension CompletePropertyMapping {
  /// The source attribute that the mapping copies; nil if it does anything else.
  fileprivate var copiedName: String? {
    if case .copied(let name) = origin { return name }
    guard case .keyPath(let base, let path)? = valueExpression?.kind, case .variable("source") = base.kind,
      path.keys.count == 1, case .name(let name)? = path.keys.first
    else { return nil }
    return name
  }
}
