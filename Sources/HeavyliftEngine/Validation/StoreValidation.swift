import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Checks a finished destination against all rules of its model, with a few scans of each table.
package struct StoreValidation {
  /// The maximum number of conditions counted in one scan.
  private static let conditionsPerScan = 200

  private let store: PersistentStore
  private var model: ManagedObjectModel { store.model }
  private let scope: Scope?
  private let checksLinks: Bool
  private let deletions: [MigrationViolation]
  private let explain: ([MigrationViolation]) throws -> [MigrationViolation]

  /// The rules to check in a store of which most stays as it is.
  package struct Scope {
    /// The properties to check, by entity.
    var properties: [String: Set<String>]
    /// The names of the unique indexes whose columns to check for duplicates.
    var uniqueIndexes: Set<String>

    package init(properties: [String: Set<String>], uniqueIndexes: Set<String>) {
      (self.properties, self.uniqueIndexes) = (properties, uniqueIndexes)
    }
  }

  /// - Parameters:
  ///   - scope: The rules to check; `nil` for all.
  ///   - checksLinks: False if all links are certain to lead to objects that exist.
  ///   - deletions: Violations by deleted objects, which the store does not contain.
  ///   - explain: Adds explanations to violations.
  package init(
    _ store: PersistentStore, scope: Scope? = nil, checksLinks: Bool = true, deletions: [MigrationViolation] = [],
    explain: @escaping ([MigrationViolation]) throws -> [MigrationViolation] = { $0 }
  ) {
    self.store = store
    self.scope = scope
    self.checksLinks = checksLinks
    self.deletions = deletions
    self.explain = explain
  }

  /// - Throws: `HopError` with all `MigrationViolations`.
  package func perform() throws {
    let violations = try store.reporting { try self.violations() } + deletions
    guard !violations.isEmpty else { return }
    let all = MigrationViolations(violations: try explain(violations))
    let (rules, objects) = (violations.count, violations.reduce(0) { $0 + $1.count })
    throw HopError(
      all.code,
      problem: "the migrated store breaks \(rules == 1 ? "a rule" : "\(rules) rules") of its model "
        + "in \(objects == 1 ? "1 place" : "\(objects) places"):\n\(all)",
      underlying: all)
  }

  private func violations() throws -> [MigrationViolation] {
    var found: [MigrationViolation] = []
    for layout in store.layout.entities {
      guard model.entity(named: layout.name)?.isAbstract == false else { continue }
      let rules = store.rules(ofEntity: layout.name).filter {
        isInScope($0.property, layout.name) && (checksLinks || !$0.isOfLink)
      }
      // Nearly always, no row breaks a rule, which one scan finds out.
      let isSuspicious = try hasRow(meetingOneOf: rules.filter { $0.suspicion == nil }.map(\.condition), layout)
      let suspicious = try rules.filter { rule in
        try rule.suspicion.map { try store.database.firstValue("SELECT \($0)") != .integer(0) } ?? isSuspicious
      }
      found += try brokenRules(suspicious, layout)
      var attributes = Set(layout.attributes.map(\.name).filter { isInScope($0, layout.name) })
      if !isSuspicious { attributes.subtract(rules.filter { $0.finding == nil }.map(\.property)) }
      found += try store.attributeViolations(
        ofEntity: layout.name, examples: MigrationViolation.examples, among: attributes
      ).map { violation($0.attribute, layout.name, $0.finding, $0.count, $0.keys) }
    }
    return found + (try duplicates())
  }

  private func violation(
    _ property: String, _ entity: String, _ finding: Finding, _ count: Int, _ keys: [Int64]
  ) -> MigrationViolation {
    MigrationViolation(
      code: HopError.Code(rawValue: finding.code.rawValue) ?? .validation, entityName: entity,
      propertyNames: [property], problem: finding.problem, remedy: finding.remedy, count: count, exampleKeys: keys)
  }

  private func isInScope(_ property: String, _ entity: String) -> Bool {
    scope.map { $0.properties[entity]?.contains(property) == true } ?? true
  }

  private func rows(of layout: EntityLayout) -> String {
    "FROM \(layout.tableName.asSQLIdentifier) t WHERE \(layout.numberSQL("t")) = \(layout.number)"
  }

  private func hasRow(meetingOneOf conditions: [String], _ layout: EntityLayout) throws -> Bool {
    try stride(from: 0, to: conditions.count, by: Self.conditionsPerScan).contains { start in
      let some = conditions[start..<min(start + Self.conditionsPerScan, conditions.count)]
      let one = some.map { "(\($0))" }.joined(separator: " OR ")
      return try store.database.firstValue("SELECT 1 \(rows(of: layout)) AND (\(one)) LIMIT 1") != nil
    }
  }

  private func brokenRules(_ rules: [Rule], _ layout: EntityLayout) throws -> [MigrationViolation] {
    var found: [MigrationViolation] = []
    let rows = rows(of: layout)
    for start in stride(from: 0, to: rules.count, by: Self.conditionsPerScan) {
      let some = rules[start..<min(start + Self.conditionsPerScan, rules.count)]
      let counts = some.map { "total(\($0.condition))" }.joined(separator: ", ")
      var broken: [(rule: Rule, count: Int)] = []
      do {
        var cursor = try store.database.prepare("SELECT \(counts) \(rows)").query()
        guard try cursor.next() else { continue }
        for (place, rule) in some.enumerated() where cursor.row.double(at: place) > 0 {
          broken.append((rule, Int(cursor.row.double(at: place))))
        }
      }
      for (rule, count) in broken {
        guard let finding = rule.finding else { continue }
        let keys = try keys("SELECT t.Z_PK \(rows) AND (\(rule.condition)) ORDER BY t.Z_PK")
        found.append(violation(rule.property, layout.name, finding, count, keys))
      }
    }
    return found
  }

  /// Objects with the same values as others in properties that must be unique.
  private func duplicates() throws -> [MigrationViolation] {
    try store.layout.indexes.filter { $0.isUnique && scope?.uniqueIndexes.contains($0.name) != false }.compactMap {
      index in
      let table = index.tableName.asSQLIdentifier
      let groups = index.repeatedValues
      guard
        case .integer(let count)? = try store.database.firstValue("SELECT total(number) + 0 FROM (\(groups))")
          .map(Self.integer), count > 0
      else { return nil }
      let same = index.columns.map { "b.\($0.name.asSQLIdentifier) = a.\($0.name.asSQLIdentifier)" }
      let keys = try keys(
        "SELECT b.Z_PK FROM (\(groups) ORDER BY 1 LIMIT \(MigrationViolation.examples)) g "
          + "JOIN \(table) a ON a.Z_PK = g.first JOIN \(table) b ON \(same.joined(separator: " AND ")) "
          + "ORDER BY g.first, b.Z_PK")
      let (entity, properties) = constraint(of: index)
      return MigrationViolation(
        code: .constraintViolation, entityName: entity, propertyNames: properties,
        problem: properties.count > 1
          ? "must be unique together, but other objects have the same values"
          : "must be unique, but other objects have the same value",
        remedy: "merge these objects, or give them different values",
        count: Int(count), exampleKeys: keys)
    }
  }

  private static func integer(_ value: SQLiteValue) -> SQLiteValue {
    if case .real(let number) = value { .integer(Int64(number)) } else { value }
  }

  /// The uniqueness constraint that an index enforces.
  private func constraint(of index: IndexLayout) -> (entity: String, properties: [String]) {
    let wanted = Set(index.columns.map(\.name))
    for layout in store.layout.entities where layout.tableName == index.tableName {
      for constraint in model.entity(named: layout.name)?.uniquenessConstraints ?? [] {
        let columns = constraint.propertyNames.compactMap { name in
          layout.attributes.first { $0.name == name }?.column ?? layout.toOnes.first { $0.name == name }?.column
        }
        if Set(columns) == wanted { return (layout.name, constraint.propertyNames) }
      }
    }
    return (index.tableName, index.columns.map(\.name))
  }

  private func keys(_ sql: String) throws -> [Int64] {
    var cursor = try store.database.prepare("\(sql) LIMIT \(MigrationViolation.examples)").query()
    var keys: [Int64] = []
    while try cursor.next() { keys.append(cursor.row.integer(at: 0)) }
    return keys
  }
}
