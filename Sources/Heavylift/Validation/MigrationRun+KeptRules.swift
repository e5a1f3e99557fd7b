import HeavyliftStore

extension MigrationRun {
  /// The rules that validation can skip if policies took part in the migration.
  ///
  /// All rows of an entity must have been checked while they were written, and the object path must not have changed
  /// any of them since.
  var rulesKeptBesideObjects: KeptRules {
    var kept = keptRules
    for (name, rules) in destinationContext.rulesKeptByNewRows { kept.limit(to: rules, ofEntity: name) }
    for name in destinationContext.namesOfUncheckedEntities { kept.forget(name) }
    // Links that were written later than their rows have not been checked along with the rows.
    if rowLinks?.areAllWritten != true || hasChangedLinks || destinationContext.hasLinked {
      kept.forgetRelationships(of: manager.destinationModel)
    } else if destinationContext.hasDeleted || !areJoinedInTheirTables {
      kept.forgetLinks()
    }
    return kept
  }

  /// True if all rows of join tables point to rows of the expected table.
  private var areJoinedInTheirTables: Bool {
    let layout = planner.destination.layout
    return plan.steps.allSatisfy { step in
      let owner = step.destinationEntityName.flatMap(layout.entity(named:))
      return step.joins.allSatisfy { join in
        let table = owner?.toMany(named: join.relationship)?.destinationTableName
        return join.targets.allSatisfy { place in
          let target = steps[place].complete.destinationEntityName.flatMap(layout.entity(named:))
          return target != nil && target?.tableName == table
        }
      }
    }
  }
}
