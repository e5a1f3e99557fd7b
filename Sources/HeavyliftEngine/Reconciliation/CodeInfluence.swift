import HeavyliftModel
import HeavyliftStore
import HeavyliftMapping

/// The actions of policies and functions during a hop, which decide whether their authors intend missing links.
package struct CodeInfluence {
  /// A policy and its entity mapping.
  struct PolicyName: Hashable {
    var policy: String
    var mapping: String
  }

  /// True if code has discarded the associations of source and destination objects.
  var hasReset = false
  /// The relationships that code has read or set, each identified by its canonical end.
  var handled: (source: Set<RelationshipEnd>, destination: Set<RelationshipEnd>) = ([], [])
  /// The indexes of the entity mappings that may lose objects and links on purpose.
  var losing: Set<Int> = []
  /// Returns the keys of the objects that policies associated with a source object, by the index of the entity mapping;
  /// mappings without such objects are not included.
  var counterparts: [Int: (Int64) throws -> [Int64]] = [:]
  /// The keys of source objects for which a policy created objects without associating them, by table.
  var unassociated: [String: KeySet] = [:]
  /// The policies that did so.
  var unassociatedPolicies: [PolicyName] = []
  /// The policies that did not call `super` to set relationships, by the index of the entity mapping.
  var notConnecting: [Int: PolicyName] = [:]
  /// The warnings about objects that were created after their relationships were set, by the index of the entity mapping.
  var late: [Int: Diagnostic] = [:]

  /// The policies that may have forgotten to set the links of these contributions.
  func unset(by contributions: [LinkContributions.Contribution]) -> [PolicyName] {
    Set(contributions.map(\.mappingIndex)).sorted().compactMap { notConnecting[$0] }
  }
}

extension [CodeInfluence.PolicyName] {
  /// The policies in a sentence: `policy 'A' of entity mapping 'X' and policy 'B' of entity mapping 'Y'`.
  var list: String {
    map { "policy \($0.policy.quotedName) of entity mapping \($0.mapping.quotedName)" }.joined(separator: " and ")
  }
}

extension MigrationRun {
  /// Throws if a policy neither migrated its source objects nor read anything from them: it has forgotten `super`.
  func refuseUntouchedObjects(_ report: MigrationReport) throws {
    for step in steps where step.hasPolicy && !step.intendsLosses {
      guard let problem = uncreated(by: step, report), let entity = step.complete.sourceEntityName,
        !handled.source.contains(where: { name, _ in stores.originalModels.source.areRelated(name, entity) })
      else { continue }
      throw HopError(
        .migration, problem: "\(problem), and read nothing from them",
        remedy: "call 'super.createDestinationInstances(forSource:in:manager:)', or write 'type=\"remove\"' if the "
          + "objects are to be removed")
    }
  }

  /// Returns a warning for each policy that read its source objects but created none.
  func policiesWithoutObjects(_ report: MigrationReport) -> [Diagnostic] {
    steps.filter { $0.hasPolicy && !$0.intendsLosses }.compactMap { step in
      uncreated(by: step, report).map {
        Diagnostic(
          .warning, code: "migration.no-instances", problem: $0,
          remedy: "write 'losses=\"intended\"' in the entity mapping if this is right")
      }
    }
  }

  /// Describes a policy that created no objects although it got some; `nil` for any other policy.
  private func uncreated(by step: EntityMappingStep, _ report: MigrationReport) -> String? {
    guard let destination = step.complete.destinationEntityName, report.objects[destination] ?? 0 == 0,
      step.sourceCount > 0, !step.hasCreatedDeclaredInstances, let entity = step.complete.sourceEntityName,
      // The policy may have created and associated objects of another entity.
      report.rows.allSatisfy({ $0.entityName != entity || $0.migrated == 0 })
    else { return nil }
    return "policy '\(type(of: step.policy))' of entity mapping '\(step.name)' created no objects from "
      + "\(step.sourceCount.grouped) × \(entity)"
  }

  /// True if code has read or set a source property, or the composite that contains it.
  func isHandled(_ property: String, of entity: String) -> Bool {
    handled.source.contains { name, handled in
      stores.originalModels.source.areRelated(name, entity)
        && (handled == property || property.hasPrefix(handled + "."))
    }
  }
}

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
    throw HopError(
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
    if case .copied(let name) = origin { name } else { valueExpression?.sourceKey }
  }
}
