import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Validation of a version whose store is not written.
///
/// A rule is skipped if the next hop copies the values and has the same rule, because a violation would show up there.
/// All other rules are checked on the views. A violation ends the attempt to fuse: the hops then run one by one, which
/// finds the violation again and reports it as usual.
struct ViewRules {
  private enum Rule {
    case condition(RuleCondition)
    /// The rules for an attribute's value.
    case value(String)
    /// The attribute's expression does not fail.
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
    // A policy could correct or delete what breaks a rule, before the next hop's rules are checked.
    if !next.plan.isObserved {
      for mappingIndex in next.plan.steps.indices where next.stores.isUnfiltered(mappingIndex) {
        transfers[mappingIndex] = try? next.prepared.statement(of: mappingIndex)
      }
    }
    self.transfers = transfers
  }

  /// Checks all rules on the views, except those that the next hop checks on its own rows.
  func check() throws {
    for layout in viewed.store.layout.entities {
      guard let entity = model.entity(named: layout.name), viewed.counts[layout.name] != nil else { continue }
      let rest = rules(of: entity, layout).filter { !isLeft($0, of: entity) }
      guard !rest.isEmpty else { continue }
      try hop.manager.cancellation.check()
      try check(rest, layout)
    }
    for index in viewed.store.layout.indexes where index.isUnique && !isLeft(index) {
      try refuse(if: finds("\(index.repeatedValues) LIMIT 1"))
    }
  }

  private func rules(of entity: EntityDescription, _ layout: EntityLayout) -> [Rule] {
    let conditions = viewed.store.ruleConditions(ofEntity: layout.name).filter { rule in
      switch rule.kind {
      case .presence: viewed.facts[entity.name]?.certain.contains(rule.property) != true
      // A fused hop has no dangling links.
      case .link: false
      // Rules that are not known here are checked.
      case .bounds, nil: true
      }
    }
    let fallible = viewed.facts[entity.name]?.fallible ?? []
    return conditions.map(Rule.condition) + layout.attributes.map { .value($0.name) }
      + layout.attributes.filter { fallible.contains($0.name) }.map { .evaluation($0.name) }
  }

  /// Returns true if a violation of this rule would also violate one of the next hop's rules.
  private func isLeft(_ rule: Rule, of entity: EntityDescription) -> Bool {
    let new = next.manager.destinationModel
    return next.plan.steps.enumerated().contains { mappingIndex, step in
      guard step.sourceEntityName == entity.name, let transfer = transfers[mappingIndex],
        let destination = new.entity(named: step.destinationEntityName)
      else { return false }
      /// True if the attribute is copied to one of the same type that meets a condition.
      func isCopied(_ name: String, _ meets: (_ copy: AttributeDescription, _ own: AttributeDescription) -> Bool)
        -> Bool
      {
        guard let own = model.allAttributes(of: entity).first(where: { $0.name == name }) else { return false }
        return transfer.copies.contains { copy, source in
          guard source == name, let copy = new.allAttributes(of: destination).first(where: { $0.name == copy }) else {
            return false
          }
          return copy.type == own.type && meets(copy, own)
        }
      }
      switch rule {
      case .condition(let rule):
        guard rule.kind == .presence else { return false }
        return isCopied(rule.property) { copy, _ in !copy.isOptional }
          || step.rowRelationships.contains { link in
            link.source == rule.property
              && new.allRelationships(of: destination).contains { $0.name == link.name && !$0.isOptional }
          }
      case .value(let name): return isCopied(name) { copy, own in copy.validation == own.validation }
      case .evaluation(let name): return isCopied(name) { _, _ in true }
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
    return next.plan.steps.enumerated().contains { mappingIndex, step in
      guard step.sourceEntityName == layout.name, let transfer = transfers[mappingIndex],
        let destination = next.stores.destination.layout.entity(named: step.destinationEntityName)
      else { return false }
      return next.stores.destination.layout.indexes.contains { other in
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
    var (broken, values, evaluated): ([String], Set<String>, [String]) = ([], [], [])
    for rule in rules {
      switch rule {
      case .condition(let rule): broken.append("(\(rule.condition))")
      case .value(let name): values.insert(name)
      case .evaluation(let name):
        let columns = layout.attributes.first { $0.name == name }?.leafColumns ?? []
        evaluated += columns.map { "total(t.\($0.asSQLIdentifier) IS NULL)" }
      }
    }
    let rows = "FROM \(layout.tableName.asSQLIdentifier) t WHERE \(layout.numberSQL("t")) = \(layout.number)"
    try check(broken, &values, layout, rows)
    if !evaluated.isEmpty {
      _ = try viewed.store.reporting {
        try viewed.store.database.firstValue("SELECT \(evaluated.joined(separator: " + ")) \(rows)")
      }
    }
    try refuse(if: !viewed.store.attributeViolations(ofEntity: layout.name, examples: 0, among: values).isEmpty)
  }

  /// Checks conditions and, in the same pass over the view, the bounds of integers. Removes the attributes whose values
  /// have been checked.
  private func check(
    _ broken: [String], _ values: inout Set<String>, _ layout: EntityLayout, _ rows: String
  ) throws {
    func finds(_ conditions: [String]) throws -> Bool {
      try !conditions.isEmpty && self.finds("SELECT 1 \(rows) AND (\(conditions.joined(separator: " OR "))) LIMIT 1")
    }
    let integers = viewed.store.integerRule(ofEntity: layout.name, among: values)
    if try !finds(broken + (integers.map { [$0.isBroken] } ?? [])) {
      values.subtract(integers?.attributes ?? [])
    } else {
      try refuse(if: finds(broken))
    }
  }

  private func finds(_ sql: String) throws -> Bool {
    try viewed.store.reporting { try viewed.store.database.firstValue(sql) } != nil
  }

  private func refuse(if isBroken: Bool) throws {
    if isBroken { throw ViewedStore.Refusal(reason: "a validation rule of hop \(hop.hop.title) is broken") }
  }
}
