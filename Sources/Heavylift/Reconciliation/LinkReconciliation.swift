import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Accounts for the links of the source, from counts at both sides of a hop.
struct LinkReconciliation {
  /// A relationship by one of its two ends, the same for both.
  private typealias End = RelationshipEnd

  let source: PersistentStore
  let destination: PersistentStore
  let old: ManagedObjectModel
  let new: ManagedObjectModel
  let mappings: [CompleteEntityMapping]
  /// What happened to the objects.
  let rows: [MigrationReport.Rows]
  /// True if nothing but the mappings decides where relationships lead.
  let isDeclarative: Bool

  /// The destination relationships that have the links of each source relationship.
  private struct Feeds {
    var carriers: [End: Set<End>] = [:]
    /// Source relationships that other expressions read.
    var read: Set<End> = []
    /// The source entities of the mappings that carry each relationship.
    var entities: [End: Set<String>] = [:]
  }

  /// One entry for each source relationship with links.
  ///
  /// - Throws: `MigrationError` if links are missing although all of their objects were migrated.
  func links() throws -> [MigrationReport.Links] {
    let feeds = feeds()
    var (found, seen, counts): ([MigrationReport.Links], Set<End>, [End: Int]) = ([], [], [:])
    for entity in old.entities {
      for relationship in entity.relationships where !relationship.isTransient {
        let end = Self.canonical(End(entity: entity.name, name: relationship.name), in: old)
        guard seen.insert(end).inserted, let count = try source.linkCount(ofEntity: end.entity, relationship: end.name),
          count > 0
        else { continue }
        var links = MigrationReport.Links(entityName: end.entity, relationshipName: end.name, count: count)
        let carriers = feeds.carriers[end] ?? []
        var held = 0
        for carrier in carriers {
          if counts[carrier] == nil {
            counts[carrier] = try destination.linkCount(ofEntity: carrier.entity, relationship: carrier.name) ?? 0
          }
          held += counts[carrier, default: 0]
        }
        links.carried = min(count, held)
        if carriers.isEmpty, feeds.read.contains(end) || isLeftToPolicy(end) { links.replaced = count }
        links.dropped = count - links.carried - links.replaced
        if links.dropped > 0, let wanted = try expectedCount(end, feeds), held < wanted {
          throw missing(links, held: held, wanted: wanted)
        }
        found.append(links)
      }
    }
    return found.sorted { ($0.entityName, $0.relationshipName) < ($1.entityName, $1.relationshipName) }
  }

  /// True if a policy works with objects at one end, and may read the relationship.
  private func isLeftToPolicy(_ end: End) -> Bool {
    let target = old.relationship(end.name, of: end.entity)?.destinationEntityName ?? end.entity
    return mappings.contains { mapping in
      guard mapping.policyClassName != nil, let name = mapping.sourceEntityName else { return false }
      return old.areRelated(name, end.entity) || old.areRelated(name, target)
    }
  }

  private func feeds() -> Feeds {
    var feeds = Feeds()
    for mapping in mappings {
      guard let entity = mapping.sourceEntityName, let made = mapping.destinationEntityName else { continue }
      for property in mapping.attributeMappings + mapping.relationshipMappings {
        guard let expression = property.valueExpression else { continue }
        let name = property.kind == .relationship ? expression.relatedSourceRelationship : nil
        if let name, let end = old.end(of: name, entity: entity), let carrier = new.end(of: property.name, entity: made)
        {
          let canonical = Self.canonical(end, in: old)
          feeds.carriers[canonical, default: []].insert(Self.canonical(carrier, in: new))
          feeds.entities[canonical, default: []].insert(entity)
        } else {
          for name in expression.sourceKeys {
            if let end = old.end(of: name, entity: entity) { feeds.read.insert(Self.canonical(end, in: old)) }
          }
        }
      }
    }
    return feeds
  }

  /// The number of links that must have been carried; nil if something explains that there are fewer.
  private func expectedCount(_ end: End, _ feeds: Feeds) throws -> Int? {
    guard isDeclarative, let relationship = old.relationship(end.name, of: end.entity),
      let carriers = feeds.carriers[end], let carrier = carriers.first, carriers.count == 1,
      feeds.carriers.values.count(where: { $0.contains(carrier) }) == 1,
      let other = new.relationship(carrier.name, of: carrier.entity),
      let target = relationship.destinationEntityName, relationship.name != relationship.inverseName
    else { return nil }
    // One object at an end that had many takes the links of others.
    let ends = Self.toOneEnds(relationship, old)
    guard Self.toOneEnds(other, new) <= ends, ends < 2 else { return nil }
    let migrated = rows.allSatisfy { rows in
      guard let entity = old.entity(named: rows.entityName) else { return true }
      guard old.entity(entity, isKindOf: end.entity) || old.entity(entity, isKindOf: target) else { return true }
      // Of several entity mappings a relationship may lead through one alone.
      let makers = mappings.filter { $0.sourceEntityName == rows.entityName && $0.destinationEntityName != nil }
      return rows.migrated == rows.count && makers.count == 1
    }
    let isMapped = [end.entity, target].contains { name in
      rows.allSatisfy { rows in
        guard let entity = old.entity(named: rows.entityName), old.entity(entity, isKindOf: name) else { return true }
        return feeds.entities[end]?.contains(rows.entityName) ?? false
      }
    }
    guard migrated, isMapped else { return nil }
    return try source.linkCount(ofEntity: end.entity, relationship: end.name, withTargetsOnly: true)
  }

  /// The ends of a relationship that lead to one object. The target of a to-many without an inverse has one owner.
  private static func toOneEnds(_ relationship: RelationshipDescription, _ model: ManagedObjectModel) -> Int {
    guard let inverse = model.inverse(of: relationship) else { return 1 }
    return (relationship.isToMany ? 0 : 1) + (inverse.isToMany ? 0 : 1)
  }

  private func missing(_ links: MigrationReport.Links, held: Int, wanted: Int) -> MigrationError {
    MigrationError(
      .migration,
      problem: "of \(wanted) links of relationship '\(links.relationshipName)' of source entity '\(links.entityName)', "
        + "\(held) are in the new store, and all objects were migrated",
      remedy: "this is a defect of the migration engine: report it with the mapping file; nothing was changed")
  }

  /// The end that names a relationship: a to-one, or else the first by name.
  private static func canonical(_ end: End, in model: ManagedObjectModel) -> End {
    guard let inverse = model.inverse(of: end) else { return end }
    let isToMany = model.relationship(end.name, of: end.entity)?.isToMany ?? true
    let isOtherToMany = model.relationship(inverse.name, of: inverse.entity)?.isToMany ?? true
    if isToMany != isOtherToMany { return isToMany ? inverse : end }
    return (end.entity, end.name) <= (inverse.entity, inverse.name) ? end : inverse
  }
}

extension MappingExpression {
  /// The source relationship whose objects' counterparts an expression gives, if it does nothing else.
  fileprivate var relatedSourceRelationship: String? {
    guard case .call(let receiver, let selector, let arguments) = kind, case .variable("manager") = receiver.kind,
      arguments.count == 2,
      [ManagerSelector.destinationInstancesForMapping, ManagerSelector.destinationInstancesForRelationship]
        .contains(selector)
    else { return nil }
    return arguments[1].sourceRelationshipName
  }

  /// The properties of the source object with which key paths begin.
  fileprivate var sourceKeys: Set<String> {
    var names: Set<String> = []
    visit { part in
      guard case .keyPath(let base, let path) = part.kind, case .variable("source") = base.kind,
        case .name(let name)? = path.keys.first
      else { return }
      names.insert(name)
    }
    return names
  }
}
