import HeavyliftExpression
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

/// The successors that a written mapping gives entities and properties, whatever their names and renaming identifiers.
struct DeclaredSuccession {
  private let (old, new): (ModelIndex, ModelIndex)
  /// The old entity of each new one.
  private var predecessors: [Int?]
  /// The entity mapping that creates the objects of each new entity.
  private var mappings: [Int: CompleteEntityMapping] = [:]
  /// The old name of each property that is copied, by new entity and new name.
  private var properties: [Int: [String: String]] = [:]
  /// The attributes that get the value of an expression, by new entity and name.
  private(set) var computed: [Int: [String: PropertyMappingDescription]] = [:]

  /// - Throws: `HopCut` if the mapping does more than copy objects and compute attributes.
  init(_ complete: CompleteMappingModel, _ old: ModelIndex, _ new: ModelIndex) throws(HopCut) {
    (self.old, self.new) = (old, new)
    predecessors = Array(repeating: nil, count: new.model.entities.count)
    for mapping in complete.entityMappings { try add(mapping) }
    pairAbstractEntities()
    for entity in new.model.entities.indices { pairUnstoredProperties(of: entity) }
    for entity in new.model.entities.indices { try requireSameAsParent(entity) }
  }

  var succession: Succession {
    let properties = predecessors.enumerated().map { entity, predecessor -> [Int?] in
      guard let predecessor else { return [] }
      let numbers = Dictionary(
        old.properties(of: predecessor).enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
      let names = self.properties[entity, default: [:]]
      return new.properties(of: entity).map { names[$0.name].flatMap { numbers[$0] } }
    }
    return Succession(entities: predecessors, properties: properties, fallbacks: [:])
  }

  // MARK: Entities

  private mutating func add(_ mapping: CompleteEntityMapping) throws(HopCut) {
    let shown = "entity mapping \(mapping.name.quotedName)"
    if let policy = mapping.policyClassName {
      throw HopCut(reason: "\(shown) has policy \(policy.quotedName), and what it does is not in the file")
    }
    if mapping.description.sourceExpression != nil {
      throw HopCut(reason: "\(shown) takes its objects from an expression")
    }
    if let filter = mapping.filter {
      throw HopCut(reason: "\(shown) takes only some objects: those with \(filter)")
    }
    if mapping.description.intendsDuplicates { throw HopCut(reason: "\(shown) intends duplicates") }
    if mapping.description.intendsLosses { throw HopCut(reason: "\(shown) intends losses") }
    guard let source = old.entity(named: mapping.sourceEntityName),
      let destination = new.entity(named: mapping.destinationEntityName)
    else { return }
    if let other = mappings[destination] {
      let names = [other.name, mapping.name].quotedList
      throw HopCut(
        reason: "entity mappings \(names) both create objects of \(new.model.entities[destination].name.quotedName)")
    }
    if let other = predecessors.firstIndex(of: source), let first = mappings[other] {
      let names = [first.name, mapping.name].quotedList
      throw HopCut(
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
      guard let predecessor, mappings[entity] == nil else { continue }
      // The objects of a sub-entity show what becomes of inherited properties.
      if let heir = new.entityAndSubentities(of: entity).first(where: { mappings[$0] != nil }) {
        let names = Set(new.propertyNames(of: entity))
        properties[entity] = properties[heir]?.filter {
          names.contains($0.key) && old.property(named: $0.value, of: predecessor) != nil
        }
        continue
      }
      let (before, after) = (old.properties(of: predecessor), new.properties(of: entity))
      for case (let one?, let other?) in RenamingMatch(old: before, new: after).pairs {
        properties[entity, default: [:]][after[other].name] = before[one].name
      }
    }
  }

  // MARK: Properties

  private mutating func addProperties(
    of mapping: CompleteEntityMapping, _ source: Int, _ destination: Int
  ) throws(HopCut) {
    var pairs: [String: String] = [:]
    var taken: Set<String> = []
    let all = mapping.attributeMappings + mapping.relationshipMappings
    // If a property is copied twice, the copy under its own name is the property itself.
    let sorted = all.filter { $0.copiedKey == $0.name } + all.filter { $0.copiedKey != $0.name }
    for property in sorted {
      guard let expression = property.valueExpression else { continue }
      if property.leavesSharedToLast { throw HopCut(reason: "\(shown(property, mapping)) may be shared") }
      if let key = property.copiedKey, !taken.contains(key), isPlainCopy(property, of: key, source, destination) {
        taken.insert(key)
        pairs[property.name] = key
        continue
      }
      guard case .attribute(let attribute)? = new.property(named: property.name, of: destination)?.property else {
        throw HopCut(reason: "\(shown(property, mapping)) is not a copy: \(expression)")
      }
      guard !attribute.isTransient, !attribute.isDerived, attribute.type != .composite else {
        throw HopCut(
          reason: "\(shown(property, mapping)) is \(attribute.type == .composite ? "a composite" : "not stored"), but "
            + "the mapping computes it: \(expression)")
      }
      var value = PropertyMappingDescription.attribute(property.name, expression)
      if let markup = property.markup { value.markup = markup }
      computed[destination, default: [:]][property.name] = value
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

  /// Values that are not stored are not mapped.
  private mutating func pairUnstoredProperties(of entity: Int) {
    guard let predecessor = predecessors[entity] else { return }
    for property in new.properties(of: entity)
    where !property.isWritable && old.property(named: property.name, of: predecessor)?.property.isWritable == false {
      properties[entity, default: [:]][property.name] = property.name
    }
  }

  /// Throws if an inherited property is not the same one as that of the entity that declares it.
  private func requireSameAsParent(_ entity: Int) throws(HopCut) {
    for property in new.properties(of: entity) {
      guard let parent = new.property(named: property.name, of: entity)?.declaredBy, parent != entity,
        predecessors[parent] != nil, predecessors[entity] != nil,
        properties[parent]?[property.name] != properties[entity]?[property.name]
      else { continue }
      throw HopCut(
        reason: "\(property.kind) \(property.name.quotedName) of entity \(new.model.entities[entity].name.quotedName) "
          + "is not copied like that of entity \(new.model.entities[parent].name.quotedName), which declares it")
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
