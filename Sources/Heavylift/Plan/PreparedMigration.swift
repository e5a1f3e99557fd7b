import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Everything that is known and decided before the first row is written.
struct PreparedMigration {
  let plan: MigrationPlan
  let survey: SourceSurvey
  let options: MigrationOptions
  /// True if nothing can see links while statements write them, so that no link is ever taken back.
  private let keepsAllLinks: Bool
  var stores: MappedStores { survey.stores }

  init(_ plan: MigrationPlan, _ survey: SourceSurvey, _ options: MigrationOptions) {
    (self.plan, self.survey, self.options) = (plan, survey, options)
    keepsAllLinks = plan.isStatementsAlone && !plan.isObserved
  }

  /// Returns the statement that creates an entity mapping's rows with the relationships that are written with them; nil
  /// if no statement can create them.
  func statement(of place: Int) throws -> RowTransfer? {
    guard var transfer = survey.rows[place]?.statement else { return nil }
    for (index, link) in plan.steps[place].rowRelationships.enumerated() {
      let functions = LinkFunctions.target(stores.level, step: place, link: index)
      try transfer.set(
        link.name,
        to: .init(
          relationship: link.source, keyFunction: needsFunction(link, from: place) ? functions.key : nil,
          entityFunction: functions.entity))
    }
    return transfer
  }

  // MARK: Targets that need no look-up

  private func needsFunction(_ link: RelationshipPlan, from place: Int) -> Bool {
    !leadsToSameRows(link, from: place) && !leadsToMigratedRows(link, from: place)
      && !leadsToKeptKeys(link, from: place)
  }

  /// True if a link leads to the counterpart of the same source object, created by another entity mapping that takes
  /// exactly the same source objects and keeps their keys. An example is a track and its artwork, both created from one
  /// object. No policy can have changed or deleted the counterpart.
  private func leadsToSameRows(_ link: RelationshipPlan, from place: Int) -> Bool {
    guard link.source == nil, link.targets.count == 1, let target = link.targets.first else { return false }
    return keepsAllLinks && survey.isSameRows(place, target) && stores.keepsKeys(target)
      && plan.steps[target].rows.isSQL
  }

  /// True if a survey has found that all targets of a relationship are migrated, and statements keep their keys.
  private func leadsToMigratedRows(_ link: RelationshipPlan, from place: Int) -> Bool {
    guard keepsAllLinks, let name = link.source,
      let entity = stores.mappings[place].sourceEntityName.flatMap(stores.source.layout.entity(named:)),
      let column = entity.toOne(named: name)?.column, let linked = survey.rows[place]?.columns?.keys(inColumn: column)
    else { return false }
    var migrated = KeySet()
    for target in link.targets {
      guard plan.steps[target].rows.isSQL, stores.keepsKeys(target), let keys = survey.knownKeys(target) else {
        return false
      }
      migrated.formUnion(keys)
    }
    return linked.isSubset(of: migrated)
  }

  /// True if all targets of a relationship are migrated and keep their keys. A fused hop has no dangling links.
  private func leadsToKeptKeys(_ link: RelationshipPlan, from place: Int) -> Bool {
    let model = stores.sourceModel
    guard keepsAllLinks, let viewed = stores.viewed, let name = link.source,
      let target = stores.mappings[place].sourceEntityName.flatMap({ model.relationship(name, of: $0) })?
        .destinationEntityName,
      link.targets.allSatisfy({ stores.keepsKeys($0) && stores.isUnfiltered($0) })
    else { return false }
    let reached = Set(link.targets.compactMap { stores.mappings[$0].sourceEntityName })
    return viewed.counts.keys.allSatisfy { name in
      guard let entity = model.entity(named: name) else { return true }
      return reached.contains(name) || !model.entity(entity, isKindOf: target)
    }
  }

  /// True if these two entity mappings migrate the objects at both ends of every link in a join table, so no link needs
  /// a test. Possible only if the source is a fused hop, which has no dangling links.
  func keepsLinks(through target: Int, from place: Int) -> Bool {
    guard keepsAllLinks, let viewed = stores.viewed else { return false }
    return [place, target].allSatisfy { place in
      guard stores.isUnfiltered(place), let entity = stores.mappings[place].sourceEntityName,
        let table = stores.source.layout.entity(named: entity)?.tableName
      else { return false }
      return stores.source.layout.entities.allSatisfy {
        $0.name == entity || $0.tableName != table || viewed.counts[$0.name] == nil
      }
    }
  }
}

/// The names of the SQL functions that find counterparts or check rows while a statement runs.
enum LinkFunctions {
  /// The functions that return the key and the entity number of a link's target.
  struct Target {
    let key: String
    let entity: String
  }

  /// For a link that is written with its row.
  static func target(_ level: Int, step: Int, link: Int) -> Target {
    Target(
      key: "heavylift_link_key_\(level)_\(step)_\(link)", entity: "heavylift_link_entity_\(level)_\(step)_\(link)")
  }
  /// For a relationship that is set in the second pass.
  static func target(step: Int, relationship: Int) -> Target {
    Target(
      key: "heavylift_target_key_\(step)_\(relationship)", entity: "heavylift_target_entity_\(step)_\(relationship)")
  }
  static func watchRows(_ level: Int, step: Int) -> String { "heavylift_watch_rows_\(level)_\(step)" }
  static func noteViolation(_ level: Int, step: Int) -> String { "heavylift_note_violation_\(level)_\(step)" }
  static func checkBounds(_ level: Int, step: Int) -> String { "heavylift_check_bounds_\(level)_\(step)" }
  static func join(_ level: Int, step: Int, join: Int) -> String { "heavylift_join_\(level)_\(step)_\(join)" }
  static func isCreated(step: Int) -> String { "heavylift_is_created_\(step)" }
  static func counterpartKey(step: Int, of other: Int) -> String { "heavylift_migrated_\(step)_of_\(other)" }
}
