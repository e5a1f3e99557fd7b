import HeavyliftModel

extension MigrationRun {
  /// Returns a warning for each policy that overrides a method, loses data in it, and never calls `super`.
  func forgottenSuperCalls(_ report: MigrationReport) -> [Diagnostic] {
    let contributions = LinkContributions(stores)
    let unset = report.links.filter { $0.leftToPolicy > 0 }
    return steps.filter { $0.hasPolicy }.flatMap { step -> [Diagnostic] in
      let owner = "policy '\(type(of: step.policy))' of entity mapping '\(step.name)'"
      guard report.objects[step.complete.destinationEntityName ?? ""] ?? 0 > 0 else {
        guard step.sourceCount > 0, !step.hasCreatedDeclaredInstances, let entity = step.complete.sourceEntityName
        else { return [] }
        // The policy may have created and associated objects of another entity.
        guard report.rows.allSatisfy({ $0.entityName != entity || $0.migrated == 0 }) else { return [] }
        return [
          Diagnostic(
            .warning, code: "migration.no-instances",
            problem: "\(owner) created no objects from \(step.sourceCount) × \(entity)",
            remedy: "call 'super.createDestinationInstances(forSource:in:manager:)', or write 'type=\"remove\"' if the "
              + "objects are to be removed")
        ]
      }
      if step.hasCreatedDeclaredRelationships { return [] }
      let own = unset.filter { links in
        let end = RelationshipEnd(entity: links.entityName, name: links.relationshipName)
        return (contributions.all[end] ?? []).contains {
          ($0.isForward ? $0.owners : $0.targets).contains(step.mappingIndex)
        }
      }
      guard !own.isEmpty else { return [] }
      let list = own.map { "\($0.leftToPolicy) of '\($0.entityName).\($0.relationshipName)'" }
      return [
        Diagnostic(
          .warning, code: "migration.unset-relationships",
          problem: "\(owner) did not set all links of the old store: \(list.joined(separator: ", ")) are missing",
          remedy: "call 'super.createRelationships(forDestination:in:manager:)' if they are to be kept")
      ]
    }
  }
}
