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
  let mappings: [CompleteEntityMapping]
  private let losses: [MappingLoss]
  let stages: [Int]
  /// The indexes of the entity mappings with each name.
  let placesOfNames: [String: [Int]]
  /// The indexes of the entity mappings that create objects of each entity or its sub-entities.
  let placesMaking: [String: [Int]]
  let source: StoreBlueprint
  let sourceStore: PersistentStore
  let destination: StoreBlueprint
  /// The models with an implied inverse for each to-many relationship that has none.
  let sourceModel: ManagedObjectModel
  let destinationModel: ManagedObjectModel
  /// The original models.
  let models: (source: ManagedObjectModel, destination: ManagedObjectModel)
  /// True if source entities that no entity mapping mentions are dropped; the last mapping model decides.
  let dropsUnmentioned: Bool
  /// True if an author wrote a mapping, which remedies can refer to. Others were inferred, or are parts of a stage.
  let isWritten: Bool
  let forcesObjects: Bool
  let prefetching: PrefetchOptions
  let carrying: Carrying
  /// Reads half of a large table's rows; nil if the source is a fused hop.
  private let reader: ParallelReader?
  /// The fused hop whose views are the source; nil if the source is a store file.
  let viewed: ViewedStore?
  /// The number that distinguishes the SQL functions of fused hops, which share one connection.
  let level: Int
  private let keys: KeyPlan
  private(set) var plan: MigrationPlan
  /// The number of objects of each source entity, not including sub-entities.
  private(set) var sourceCounts: [String: Int] = [:]
  /// The results of surveys of source rows, by question. Entity mappings that split an entity often ask the same one.
  private var surveys: [RowTransfer.Question: Survey] = [:]
  /// The keys of the source objects that each entity mapping migrates, by the mapping's index.
  private var surveyedKeys: [Int: KeySet] = [:]
  /// The facts about the columns of each entity mapping's source rows, by the mapping's index.
  private(set) var surveyedColumns: [Int: ColumnFacts] = [:]
  /// The keys of the source objects that each entity mapping removes with a filter, by the mapping's index.
  private(set) var removedKeys: [Int: KeySet] = [:]
  /// The share of the source's file that is in use; nil if the destination must start as a new file.
  private(set) var usedShareOfCopy: Double?
  /// The questions that yielded `surveyedKeys`.
  private var surveyedRows: [Int: RowTransfer.Question] = [:]

  private struct Survey {
    let question: RowTransfer.Question
    let misfit: Int64?
    let keys: KeySet
    let columns: ColumnFacts?
  }

  init(
    _ models: [CompleteMappingModel], from store: PersistentStore, to destination: StoreBlueprint, keys: KeyPlan,
    sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel, forcesObjects: Bool = false,
    prefetching: PrefetchOptions = PrefetchOptions(), carrying: Carrying = .never, viewed: ViewedStore? = nil,
    reader: ParallelReader? = nil
  ) {
    (self.viewed, self.reader) = (viewed, reader)
    level = viewed.map { $0.level + 1 } ?? 0
    mappings = models.flatMap(\.entityMappings)
    losses = models.losses
    isWritten = models.contains { !$0.mappingModel.isInferred && !$0.mappingModel.isOfStage }
    dropsUnmentioned = models.last?.mappingModel.unmentionedEntities == .dropped
    self.models = (sourceModel, destinationModel)
    stages = models.enumerated().flatMap { stage, model in model.entityMappings.map { _ in stage } }
    source = StoreBlueprint(of: store)
    sourceStore = store
    self.destination = destination
    (self.sourceModel, self.destinationModel) = (
      sourceModel.withImpliedInverses, destinationModel.withImpliedInverses
    )
    placesOfNames = Dictionary(grouping: mappings.indices) { [mappings] in mappings[$0].name }
    placesMaking = mappings.enumerated().reduce(into: [:]) { places, step in
      guard let entity = step.element.destinationEntityName.flatMap(destinationModel.entity(named:)) else { return }
      for ancestor in destinationModel.lineage(of: entity) { places[ancestor.name, default: []].append(step.offset) }
    }
    (self.forcesObjects, self.prefetching, self.carrying) = (forcesObjects, prefetching, carrying)
    self.keys = keys
    plan = MigrationPlan(
      steps: [], sourceBytes: nil,
      checks: [
        "mandatory values", "ranges, lengths and patterns", "dangling links", "minimum and maximum counts",
        "uniqueness",
      ], keys: keys)
  }

  mutating func make() throws -> MigrationPlan {
    plan.sourceBytes = (try? FileManager.default.attributesOfItem(atPath: sourceStore.url.path))?[.size] as? Int64
    usedShareOfCopy = try CarryPlanner(self).usedShareOfCopy(plan)
    sourceCounts = try viewed?.counts ?? sourceStore.objectCounts(isClean: true)
    for (place, mapping) in mappings.enumerated() {
      var step = MigrationPlan.Step(
        name: mapping.name, stage: stages[place], sourceEntityName: mapping.sourceEntityName,
        destinationEntityName: mapping.destinationEntityName, policyClassName: mapping.policyClassName)
      step.keyOffset = keys.rules[place]?.offset
      step.alwaysKeepsKeys = keys.firstRanges.contains(place)
      step.sourceCount = mapping.sourceEntityName.map { sourceCounts[$0] ?? 0 }
      step.recordsAssociations = mapping.policyClassName != nil || keys.rules[place] == nil
      try decideRows(of: mapping, place, &step)
      if mapping.relationshipMappings.contains(where: { $0.valueExpression != nil }) || mapping.policyClassName != nil {
        step.connections = mapping.destinationEntityName == nil ? .nothing : .objects
      }
      plan.steps.append(step)
    }
    plan.losses = try counted(losses)
    // The links in a fused hop's views are computed, so their two ends agree.
    let contradictory = viewed == nil ? try findContradictoryLinks() : []
    RelationshipPlanner(self, contradictory).plan(&plan)
    removedKeys = try findRemovedKeys()
    try checkRemovals()
    try checkSharedTargets()
    try CarryPlanner(self).plan(&plan)
    return plan
  }

  /// True if the keys of an entity mapping's objects can be computed from their source objects' keys.
  func hasKeyRule(_ place: Int) -> Bool { keys.rules[place] != nil }

  // MARK: Rows

  private mutating func decideRows(of mapping: CompleteEntityMapping, _ place: Int, _ step: inout MigrationPlan.Step)
    throws
  {
    if mapping.destinationEntityName == nil, mapping.policyClassName == nil { return }
    if mapping.sourceExpression == nil, mapping.policyClassName == nil { return }
    step.rows = .objects
    if forcesObjects {
      step.rowReasons = [.init("object-by-object migration was requested")]
      return
    }
    if let policy = mapping.policyClassName {
      step.rowReasons = [.init("policy '\(policy)' works with objects")]
      return
    }
    do {
      let (transfer, reasons) = try transfer(for: mapping, place, links: [])
      step.rowReasons = reasons
      guard reasons.isEmpty else { return }
      do {
        let survey = try survey(transfer, of: mapping.sourceEntityName ?? "")
        if let key = survey?.misfit {
          step.rowReasons = [.init("object \(key) has a value or a key that SQL cannot copy unchanged")]
          return
        }
        surveyedKeys[place] = survey?.keys
        surveyedColumns[place] = survey?.columns
        surveyedRows[place] = survey?.question
      } catch {
        // The object-by-object pass fails at the same object, and its error says more.
        step.rowReasons = [.init("evaluating its filter fails for at least one object")]
        return
      }
      step.rows = transfer.callsFunctions ? .sqlWithFunctions : .sql
    } catch {
      step.rowReasons = [.init(error.reason)]
    }
  }

  /// Checks an entity mapping's source rows and collects their keys; nil if SQL computes none of the attributes and so
  /// nothing needs a check.
  private mutating func survey(_ transfer: RowTransfer, of entity: String) throws -> Survey? {
    let names = viewed.map { $0.computed[entity] ?? [] }
    // If the filter fails, the query for the keys reports it later.
    if let names, names.isEmpty { return nil }
    let question = transfer.surveyQuestion(among: names)
    if let known = surveys[question] { return known }
    let facts = usedShareOfCopy == nil ? nil : transfer.columnFacts()
    let isLarge = sourceCounts[entity] ?? 0 >= prefetching.leastSurveyedRows
    let (keys, misfit) = try sourceStore.survey(
      transfer, among: names, facts: facts, with: isLarge ? reader : nil)
    let survey = Survey(question: question, misfit: misfit, keys: keys, columns: facts)
    surveys[question] = survey
    return survey
  }

  /// Returns the statement that creates an entity mapping's rows, and the reasons why SQL cannot set certain
  /// attributes.
  func transfer(
    for mapping: CompleteEntityMapping, _ place: Int, links: [LinkPlan]
  ) throws(NotTranslated) -> (RowTransfer, [MigrationPlan.Reason]) {
    guard let entity = mapping.sourceEntityName, let newEntity = mapping.destinationEntityName else {
      throw NotTranslated("it has no source entity")
    }
    guard keys.rules[place] != nil else {
      throw NotTranslated("its objects' keys cannot be computed from the source objects' keys")
    }
    let filter = try self.filter(of: mapping)
    var transfer = try RowTransfer(
      from: source, entity: entity, where: filter, to: destination, entity: newEntity)
    var reasons: [MigrationPlan.Reason] = []
    let written = Dictionary(
      mapping.attributeMappings.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let attributes = destinationModel.entity(named: newEntity).map(destinationModel.allAttributes(of:)) ?? []
    for attribute in attributes where !attribute.isDerived {
      do throws(NotTranslated) {
        try transfer.set(attribute.name, to: value(of: attribute, written[attribute.name]?.valueExpression))
      } catch {
        reasons.append(.init(error.reason, property: attribute.name))
      }
    }
    for (index, link) in links.enumerated() {
      let needsFunction =
        !leadsToSameRows(link, from: place) && !leadsToMigratedRows(link, from: place) && !keepsKeys(link, of: entity)
      try transfer.set(
        link.relationship,
        to: .init(
          relationship: link.sourceRelationship,
          keyFunction: needsFunction ? LinkFunctions.key(level, step: place, link: index) : nil,
          entityFunction: LinkFunctions.entity(level, step: place, link: index)))
    }
    return (transfer, reasons)
  }

  /// The source's tables in which no survey has read every row, so that there may be rows of other entities.
  var tablesToCheck: Set<String> {
    var read: Set<String> = []
    for (place, keys) in surveyedKeys where isUnfiltered(place) {
      guard let name = mappings[place].sourceEntityName, keys.count == sourceCounts[name] ?? 0 else { continue }
      read.insert(name)
    }
    let tables = Dictionary(grouping: source.layout.entities, by: \.tableName)
    // The number of rows of a table with one entity includes those of other entities.
    return Set(tables.filter { $1.count > 1 || !read.contains($1[0].name) }.keys)
  }

  /// Returns the keys of the source objects that an entity mapping migrates; nil if they must be queried first.
  func knownKeys(_ place: Int) -> KeySet? {
    if let keys = surveyedKeys[place] { return keys }
    guard let viewed, let entity = mappings[place].sourceEntityName, isUnfiltered(place) else { return nil }
    return viewed.keys[entity] ?? KeySet()
  }

  /// Returns the keys of the source objects that an entity mapping takes, if a survey has read them, for this or for
  /// another entity mapping.
  func surveyedKeys(likeThoseOf place: Int) -> KeySet? {
    if let keys = surveyedKeys[place] { return keys }
    do {
      let (entity, wanted) = (mappings[place].sourceEntityName, try filter(of: mappings[place])?.kind)
      return try surveyedKeys.first { other, _ in
        try mappings[other].sourceEntityName == entity && filter(of: mappings[other])?.kind == wanted
      }?.value
    } catch {
      return nil
    }
  }

  /// True if an entity mapping takes all objects of its source entity.
  func isUnfiltered(_ place: Int) -> Bool {
    do {
      return try filter(of: mappings[place]) == nil
    } catch {
      return false
    }
  }

  /// True if a link leads to the counterpart of the same source object, created by another entity mapping that takes
  /// exactly the same source objects and keeps their keys. An example is a track and its artwork, both created from one
  /// object. The key then needs no look-up, because no policy can have changed or deleted the counterpart.
  private func leadsToSameRows(_ link: LinkPlan, from place: Int) -> Bool {
    guard link.sourceRelationship == nil, link.targets.count == 1, let target = link.targets.first,
      let rows = surveyedRows[place], rows == surveyedRows[target], keys.rules[target]?.offset == 0
    else { return false }
    return isUnseen && plan.steps[target].rows.isSQL
  }

  /// True if a survey has found that all targets of a relationship are migrated, and statements keep their keys.
  private func leadsToMigratedRows(_ link: LinkPlan, from place: Int) -> Bool {
    guard isUnseen, let name = link.sourceRelationship,
      let column = mappings[place].sourceEntityName.flatMap(source.layout.entity(named:))?.toOne(named: name)?.column,
      let linked = surveyedColumns[place]?.keys(inColumn: column)
    else { return false }
    var migrated = KeySet()
    for target in link.targets {
      guard plan.steps[target].rows.isSQL, keys.rules[target]?.offset == 0, let keys = knownKeys(target) else {
        return false
      }
      migrated.formUnion(keys)
    }
    return linked.isSubset(of: migrated)
  }

  /// True if nothing can see links while statements write them, so that no link is ever taken back.
  private var isUnseen: Bool { plan.isStatementsAlone && !plan.isObserved }

  /// True if all targets of a relationship are migrated and keep their keys. A fused hop has no dangling links.
  private func keepsKeys(_ link: LinkPlan, of entity: String) -> Bool {
    guard let viewed, let name = link.sourceRelationship,
      let target = sourceModel.relationship(name, of: entity)?.destinationEntityName,
      link.targets.allSatisfy({ keys.rules[$0]?.offset == 0 && isUnfiltered($0) })
    else { return false }
    let reached = Set(link.targets.compactMap { mappings[$0].sourceEntityName })
    return viewed.keys.allSatisfy { name, keys in
      guard keys.count > 0, let entity = sourceModel.entity(named: name) else { return true }
      return reached.contains(name) || !sourceModel.entity(entity, isKindOf: target)
    }
  }

  /// True if these two entity mappings migrate the objects at both ends of every link in a join table, so no link needs
  /// a test. Possible only if the source is a fused hop, which has no dangling links.
  func keepsLinks(through target: Int, from place: Int) -> Bool {
    guard let viewed else { return false }
    return [place, target].allSatisfy { place in
      guard isUnfiltered(place), let entity = mappings[place].sourceEntityName,
        let table = source.layout.entity(named: entity)?.tableName
      else { return false }
      return source.layout.entities.allSatisfy {
        $0.name == entity || $0.tableName != table || viewed.counts[$0.name] == nil
      }
    }
  }

  func value(
    of attribute: AttributeDescription, _ expression: MappingExpression?
  ) throws(NotTranslated) -> RowTransfer.AttributeSource {
    guard let expression else { return .none }
    if case .constant(.value(let value)) = expression.kind {
      guard let held = attribute.holding(constant: value) else {
        throw NotTranslated("the attribute cannot hold the constant")
      }
      return .constant(held)
    }
    return .expression(expression)
  }

  /// Returns the filter of an entity mapping that takes all objects of its source entity that match it.
  func filter(of mapping: CompleteEntityMapping) throws(NotTranslated) -> MappingPredicate? {
    if mapping.description.sourceExpression == nil { return mapping.filter }
    guard let fetch = mapping.sourceExpression?.sourceFetch, fetch.entity == mapping.sourceEntityName else {
      throw NotTranslated("its source expression is more than a simple fetch request")
    }
    guard fetch.predicate != "TRUEPREDICATE" else { return nil }
    guard let predicate = try? MappingPredicate(parsing: fetch.predicate) else {
      throw NotTranslated("the predicate of its source expression cannot be read")
    }
    return predicate
  }

  // MARK: Links of the source

  /// Counts the links of one-to-one relationships whose two ends contradict each other, and returns both ends.
  private mutating func findContradictoryLinks() throws -> Set<RelationshipEnd> {
    var found: Set<RelationshipEnd> = []
    var seen: Set<RelationshipEnd> = []
    for entity in sourceModel.entities {
      for relationship in entity.relationships where !relationship.isToMany {
        guard let target = relationship.destinationEntityName, let name = relationship.inverseName,
          let other = sourceModel.relationship(name, of: target), !other.isToMany
        else { continue }
        let ends = [
          RelationshipEnd(entity: entity.name, name: relationship.name),
          sourceModel.end(of: name, entity: target),
        ].compactMap(\.self)
        guard seen.isDisjoint(with: ends) else { continue }
        seen.formUnion(ends)
        // Links are counted at the canonical end only, so dangling links at the other end need a count of their own.
        for end in Set(ends) where LinkContributions.canonical(end, in: sourceModel) != end {
          let count = try sourceStore.danglingLinkCount(ofEntity: end.entity, relationship: end.name)
          guard count > 0 else { continue }
          plan.danglingBackLinks.append(DanglingLinks(entity: end.entity, relationship: end.name, count: count))
        }
        let count = try sourceStore.contradictoryLinkCount(entity.name, relationship.name, target, name)
        guard count != 0 else { continue }
        found.formUnion(ends)
        plan.contradictoryLinks.append(
          ContradictoryLinks(entity: entity.name, relationship: relationship.name, count: count ?? 0))
      }
    }
    return found
  }
}

/// The names of the SQL functions that find counterparts or check rows while a statement runs.
enum LinkFunctions {
  static func key(_ level: Int, step: Int, link: Int) -> String { "heavylift_link_key_\(level)_\(step)_\(link)" }
  static func entity(_ level: Int, step: Int, link: Int) -> String { "heavylift_link_entity_\(level)_\(step)_\(link)" }
  static func watchRows(_ level: Int, step: Int) -> String { "heavylift_watch_rows_\(level)_\(step)" }
  static func noteViolation(_ level: Int, step: Int) -> String { "heavylift_note_violation_\(level)_\(step)" }
  static func checkBounds(_ level: Int, step: Int) -> String { "heavylift_check_bounds_\(level)_\(step)" }
  static func join(_ level: Int, step: Int, join: Int) -> String { "heavylift_join_\(level)_\(step)_\(join)" }
  static func isCreated(step: Int) -> String { "heavylift_is_created_\(step)" }
  static func counterpartKey(step: Int, of other: Int) -> String { "heavylift_migrated_\(step)_of_\(other)" }
  static func key(step: Int, connection: Int) -> String { "heavylift_connected_key_\(step)_\(connection)" }
  static func entity(step: Int, connection: Int) -> String { "heavylift_connected_entity_\(step)_\(connection)" }
}
