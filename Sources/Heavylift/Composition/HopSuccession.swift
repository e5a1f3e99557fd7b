import HeavyliftMapping
import HeavyliftModel

/// The successors that a hop gives entities and properties, and the attributes whose values it computes. It does nothing
/// else.
struct HopSuccession {
  let pair: ModelPair
  /// The attributes that get the value of an expression, by new entity and name.
  private(set) var computed: [Int: [String: PropertyMappingDescription]] = [:]

  /// - Throws: `HopCut` if the hop does more than copy objects and compute attributes.
  init(_ hop: MigrationHop) throws(HopCut) {
    if hop.jump != nil { throw HopCut(reason: "\(hop.title) is a jump") }
    let (source, destination) = (hop.sourceModel, hop.destinationModel)
    guard hop.origin != .inferred else {
      pair = ModelPair(from: source, to: destination)
      return
    }
    try Self.requireOneMapping(hop)
    let complete = hop.completedMappings[0]
    let declared = try DeclaredSuccession(complete, ModelIndex(source), ModelIndex(destination))
    let succession = declared.succession
    pair = ModelPair(from: source, to: destination, succession: succession)
    computed = declared.computed
    let mapping: MappingModel
    do {
      // A mapping file may drop links on purpose, and an inferred mapping refuses them.
      mapping = try MappingModel.inferred(
        from: source, to: destination, succession: succession, values: computed, fitsAllStores: true)
    } catch {
      throw HopCut(reason: error.diagnostics.first?.problem ?? "no mapping can be inferred")
    }
    let inferred = mapping.complete(from: source, to: destination)
    if let difference = complete.difference(from: inferred) { throw HopCut(reason: difference) }
    if let error = complete.check().first(where: { $0.severity == .error }) { throw HopCut(reason: error.problem) }
  }

  private static func requireOneMapping(_ hop: MigrationHop) throws(HopCut) {
    if case .stage(let stage, let part) = hop.origin {
      guard hop.handlers.isEmpty else {
        throw HopCut(reason: "\(stage.title) runs \(hop.handlers.map(\.title).joined(separator: ", "))")
      }
      guard part == .whole else { throw HopCut(reason: "\(stage.title) goes through a model of its own") }
    }
    guard hop.mappings.count == 1 else {
      throw HopCut(reason: "\(hop.title) has \(hop.mappings.count) mappings, which run as passes")
    }
  }
}

extension CompleteMappingModel {
  /// The first value that differs from the one in another mapping between the same models, in words.
  fileprivate func difference(from other: CompleteMappingModel) -> String? {
    let others = Dictionary(
      other.entityMappings.filter { $0.sourceEntityName != nil && $0.destinationEntityName != nil }.map {
        ([$0.sourceEntityName, $0.destinationEntityName], $0)
      }, uniquingKeysWith: { first, _ in first })
    let own = entityMappings.filter { $0.sourceEntityName != nil && $0.destinationEntityName != nil }
    for mapping in own {
      let shown = "entity mapping \(mapping.name.quotedName)"
      guard let counterpart = others[[mapping.sourceEntityName, mapping.destinationEntityName]] else {
        return "\(shown) does what no inferred mapping does"
      }
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        guard let expected = counterpart.propertyMapping(named: property.name),
          value(of: property) != other.value(of: expected)
        else { continue }
        return "\(property.kind.rawValue) \(property.name.quotedName) of \(shown) is not a plain copy: "
          + (property.valueExpression.map { "\($0)" } ?? "it gets no value")
      }
    }
    guard own.count == others.count else {
      let created = Set(own.map(\.destinationEntityName))
      let extra = others.values.compactMap(\.destinationEntityName).sorted().first { !created.contains($0) }
      return "no entity mapping creates objects of entity \((extra ?? "").quotedName)"
    }
    return nil
  }

  /// A value, and the entities of the entity mapping that it takes objects from, whose name is up to the author.
  private func value(of property: CompletePropertyMapping) -> [AnyHashable?] {
    guard let request = property.valueExpression?.counterpartsRequest, case .mapping(let name) = request.through else {
      return [property.valueExpression]
    }
    let mapping = entityMapping(named: name)
    return [request.objects, mapping?.sourceEntityName, mapping?.destinationEntityName]
  }
}
