import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides which relationships are written with the rows, or together when they are due: those whose two ends the
/// mappings cannot make contradict each other.
///
/// When relationships are set object by object, the last one set wins. The order makes no difference if both ends are
/// derived from the two ends of one source relationship, through entity mappings that refer to each other. It also
/// makes no difference if only one end is mapped and no two objects can claim the same target.
///
/// If the ends of a one-to-one relationship contradict each other in the source, each end keeps its links, as in a
/// migration in place.
struct RowLinkPlanner {
  typealias End = RelationshipEnd
  private typealias Writing = RelationshipWriting
  private typealias Refusal = RelationshipRefusal

  private let stores: MappedStores
  private var mappings: [CompleteEntityMapping] { stores.mappings }
  private var old: ManagedObjectModel { stores.sourceModel }
  private var new: ManagedObjectModel { stores.destinationModel }

  init(_ stores: MappedStores) { self.stores = stores }

  /// Adds both ends of a relationship to the plan; throws if its links may depend on their order.
  func write(_ end: End, _ inverse: End?, _ plan: inout MigrationPlan) throws(RelationshipRefusal) {
    guard let relationship = new.relationship(end.name, of: end.entity) else { return }
    let other = inverse.flatMap { new.relationship($0.name, of: $0.entity) }
    let (owners, others) = (steps(making: end.entity), inverse.map { steps(making: $0.entity) } ?? [])
    var writings = try self.writings(end, relationship, owners)
    var otherWritings: [Int: Writing] = [:]
    if let inverse, let other { otherWritings = try self.writings(inverse, other, others) }
    guard !writings.isEmpty || !otherWritings.isEmpty else { return }
    if relationship.isTransient || other?.isTransient == true { throw Refusal(text: "it is not stored") }
    try checkOrder(relationship, writings, otherWritings, isObserved: plan.isObserved)
    if let other { try checkOrder(other, otherWritings, writings, isObserved: plan.isObserved) }
    if inverse == end, relationship.isOrdered { throw Refusal(text: "it is ordered, and its own inverse") }
    if plan.isObserved, relationship.isToMany, let other, other.isToMany, relationship.isOrdered || other.isOrdered {
      throw Refusal(text: "it is many-to-many and ordered, and a policy or an expression may see its order")
    }
    // Without an inverse, `others` is empty, but the targets' keys must be computable as well.
    let targets = (Array(writings.values) + Array(otherWritings.values)).flatMap(\.targets)
    try checkKeys(of: owners + others + targets, in: plan)
    let (isWritten, isOtherWritten) = (!writings.isEmpty, !otherWritings.isEmpty)
    if let inverse, let other {
      if writings.isEmpty {
        writings = try turned(otherWritings, owners, leadBackToMany: relationship.isToMany)
      } else if otherWritings.isEmpty {
        otherWritings = try turned(writings, others, leadBackToMany: other.isToMany)
      }
      if !writings.isEmpty, !otherWritings.isEmpty {
        try checkAgreement(writings, otherWritings, inverse == end)
        for writing in Array(writings.values) + Array(otherWritings.values) {
          try checkSource(writing.sourceRelationship, (relationship, other), isOwnInverse: inverse == end)
        }
      }
      if !other.isToMany { try requireOneTarget(otherWritings) }
    }
    if !relationship.isToMany { try requireOneTarget(writings) }
    try checkStorage(end, writings)
    if let inverse { try checkStorage(inverse, otherWritings) }
    // If both ends are to-many, one of them writes the rows of the join table.
    let isJoin = relationship.isToMany && other?.isToMany ?? true
    func way(_ relationship: RelationshipDescription, writesJoin: Bool) -> RelationshipPlan.Way {
      !relationship.isToMany ? .withRow : isJoin && writesJoin ? .joinTable : .fromOtherEnd
    }
    let keepsOrder = isWritten && relationship.isOrdered
    let keepsOtherOrder = isOtherWritten && other?.isOrdered == true
    add(
      RelationshipPlan(
        name: end.name, targets: [], way: way(relationship, writesJoin: isWritten), isDeclared: isWritten,
        keepsOrder: keepsOrder, keepsInverseOrder: keepsOtherOrder), writings, &plan)
    if let inverse, let other, inverse != end {
      add(
        RelationshipPlan(
          name: inverse.name, targets: [], way: way(other, writesJoin: !isWritten), isDeclared: isOtherWritten,
          keepsOrder: keepsOtherOrder, keepsInverseOrder: keepsOrder), otherWritings, &plan)
    }
    let first = RowRelationship.Mappings(all: Set(owners), declaring: isWritten ? Set(writings.keys) : [])
    let second = RowRelationship.Mappings(
      all: Set(inverse == nil ? targets : others), declaring: isOtherWritten ? Set(otherWritings.keys) : [])
    plan.rowRelationships.append(
      RowRelationship(ends: [end, inverse].compactMap(\.self), first: first, second: inverse == end ? first : second))
  }

  /// Returns how the entity mappings set an end, by their indexes; mappings that do not set it are not included.
  private func writings(
    _ end: End, _ relationship: RelationshipDescription, _ owners: [Int]
  ) throws(RelationshipRefusal) -> [Int: Writing] {
    var found: [Int: Writing] = [:]
    for mappingIndex in owners {
      guard let writing = try RelationshipReader(stores: stores).writing(of: end.name, at: mappingIndex, relationship)
      else {
        continue
      }
      if writing.sourceRelationship == nil, relationship.isToMany {
        throw Refusal(text: "it is to-many, but its expression gives one object")
      }
      found[mappingIndex] = writing
    }
    return found
  }

  // MARK: Conditions

  /// Throws unless the keys of all objects at both ends can be computed from their source objects' keys.
  private func checkKeys(of mappingIndexes: [Int], in plan: MigrationPlan) throws(RelationshipRefusal) {
    for mappingIndex in mappingIndexes
    where plan.steps[mappingIndex].rows != .nothing || mappings[mappingIndex].destinationEntityName != nil {
      guard plan.steps[mappingIndex].rows.isSQL || stores.hasKeyRule(mappingIndex) else {
        throw Refusal(text: "entity mapping '\(mappings[mappingIndex].name)' runs object by object")
      }
    }
  }

  /// Returns the same links as seen from the other end; nothing if objects at that end may have many, and the source
  /// relationship is to-one without an inverse: then no two objects can take a target from each other.
  private func turned(
    _ writings: [Int: Writing], _ others: [Int], leadBackToMany: Bool
  ) throws(RelationshipRefusal) -> [Int: Writing] {
    if leadBackToMany, writings.values.allSatisfy(hasNoInverse) { return [:] }
    var turned: [Int: Writing] = [:]
    for (mappingIndex, writing) in writings {
      for target in writing.targets {
        let inverse = old.inverse(of: writing.sourceRelationship)
        guard others.contains(target), inverse != nil || writing.sourceRelationship == nil else {
          throw Refusal(text: "source relationship '\(writing.sourceRelationship?.name ?? "")' has no inverse")
        }
        if let known = turned[target], known.sourceRelationship?.name != inverse?.name {
          throw Refusal(text: "several source relationships lead to the same objects")
        }
        turned[target, default: Writing(sourceRelationship: inverse, targets: [])].targets.append(mappingIndex)
      }
    }
    return turned
  }

  private func checkAgreement(_ one: [Int: Writing], _ other: [Int: Writing], _ isOwnInverse: Bool)
    throws(RelationshipRefusal)
  {
    func isMirrored(_ writings: [Int: Writing], in others: [Int: Writing]) -> Bool {
      writings.allSatisfy { mappingIndex, writing in
        writing.targets.allSatisfy { target in
          guard let back = others[target], back.targets.contains(mappingIndex) else { return false }
          let inverse = old.inverse(of: writing.sourceRelationship)
          guard (writing.sourceRelationship == nil) == (back.sourceRelationship == nil) else { return false }
          return inverse?.name == back.sourceRelationship?.name
        }
      }
    }
    guard isMirrored(one, in: other), isOwnInverse || isMirrored(other, in: one) else {
      throw Refusal(text: "its two ends are mapped differently")
    }
  }

  /// Throws if the order of a list is neither that of the source's list nor that of its objects' keys.
  ///
  /// Until the turn of the list's owner comes, or if only the inverse is mapped, objects are appended to the list as their
  /// own turn comes.
  private func checkOrder(
    _ relationship: RelationshipDescription, _ writings: [Int: Writing], _ inverse: [Int: Writing], isObserved: Bool
  ) throws(RelationshipRefusal) {
    guard relationship.isOrdered else { return }
    if writings.isEmpty || isObserved, inverse.count > 1 {
      throw Refusal(text: "it is ordered, and several entity mappings add objects to it")
    }
    for writing in writings.values where !leadsToOneForEach(writing) {
      throw Refusal(text: "it is ordered, and one source object may produce several objects")
    }
    // Objects with the same place are sorted by their keys.
    guard Set(writings.values.flatMap(\.targets).map { stores.keys.rules[$0]?.offset }).count < 2 else {
      throw Refusal(text: "it is ordered, and its objects' keys are shifted by different numbers")
    }
  }

  /// Throws unless the source relationship has an inverse, and no more links than the destination can hold.
  private func checkSource(
    _ source: RelationshipDescription?, _ ends: (RelationshipDescription, RelationshipDescription), isOwnInverse: Bool
  ) throws(RelationshipRefusal) {
    guard let source else {
      if ends.0.isToMany, ends.1.isToMany { throw Refusal(text: "it is many-to-many, but leads to one object") }
      return
    }
    guard let inverse = old.inverse(of: source) else {
      throw Refusal(text: "source relationship '\(source.name)' has no inverse")
    }
    if !ends.0.isToMany || !ends.1.isToMany {
      // A to-one end in the destination needs a to-one end in the source.
      if source.isToMany, inverse.isToMany { throw Refusal(text: "the source relationship is many-to-many") }
      if !ends.0.isToMany, !ends.1.isToMany, source.isToMany || inverse.isToMany {
        throw Refusal(text: "the source relationship leads to many objects")
      }
    }
    if inverse.name == source.name, source.isToMany, !isOwnInverse {
      throw Refusal(text: "the source relationship is its own inverse")
    }
  }

  /// Throws if an object might have two targets.
  private func requireOneTarget(_ writings: [Int: Writing]) throws(RelationshipRefusal) {
    for writing in writings.values {
      if writing.sourceRelationship?.isToMany == true {
        throw Refusal(text: "the source relationship leads to many objects")
      }
      if !leadsToOneForEach(writing) { throw Refusal(text: "one source object may produce several objects") }
    }
  }

  private func leadsToOneForEach(_ writing: Writing) -> Bool {
    let entities = writing.targets.compactMap { mappings[$0].sourceEntityName }
    return Set(entities).count == entities.count
  }

  private func hasNoInverse(_ writing: Writing) -> Bool {
    writing.sourceRelationship.map { !$0.isToMany && old.inverse(of: $0) == nil } ?? false
  }

  /// Throws unless both stores contain the relationship: a configuration may omit the entity of one end.
  private func checkStorage(_ end: End, _ writings: [Int: Writing]) throws(RelationshipRefusal) {
    func isStored(_ name: String, _ entity: String?, _ layout: PhysicalLayout) -> Bool {
      guard let layout = layout.entity(named: entity) else { return false }
      return layout.toOne(named: name) != nil || layout.toMany(named: name) != nil
    }
    for (mappingIndex, writing) in writings {
      let (source, destination) = (
        mappings[mappingIndex].sourceEntityName, mappings[mappingIndex].destinationEntityName
      )
      let isRead = writing.sourceRelationship.map { isStored($0.name, source, stores.source.layout) } ?? true
      guard isRead, isStored(end.name, destination, stores.destination.layout) else {
        throw Refusal(text: "it, or its source relationship, is not stored")
      }
    }
  }

  // MARK: Adding to the plan

  private func add(_ common: RelationshipPlan, _ writings: [Int: Writing], _ plan: inout MigrationPlan) {
    for (mappingIndex, writing) in writings {
      var own = common
      (own.source, own.targets) = (writing.sourceRelationship?.name, writing.targets)
      plan.steps[mappingIndex].relationshipPlans.append(own)
    }
  }

  // MARK: Models

  private func steps(making entity: String) -> [Int] { stores.mappingsMaking[entity] ?? [] }
}
