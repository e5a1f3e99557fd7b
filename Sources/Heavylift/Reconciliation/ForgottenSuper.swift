import HeavyliftModel

extension MigrationRun {
  /// Throws if a policy neither migrated its source objects nor read anything from them: it has forgotten `super`.
  func refuseUntouchedObjects(_ report: MigrationReport) throws {
    for step in steps where step.hasPolicy && !step.intendsLosses {
      guard let problem = uncreated(by: step, report), let entity = step.complete.sourceEntityName,
        !handled.source.contains(where: { name, _ in stores.originalModels.source.areRelated(name, entity) })
      else { continue }
      throw MigrationError(
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
