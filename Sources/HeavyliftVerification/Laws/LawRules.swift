import HeavyliftModel
import HeavyliftStore

/// Checks that a migrated store obeys the rules of its model, using only objects and none of the engine's SQL.
struct LawRules {
  private(set) var mistakes: [String] = []
  private let migration: TestedMigration

  init(_ migration: TestedMigration) throws {
    self.migration = migration
    let model = migration.pair.destinationModel
    for entity in model.entities.sorted(by: { $0.name < $1.name }) where !entity.isAbstract {
      guard migration.store.layout.entity(named: entity.name) != nil else { continue }
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = false
      let objects = try migration.context.fetch(request)
      for error in try migration.context.validate(changed: objects, deleted: []) {
        let properties = error.propertyNames.map(\.quotedName).joined(separator: ", ")
        mistakes.append("object \(called(error.objectID)): \(properties) \(error.problem)")
      }
    }
    // A graph knows both sides of every relationship.
    mistakes += GraphLinks(migration.graph, model: model).mistakes.map(\.problem)
    checkUniqueness(model)
  }

  private func called(_ id: ManagedObjectID) -> String {
    "\((migration.origins.names[id] ?? "\(id.entityName)/p\(id.key)").quotedName) of \(id.entityName.quotedName)"
  }

  private mutating func checkUniqueness(_ model: ManagedObjectModel) {
    var taken: [[String]: String] = [:]
    for object in migration.graph.objects {
      guard let entity = model.entity(named: object.entityName) else { continue }
      for ancestor in model.lineage(of: entity) {
        for constraint in ancestor.uniquenessConstraints {
          let values = constraint.propertyNames.map { name -> String? in
            guard let value = object.attributes[name] else { return object.relationships[name]?.first }
            return value.isNull ? nil : "\(value)"
          }
          guard !values.contains(nil) else { continue }
          let key = [ancestor.name] + constraint.propertyNames + values.compactMap(\.self)
          if let other = taken.updateValue(object.name, forKey: key) {
            mistakes.append(
              "objects \(other.quotedName) and \(object.name.quotedName) of \(object.entityName.quotedName) have the "
                + "same \(constraint.propertyNames.quotedList), which must be unique")
          }
        }
      }
    }
  }
}
