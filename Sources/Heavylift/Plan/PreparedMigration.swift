import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Everything that is known and decided before the first row is written.
struct PreparedMigration {
  let plan: MigrationPlan
  let survey: SourceSurvey
  let options: MigrationOptions
  var stores: MappedStores { survey.stores }

  init(_ plan: MigrationPlan, _ survey: SourceSurvey, _ options: MigrationOptions) {
    (self.plan, self.survey, self.options) = (plan, survey, options)
  }

  /// Returns the statement that creates an entity mapping's rows with the relationships that are written with them; nil
  /// if no statement can create them.
  func statement(of mappingIndex: Int) throws -> RowTransfer? {
    guard var transfer = survey.rows[mappingIndex]?.statement else { return nil }
    guard plan.writesLinksWithRows else { return transfer }
    for (index, link) in plan.steps[mappingIndex].rowRelationships.enumerated() {
      let functions = LinkFunctions.target(step: mappingIndex, link: index)
      try transfer.set(
        link.name,
        to: .init(
          relationship: link.source, keyFunction: link.needsLookUp ? functions.key : nil,
          entityFunction: functions.entity))
    }
    return transfer
  }
}

/// The names of the SQL functions that find counterparts or watch rows while a statement runs.
enum LinkFunctions {
  /// The functions that return the key and the entity number of a link's target.
  struct Target {
    let key: String
    let entity: String
  }

  /// For a link that is written with its row, or when it is due.
  static func target(step: Int, link: Int) -> Target {
    Target(key: "heavylift_link_key_\(step)_\(link)", entity: "heavylift_link_entity_\(step)_\(link)")
  }
  /// For a relationship that is set in the second pass.
  static func target(step: Int, relationship: Int) -> Target {
    Target(
      key: "heavylift_target_key_\(step)_\(relationship)", entity: "heavylift_target_entity_\(step)_\(relationship)")
  }
  static func isCreatedForDue(step: Int) -> String { "heavylift_is_created_for_due_\(step)" }
  static func watchRows(step: Int) -> String { "heavylift_watch_rows_\(step)" }
  static func join(step: Int, join: Int) -> String { "heavylift_join_\(step)_\(join)" }
  static func isCreated(step: Int) -> String { "heavylift_is_created_\(step)" }
  static func counterpartKey(step: Int, of other: Int) -> String { "heavylift_migrated_\(step)_of_\(other)" }
}
