import HeavyliftTestSupport

@testable import Heavylift
@testable import HeavyliftExpression
@testable import HeavyliftStore

/// Compares both stores of a mapping, slowly and without the engine, and lists everything that is missing although
/// the mapping does not say so.
///
/// Every source object that an entity mapping takes must have its counterpart, attributes and relationships that the
/// mapping does not mention must be unchanged, and nothing may be duplicated.
struct ConservationJudge {
  let mapping: MappingModel
  /// The offset added to source keys, by entity mapping.
  let offsets: [String: Int64]
  let source: ManagedObjectContext
  let destination: ManagedObjectContext

  private var old: ManagedObjectModel { source.store.model }
  private var new: ManagedObjectModel { destination.store.model }

  /// A source object that an entity mapping takes, and the name of its counterpart.
  private struct Taken {
    var object: ManagedObject
    var mapping: EntityMappingDescription
    var counterpart: String
  }

  init(_ test: MigrationTest, _ mapping: MappingModel, _ report: MigrationReport) throws {
    self.mapping = mapping
    offsets = Dictionary(
      report.mappings.map { ($0.name, $0.keyOffset ?? 0) }, uniquingKeysWith: { first, _ in first })
    let (old, new) = try test.bothStores()
    (source, destination) = (ManagedObjectContext(store: old), ManagedObjectContext(store: new))
  }

  func losses() throws -> [String] {
    let (sources, made) = (try objects(in: source), try objects(in: destination))
    var losses: [String] = []
    var taken: [String: [Taken]] = [:]
    var expected: [String: Int] = [:]
    for (name, object) in sources.sorted(by: { $0.key < $1.key }) {
      for mapping in mapping.entityMappings where mapping.sourceEntityName == object.entity.name {
        guard let entity = mapping.destinationEntityName, try takes(object, mapping) else { continue }
        let key = object.primaryKey + offsets[mapping.name, default: 0]
        taken[name, default: []].append(
          Taken(object: object, mapping: mapping, counterpart: "\(entity)/p\(key)"))
        expected[entity, default: 0] += 1
      }
    }
    for one in taken.values.flatMap(\.self) {
      guard let object = made[one.counterpart] else {
        losses.append("\(one.object): no \(one.counterpart) by \(one.mapping.name)")
        continue
      }
      losses += try lostValues(one, object) + lostLinks(one, object, sources, taken)
    }
    let counts = Dictionary(grouping: made.values, by: \.entity.name).mapValues(\.count)
    for entity in new.entities where counts[entity.name, default: 0] > expected[entity.name, default: 0] {
      losses.append("\(entity.name): \(counts[entity.name, default: 0]) of \(expected[entity.name, default: 0])")
    }
    return losses.sorted()
  }

  private func objects(in context: ManagedObjectContext) throws -> [String: ManagedObject] {
    var found: [String: ManagedObject] = [:]
    for entity in context.store.model.entities where !entity.isAbstract {
      var request = FetchRequest(entityName: entity.name)
      request.includesSubentities = false
      for object in try context.fetch(request) { found["\(object)"] = object }
    }
    return found
  }

  private func takes(_ object: ManagedObject, _ mapping: EntityMappingDescription) throws -> Bool {
    guard let filter = mapping.filter else { return true }
    let environment = EvaluationEnvironment(shape: try source.store.shape(ofEntity: object.entity.name))
    var context = EvaluationContext(environment)
    context.object = .object(object)
    return try CompiledPredicate(filter, in: environment).evaluate(in: &context)
  }

  private func lostValues(_ taken: Taken, _ object: ManagedObject) throws -> [String] {
    let (before, written) = (
      old.allAttributes(of: taken.object.entity), Set(taken.mapping.propertyMappings.map(\.name))
    )
    return try new.allAttributes(of: object.entity).compactMap { attribute in
      guard !written.contains(attribute.name), let origin = before.first(where: { $0.name == attribute.name }) else {
        return nil
      }
      let value: Value = try taken.object.value(forKey: attribute.name)
      let found: Value = try object.value(forKey: attribute.name)
      let isKept = origin.type == attribute.type ? value.isIdentical(to: found) : value == .null || found != .null
      return isKept ? nil : "\(taken.object).\(attribute.name): not in \(object)"
    }
  }

  private func lostLinks(
    _ taken: Taken, _ object: ManagedObject, _ sources: [String: ManagedObject], _ others: [String: [Taken]]
  ) throws -> [String] {
    let before = old.allRelationships(of: taken.object.entity)
    return try new.allRelationships(of: object.entity).flatMap { relationship -> [String] in
      let name = relationship.name
      guard !isDecided(relationship), let origin = before.first(where: { $0.name == name }) else { return [] }
      guard !origin.isToMany || relationship.isToMany else { return [] }
      let found = Set(try targets(object, relationship).map(\.description))
      return try targets(taken.object, origin).flatMap { target -> [String] in
        guard sources[target.description] != nil else { return [] }
        return (others[target.description] ?? []).compactMap {
          found.contains($0.counterpart) ? nil : "\(taken.object).\(name): \($0.counterpart) is not in \(object)"
        }
      }
    }
  }

  /// True if the mapping mentions the relationship, or creates several objects from one at either end: a link may
  /// then belong to another object.
  private func isDecided(_ relationship: RelationshipDescription) -> Bool {
    let names = Set([relationship.name, relationship.inverseName].compactMap(\.self))
    let destinations = mapping.entityMappings.compactMap(\.destinationEntityName)
    return mapping.entityMappings.contains { $0.propertyMappings.contains { names.contains($0.name) } }
      || Set(destinations).count < destinations.count
  }

  private func targets(
    _ object: ManagedObject, _ relationship: RelationshipDescription
  ) throws -> [ManagedObject] {
    if relationship.isToMany { return try object.objects(forKey: relationship.name) }
    return try object.object(forKey: relationship.name).map { [$0] } ?? []
  }
}
