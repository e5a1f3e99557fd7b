import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides which relationships SQL can write: those whose two ends, as the mappings make them, cannot disagree.
///
/// Objects set relationships one after the other, and the last one wins. Where both ends follow from the two ends of one
/// source relationship, through entity mappings that name each other, or only one end is mapped and no two objects can
/// claim the same target, there is nothing to win: the order does not matter.
struct RelationshipPlanner {
  /// One end of a relationship, by the entity that declares it.
  struct End: Hashable {
    var entity: String
    var name: String
  }

  /// How an entity mapping writes an end.
  private struct Writing {
    /// Nil for the source object itself.
    var sourceRelationship: RelationshipDescription?
    var targets: [Int]
  }

  private struct Refusal: Error { var text: String }

  private let planner: MigrationPlanner
  private var mappings: [CompleteEntityMapping] { planner.mappings }
  private var old: ManagedObjectModel { planner.sourceModel }
  private var new: ManagedObjectModel { planner.destinationModel }

  init(_ planner: MigrationPlanner) { self.planner = planner }

  /// The plan of all relationships.
  ///
  /// - Parameter disagreeing: One-to-one relationships of the source whose ends contradict each other.
  func plan(_ plan: inout MigrationPlan, _ disagreeing: Set<End>) {
    var refusals: [End: String] = [:]
    if let watcher = watcher() {
      for end in ends() { refusals[end] = watcher }
    } else {
      var seen: Set<End> = []
      for end in ends() where seen.insert(end).inserted {
        let inverse = self.inverse(of: end)
        if let inverse { seen.insert(inverse) }
        do {
          try write(end, inverse, disagreeing, &plan)
        } catch {
          let text = (error as? Refusal)?.text ?? "\(error)"
          refusals[end] = text
          if let inverse { refusals[inverse] = text }
        }
      }
    }
    decideConnections(&plan, refusals)
  }

  private func decideConnections(_ plan: inout MigrationPlan, _ refusals: [End: String]) {
    for (place, mapping) in mappings.enumerated() where plan.steps[place].connections != .nothing {
      var reasons: [MigrationPlan.Reason] = []
      if !plan.steps[place].rows.isSQL { reasons.append(.init("its objects come about one by one")) }
      for property in mapping.relationshipMappings where property.valueExpression != nil {
        guard let entity = mapping.destinationEntityName, let end = new.end(of: property.name, entity: entity),
          let text = refusals[end]
        else { continue }
        reasons.append(.init(text, property: property.name))
      }
      plan.steps[place].connections = reasons.isEmpty ? .sql : .objects
      plan.steps[place].connectionReasons = reasons
    }
  }

  /// Who could see in which order relationships come about.
  private func watcher() -> String? {
    if !planner.destination.layout.triggers.isEmpty { return "derived attributes are computed as it comes about" }
    for mapping in mappings {
      if mapping.policyClassName != nil { return "the policy of entity mapping '\(mapping.name)' may look on" }
      let expressions =
        (mapping.attributeMappings + mapping.relationshipMappings).compactMap(\.valueExpression)
        + (mapping.description.sourceExpression.map { [$0] } ?? [])
      for expression in expressions where expression.mayWatch {
        return "an expression of entity mapping '\(mapping.name)' may look on"
      }
    }
    return nil
  }

  // MARK: One relationship

  private func write(_ end: End, _ inverse: End?, _ disagreeing: Set<End>, _ plan: inout MigrationPlan) throws {
    guard let relationship = new.relationship(end.name, of: end.entity) else { return }
    let other = inverse.flatMap { new.relationship($0.name, of: $0.entity) }
    let (owners, others) = (steps(making: end.entity), inverse.map { steps(making: $0.entity) } ?? [])
    var writings = try self.writings(end, relationship, owners)
    var otherWritings =
      try inverse.flatMap { inverse in
        try other.map { try self.writings(inverse, $0, others) }
      } ?? [:]
    guard !writings.isEmpty || !otherWritings.isEmpty else { return }
    if relationship.isTransient || other?.isTransient == true { throw Refusal(text: "it is not stored") }
    if relationship.isOrdered || other?.isOrdered == true { throw Refusal(text: "it is ordered") }
    if inverse == end, relationship.isToMany { throw Refusal(text: "it is its own inverse") }
    // Without an inverse the targets are nobody's ends, and must be known all the same.
    let targets = (Array(writings.values) + Array(otherWritings.values)).flatMap(\.targets)
    try check(owners + others + targets, in: plan)
    let (isWritten, isOtherWritten) = (!writings.isEmpty, !otherWritings.isEmpty)
    if let inverse, let other {
      if writings.isEmpty {
        writings = try turned(otherWritings, owners)
      } else if otherWritings.isEmpty {
        otherWritings = try turned(writings, others)
      }
      try checkAgreement(writings, otherWritings, inverse == end)
      for writing in Array(writings.values) + Array(otherWritings.values) {
        try checkSource(writing.sourceRelationship, disagreeing, (relationship, other))
      }
      if !other.isToMany { try requireOneTarget(otherWritings) }
    }
    if !relationship.isToMany { try requireOneTarget(writings) }
    try checkStorage(end, writings)
    if let inverse { try checkStorage(inverse, otherWritings) }
    if !relationship.isToMany { try link(end, writings, owners, &plan) }
    if let inverse, let other, !other.isToMany, inverse != end { try link(inverse, otherWritings, others, &plan) }
    if relationship.isToMany, other?.isToMany ?? true {
      // One side writes each row.
      let (side, sides) = isWritten || !isOtherWritten ? (end, writings) : (inverse ?? end, otherWritings)
      for (place, writing) in sides { join(side, writing, place, &plan) }
    }
  }

  /// What each entity mapping says about an end.
  private func writings(
    _ end: End, _ relationship: RelationshipDescription, _ owners: [Int]
  ) throws -> [Int: Writing] {
    var found: [Int: Writing] = [:]
    for place in owners {
      let mapping = mappings[place]
      guard let property = mapping.relationshipMappings.first(where: { $0.name == end.name }),
        let expression = property.valueExpression
      else { continue }
      found[place] = try writing(expression, of: mapping, place, relationship)
    }
    return found
  }

  private func writing(
    _ expression: MappingExpression, of mapping: CompleteEntityMapping, _ place: Int,
    _ relationship: RelationshipDescription
  ) throws -> Writing {
    guard case .call(let receiver, let selector, let arguments) = expression.kind,
      case .variable("manager") = receiver.kind, arguments.count == 2,
      case .constant(.value(.string(let name))) = arguments[0].kind,
      let entity = mapping.sourceEntityName
    else { throw Refusal(text: "its expression is not one of what became of a source relationship's objects") }
    var old: RelationshipDescription?
    if case .variable("source") = arguments[1].kind {
      if relationship.isToMany { throw Refusal(text: "its expression gives one object for many") }
    } else {
      guard let found = arguments[1].sourceRelationshipName.flatMap({ self.old.relationship($0, of: entity) }) else {
        throw Refusal(text: "its expression is not one of what became of a source relationship's objects")
      }
      old = found
    }
    if let old, old.isTransient {
      let key = old.name; throw Refusal(text: "relationship '\(key)' of the source is not stored")
    }
    var targets: [Int]
    switch selector {
    case ManagerSelector.destinationInstancesForMapping: targets = [try self.place(named: name, from: place)]
    case ManagerSelector.destinationInstancesForRelationship:
      guard let named = self.old.relationship(name, of: entity) else {
        throw Refusal(text: "its expression names a relationship that the source does not have")
      }
      targets = try fitting(named, relationship, stage: planner.stages[place]).map {
        try self.place(named: $0, from: place)
      }
    default: throw Refusal(text: "function '\(selector)' is called on objects")
    }
    // What cannot be reached makes no difference.
    targets = targets.filter { target in
      guard let reached = mappings[target].sourceEntityName else { return false }
      // An object is of one entity, and comes along by the mappings of that very one.
      guard let old else { return reached == entity }
      return old.destinationEntityName.map { self.old.areRelated(reached, $0) } ?? false
    }
    for target in targets {
      guard let made = mappings[target].destinationEntityName.flatMap(new.entity(named:)),
        let wanted = relationship.destinationEntityName, new.entity(made, isKindOf: wanted)
      else { throw Refusal(text: "entity mapping '\(mappings[target].name)' makes objects of another entity") }
    }
    return Writing(sourceRelationship: old, targets: Array(Set(targets)).sorted())
  }

  private func fitting(
    _ source: RelationshipDescription, _ destination: RelationshipDescription, stage: Int
  ) -> [String] {
    let descriptions = mappings.indices.filter { planner.stages[$0] == stage }.map { mappings[$0].description }
    return FittingMappings(descriptions, source: ModelIndex(old), destination: ModelIndex(new))
      .names(from: source.destinationEntityName, to: destination.destinationEntityName)
  }

  /// As the run finds it: in the mapping model that runs, or else in the last before it.
  private func place(named name: String, from place: Int) throws -> Int {
    let stage = planner.stages[place]
    let candidates = mappings.indices.filter { mappings[$0].name == name && planner.stages[$0] <= stage }
    guard let found = candidates.first(where: { planner.stages[$0] == stage }) ?? candidates.last else {
      throw Refusal(text: "there is no entity mapping '\(name)'")
    }
    return found
  }

  // MARK: What must hold

  /// Every object that the relationship can concern has a key that is known beforehand.
  private func check(_ places: [Int], in plan: MigrationPlan) throws {
    for place in places where plan.steps[place].rows != .nothing || mappings[place].destinationEntityName != nil {
      guard plan.steps[place].rows.isSQL else {
        throw Refusal(text: "the objects of entity mapping '\(mappings[place].name)' come about one by one")
      }
    }
  }

  /// The same links, seen from their other ends.
  private func turned(_ writings: [Int: Writing], _ others: [Int]) throws -> [Int: Writing] {
    var turned: [Int: Writing] = [:]
    for (place, writing) in writings {
      for target in writing.targets {
        let inverse = inverse(ofSource: writing.sourceRelationship)
        guard others.contains(target), inverse != nil || writing.sourceRelationship == nil else {
          throw Refusal(text: "relationship '\(writing.sourceRelationship?.name ?? "")' of the source has no inverse")
        }
        if let known = turned[target], known.sourceRelationship?.name != inverse?.name {
          throw Refusal(text: "several relationships of the source lead to the same objects")
        }
        turned[target, default: Writing(sourceRelationship: inverse, targets: [])].targets.append(place)
      }
    }
    return turned
  }

  private func checkAgreement(_ one: [Int: Writing], _ other: [Int: Writing], _ isOwnInverse: Bool) throws {
    func isMirrored(_ writings: [Int: Writing], in others: [Int: Writing]) -> Bool {
      writings.allSatisfy { place, writing in
        writing.targets.allSatisfy { target in
          guard let back = others[target], back.targets.contains(place) else { return false }
          let inverse = inverse(ofSource: writing.sourceRelationship)
          guard (writing.sourceRelationship == nil) == (back.sourceRelationship == nil) else { return false }
          return inverse?.name == back.sourceRelationship?.name
        }
      }
    }
    guard isMirrored(one, in: other), isOwnInverse || isMirrored(other, in: one) else {
      throw Refusal(text: "its two ends are mapped in different ways")
    }
  }

  /// What the source tells at both ends must be the same, and be as many as the destination can hold.
  private func checkSource(
    _ source: RelationshipDescription?, _ disagreeing: Set<End>,
    _ ends: (RelationshipDescription, RelationshipDescription)
  ) throws {
    guard let source else {
      if ends.0.isToMany, ends.1.isToMany { throw Refusal(text: "it is many-to-many, and leads to one object") }
      return
    }
    guard let inverse = inverse(ofSource: source), let name = source.inverseName,
      let target = source.destinationEntityName
    else { throw Refusal(text: "relationship '\(source.name)' of the source has no inverse") }
    if !ends.0.isToMany || !ends.1.isToMany {
      // One end in the destination can lead to one object alone: so must one in the source.
      if source.isToMany, inverse.isToMany { throw Refusal(text: "the source's relationship is many-to-many") }
      if !ends.0.isToMany, !ends.1.isToMany, source.isToMany || inverse.isToMany {
        throw Refusal(text: "the source's relationship leads to many objects")
      }
    }
    if let end = old.end(of: name, entity: target), disagreeing.contains(end) {
      throw Refusal(text: "the two ends of the source's relationship '\(source.name)' contradict each other")
    }
    if inverse.name == source.name, source.isToMany { throw Refusal(text: "the source's is its own inverse") }
  }

  /// No object leads to two.
  private func requireOneTarget(_ writings: [Int: Writing]) throws {
    for writing in writings.values {
      if writing.sourceRelationship?.isToMany == true {
        throw Refusal(text: "the source's relationship leads to many objects")
      }
      let entities = writing.targets.compactMap { mappings[$0].sourceEntityName }
      if Set(entities).count < entities.count { throw Refusal(text: "several objects may come of one") }
    }
  }

  /// Both stores hold what the models say; a configuration may leave out one end.
  private func checkStorage(_ end: End, _ writings: [Int: Writing]) throws {
    func isStored(_ name: String, _ entity: String?, _ layout: PhysicalLayout) -> Bool {
      guard let layout = entity.flatMap(layout.entity(named:)) else { return false }
      return layout.toOne(named: name) != nil || layout.toMany(named: name) != nil
    }
    for (place, writing) in writings {
      let (source, destination) = (mappings[place].sourceEntityName, mappings[place].destinationEntityName)
      let isRead = writing.sourceRelationship.map { isStored($0.name, source, planner.source.layout) } ?? true
      guard isRead, isStored(end.name, destination, planner.destination.layout) else {
        throw Refusal(text: "it is not in the store")
      }
    }
  }

  // MARK: Writing it down

  private func link(_ end: End, _ writings: [Int: Writing], _ owners: [Int], _ plan: inout MigrationPlan) throws {
    for (place, writing) in writings where !writing.targets.isEmpty {
      plan.steps[place].links.append(
        LinkPlan(
          relationship: end.name, sourceRelationship: writing.sourceRelationship?.name, targets: writing.targets))
      plan.predictedSteps.formUnion(writing.targets)
    }
  }

  private func join(_ end: End, _ writing: Writing, _ place: Int, _ plan: inout MigrationPlan) {
    guard !writing.targets.isEmpty else { return }
    plan.steps[place].joins.append(
      LinkPlan(relationship: end.name, sourceRelationship: writing.sourceRelationship?.name, targets: writing.targets))
    if plan.steps[place].connections == .nothing { plan.steps[place].connections = .sql }
  }

  // MARK: Models

  private func steps(making entity: String) -> [Int] {
    mappings.indices.filter { place in
      mappings[place].destinationEntityName.flatMap(new.entity(named:)).map { new.entity($0, isKindOf: entity) }
        ?? false
    }
  }

  private func ends() -> [End] {
    new.entities.flatMap { entity in entity.relationships.map { End(entity: entity.name, name: $0.name) } }
  }

  private func inverse(of end: End) -> End? {
    guard let relationship = new.relationship(end.name, of: end.entity), let name = relationship.inverseName,
      let target = relationship.destinationEntityName
    else { return nil }
    return new.end(of: name, entity: target)
  }

  private func inverse(ofSource relationship: RelationshipDescription?) -> RelationshipDescription? {
    guard let name = relationship?.inverseName, let target = relationship?.destinationEntityName else { return nil }
    return old.relationship(name, of: target)
  }
}

extension MigrationPlan.Strategy {
  /// Whether a statement does it.
  var isSQL: Bool { self == .sql || self == .sqlWithFunctions }
}

extension MappingExpression {
  /// Whether it calls anything of the program's, or looks at the destination.
  fileprivate var mayWatch: Bool {
    var found = false
    visit { part in
      switch part.kind {
      case .variable("destination"), .otherFunction: found = true
      case .call(let receiver, let selector, _):
        guard case .variable("manager") = receiver.kind else { return found = found || selector != "valueForKey:" }
        let isBuiltIn = [
          ManagerSelector.destinationInstancesForMapping, ManagerSelector.destinationInstancesForRelationship,
          ManagerSelector.sourceInstancesForMapping, ManagerSelector.fetchRequest,
        ].contains(selector)
        if !isBuiltIn { found = true }
      case .keyPath(let base, _):
        guard case .variable("manager") = base.kind else { return }
        if part.description != "$manager.sourceContext" { found = true }
      default: break
      }
    }
    return found
  }
}

extension ManagedObjectModel {
  /// A relationship of an entity, inherited ones included.
  func relationship(_ name: String, of entity: String) -> RelationshipDescription? {
    self.entity(named: entity).flatMap { allRelationships(of: $0).first { $0.name == name } }
  }

  /// A relationship by the entity that declares it.
  func end(of name: String, entity: String) -> RelationshipPlanner.End? {
    guard let entity = self.entity(named: entity),
      let declaring = lineage(of: entity).last(where: { $0.relationships.contains { $0.name == name } })
    else { return nil }
    return .init(entity: declaring.name, name: name)
  }

  /// Whether an object can be of both entities.
  func areRelated(_ one: String, _ other: String) -> Bool {
    guard let first = entity(named: one), let second = entity(named: other) else { return false }
    return entity(first, isKindOf: other) || entity(second, isKindOf: one)
  }
}
