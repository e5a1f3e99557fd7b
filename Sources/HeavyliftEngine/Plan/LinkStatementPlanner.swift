import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Decides which relationships statements set when their entity mapping's turn comes in the second pass.
///
/// A statement has the same result as setting the relationship object by object if two conditions hold: the expression
/// returns the counterparts of objects that stored links lead to, and no object of the mapping overwrites through one
/// end what another object set through the other end.
struct LinkStatementPlanner {
  private let stores: MappedStores
  private let contradictoryEnds: Set<RelationshipEnd>
  private let forcesObjects: Bool
  private let reader: RelationshipReader
  private var mappings: [CompleteEntityMapping] { stores.mappings }
  private var old: ManagedObjectModel { stores.sourceModel }
  private var new: ManagedObjectModel { stores.destinationModel }

  /// - Parameter contradictoryEnds: One-to-one relationships of the source whose ends contradict each other.
  init(_ stores: MappedStores, _ contradictoryEnds: Set<RelationshipEnd>, forcesObjects: Bool) {
    (self.stores, self.contradictoryEnds, self.forcesObjects) = (stores, contradictoryEnds, forcesObjects)
    reader = RelationshipReader(stores: stores)
  }

  /// The reason all relationships of an entity mapping are set object by object; nil if statements may set them.
  func reasonToSetAllByObject(_ mappingIndex: Int) -> String? {
    let mapping = mappings[mappingIndex]
    if forcesObjects { return "object-by-object migration was requested" }
    if let policy = mapping.policyClassName { return "policy '\(policy)' works with objects" }
    if mapping.relationshipMappings.contains(where: { $0.valueExpression?.mayReadNewObjects == true }) {
      return "an expression may read relationships that are already set"
    }
    if !stores.destination.layout.triggers.isEmpty {
      return "derived attributes are computed while the store is created"
    }
    if mapping.sourceEntityName == nil || !stores.hasKeyRule(mappingIndex) {
      return "its objects' keys cannot be computed from the source objects' keys"
    }
    if mapping.description.sourceExpression != nil, mapping.sourceExpression?.sourceFetch?.entity == nil {
      return "its source expression is more than a simple fetch request"
    }
    return nil
  }

  /// Plans the relationships of an entity mapping, except for those that are written with the rows.
  func plans(_ mappingIndex: Int, besides written: Set<RelationshipEnd>) -> [RelationshipPlan] {
    let mapping = mappings[mappingIndex]
    var plans: [RelationshipPlan] = []
    var mirrored: Set<String> = []
    let entity = mapping.destinationEntityName ?? ""
    for property in mapping.relationshipMappings where property.valueExpression != nil {
      if let end = new.end(of: property.name, entity: entity), written.contains(end) { continue }
      do {
        let (plan, isMirrored) = try plan(property.name, of: mapping, mappingIndex)
        plans.append(plan)
        if isMirrored { mirrored.insert(property.name) }
      } catch {
        let reason = (error as? RelationshipRefusal)?.text ?? "\(error)"
        plans.append(.init(name: property.name, targets: [], way: .byObject(reason: reason)))
      }
    }
    // If the same objects have both ends, both ends must be set in the same way.
    for index in plans.indices where mirrored.contains(plans[index].name) {
      guard let inverse = new.relationship(plans[index].name, of: entity)?.inverseName,
        plans.contains(where: { $0.name == inverse && $0.reasonForObjects != nil })
      else { continue }
      plans[index].way = .byObject(reason: "its inverse '\(inverse)' is set object by object")
    }
    return plans
  }

  /// - Returns: The plan, and true if the inverse is set for the same objects.
  private func plan(
    _ name: String, of mapping: CompleteEntityMapping, _ mappingIndex: Int
  ) throws -> (RelationshipPlan, isMirrored: Bool) {
    guard let entity = mapping.destinationEntityName, let sourceEntity = mapping.sourceEntityName,
      let relationship = new.relationship(name, of: entity),
      let writing = try reader.writing(of: name, at: mappingIndex, relationship)
    else { throw RelationshipRefusal(text: "one of the models does not have it") }
    let source = writing.sourceRelationship
    if let source, let end = old.end(of: source.name, entity: sourceEntity), contradictoryEnds.contains(end) {
      throw RelationshipRefusal(text: "the two ends of source relationship '\(source.name)' contradict each other")
    }
    guard LinkSource(from: stores.source, entity: sourceEntity, relationship: source?.name) != nil,
      LinkWriting(
        to: stores.destination, entity: entity, relationship: name, isCreatedFunction: "f", checksTargets: false)
        != nil
    else { throw RelationshipRefusal(text: "it, or its source relationship, is not stored") }
    let isMirrored = try isMirrored(relationship, writing, of: entity, sourceEntity, mappingIndex)
    let plan = RelationshipPlan(
      name: name, source: source?.name, targets: writing.targets,
      way: .afterRows(
        lookedUp: writing.allTargets, leadsToOneAtMost: source?.isToMany != true && isSingle(writing)))
    return (plan, isMirrored)
  }

  /// True if the entity mapping's objects have both ends, so each link is set twice. Throws if the two ends could
  /// disagree.
  private func isMirrored(
    _ relationship: RelationshipDescription, _ writing: RelationshipWriting, of entity: String, _ sourceEntity: String,
    _ mappingIndex: Int
  ) throws -> Bool {
    guard let end = new.end(of: relationship.name, entity: entity), let inverse = new.inverse(of: end),
      let own = new.entity(named: entity), new.entity(own, isKindOf: inverse.entity),
      let inverseDescription = new.relationship(inverse.name, of: inverse.entity)
    else { return false }
    let back: RelationshipWriting?
    if inverse == end {
      back = writing
    } else {
      back = try reader.writing(of: inverse.name, at: mappingIndex, inverseDescription)
    }
    guard let back else { return false }
    let (leadsBack, isLedBack) = (writing.targets.contains(mappingIndex), back.targets.contains(mappingIndex))
    guard leadsBack || isLedBack else { return false }
    let differently = RelationshipRefusal(text: "its two ends are mapped differently")
    guard leadsBack && isLedBack else { throw differently }
    switch (writing.sourceRelationship, back.sourceRelationship) {
    case (nil, nil): break
    case (let source?, let other?):
      guard let name = source.inverseName, let target = source.destinationEntityName,
        let one = old.end(of: name, entity: target), one == old.end(of: other.name, entity: sourceEntity)
      else { throw differently }
      // A to-one end needs a source relationship that leads to at most one counterpart.
      if !relationship.isToMany, source.isToMany || !isSingle(writing) { throw differently }
      if !inverseDescription.isToMany, other.isToMany || !isSingle(back) { throw differently }
    default: throw differently
    }
    return true
  }

  private func isSingle(_ writing: RelationshipWriting) -> Bool {
    let entities = writing.targets.compactMap { mappings[$0].sourceEntityName }
    return Set(entities).count == entities.count
  }
}
