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
    let usedShareOfCopy = try KeptTablePlanner.usedShareOfCopy(of: stores, bytes ?? 0, options)
    var survey = try SourceSurvey(stores)
    var surveyor = RowSurveyor(stores, reader, mayKeep: usedShareOfCopy != nil)
    var plan = MigrationPlan(steps: [], sourceBytes: bytes)
    for mappingIndex in stores.mappings.indices { plan.steps.append(try step(mappingIndex, &surveyor, &survey)) }
    let surveyed = survey.readEntities
    for mappingIndex in stores.mappings.indices {
      try survey.checkFilterReads(mappingIndex, besides: surveyed)
      guard let reason = try survey.misreading(mappingIndex, besides: surveyed) else { continue }
      (plan.steps[mappingIndex].rowReasons, plan.steps[mappingIndex].rows) = ([reason], .objects)
      survey.setRows(nil, of: mappingIndex)
    }
    for mappingIndex in stores.mappings.indices where !stores.isUnfiltered(mappingIndex) {
      plan.steps[mappingIndex].matchingCount = survey.knownKeys(mappingIndex)?.count
    }
    plan.losses = try survey.counted(stores.losses, with: reader)
    try survey.findContradictoryLinks()
    RelationshipPlanner(stores, forcesObjects: options.forcesObjects).plan(&plan)
    try survey.findRemovedKeys()
    for mappingIndex in stores.mappings.indices where stores.mappings[mappingIndex].destinationEntityName == nil {
      plan.steps[mappingIndex].matchingCount = survey.removedCount(mappingIndex)
    }
    try survey.checkRemovals()
    try stores.refuseDoubledObjects(survey.knownKeys)
    try survey.checkSharedTargets()
    try survey.checkFit()
    if let usedShareOfCopy { try KeptTablePlanner(survey, options.keeping, usedShareOfCopy).plan(&plan) }
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

/// Reads the source rows of entity mappings and checks whether statements can create their rows.
struct RowSurveyor {
  private let stores: MappedStores
  private let reader: ParallelReader
  private let mayKeep: Bool
  /// The results by question. Entity mappings that split an entity often ask the same one.
  private var readings: [RowTransfer.Question: Reading] = [:]

  private struct Reading {
    let question: RowTransfer.Question
    let misfit: Int64?
    let keys: KeySet
    let columns: ColumnFacts?
  }

  /// - Parameters:
  ///   - reader: Reads half of a large table's rows.
  ///   - mayKeep: True to find out which rows can stay in their table.
  init(_ stores: MappedStores, _ reader: ParallelReader, mayKeep: Bool) {
    (self.stores, self.reader, self.mayKeep) = (stores, reader, mayKeep)
  }

  /// Adds the source rows of an entity mapping to the survey.
  ///
  /// - Returns: The key of the first row that a statement cannot copy unchanged, with nothing added; nil if there is
  ///   none.
  mutating func read(_ mappingIndex: Int, _ statement: RowTransfer, into survey: inout SourceSurvey) throws -> Int64? {
    let reading = try reading(of: statement)
    if let misfit = reading.misfit { return misfit }
    survey.setRows(
      .init(statement: statement, keys: reading.keys, columns: reading.columns, question: reading.question),
      of: mappingIndex)
    return nil
  }

  private mutating func reading(of statement: RowTransfer) throws -> Reading {
    let question = statement.surveyQuestion
    if let known = readings[question] { return known }
    let facts = statement.columnFacts(forKeeping: mayKeep)
    let (keys, misfit) = try stores.sourceStore.survey(statement, facts: facts, with: reader)
    let reading = Reading(question: question, misfit: misfit, keys: keys, columns: facts)
    readings[question] = reading
    return reading
  }
}

/// Decides which links statements can write without looking up whether their objects are migrated.
struct LookUpPlanner {
  private let survey: SourceSurvey
  private let steps: [MigrationPlan.Step]
  private var stores: MappedStores { survey.stores }

  /// Returns nil if something may see links while statements write them, so that links may be taken back.
  ///
  /// - Parameter plan: The plan, with all decisions about rows.
  init?(_ survey: SourceSurvey, _ plan: MigrationPlan) {
    guard plan.isStatementsAlone, !plan.isObserved else { return nil }
    (self.survey, steps) = (survey, plan.steps)
  }

  func plan(_ plan: inout MigrationPlan) {
    // No statement writes the rows of a kept table.
    for mappingIndex in steps.indices where steps[mappingIndex].rows != .kept {
      plan.steps[mappingIndex].relationshipPlans = steps[mappingIndex].relationshipPlans.map {
        planned($0, from: mappingIndex)
      }
    }
  }

  private func planned(_ link: RelationshipPlan, from mappingIndex: Int) -> RelationshipPlan {
    var link = link
    switch link.way {
    case .withRow:
      link.needsLookUp =
        !leadsToSameRows(link, from: mappingIndex) && !leadsToMigratedRows(link, from: mappingIndex)
    case .joinTable, .fromOtherEnd, .byObject: break
    }
    return link
  }

  /// True if a link leads to the counterpart of the same source object, created by another entity mapping that takes
  /// exactly the same source objects and keeps their keys. An example is a track and its artwork, both created from one
  /// object. No policy can have changed or deleted the counterpart.
  private func leadsToSameRows(_ link: RelationshipPlan, from mappingIndex: Int) -> Bool {
    guard link.source == nil, link.targets.count == 1, let target = link.targets.first else { return false }
    return survey.isSameRows(mappingIndex, target) && stores.keepsKeys(target) && steps[target].rows.isSQL
  }

  /// True if a survey has found that all targets of a relationship are migrated, and statements keep their keys.
  private func leadsToMigratedRows(_ link: RelationshipPlan, from mappingIndex: Int) -> Bool {
    guard let name = link.source,
      let entity = stores.source.layout.entity(named: stores.mappings[mappingIndex].sourceEntityName),
      let column = entity.toOne(named: name)?.column,
      let linked = survey.rows[mappingIndex]?.columns?.keys(inColumn: column)
    else { return false }
    var migrated = KeySet()
    for target in link.targets {
      guard steps[target].rows.isSQL, stores.keepsKeys(target), let keys = survey.knownKeys(target) else {
        return false
      }
      migrated.formUnion(keys)
    }
    return linked.isSubset(of: migrated)
  }
}
