import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore
import HeavyliftEngine

/// Plans one hop that changes the store itself.
struct InPlacePlanner {
  /// A hop that can be carried out.
  struct Hop {
    var change: InPlaceChange
    var blueprint: StoreBlueprint
    var losses: [MigrationLoss]
    /// The properties whose rules must be checked, by entity.
    var checked: [String: Set<String>]
  }

  private let store: PersistentStore
  private let manager: MigrationManager
  private let defersCleanup: Bool
  let stores: MappedStores
  let keys: SourceKeys
  private var mappings: [CompleteEntityMapping] { stores.mappings }
  private var refusals: [String] = []

  init(
    _ store: PersistentStore, _ hop: MigrationHop, _ manager: MigrationManager, _ options: MigrationOptions,
    defersCleanup: Bool
  ) throws {
    (self.store, self.manager, self.defersCleanup) = (store, manager, defersCleanup)
    let completes = hop.completedMappings
    try manager.check(completes)
    stores = try manager.mappedStores(completes, store, options)
    keys = SourceKeys(stores)
  }

  /// - Throws: `InPlaceRefusal` with all reasons if the hop needs a copy.
  mutating func make() throws -> Hop {
    refuseDerivedAttributes()
    var parts: [InPlaceEntity] = []
    for (place, mapping) in mappings.enumerated() where mapping.destinationEntityName != nil {
      guard mapping.sourceEntityName != nil else { continue }
      do {
        let (transfer, reasons) = try stores.statement(of: place)
        for reason in reasons { refusals.append("entity mapping '\(mapping.name)': \(reason)") }
        // The statement would read rows that it has changed already.
        if !transfer.readsRowAlone { refusals.append("entity mapping '\(mapping.name)' reads other objects") }
        guard reasons.isEmpty, transfer.readsRowAlone else { continue }
        try store.register(transfer)
        parts.append(InPlaceEntity(transfer, links: links(of: mapping)))
      } catch {
        refusals.append("entity mapping '\(mapping.name)': \(error)")
      }
    }
    guard refusals.isEmpty else { throw InPlaceRefusal(refusals) }
    // A copy would refuse them, too.
    try LinkReconciliation.checkFit(stores) { [keys] in try keys.taken(by: $0) }
    var change = try store.inPlaceChange(to: stores.destination, parts, defersCleanup: defersCleanup)
    change.checks += contradictionChecks()
    try refuseLostCounts(change)
    return Hop(
      change: change, blueprint: stores.destination, losses: try losses(), checked: checkedProperties(change))
  }

  private func losses() throws -> [MigrationLoss] {
    try stores.losses.compactMap { loss in
      guard let property = loss.property, let count = try store.count(of: property, entity: loss.entity), count > 0
      else { return nil }
      let isRelationship = stores.sourceModel.relationship(property, of: loss.entity) != nil
      return MigrationLoss(
        entity: loss.entity, property: property, reason: loss.reason, entityMappings: loss.entityMappings,
        unit: isRelationship ? .links : .values, count: count)
    }
  }

  // MARK: Relationships

  /// Returns the sources of an entity's links, by the names of its new relationships.
  private mutating func links(of mapping: CompleteEntityMapping) -> [String: InPlaceEntity.Link] {
    let (source, destination) = (stores.sourceModel, stores.destinationModel)
    guard let entity = destination.entity(named: mapping.destinationEntityName),
      let sourceName = mapping.sourceEntityName
    else { return [:] }
    var links: [String: InPlaceEntity.Link] = [:]
    for relationship in destination.allRelationships(of: entity) where !relationship.isTransient {
      let inverse = inverses(of: relationship)
      if let name = mapping.sourceRelationship(named: relationship.name) {
        links[relationship.name] = .same(name)
        refuseOtherInverse(name, of: sourceName, relationship, entity.name, inverse)
        continue
      }
      guard let (owner, name) = inverse.first, let old = source.relationship(name, of: owner) else { continue }
      if let back = source.inverse(of: old), source.relationship(back.name, of: sourceName) != nil,
        relationship.isToMany || !back.isToMany
      {
        links[relationship.name] = .same(back.name)
      } else if let end = source.end(of: name, entity: owner) {
        links[relationship.name] = .reverse(entity: end.entity, relationship: name)
      }
    }
    return links
  }

  /// The source relationships that become the inverse of a relationship, each with an entity that has it.
  private func inverses(of relationship: RelationshipDescription) -> [(entity: String, name: String)] {
    guard let inverse = stores.destinationModel.inverse(of: relationship),
      let target = relationship.destinationEntityName,
      let declaring = stores.destinationModel.end(of: inverse.name, entity: target)?.entity
    else { return [] }
    return mappings.compactMap { mapping in
      guard let made = stores.destinationModel.entity(named: mapping.destinationEntityName),
        stores.destinationModel.entity(made, isKindOf: declaring), let owner = mapping.sourceEntityName,
        let name = mapping.sourceRelationship(named: inverse.name)
      else { return nil }
      return (owner, name)
    }
  }

  /// Refuses two relationships that become inverses of each other but were not: their links would have to be merged.
  private mutating func refuseOtherInverse(
    _ name: String, of entity: String, _ relationship: RelationshipDescription, _ newEntity: String,
    _ inverses: [(entity: String, name: String)]
  ) {
    let oldEnd = stores.sourceModel.end(of: name, entity: entity)
    let newEnd = stores.destinationModel.end(of: relationship.name, entity: newEntity)
    let expected = oldEnd.flatMap(stores.sourceModel.inverse(of:))
    let wasOwnInverse = expected == oldEnd
    let isOwnInverse = newEnd.flatMap(stores.destinationModel.inverse(of:)) == newEnd
    guard inverses.contains(where: { $0.name != expected?.name }) || isOwnInverse && !wasOwnInverse else { return }
    refusals.append(
      "relationship '\(relationship.name)' of entity '\(newEntity)' has another inverse, so that the links of two "
        + "relationships would have to be merged")
  }

  /// Returns checks of one-to-one relationships of which only one end stays: links that only the other end has would be
  /// lost.
  private func contradictionChecks() -> [InPlaceChange.Check] {
    mappings.flatMap { mapping -> [InPlaceChange.Check] in
      guard let entity = stores.destinationModel.entity(named: mapping.destinationEntityName),
        let sourceName = mapping.sourceEntityName
      else { return [] }
      return stores.destinationModel.allRelationships(of: entity).compactMap { relationship in
        guard let name = mapping.sourceRelationship(named: relationship.name),
          let old = stores.sourceModel.relationship(name, of: sourceName), !old.isToMany,
          let oldInverse = stores.sourceModel.inverse(of: old), !oldInverse.isToMany
        else { return nil }
        let inverse = stores.destinationModel.inverse(of: relationship)
        let isOneToOne = !relationship.isToMany && inverse.map { !$0.isToMany } == true
        return isOneToOne ? nil : store.oneSidedLinks(of: name, entity: sourceName, inverse: oldInverse.name)
      }
    }
  }

  // MARK: Derived attributes

  /// Refuses derived attributes that are new or derived in another way: their values depend on other objects. A time of
  /// saving that a mapping carries over is a value like any other.
  private mutating func refuseDerivedAttributes() {
    for mapping in mappings {
      guard let entity = stores.destinationModel.entity(named: mapping.destinationEntityName) else {
        continue
      }
      let old = stores.sourceModel.entity(named: mapping.sourceEntityName)
      let olds = old.map(stores.sourceModel.allAttributes(of:)) ?? []
      for attribute in stores.destinationModel.allAttributes(of: entity) where attribute.isDerived {
        let isCarriedOver =
          attribute.isTimeOfSave
          && mapping.attributeMappings.contains { $0.name == attribute.name && $0.valueExpression != nil }
        let isKept =
          isCarriedOver
          || olds.contains {
            $0.name == attribute.name && $0.isDerived && $0.derivationExpression == attribute.derivationExpression
          } && inputsStay(of: attribute)
        if !isKept, mapping.sourceEntityName != nil {
          refusals.append("derived attribute '\(attribute.name)' of entity '\(entity.name)' must be computed anew")
        }
      }
    }
  }

  /// True if all properties that a derived attribute's expression names are the same as before, in every entity.
  private func inputsStay(of attribute: AttributeDescription) -> Bool {
    let words = Set(
      (attribute.derivationExpression ?? "").split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    return mappings.allSatisfy { mapping in
      guard let old = stores.sourceModel.entity(named: mapping.sourceEntityName) else { return true }
      let present = Set(
        stores.sourceModel.allAttributes(of: old).map(\.name) + stores.sourceModel.allRelationships(of: old).map(\.name)
      )
      return (mapping.attributeMappings + mapping.relationshipMappings).allSatisfy { property in
        let name = property.name
        guard words.contains(name), name != attribute.name else { return true }
        let source = mapping.sourceAttribute(named: name) ?? mapping.sourceRelationship(named: name)
        return source == name || source == nil && !present.contains(name)
      }
    }
  }

  /// Refuses to remove or move objects that derived attributes count: the triggers that count do not see it.
  private func refuseLostCounts(_ change: InPlaceChange) throws {
    let effects: Set<InPlaceEffect> = [.removesRows, .movesRows, .removesLinks, .fillsLinks]
    guard change.statements.contains(where: { effects.contains($0.effect) }) else { return }
    let counts = Set(
      stores.destination.layout.triggers.map { "derived attribute '\($0.attributeName)' of entity '\($0.entityName)'" }
    )
    guard counts.isEmpty else {
      throw InPlaceRefusal(counts.sorted().map { "\($0) may count objects that are removed or moved" })
    }
  }

  // MARK: Rules

  /// The properties whose rules may be broken: their values or links change, or the new version has stricter rules.
  ///
  /// A rule that the old version has, too, is not checked again for values that stay as they are.
  private func checkedProperties(_ change: InPlaceChange) -> [String: Set<String>] {
    var checked: [String: Set<String>] = [:]
    for mapping in mappings {
      guard let new = stores.destinationModel.entity(named: mapping.destinationEntityName),
        let old = stores.sourceModel.entity(named: mapping.sourceEntityName)
      else { continue }
      let (untouched, inherited) = (change.untouched[new.name] ?? [], change.inherited[new.name] ?? [])
      for attribute in stores.destinationModel.allAttributes(of: new) {
        let before = mapping.sourceAttribute(named: attribute.name).flatMap { name in
          stores.sourceModel.allAttributes(of: old).first { $0.name == name }
        }
        // Values without a known source were kept by an expression.
        let isKnown = before != nil || !inherited.contains(attribute.name)
        if !isKnown || !untouched.contains(attribute.name) || !stores.isAsLenient(attribute, before) {
          checked[new.name, default: []].insert(attribute.name)
        }
      }
      for relationship in stores.destinationModel.allRelationships(of: new) {
        let before = mapping.sourceRelationship(named: relationship.name).flatMap {
          stores.sourceModel.relationship($0, of: old.name)
        }
        // Links without a known source come from the other end.
        let isKnown = before != nil || !inherited.contains(relationship.name)
        if !isKnown || !untouched.contains(relationship.name) || !isAsLenient(relationship, before) {
          checked[new.name, default: []].insert(relationship.name)
        }
      }
    }
    return checked
  }

  private func isAsLenient(_ new: RelationshipDescription, _ old: RelationshipDescription?) -> Bool {
    guard let old else { return new.isOptional || new.isImplied || new.isToMany && new.minCount == 0 }
    return (new.isOptional || !old.isOptional) && new.minCount == old.minCount && new.maxCount == old.maxCount
  }
}

extension CompleteEntityMapping {
  /// The source relationship whose objects' counterparts a relationship leads to.
  fileprivate func sourceRelationship(named name: String) -> String? {
    guard case .rebuilt(let source, _)? = relationshipMappings.first(where: { $0.name == name })?.origin else {
      return nil
    }
    return source
  }

  /// The source attribute that an attribute is copied from.
  fileprivate func sourceAttribute(named name: String) -> String? {
    guard case .copied(let source)? = attributeMappings.first(where: { $0.name == name })?.origin else { return nil }
    return source
  }
}
