import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel

/// The destination relationships that receive the links of source relationships, as declared by the entity mappings.
///
/// A relationship is identified by one of its two ends, always the same one: see `canonicalEnd(of:)`.
struct LinkContributions {
  /// A relationship mapping that migrates the links of a source relationship to a destination relationship.
  struct Contribution {
    /// The source relationship and the destination relationship, each identified by one end.
    var end: RelationshipEnd
    var carrier: RelationshipEnd
    var mappingIndex: Int
    /// The end of the destination relationship that the entity mapping sets.
    var settingEnd: RelationshipEnd
    /// The indexes of the entity mappings that create the objects at each end of the source relationship.
    var owners: Set<Int>
    var targets: Set<Int>
    /// True if the last object that points to a shared object may keep it.
    var leavesSharedToLast: Bool
    /// True if no link between migrated objects may be missing: the relationship mapping names no entity mapping, so that
    /// objects of every matching entity mapping count, its author permits no losses, and no expression at the other end
    /// decides.
    var mustFit: Bool
    /// True if the entity mapping's own objects are the owners.
    var isForward: Bool
    /// True if the destination allows only one owner for each target of the source relationship; false if it allows
    /// only one target for each owner; `nil` if it limits neither.
    var limitsTargets: Bool?

    /// The entity mappings that create the objects at the end of the relationship that the entity mapping does not own.
    var others: Set<Int> { isForward ? targets : owners }

    /// True if the owner of a source link becomes the target of the link in the destination.
    var isTurned: Bool { isForward != (settingEnd == carrier) }
  }

  /// A relationship mapping that sets a destination relationship with an expression other than those that migrate links.
  struct Computation {
    var mappingIndex: Int
    var end: RelationshipEnd
    var leavesSharedToLast: Bool
    /// True if the expression is evaluated for each object, so that its links are counted.
    var isCounted: Bool
  }

  /// An entity mapping with an expression that reads a source relationship for another purpose than to migrate its
  /// links.
  struct Reader {
    var mappingIndex: Int
    /// True if the entity mapping's objects are the owners.
    var isForward: Bool
    /// True if the expression sets a relationship, and may choose among the objects that the source relationship leads to.
    var mayChoose: Bool
  }

  private(set) var all: [RelationshipEnd: [Contribution]] = [:]
  /// The entity mappings that read each source relationship. Those that also migrate it are included only if they may
  /// choose other objects for its links.
  private(set) var readers: [RelationshipEnd: [Reader]] = [:]
  /// The expressions that set each destination relationship.
  private(set) var computed: [RelationshipEnd: [Computation]] = [:]
  private let old: ManagedObjectModel
  private let new: ManagedObjectModel
  private let mappings: [CompleteEntityMapping]

  init(_ stores: MappedStores) {
    let (old, new) = stores.originalModels
    (self.old, self.new, mappings) = (old, new, stores.mappings)
    let reader = RelationshipReader(stores: stores)
    for (mappingIndex, mapping) in mappings.enumerated() {
      guard let entity = mapping.sourceEntityName, let newEntity = mapping.destinationEntityName else { continue }
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        guard let expression = property.valueExpression else {
          addUnfit(property, mappingIndex, entity, newEntity)
          continue
        }
        if property.kind == .relationship, let relationship = new.relationship(property.name, of: newEntity),
          !relationship.isTransient,
          let settingEnd = new.end(of: property.name, entity: newEntity)
        {
          if let writing = try? reader.writing(of: property.name, at: mappingIndex, relationship),
            let name = writing.sourceRelationship?.name, let end = old.end(of: name, entity: entity),
            mapping.description.sourceExpression == nil
          {
            add(property, mappingIndex, end, relationship, settingEnd, Set(writing.targets))
            continue
          }
          computed[new.canonicalEnd(of: settingEnd), default: []].append(
            Computation(
              mappingIndex: mappingIndex, end: settingEnd, leavesSharedToLast: property.leavesSharedToLast,
              isCounted: expression.counterpartsRequest.map { $0.sourceKey == nil && !$0.isSourceItself } ?? true))
        }
        let chosen = property.kind == .relationship ? expression.lastSourceKeys : []
        for name in expression.sourceKeys {
          guard let end = old.end(of: name, entity: entity) else { continue }
          let canonical = old.canonicalEnd(of: end)
          readers[canonical, default: []].append(
            Reader(mappingIndex: mappingIndex, isForward: canonical == end, mayChoose: chosen.contains(name)))
        }
      }
    }
    for (end, own) in readers {
      let others = own.filter { reader in
        reader.mayChoose
          || all[end]?.contains { $0.mappingIndex == reader.mappingIndex && $0.isForward == reader.isForward } != true
      }
      readers[end] = others.isEmpty ? nil : others
    }
    for (end, own) in all {
      for (place, contribution) in own.enumerated()
      where isDecided(contribution.carrier, besides: contribution.settingEnd) {
        all[end]?[place].mustFit = false
      }
    }
  }

  /// Adds a relationship that would be copied by name, if any entity mapping created objects for it.
  private mutating func addUnfit(
    _ property: CompletePropertyMapping, _ mappingIndex: Int, _ entity: String, _ newEntity: String
  ) {
    guard case .unmapped(.noFittingMapping(let name)) = property.origin, property.markup == nil,
      let end = old.end(of: name, entity: entity), let relationship = new.relationship(property.name, of: newEntity),
      let settingEnd = new.end(of: property.name, entity: newEntity)
    else { return }
    add(property, mappingIndex, end, relationship, settingEnd, [])
  }

  private mutating func add(
    _ property: CompletePropertyMapping, _ mappingIndex: Int, _ end: RelationshipEnd,
    _ relationship: RelationshipDescription, _ settingEnd: RelationshipEnd, _ targets: Set<Int>
  ) {
    let canonical = old.canonicalEnd(of: end)
    let isForward = canonical == end
    let inverse = new.inverse(of: relationship)
    // A to-many relationship without an inverse is stored in a column of its target's table.
    let hasOneOwner = inverse.map { !$0.isToMany } ?? relationship.isToMany
    let limitsTargets: Bool? = hasOneOwner ? isForward : relationship.isToMany ? nil : !isForward
    all[canonical, default: []].append(
      Contribution(
        end: canonical, carrier: new.canonicalEnd(of: settingEnd), mappingIndex: mappingIndex, settingEnd: settingEnd,
        owners: isForward ? [mappingIndex] : targets,
        targets: isForward ? targets : [mappingIndex],
        leavesSharedToLast: property.leavesSharedToLast,
        mustFit: property.isAutomatic(mappings[mappingIndex].description.propertyMapping(named: property.name))
          && !mappings[mappingIndex].description.intendsLosses,
        isForward: isForward,
        limitsTargets: limitsTargets))
  }

  /// The contributions to a destination relationship.
  ///
  /// - Parameter ends: The source relationships to consider; nil for all.
  func feeding(_ carrier: RelationshipEnd, from ends: [RelationshipEnd]? = nil) -> [Contribution] {
    (ends ?? Array(all.keys)).flatMap { all[$0] ?? [] }.filter { $0.carrier == carrier }
  }

  /// True if expressions set a destination relationship at an end other than this one. They decide then which links
  /// remain.
  func isDecided(_ carrier: RelationshipEnd, besides end: RelationshipEnd) -> Bool {
    computed[carrier]?.contains { $0.end != end } ?? false
  }

  /// True if a destination relationship can get the same link from several source relationships, or from both ends of
  /// one that its entity mappings set differently.
  func mayOverlap(_ carrier: RelationshipEnd, from ends: [RelationshipEnd]) -> Bool {
    let own = feeding(carrier, from: ends)
    let isOwnInverse = new.inverse(of: carrier) == carrier
    if !isOwnInverse, Set(own.map(Origin.init)).count < 2 { return false }
    if isOwnInverse, ends.contains(where: { old.inverse(of: $0) != $0 }) { return true }
    var origins: [[Int]: Set<Origin>] = [:]
    for contribution in own {
      for owner in contribution.owners {
        for target in contribution.targets {
          let pair = contribution.isTurned ? [target, owner] : [owner, target]
          origins[pair, default: []].insert(Origin(contribution))
        }
      }
    }
    return origins.contains { pair, found in
      found.count > 1 || isOwnInverse && origins[pair.reversed()] != found
    }
  }

  /// A source relationship, and the direction in which a destination relationship gets its links.
  private struct Origin: Hashable {
    let end: RelationshipEnd
    let isTurned: Bool

    init(_ contribution: Contribution) { (end, isTurned) = (contribution.end, contribution.isTurned) }
  }

}

extension LinkContributions.Contribution {
  /// The entity mapping that sets the relationship, and those of the objects at its ends.
  var mappingIndexes: Set<Int> { owners.union(targets).union([mappingIndex]) }
}

extension CompletePropertyMapping {
  /// True if the mapping names no entity mapping.
  ///
  /// - Parameter written: The property mapping as written in the file, if there is one.
  fileprivate func isAutomatic(_ written: PropertyMappingDescription?) -> Bool {
    if case .related(_, let name)? = written?.source { return name == nil }
    if case .rebuilt = origin { return true }
    if case .unmapped(.noFittingMapping) = origin { return true }
    if case .relationship? = valueExpression?.counterpartsRequest?.through { return true }
    return false
  }
}
