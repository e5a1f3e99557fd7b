import HeavyliftModel

/// The rules of the model for the rows of one entity. All code that checks rows rather than objects uses them.
///
/// A rule that depends on one cell alone is checked while the row is written: by the statement that creates the row
/// (`RuleChecks`), or by the thread that inserts it (`RowInsertion`). For rows that are in the store already, rules are
/// conditions in SQL. Lengths, patterns and other bounds need decoded values, so an attribute's validator checks them.
final class RuleSet {
  /// The rules for one cell of a row.
  struct Cell: Sendable {
    enum Property: Sendable {
      case attribute(slot: Int)
      case toOne(slot: Int)
    }

    let property: Property
    let rule: ColumnRule
  }

  let cells: [Cell]
  /// The rules that the targets of links exist. Rows obey them if each link was looked up when it was written.
  let links: Set<PropertyRule>
  /// The rules that SQL can check, in the order of the entity's columns.
  let conditions: [RuleCondition]

  init(_ entity: EntityRuntime, in model: ManagedObjectModel) {
    var cells: [Cell] = []
    for attribute in entity.columns.attributes where attribute.column.type != .composite {
      guard !attribute.column.isDerived, let rule = ColumnRule(entity.attributes[attribute.slot]) else { continue }
      cells.append(Cell(property: .attribute(slot: attribute.slot), rule: rule))
    }
    for (slot, _) in entity.columns.toOnes {
      if let rule = ColumnRule(entity.toOnes[slot]) { cells.append(Cell(property: .toOne(slot: slot), rule: rule)) }
    }
    self.cells = cells
    let toOnes = entity.columns.toOnes.map { entity.toOnes[$0.slot].description.name }
    let toManys = entity.toManys.filter { $0.storage?.kind == .joinTable }.map(\.description.name)
    links = Set((toOnes + toManys).map { PropertyRule(.link, $0) })
    conditions = RuleCondition.conditions(of: entity.description, layout: entity.layout, in: model)
  }
}

extension PersistentStore {
  /// Returns the rules for rows of exactly that entity that SQL can check.
  package func ruleConditions(ofEntity name: String) -> [RuleCondition] {
    runtime.byName[name]?.rules.conditions ?? []
  }
}
