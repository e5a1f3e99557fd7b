import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides how each entity mapping is carried out.
///
/// SQL takes what it does exactly as objects would do it. As soon as somebody could watch, a policy or a function of the
/// program's, relationships are set in the second pass, in the order in which they always were.
struct MigrationPlanner {
  let mappings: [CompleteEntityMapping]
  private let losses: [MappingLoss]
  let stages: [Int]
  /// The places of the entity mappings that have a name.
  let placesOfNames: [String: [Int]]
  /// The places of the entity mappings that make objects of an entity or of one that inherits from it.
  let placesMaking: [String: [Int]]
  let source: StoreBlueprint
  let sourceStore: PersistentStore
  let destination: StoreBlueprint
  /// Both models have an inverse for every to-many, as stores do.
  let sourceModel: ManagedObjectModel
  let destinationModel: ManagedObjectModel
  /// The models as they are.
  let models: (source: ManagedObjectModel, destination: ManagedObjectModel)
  /// True if source entities that no entity mapping mentions are dropped: the last mapping model decides.
  let dropsUnmentioned: Bool
  let forcesObjects: Bool
  let prefetching: PrefetchOptions
  /// The source, if nobody has written it.
  let viewed: ViewedStore?
  /// Tells the functions of this hop from those of others on one connection.
  let level: Int
  private let keys: KeyPlan
  private(set) var plan: MigrationPlan
  /// How many objects each entity of the source has, sub-entities not included.
  private(set) var sourceCounts: [String: Int] = [:]
  /// What was found out about the source's rows, by what was asked: mappings that split an entity ask the same.
  private var surveys: [RowTransfer.Question: Survey] = [:]
  /// The keys of the objects that come along, by the places of entity mappings.
  private var surveyedKeys: [Int: KeySet] = [:]
  /// The keys of the objects that entity mappings remove by a filter, by their places.
  private(set) var removedKeys: [Int: KeySet] = [:]
  /// What was asked for them.
  private var surveyedRows: [Int: RowTransfer.Question] = [:]

  private struct Survey {
    let question: RowTransfer.Question
    let misfit: Int64?
    let keys: KeySet
  }

  /// Filled by a function that SQL calls.
  private final class SurveyedKeys {
    var keys = KeySet()
  }

  init(
    _ models: [CompleteMappingModel], from store: PersistentStore, to destination: StoreBlueprint, keys: KeyPlan,
    sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel, forcesObjects: Bool = false,
    prefetching: PrefetchOptions = PrefetchOptions(), viewed: ViewedStore? = nil
  ) {
    self.viewed = viewed
    level = viewed.map { $0.level + 1 } ?? 0
    mappings = models.flatMap(\.entityMappings)
    losses = models.losses
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
    (self.forcesObjects, self.prefetching) = (forcesObjects, prefetching)
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
    sourceCounts = try viewed?.counts ?? sourceStore.objectCounts(isClean: true)
    plan.losses = try counted(losses)
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
    // What SQL has made of relationships agrees at both ends.
    let contradictory = viewed == nil ? try findContradictoryLinks() : []
    RelationshipPlanner(self, contradictory).plan(&plan)
    removedKeys = try findRemovedKeys()
    try checkRemovals()
    try checkSharedTargets()
    return plan
  }

  /// Whether an entity mapping's keys follow from those of its source objects.
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
      let (transfer, reasons) = try transfer(for: mapping, place, links: [], isAttached: false)
      step.rowReasons = reasons
      guard reasons.isEmpty else { return }
      do {
        let survey = try survey(transfer, of: mapping.sourceEntityName ?? "")
        if let key = survey?.misfit {
          step.rowReasons = [.init("object \(key) has a value or a key that SQL cannot copy unchanged")]
          return
        }
        surveyedKeys[place] = survey?.keys
        surveyedRows[place] = survey?.question
      } catch {
        // Objects find the same mistake, and can tell more about it.
        step.rowReasons = [.init("evaluating its filter fails for at least one object")]
        return
      }
      step.rows = transfer.callsFunctions ? .sqlWithFunctions : .sql
    } catch {
      step.rowReasons = [.init(error.reason)]
    }
  }

  /// Looks at the rows of an entity mapping; nil where SQL has made all of them.
  private mutating func survey(_ transfer: RowTransfer, of entity: String) throws -> Survey? {
    let names = viewed.map { $0.computed[entity] ?? [] }
    // A filter that fails is noticed when the keys are looked for.
    if let names, names.isEmpty { return nil }
    let question = transfer.surveyQuestion(among: names)
    if let known = surveys[question] { return known }
    let found = SurveyedKeys()
    let misfit = try sourceStore.survey(transfer, among: names) { found.keys.insert($0) }
    let survey = Survey(question: question, misfit: misfit, keys: found.keys)
    surveys[question] = survey
    return survey
  }

  /// The statement of an entity mapping, and why there is none.
  func transfer(
    for mapping: CompleteEntityMapping, _ place: Int, links: [LinkPlan], isAttached: Bool = true
  ) throws(NotTranslated) -> (RowTransfer, [MigrationPlan.Reason]) {
    guard let entity = mapping.sourceEntityName, let newEntity = mapping.destinationEntityName else {
      throw NotTranslated("it has no source entity")
    }
    guard keys.rules[place] != nil else {
      throw NotTranslated("its objects' keys cannot be computed from the source objects' keys")
    }
    let filter = try request(of: mapping)
    var transfer = try RowTransfer(
      from: source, entity: entity, where: filter, to: destination, entity: newEntity, isAttached: isAttached)
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
      let needsFunction = !leadsToSameRows(link, from: place) && !keepsKeys(link, of: entity)
      try transfer.set(
        link.relationship,
        to: .init(
          relationship: link.sourceRelationship,
          keyFunction: needsFunction ? LinkFunctions.key(level, step: place, link: index) : nil,
          entityFunction: LinkFunctions.entity(level, step: place, link: index)))
    }
    return (transfer, reasons)
  }

  /// The keys of the objects that come along by an entity mapping; nil if that is to be found out.
  func knownKeys(_ place: Int) -> KeySet? {
    if let keys = surveyedKeys[place] { return keys }
    guard let viewed, let entity = mappings[place].sourceEntityName, isUnfiltered(place) else { return nil }
    return viewed.keys[entity] ?? KeySet()
  }

  /// Whether an entity mapping takes all objects of its source entity.
  func isUnfiltered(_ place: Int) -> Bool {
    do {
      return try request(of: mappings[place]) == nil
    } catch {
      return false
    }
  }

  /// Whether a relationship leads to what came of the same source object through an entity mapping that takes the very
  /// same objects and keeps their keys: a track's artwork, where both come of one. Nobody else has a hand in it.
  private func leadsToSameRows(_ link: LinkPlan, from place: Int) -> Bool {
    guard link.sourceRelationship == nil, link.targets.count == 1, let target = link.targets.first,
      let rows = surveyedRows[place], rows == surveyedRows[target], keys.rules[target]?.offset == 0
    else { return false }
    return plan.isStatementsAlone && plan.steps[target].rows.isSQL
  }

  /// Whether all that a relationship leads to comes along under its key; in a source that SQL has made, nothing dangles.
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

  /// Whether both objects of each link of a relationship come along by two entity mappings, where the links of all
  /// relationships lead from one to the other: in a source that SQL has made, nothing dangles.
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

  /// The filter of a mapping that takes all objects of its source entity that meet it.
  func request(of mapping: CompleteEntityMapping) throws(NotTranslated) -> MappingPredicate? {
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

  // MARK: What the source's data says

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
        // Links are counted at one end: those of the other are only seen here if they lead nowhere.
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

/// The names of the functions by which statements ask what came of an object.
enum LinkFunctions {
  static func key(_ level: Int, step: Int, link: Int) -> String { "heavylift_link_key_\(level)_\(step)_\(link)" }
  static func entity(_ level: Int, step: Int, link: Int) -> String { "heavylift_link_entity_\(level)_\(step)_\(link)" }
  static func made(_ level: Int, step: Int) -> String { "heavylift_made_\(level)_\(step)" }
  static func broken(_ level: Int, step: Int) -> String { "heavylift_broken_\(level)_\(step)" }
  static func looked(_ level: Int, step: Int) -> String { "heavylift_looked_\(level)_\(step)" }
  static func join(_ level: Int, step: Int, join: Int) -> String { "heavylift_join_\(level)_\(step)_\(join)" }
  static func isMade(step: Int) -> String { "heavylift_is_made_\(step)" }
  static func came(step: Int, of other: Int) -> String { "heavylift_came_\(step)_of_\(other)" }
  static func key(step: Int, connection: Int) -> String { "heavylift_connected_key_\(step)_\(connection)" }
  static func entity(step: Int, connection: Int) -> String { "heavylift_connected_entity_\(step)_\(connection)" }
}
