import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Describes differences, using the names that objects have in graphs.
struct FailureWords {
  private let migration: TestedMigration
  private let completes: [CompleteEntityMapping]
  /// The provenance of destination objects, by name.
  private let records: [String: MigrationProvenance.Record]

  init(_ migration: TestedMigration) {
    self.migration = migration
    completes = migration.hops.flatMap(\.completes)
    let origins = migration.origins
    records = Dictionary(
      origins.records.compactMap { id, record in origins.names[id].map { ($0, record) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// Describes a difference that the verifier found; `nil` if a policy may be responsible for it.
  func failure(_ difference: VerificationDifference, _ report: VerificationReport) -> MigrationFailure? {
    if let name = difference.entityMappingName {
      guard completes.first(where: { $0.name == name })?.policyClassName == nil else { return nil }
    } else if completes.contains(where: { $0.policyClassName != nil }) {
      return nil
    }
    let (source, destination) = (called(difference.source), called(difference.destination))
    let subject = source ?? destination ?? "an object"
    let property = difference.propertyName?.quotedName ?? ""
    let problem =
      switch difference.kind {
      case .missing: "object \(subject) has no counterpart in the new store"
      case .several(let count): "object \(subject) has \(count.grouped) counterparts, but the mapping declares one"
      case .unexpected: "object \(subject): no mapping creates it"
      case .value(let expected, let found):
        "object \(subject): \(property) is \(JSONText.value(found)), but the mapping says \(JSONText.value(expected))"
      case .targets(let expected, let found):
        "object \(subject): \(property) leads to \(list(found)), but the mapping says \(list(expected))"
      case .failed(let reason): "object \(subject): \(property) has no value: \(reason)"
      }
    return MigrationFailure(
      problem: problem, responsible: responsible(difference.entityMappingName, difference.propertyName))
  }

  /// Describes a difference from the expected graph.
  func failure(_ difference: GraphDifference) -> MigrationFailure {
    let subject = "object \(difference.object.quotedName) of \(difference.entityName.quotedName)"
    let property = difference.propertyName?.quotedName ?? ""
    let problem =
      switch difference.kind {
      case .missing: "\(subject) is missing"
      case .unexpected: "\(subject) is unexpected"
      case .value(_, let expected, let found):
        "\(subject): \(property) is \(JSONText.value(found)), expected \(JSONText.value(expected))"
      case .targets(_, let expected, let found):
        "\(subject): \(property) leads to \(names(found)), expected \(names(expected))"
      }
    return MigrationFailure(
      problem: problem, responsible: handlers(of: difference.entityName) ?? declaration(difference),
      expectation: difference.location)
  }

  private func declaration(_ difference: GraphDifference) -> String? {
    // After several hops, the record has the entity mappings of all of them.
    let recorded = records[difference.object]?.entityMappingName
    let mapping =
      completes.contains { $0.name == recorded }
      ? recorded : completes.last { $0.destinationEntityName == difference.entityName }?.name
    return responsible(mapping, difference.propertyName)
  }

  /// Returns the stages with handlers that may change objects of an entity; `nil` if there are none.
  private func handlers(of entityName: String) -> String? {
    let stages = migration.hops.compactMap { hop -> String? in
      guard let stage = hop.stage else { return nil }
      let names = hop.handlers.filter { handler in
        guard case .objects(let name) = handler else { return true }
        return isRelated(name, entityName)
      }.map(\.title)
      return names.isEmpty ? nil : "\(stage.title), \(names.joined(separator: ", "))"
    }
    return stages.isEmpty ? nil : stages.joined(separator: "; ")
  }

  private func isRelated(_ one: String, _ other: String) -> Bool {
    let model = migration.pair.destinationModel
    return model.entity(named: other).map { model.entity($0, isKindOf: one) } ?? (one == other)
  }

  /// Returns the part of the mapping that decides a property, with its line.
  private func responsible(_ name: String?, _ property: String?) -> String? {
    guard let complete = completes.first(where: { $0.name == name }) else { return nil }
    let place = complete.description.markup.location.map { "\($0): " } ?? ""
    let mapping = "entity mapping \(complete.name.quotedName)"
    let policy = complete.policyClassName.map { ", policy \($0.quotedName)" } ?? ""
    guard let property, let mapped = complete.propertyMapping(named: property) else { return place + mapping + policy }
    let own = mapped.markup?.location.map { "\($0): " } ?? place
    let way =
      switch mapped.origin {
      case .written: mapped.valueExpression.map { "is \($0)" } ?? "gets no value"
      case .copied(let source): "is copied from \(source.quotedName)"
      case .rebuilt(let source, let through): "is rebuilt from \(source.quotedName) through \(through.quotedList)"
      case .unmapped: "gets no value"
      }
    return "\(own)\(property.quotedName) \(way) in \(mapping)\(policy)"
  }

  private func called(_ id: ManagedObjectID?) -> String? {
    guard let id else { return nil }
    let name = migration.origins.sourceNames[id] ?? migration.origins.names[id]
    return "\((name ?? "\(id.entityName)/p\(id.key)").quotedName) of \(id.entityName.quotedName)"
  }

  private func list(_ objects: [ManagedObjectID]) -> String {
    names(objects.map { migration.origins.names[$0] ?? "\($0.entityName)/p\($0.key)" })
  }

  private func names(_ names: [String]) -> String { names.isEmpty ? "nothing" : names.quotedList }
}
