import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// A rule of the model for one property of an entity.
package struct PropertyRule: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// There is a value, or an object.
    case presence
    /// Whole numbers are within their bounds.
    case bounds
    /// What the relationship leads to is there.
    case link
  }

  package var kind: Kind
  package var property: String

  package init(_ kind: Kind, _ property: String) { (self.kind, self.property) = (kind, property) }
}

/// What is known of the rules of an entity while a statement writes its rows, which is sooner than to look at them again.
package struct RowWatch {
  /// What one column is watched for.
  struct Watch {
    var rules: [PropertyRule]
    var bounds: ClosedRange<Int64>?
    var isMandatory: Bool

    /// The same of an argument, of which nothing is copied.
    func isKept(by arguments: borrowing SQLiteArguments, at index: Int) -> Bool {
      switch arguments.type(at: index) {
      case .null: !isMandatory
      case .integer: bounds?.contains(arguments.integer(at: index)) ?? true
      default: bounds == nil
      }
    }

    func isKept(by value: SQLiteValue) -> Bool {
      switch value {
      case .null: !isMandatory
      case .integer(let number): bounds?.contains(number) ?? true
      default: bounds == nil
      }
    }
  }

  /// The names of the functions that statements call.
  package struct Functions {
    /// Takes note of a value that breaks a rule, and gives it.
    package var note: String
    /// Looks at a value, and gives it.
    package var look: String

    package init(note: String, look: String) { (self.note, self.look) = (note, look) }
  }

  /// Rules that no row can break.
  fileprivate(set) var sure: Set<PropertyRule> = []
  fileprivate(set) var watches: [Watch] = []
  fileprivate let functions: Functions

  /// Makes the functions known that the statement calls, before it runs.
  ///
  /// - Returns: Gives the rules that all rows have kept, once the statement has run. That links lead somewhere is
  ///   counted among them where a function has given their targets.
  package func begin(on database: Database) throws -> () -> Set<PropertyRule> {
    let (watches, log) = (watches, Log())
    try database.register(
      directFunction: functions.note, argumentCount: 2, isDeterministic: false
    ) { arguments, result in
      log.broken.insert(Int(arguments.integer(at: 0)))
      result.set(arguments, at: 1)
    }
    try database.register(
      directFunction: functions.look, argumentCount: 2, isDeterministic: false
    ) { arguments, result in
      let number = Int(arguments.integer(at: 0))
      if !watches[number].isKept(by: arguments, at: 1) { log.broken.insert(number) }
      result.set(arguments, at: 1)
    }
    return { [sure] in
      watches.indices.filter { !log.broken.contains($0) }.reduce(into: sure) { $0.formUnion(watches[$1].rules) }
    }
  }

  private final class Log {
    var broken: Set<Int> = []
  }
}

extension RowTransfer {
  /// Has the statement that makes the rows tell which rules of the destination's model some row breaks.
  ///
  /// - Parameter costly: Attributes of the source that are no columns, and cost something each time they are read.
  package mutating func watch(costly: Set<String>, calling functions: RowWatch.Functions) -> RowWatch {
    var watch = RowWatch(functions: functions)
    for attribute in destination.attributes {
      guard let column = attribute.column, !column.isDerived, column.type != .composite else { continue }
      watchValue(of: attribute, column.column, costly, &watch)
    }
    for toOne in destination.toOnes { watchLink(toOne, &watch) }
    // Rows of join tables are made of looked up keys alone.
    for toMany in destination.toManys where toMany.storage?.kind == .joinTable {
      watch.sure.insert(PropertyRule(.link, toMany.description.name))
    }
    return watch
  }

  private mutating func watchValue(
    of attribute: EntityRuntime.Attribute, _ column: String, _ costly: Set<String>, _ watch: inout RowWatch
  ) {
    let (name, isMandatory, bounds) = (
      attribute.description.name, !attribute.description.isOptional, attribute.wholeRange
    )
    var rules: [PropertyRule] = []
    if isMandatory { rules.append(PropertyRule(.presence, name)) }
    if bounds != nil { rules.append(PropertyRule(.bounds, name)) }
    guard !rules.isEmpty, let value = values[column] else { return }
    let own = RowWatch.Watch(rules: rules, bounds: bounds, isMandatory: isMandatory)
    if let constant = value.constant {
      if own.isKept(by: SQLiteValue(constant)) { watch.sure.formUnion(rules) }
      return
    }
    if bounds == nil, certain.contains(name) {
      watch.sure.formUnion(rules)
      return
    }
    let number = watch.watches.count
    watch.watches.append(own)
    let sql: String
    if let bounds {
      if let copied = copies[name], !costly.contains(copied), value.bindings.isEmpty {
        let isWithin = "BETWEEN \(bounds.lowerBound) AND \(bounds.upperBound)"
        let note = "\(watch.functions.note)(\(number), \(value.sql))"
        sql =
          isMandatory
          ? "CASE WHEN \(value.sql) \(isWithin) THEN \(value.sql) ELSE \(note) END"
          : "CASE WHEN \(value.sql) NOT \(isWithin) THEN \(note) ELSE \(value.sql) END"
      } else {
        sql = "\(watch.functions.look)(\(number), \(value.sql))"
      }
    } else {
      sql = "ifnull(\(value.sql), \(watch.functions.note)(\(number), NULL))"
    }
    values[column]?.sql = sql
  }

  private mutating func watchLink(_ toOne: EntityRuntime.ToOne, _ watch: inout RowWatch) {
    guard let column = toOne.column?.column else { return }
    let name = toOne.description.name
    // A function gives its targets, or all come along that can be meant; or it leads nowhere.
    watch.sure.insert(PropertyRule(.link, name))
    guard let value = values[column], !toOne.description.isOptional else { return }
    let rule = PropertyRule(.presence, name)
    if value.sources.rowColumn == Self.keyColumn {
      watch.sure.insert(rule)
      return
    }
    values[column]?.sql = "ifnull(\(value.sql), \(watch.functions.note)(\(watch.watches.count), NULL))"
    watch.watches.append(.init(rules: [rule], bounds: nil, isMandatory: true))
  }
}
