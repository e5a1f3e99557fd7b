import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Validation of a version whose store is not written.
///
/// A rule is skipped if the next hop copies the values and has the same rule, because a violation would show up there.
/// All other rules are checked on the views. A violation ends the attempt to fuse: the hops then run one by one, which
/// finds the violation again and reports it as usual.
struct ViewRules {
  private enum Rule: Hashable {
    case presence(String)
    case bounds(String)
    case target(String)
    case evaluation(String)
  }

  private let hop: PreparedHop
  private let viewed: ViewedStore
  private let next: PreparedHop
  /// The next hop's statements, by the index of the entity mapping; only for mappings that take all objects of an
  /// entity.
  private let transfers: [Int: RowTransfer]
  private var model: ManagedObjectModel { hop.manager.destinationModel }

  init(_ hop: PreparedHop, _ viewed: ViewedStore, before next: PreparedHop) {
    (self.hop, self.viewed, self.next) = (hop, viewed, next)
    var transfers: [Int: RowTransfer] = [:]
    for (place, step) in next.plan.steps.enumerated() where next.planner.isUnfiltered(place) {
      transfers[place] = try? next.planner.transfer(for: next.planner.mappings[place], place, links: step.links).0
    }
    self.transfers = transfers
  }

  /// Checks all rules on the views, except those that the next hop checks on its own rows.
  func check() throws {
    for layout in viewed.store.layout.entities {
      guard let entity = model.entity(named: layout.name), viewed.counts[layout.name] != nil else { continue }
      let rest = rules(of: entity, layout).filter { !isLeft($0, of: entity) }
      guard !rest.isEmpty else { continue }
      try hop.checkCancellation()
      try check(rest, layout)
    }
    for index in viewed.store.layout.indexes where index.isUnique && !isLeft(index) {
      let columns = index.columns.map(\.name.asSQLIdentifier)
      let present = columns.map { "\($0) IS NOT NULL" }.joined(separator: " AND ")
      try refuse(
        if: "SELECT 1 FROM \(index.tableName.asSQLIdentifier) WHERE \(present) "
          + "GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1 LIMIT 1")
    }
  }

  private func rules(of entity: EntityDescription, _ layout: EntityLayout) -> [Rule] {
    var rules: [Rule] = []
    for attribute in model.allAttributes(of: entity)
    where layout.attributes.contains(where: { $0.name == attribute.name }) {
      let isCertain = viewed.certain[entity.name]?.contains(attribute.name) == true
      if !attribute.isOptional, !isCertain { rules.append(.presence(attribute.name)) }
      rules.append(.bounds(attribute.name))
      if viewed.fallible[entity.name]?.contains(attribute.name) == true { rules.append(.evaluation(attribute.name)) }
    }
    for relationship in model.allRelationships(of: entity) where !relationship.isToMany && !relationship.isOptional {
      if layout.toOnes.contains(where: { $0.name == relationship.name }) { rules.append(.target(relationship.name)) }
    }
    return rules
  }

  /// Returns true if a violation of this rule would also violate one of the next hop's rules.
  private func isLeft(_ rule: Rule, of entity: EntityDescription) -> Bool {
    let new = next.manager.destinationModel
    return next.plan.steps.enumerated().contains { place, step in
      guard step.sourceEntityName == entity.name, let transfer = transfers[place],
        let destination = step.destinationEntityName.flatMap(new.entity(named:))
      else { return false }
      switch rule {
      case .target(let name):
        return step.links.contains { link in
          link.sourceRelationship == name
            && new.allRelationships(of: destination).contains { $0.name == link.relationship && !$0.isOptional }
        }
      case .presence(let name), .bounds(let name), .evaluation(let name):
        guard let attribute = model.allAttributes(of: entity).first(where: { $0.name == name }) else { return false }
        return transfer.copies.contains { copy, source in
          guard source == name, let other = new.allAttributes(of: destination).first(where: { $0.name == copy }),
            other.type == attribute.type
          else { return false }
          switch rule {
          case .presence: return !other.isOptional
          case .bounds: return other.validation == attribute.validation
          default: return true
          }
        }
      }
    }
  }

  /// Returns true if all objects in the table of a unique index belong to one entity, and the next hop copies the
  /// unique values into columns that must also be unique.
  private func isLeft(_ index: IndexLayout) -> Bool {
    let layouts = viewed.store.layout.entities.filter {
      $0.tableName == index.tableName && viewed.counts[$0.name] != nil
    }
    guard layouts.count <= 1 else { return false }
    guard let layout = layouts.first else { return true }
    let names = index.columns.compactMap { column in layout.attributes.first { $0.column == column.name }?.name }
    guard names.count == index.columns.count else { return false }
    return next.plan.steps.enumerated().contains { place, step in
      guard step.sourceEntityName == layout.name, let transfer = transfers[place],
        let destination = step.destinationEntityName.flatMap(next.planner.destination.layout.entity(named:))
      else { return false }
      return next.planner.destination.layout.indexes.contains { other in
        guard other.isUnique, other.tableName == destination.tableName, other.columns.count == names.count else {
          return false
        }
        let copied = other.columns.compactMap { column in
          destination.attributes.first { $0.column == column.name }.flatMap { transfer.copies[$0.name] }
        }
        return Set(copied) == Set(names)
      }
    }
  }

  // MARK: Checking

  private func check(_ rules: [Rule], _ layout: EntityLayout) throws {
    var (mandatory, bounded, evaluated): (Set<String>, Set<String>, [String]) = ([], [], [])
    for rule in rules {
      switch rule {
      case .presence(let name), .target(let name): mandatory.insert(name)
      case .evaluation(let name):
        let columns = layout.attributes.first { $0.name == name }?.leafColumns ?? []
        evaluated += columns.map { "total(t.\($0.asSQLIdentifier) IS NULL)" }
      case .bounds(let name): bounded.insert(name)
      }
    }
    let missing = viewed.store.ruleConditions(ofEntity: layout.name).filter {
      $0.kind == .presence && mandatory.contains($0.property)
    }
    let rows = "FROM \(layout.tableName.asSQLIdentifier) t WHERE t.Z_ENT = \(layout.number)"
    if !missing.isEmpty {
      let broken = missing.map { "(\($0.condition))" }.joined(separator: " OR ")
      try refuse(if: "SELECT 1 \(rows) AND (\(broken)) LIMIT 1")
    }
    if !evaluated.isEmpty {
      _ = try viewed.store.reporting {
        try viewed.store.database.firstValue("SELECT \(evaluated.joined(separator: " + ")) \(rows)")
      }
    }
    if try !viewed.store.attributeViolations(ofEntity: layout.name, examples: 0, among: bounded).isEmpty {
      throw ViewedStore.Refusal(reason: "a validation rule of hop \(hop.hop.title) is broken")
    }
  }

  private func refuse(if sql: String) throws {
    let found = try viewed.store.reporting { try viewed.store.database.firstValue(sql) }
    if found != nil { throw ViewedStore.Refusal(reason: "a validation rule of hop \(hop.hop.title) is broken") }
  }
}
