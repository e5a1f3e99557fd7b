import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides how each entity mapping is carried out.
///
/// SQL is used only if the result is exactly that of going object by object. If a policy or a function of the program
/// could see the order in which relationships are set, that order is kept: in the second pass, one entity mapping after
/// another.
struct MigrationPlanner {
  private let stores: MappedStores
  private let options: MigrationOptions
  private let policies: PolicyRegistry
  private let reader: ParallelReader

  /// - Parameter reader: Reads half of the rows of large tables.
  init(_ stores: MappedStores, _ options: MigrationOptions, policies: PolicyRegistry, reader: ParallelReader) {
    (self.stores, self.options, self.policies, self.reader) = (stores, options, policies, reader)
  }

  func prepare() throws -> PreparedMigration {
    let bytes = (try? FileManager.default.attributesOfItem(atPath: stores.sourceStore.url.path))?[.size] as? Int64
    let usedShareOfCopy = try CarryPlanner.usedShareOfCopy(of: stores, bytes ?? 0, options)
    var survey = try SourceSurvey(stores)
    var surveyor = RowSurveyor(stores, reader, mayCarry: usedShareOfCopy != nil)
    var plan = MigrationPlan(steps: [], sourceBytes: bytes)
    for mappingIndex in stores.mappings.indices { plan.steps.append(try step(mappingIndex, &surveyor, &survey)) }
    let surveyed = survey.readEntities
    for mappingIndex in stores.mappings.indices {
      try survey.checkFilterReads(mappingIndex, besides: surveyed)
      guard let reason = try survey.misreading(mappingIndex, besides: surveyed) else { continue }
      (plan.steps[mappingIndex].rowReasons, plan.steps[mappingIndex].rows, survey.rows[mappingIndex]) = (
        [reason], .objects, nil
      )
    }
    for mappingIndex in stores.mappings.indices where !stores.isUnfiltered(mappingIndex) {
      plan.steps[mappingIndex].matchingCount = survey.knownKeys(mappingIndex)?.count
    }
    plan.losses = try survey.counted(stores.losses, with: reader)
    try survey.findContradictoryLinks()
    RelationshipPlanner(stores, survey.contradictoryEnds, forcesObjects: options.forcesObjects).plan(&plan)
    try survey.findRemovedKeys()
    for mappingIndex in stores.mappings.indices where stores.mappings[mappingIndex].destinationEntityName == nil {
      plan.steps[mappingIndex].matchingCount = survey.removedCount(mappingIndex)
    }
    try survey.checkRemovals()
    try stores.refuseDoubledObjects(survey.knownKeys)
    try survey.checkSharedTargets()
    try survey.checkFit()
    if let usedShareOfCopy { try CarryPlanner(survey, options.carrying, usedShareOfCopy).plan(&plan) }
    LookUpPlanner(survey, plan)?.plan(&plan)
    return PreparedMigration(plan, survey, options)
  }

  // MARK: Rows

  private func step(
    _ mappingIndex: Int, _ surveyor: inout RowSurveyor, _ survey: inout SourceSurvey
  ) throws -> MigrationPlan.Step {
    let mapping = stores.mappings[mappingIndex]
    var step = MigrationPlan.Step(
      name: mapping.name, modelIndex: stores.modelIndexes[mappingIndex], sourceEntityName: mapping.sourceEntityName,
      destinationEntityName: mapping.destinationEntityName, policyClassName: mapping.policyClassName)
    step.intendsLosses =
      mapping.description.intendsLosses
      || mapping.policyClassName.map { (try? policies.policy(named: $0))?.intendsLosses == true } ?? false
    step.keyOffset = stores.keys.rules[mappingIndex]?.offset
    step.alwaysKeepsKeys = stores.keys.firstRanges.contains(mappingIndex)
    step.sourceCount = mapping.sourceEntityName.map { survey.counts[$0] ?? 0 }
    step.recordsAssociations = mapping.policyClassName != nil || !stores.hasKeyRule(mappingIndex)
    step.timesOfMigration = stores.timesOfMigration(of: mapping)
    if mapping.destinationEntityName == nil, mapping.policyClassName == nil { return step }
    if mapping.sourceExpression == nil, mapping.policyClassName == nil { return step }
    step.rowReasons = try reasonsForObjects(mappingIndex, &surveyor, &survey)
    step.rows =
      if step.rowReasons.isEmpty, let rows = survey.rows[mappingIndex] {
        rows.statement.callsFunctions ? .sqlWithFunctions : .sql
      } else {
        .objects
      }
    return step
  }

  /// The reasons why no statement creates an entity mapping's rows. If there are none, the survey contains the rows.
  private func reasonsForObjects(
    _ mappingIndex: Int, _ surveyor: inout RowSurveyor, _ survey: inout SourceSurvey
  ) throws -> [MigrationPlan.Reason] {
    if options.forcesObjects { return [.init("object-by-object migration was requested")] }
    if let policy = stores.mappings[mappingIndex].policyClassName {
      return [.init("policy '\(policy)' works with objects")]
    }
    let (statement, reasons): (RowTransfer, [MigrationPlan.Reason])
    do {
      (statement, reasons) = try stores.statement(of: mappingIndex)
    } catch {
      return [.init(error.reason)]
    }
    guard reasons.isEmpty else { return reasons }
    do {
      guard let key = try surveyor.read(mappingIndex, statement, into: &survey) else { return [] }
      return [.init("object \(key) has a value or a key that SQL cannot copy unchanged")]
    } catch  where !error.isOfDiskOrCancellation {
      // The object-by-object pass fails at the same object, and its error says more.
      let isFiltered = !stores.isUnfiltered(mappingIndex)
      return [
        .init(
          isFiltered ? "evaluating its filter fails for at least one object" : "reading its objects fails: \(error)")
      ]
    }
  }
}
