import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// The rules of an entity that are checked while a statement writes its rows, which is faster than reading the rows
/// again.
package struct RuleChecks {
  /// The names of the SQL functions that check values.
  package struct Functions {
    /// Records that a value breaks a rule, and returns the value.
    package var note: String
    /// Checks an integer against its bounds, records a violation, and returns the integer.
    package var checkBounds: String

    package init(note: String, checkBounds: String) { (self.note, self.checkBounds) = (note, checkBounds) }
  }

  /// Rules that no row can break.
  fileprivate(set) var sure: Set<PropertyRule> = []
  fileprivate(set) var rules: [ColumnRule] = []
  fileprivate let functions: Functions

  /// Registers the functions that the statement calls. To be called before it runs.
  ///
  /// - Returns: A function to call after the statement has run. It returns the rules that all rows obey, which include
  ///   that the targets of their relationships exist.
  package func begin(on database: Database) throws -> () -> Set<PropertyRule> {
    let (rules, log) = (rules, Log())
    try database.register(
      directFunction: functions.note, argumentCount: 2, isDeterministic: false
    ) { arguments, result in
      log.broken.insert(Int(arguments.integer(at: 0)))
      result.set(arguments, at: 1)
    }
    try database.register(
      directFunction: functions.checkBounds, argumentCount: 2, isDeterministic: false
    ) { arguments, result in
      let number = Int(arguments.integer(at: 0))
      let type = arguments.type(at: 1)
      let isAllowed = rules[number].allows(type, integer: type == .integer ? arguments.integer(at: 1) : 0)
      if !isAllowed { log.broken.insert(number) }
      result.set(arguments, at: 1)
    }
    return { [sure] in
      rules.indices.filter { !log.broken.contains($0) }.reduce(into: sure) { $0.formUnion(rules[$1].rules) }
    }
  }

  private final class Log {
    var broken: Set<Int> = []
  }
}

extension RowTransfer {
  /// Makes the statement find out which rules of the destination's model some row breaks.
  package mutating func addRuleChecks(calling functions: RuleChecks.Functions) -> RuleChecks {
    var checks = RuleChecks(functions: functions)
    // The targets exist: either a function looks up their keys, or all possible targets are migrated under their own
    // keys.
    checks.sure = destination.rules.links
    for cell in destination.rules.cells {
      switch cell.property {
      case .attribute(let slot): checkValue(of: destination.attributes[slot], cell.rule, &checks)
      case .toOne(let slot): checkTarget(of: destination.toOnes[slot], cell.rule, &checks)
      }
    }
    return checks
  }

  private mutating func checkValue(
    of attribute: EntityRuntime.Attribute, _ rule: ColumnRule, _ checks: inout RuleChecks
  ) {
    guard let column = attribute.column?.column, let value = values[column] else { return }
    let (name, rules, bounds) = (attribute.description.name, rule.rules, rule.bounds)
    if let constant = value.constant {
      if rule.allows(constant) { checks.sure.formUnion(rules) }
      return
    }
    if bounds == nil, certain.contains(name) {
      checks.sure.formUnion(rules)
      return
    }
    let number = checks.rules.count
    checks.rules.append(rule)
    let sql: String
    if let bounds {
      if copies[name] != nil, value.bindings.isEmpty {
        let isWithin = "BETWEEN \(bounds.lowerBound) AND \(bounds.upperBound)"
        let note = "\(checks.functions.note)(\(number), \(value.sql))"
        sql =
          rule.isMandatory
          ? "CASE WHEN \(value.sql) \(isWithin) THEN \(value.sql) ELSE \(note) END"
          : "CASE WHEN \(value.sql) NOT \(isWithin) THEN \(note) ELSE \(value.sql) END"
      } else {
        sql = "\(checks.functions.checkBounds)(\(number), \(value.sql))"
      }
    } else {
      sql = "ifnull(\(value.sql), \(checks.functions.note)(\(number), NULL))"
    }
    values[column]?.sql = sql
  }

  private mutating func checkTarget(
    of toOne: EntityRuntime.ToOne, _ rule: ColumnRule, _ checks: inout RuleChecks
  ) {
    guard let column = toOne.column?.column, let value = values[column] else { return }
    if value.sources.rowColumn == Self.keyColumn {
      checks.sure.formUnion(rule.rules)
      return
    }
    values[column]?.sql = "ifnull(\(value.sql), \(checks.functions.note)(\(checks.rules.count), NULL))"
    checks.rules.append(rule)
  }
}
