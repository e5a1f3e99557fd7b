import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// The reason a hop cannot be composed with the hops before it.
struct SquashCut: Error {
  var reason: String
}

/// A hop as successions: the entity and the property of the old version that become each one of the new version, and the
/// attributes whose values the hop computes.
struct HopSuccession {
  let hop: MigrationHop
  let complete: CompleteMappingModel
  let (old, new): (ModelIndex, ModelIndex)
  /// The old entity of each new one, by index.
  private(set) var predecessors: [Int?]
  /// The entity mapping that creates the objects of each new entity.
  private(set) var mappings: [Int: CompleteEntityMapping] = [:]
  /// The old name of each property that is copied, by new entity and new name.
  private(set) var properties: [Int: [String: String]] = [:]
  /// The attributes that get the value of an expression, by new entity.
  private(set) var computed: [Int: Set<String>] = [:]

  /// - Throws: `SquashCut` if the hop does more than copy objects and compute attributes.
  init(_ hop: MigrationHop) throws(SquashCut) {
    self.hop = hop
    (old, new) = (ModelIndex(hop.sourceModel), ModelIndex(hop.destinationModel))
    predecessors = Array(repeating: nil, count: new.model.entities.count)
    complete = try Self.complete(hop)
    for mapping in complete.entityMappings { try add(mapping) }
    pairAbstractEntities()
  }

  private static func complete(_ hop: MigrationHop) throws(SquashCut) -> CompleteMappingModel {
    if case .stage(let stage, let part) = hop.origin {
      guard hop.handlers.isEmpty else {
        throw SquashCut(reason: "\(stage.title) runs \(hop.handlers.map(\.title).joined(separator: ", "))")
      }
      guard part == .whole else { throw SquashCut(reason: "\(stage.title) goes through a model of its own") }
    }
    guard let mapping = hop.mappings.first, hop.mappings.count == 1 else {
      throw SquashCut(reason: "it has \(hop.mappings.count) mappings, which run as passes")
    }
    let complete = mapping.complete(from: hop.sourceModel, to: hop.destinationModel)
    // The hops of a plan are checked, too. What an inferred one loses is checked when hops are composed.
    if hop.origin != .inferred, let error = complete.check().first(where: { $0.severity == .error }) {
      throw SquashCut(reason: error.problem)
    }
    return complete
  }

  // MARK: Entities

  private mutating func add(_ mapping: CompleteEntityMapping) throws(SquashCut) {
    let shown = "entity mapping \(mapping.name.quotedName)"
    if let policy = mapping.policyClassName {
      throw SquashCut(reason: "\(shown) has policy \(policy.quotedName), and what it does is not in the file")
    }
    if mapping.description.sourceExpression != nil {
      throw SquashCut(reason: "\(shown) takes its objects from an expression")
    }
    if let filter = mapping.filter {
      throw SquashCut(reason: "\(shown) takes only some objects: those with \(filter)")
    }
    if mapping.description.intendsDuplicates { throw SquashCut(reason: "\(shown) intends duplicates") }
    if mapping.description.intendsLosses { throw SquashCut(reason: "\(shown) intends losses") }
    guard let source = old.entity(named: mapping.sourceEntityName),
      let destination = new.entity(named: mapping.destinationEntityName)
    else { return }
    if let other = mappings[destination] {
      let names = [other.name, mapping.name].quotedList
      throw SquashCut(
        reason: "entity mappings \(names) both create objects of \(new.model.entities[destination].name.quotedName)")
    }
    if let other = predecessors.firstIndex(of: source), let first = mappings[other] {
      let names = [first.name, mapping.name].quotedList
      throw SquashCut(
        reason: "entity mappings \(names) both take objects of \(old.model.entities[source].name.quotedName)")
    }
    predecessors[destination] = source
    mappings[destination] = mapping
    try addProperties(of: mapping, source, destination)
  }

  /// Abstract entities have no objects, and no entity mapping says what they become.
  private mutating func pairAbstractEntities() {
    let taken = Set(predecessors.compactMap(\.self))
    let olds = old.model.entities.indices.filter { !taken.contains($0) && old.model.entities[$0].isAbstract }
    let news = new.model.entities.indices.filter { predecessors[$0] == nil }
    let match = RenamingMatch(
      old: olds.map { RenamingMatch.Thing(old.model.entities[$0]) },
      new: news.map { RenamingMatch.Thing(new.model.entities[$0]) })
    for case (let before?, let after?) in match.pairs { predecessors[news[after]] = olds[before] }
    for (entity, predecessor) in predecessors.enumerated() {
      guard let predecessor, mappings[entity] == nil,
        !new.entityAndSubentities(of: entity).contains(where: { mappings[$0] != nil })
      else { continue }
      let (before, after) = (old.properties(of: predecessor), new.properties(of: entity))
      for case (let one?, let other?) in RenamingMatch(old: before, new: after).pairs {
        properties[entity, default: [:]][after[other].name] = before[one].name
      }
    }
  }

  // MARK: Properties

  private mutating func addProperties(
    of mapping: CompleteEntityMapping, _ source: Int, _ destination: Int
  ) throws(SquashCut) {
    var pairs: [String: String] = [:]
    var taken: Set<String> = []
    let all = mapping.attributeMappings + mapping.relationshipMappings
    // If a property is copied twice, the copy under its own name is the property itself.
    let sorted = all.filter { $0.copiedKey == $0.name } + all.filter { $0.copiedKey != $0.name }
    for property in sorted {
      guard let expression = property.valueExpression else { continue }
      if property.leavesSharedToLast { throw SquashCut(reason: "\(shown(property, mapping)) may be shared") }
      if let key = property.copiedKey, !taken.contains(key), isPlainCopy(property, of: key, source, destination) {
        taken.insert(key)
        pairs[property.name] = key
        continue
      }
      guard case .attribute(let attribute)? = new.property(named: property.name, of: destination)?.property else {
        throw SquashCut(reason: "\(shown(property, mapping)) is not a copy: \(expression)")
      }
      guard !attribute.isTransient, !attribute.isDerived, attribute.type != .composite else {
        throw SquashCut(
          reason: "\(shown(property, mapping)) is \(attribute.type == .composite ? "a composite" : "not stored"), but "
            + "the mapping computes it: \(expression)")
      }
      computed[destination, default: []].insert(property.name)
    }
    properties[destination] = pairs
  }

  /// True if inference would copy the property in the same way.
  private func isPlainCopy(
    _ property: CompletePropertyMapping, of key: String, _ source: Int, _ destination: Int
  ) -> Bool {
    let (before, after) = (old.property(named: key, of: source), new.property(named: property.name, of: destination))
    switch (before?.property, after?.property) {
    case (.attribute(let before)?, .attribute(let after)?):
      guard !before.isTransient, after.type.isInferred(from: before.type) else { return false }
      guard before.isOptional, !after.isOptional else { return property.valueExpression?.sourceKey != nil }
      guard case .ternary(_, _, let fallback)? = property.valueExpression?.kind else { return false }
      return fallback == MappingExpression(.constant(.value(after.defaultValue)))
    case (.relationship?, .relationship?): return true
    default: return false
    }
  }

  private func shown(_ property: CompletePropertyMapping, _ mapping: CompleteEntityMapping) -> String {
    "\(property.kind.rawValue) \(property.name.quotedName) of entity mapping \(mapping.name.quotedName)"
  }
}

extension CompletePropertyMapping {
  /// The source property whose value or links are copied, with a fallback for nil or without; `nil` for anything else.
  fileprivate var copiedKey: String? {
    if kind == .relationship { return valueExpression?.counterpartsRequest?.sourceKey }
    guard case .ternary(let condition, let value, let fallback)? = valueExpression?.kind else {
      return valueExpression?.sourceKey
    }
    guard case .comparison(let test) = condition.kind, test.comparator == .notEqual, test.left == value,
      case .constant(.value(.null)) = test.right.kind, case .constant(.value) = fallback.kind
    else { return nil }
    return value.sourceKey
  }
}

extension RenamingMatch.Thing {
  fileprivate init(_ entity: EntityDescription) {
    self.init(name: entity.name, identifier: entity.renamingIdentifier)
  }
}
