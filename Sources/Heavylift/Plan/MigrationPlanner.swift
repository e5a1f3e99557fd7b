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
  private let reader: ParallelReader

  /// - Parameter reader: Reads half of the rows of large tables.
  init(_ stores: MappedStores, _ options: MigrationOptions, reader: ParallelReader) {
    (self.stores, self.options, self.reader) = (stores, options, reader)
  }

  func prepare() throws -> PreparedMigration {
    let bytes = (try? FileManager.default.attributesOfItem(atPath: stores.sourceStore.url.path))?[.size] as? Int64
    let usedShareOfCopy = try CarryPlanner.usedShareOfCopy(of: stores, bytes ?? 0, options)
    var survey = try SourceSurvey(
      stores, reader: reader, leastParallelRows: options.prefetching.leastSurveyedRows,
      notesColumns: usedShareOfCopy != nil)
    var plan = MigrationPlan(
      steps: [], sourceBytes: bytes,
      checks: [
        "mandatory values", "ranges, lengths and patterns", "dangling links", "minimum and maximum counts",
        "uniqueness",
      ], keys: stores.keys)
    for place in stores.mappings.indices { plan.steps.append(try step(place, &survey)) }
    plan.losses = try survey.counted(stores.losses)
    // The links in a fused hop's views are computed, so their two ends agree.
    let contradictory = stores.viewed == nil ? try findContradictoryLinks(&plan) : []
    RelationshipPlanner(stores, contradictory, forcesObjects: options.forcesObjects).plan(&plan)
    try survey.findRemovedKeys()
    try survey.checkRemovals()
    try survey.checkSharedTargets()
    if let usedShareOfCopy { try CarryPlanner(survey, options.carrying, usedShareOfCopy).plan(&plan) }
    return PreparedMigration(plan: plan, survey: survey, options: options)
  }

  // MARK: Rows

  private func step(_ place: Int, _ survey: inout SourceSurvey) throws -> MigrationPlan.Step {
    let mapping = stores.mappings[place]
    var step = MigrationPlan.Step(
      name: mapping.name, stage: stores.stages[place], sourceEntityName: mapping.sourceEntityName,
      destinationEntityName: mapping.destinationEntityName, policyClassName: mapping.policyClassName)
    step.keyOffset = stores.keys.rules[place]?.offset
    step.alwaysKeepsKeys = stores.keys.firstRanges.contains(place)
    step.sourceCount = mapping.sourceEntityName.map { survey.counts[$0] ?? 0 }
    step.recordsAssociations = mapping.policyClassName != nil || !stores.hasKeyRule(place)
    if mapping.destinationEntityName == nil, mapping.policyClassName == nil { return step }
    if mapping.sourceExpression == nil, mapping.policyClassName == nil { return step }
    switch rows(place, &survey) {
    case .success(let statement): step.rows = statement.callsFunctions ? .sqlWithFunctions : .sql
    case .failure(let refusal): (step.rows, step.rowReasons) = (.objects, refusal.reasons)
    }
    return step
  }

  private struct Refusal: Error {
    var reasons: [MigrationPlan.Reason]

    init(_ reasons: [MigrationPlan.Reason]) { self.reasons = reasons }

    init(_ text: String) { reasons = [.init(text)] }
  }

  /// Returns the statement that creates an entity mapping's rows, or the reasons why there is none.
  private func rows(_ place: Int, _ survey: inout SourceSurvey) -> Result<RowTransfer, Refusal> {
    if options.forcesObjects { return .failure(Refusal("object-by-object migration was requested")) }
    if let policy = stores.mappings[place].policyClassName {
      return .failure(Refusal("policy '\(policy)' works with objects"))
    }
    let (statement, reasons): (RowTransfer, [MigrationPlan.Reason])
    do throws(NotTranslated) {
      (statement, reasons) = try stores.statement(of: place)
    } catch {
      return .failure(Refusal(error.reason))
    }
    guard reasons.isEmpty else { return .failure(Refusal(reasons)) }
    do {
      if let key = try survey.read(place, statement) {
        return .failure(Refusal("object \(key) has a value or a key that SQL cannot copy unchanged"))
      }
      return .success(statement)
    } catch {
      // The object-by-object pass fails at the same object, and its error says more.
      return .failure(Refusal("evaluating its filter fails for at least one object"))
    }
  }

  // MARK: Links of the source

  /// Counts the links of one-to-one relationships whose two ends contradict each other, and returns both ends.
  private func findContradictoryLinks(_ plan: inout MigrationPlan) throws -> Set<RelationshipEnd> {
    let model = stores.sourceModel
    var found: Set<RelationshipEnd> = []
    var seen: Set<RelationshipEnd> = []
    for entity in model.entities {
      for relationship in entity.relationships where !relationship.isToMany {
        guard let target = relationship.destinationEntityName, let name = relationship.inverseName,
          let other = model.relationship(name, of: target), !other.isToMany
        else { continue }
        let ends = [
          RelationshipEnd(entity: entity.name, name: relationship.name), model.end(of: name, entity: target),
        ].compactMap(\.self)
        guard seen.isDisjoint(with: ends) else { continue }
        seen.formUnion(ends)
        // Links are counted at the canonical end only, so dangling links at the other end need a count of their own.
        for end in Set(ends) where LinkContributions.canonical(end, in: model) != end {
          let count = try stores.sourceStore.danglingLinkCount(ofEntity: end.entity, relationship: end.name)
          guard count > 0 else { continue }
          plan.danglingBackLinks.append(DanglingLinks(entity: end.entity, relationship: end.name, count: count))
        }
        let count = try stores.sourceStore.contradictoryLinkCount(entity.name, relationship.name, target, name)
        guard count != 0 else { continue }
        found.formUnion(ends)
        plan.contradictoryLinks.append(
          ContradictoryLinks(entity: entity.name, relationship: relationship.name, count: count ?? 0))
      }
    }
    return found
  }
}
