import HeavyliftStore

extension MigrationRun {
  /// The rules that need no look any more where policies had a part in what was written.
  ///
  /// Rows of one entity must all have been watched while they were written, and none of them changed by objects since.
  var rulesKeptBesideObjects: KeptRules {
    var kept = keptRules
    for (name, rules) in destinationContext.rulesKeptByNewRows { kept.note(rules, ofEntity: name) }
    for name in destinationContext.namesOfUnwatchedEntities { kept.forget(name) }
    // Else something was written after the rows.
    if earlyLinks?.isWhole != true || destinationContext.hasLinked {
      kept.forgetRelationships(of: manager.destinationModel)
    } else if destinationContext.hasDeleted || !areJoinedInTheirTables {
      kept.forgetLinks()
    }
    return kept
  }

  /// Whether all rows of join tables lead to the table that is meant.
  private var areJoinedInTheirTables: Bool {
    let layout = planner.destination.layout
    return plan.steps.allSatisfy { step in
      let owner = step.destinationEntityName.flatMap(layout.entity(named:))
      return step.finalJoins.allSatisfy { join in
        let table = owner?.toMany(named: join.relationship)?.destinationTableName
        return join.targets.allSatisfy { place in
          let target = steps[place].complete.destinationEntityName.flatMap(layout.entity(named:))
          return target != nil && target?.tableName == table
        }
      }
    }
  }
}
