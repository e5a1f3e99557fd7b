import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// The values of one attribute that break one rule of the model.
  package struct AttributeViolation {
    package var code: ValidationError.Code
    package var attribute: String
    package var problem: String
    package var remedy: String
    package var count: Int
    /// The keys of the first objects with such a value.
    package var keys: [Int64]
  }

  /// Checks all values of an entity's attributes that have bounds, lengths or patterns; sub-entities are not included.
  ///
  /// Missing values are not reported here.
  ///
  /// - Parameter names: The attributes to check; nil for all.
  package func attributeViolations(
    ofEntity name: String, examples: Int, among names: Set<String>? = nil
  ) throws -> [AttributeViolation] {
    guard let entity = runtime.byName[name] else { return [] }
    let attributes = ruledAttributes(of: entity, among: names)
    guard !attributes.isEmpty else { return [] }
    var found: [AttributeViolation] = []
    var places: [String: Int] = [:]
    try reporting {
      let columns = attributes.map { SQLName($0.column.column).description }.joined(separator: ", ")
      var cursor = try database.prepare(
        "SELECT Z_PK, \(columns) FROM \(SQLName(entity.layout.tableName)) WHERE \(entity.layout.numberSQL()) = \(entity.layout.number) "
          + "ORDER BY Z_PK"
      ).query()
      while try cursor.next() {
        for (place, attribute) in attributes.enumerated() where !cursor.row.isNull(at: place + 1) {
          guard case .value(let value) = try AttributeCodec.decode(cursor.row, at: place + 1, as: attribute.column)
          else { continue }
          for finding in entity.attributes[attribute.slot].validator.findings(for: value) {
            let key = "\(attribute.slot) \(finding.code.rawValue)"
            let number = places[key] ?? found.count
            if number == found.count {
              places[key] = number
              found.append(
                AttributeViolation(
                  code: finding.code, attribute: attribute.column.name, problem: finding.problem,
                  remedy: finding.remedy, count: 0, keys: []))
            }
            found[number].count += 1
            if found[number].keys.count < examples { found[number].keys.append(cursor.row.integer(at: 0)) }
          }
        }
      }
    }
    return found
  }

  private func ruledAttributes(of entity: EntityRuntime, among names: Set<String>?) -> [RowColumns.AttributeColumns] {
    entity.columns.attributes.filter {
      let attribute = entity.attributes[$0.slot]
      return attribute.type != .composite && attribute.validator.hasValueRules && !$0.column.isDerived
        && names?.contains($0.column.name) ?? true
    }
  }

  /// A rule for all of an entity's integers that have bounds. Checking it decodes no values.
  package struct IntegerRule {
    package var attributes: Set<String>
    /// A condition that is true for a row with a value outside its bounds.
    package var isBroken: String
  }

  /// Returns the rule for an entity's integers; nil if none of them has bounds.
  package func integerRule(ofEntity name: String, among names: Set<String>? = nil) -> IntegerRule? {
    guard let entity = runtime.byName[name] else { return nil }
    var (attributes, conditions): (Set<String>, [String]) = ([], [])
    for attribute in ruledAttributes(of: entity, among: names) {
      guard let range = entity.attributes[attribute.slot].integerBounds else { continue }
      let column = SQLName(attribute.column.column)
      attributes.insert(attribute.column.name)
      // Texts and blobs are greater than all numbers. `typeof` would take longer than all other conditions.
      conditions.append("\(column) NOT BETWEEN \(range.lowerBound) AND \(range.upperBound)")
    }
    return conditions.isEmpty
      ? nil : IntegerRule(attributes: attributes, isBroken: conditions.joined(separator: " OR "))
  }

  /// Returns the number of objects of each entity, without its sub-entities.
  package func objectCounts() throws -> [String: Int] {
    try reporting {
      var counts: [String: Int] = [:]
      for table in Set(layout.entities.map(\.tableName)) {
        let entities = layout.entities.filter { $0.tableName == table }
        if entities.count == 1 {
          // SQLite can count the entries of any index, which is faster than reading the rows.
          guard case .integer(let count)? = try database.firstValue("SELECT count(*) FROM \(SQLName(table))"), count > 0
          else { continue }
          counts[entities[0].name] = Int(count)
          continue
        }
        var cursor = try database.prepare("SELECT Z_ENT, count(*) FROM \(SQLName(table)) GROUP BY Z_ENT").query()
        while try cursor.next() {
          if let entity = runtime.entity(numbered: cursor.row.integer(at: 0)) {
            counts[entity.name] = Int(cursor.row.integer(at: 1))
          }
        }
      }
      return counts
    }
  }
}

extension EntityRuntime.Attribute {
  /// The integers that the attribute allows, if bounds are its only rules and all of them are integers; otherwise nil.
  fileprivate var integerBounds: ClosedRange<Int64>? {
    let validation = description.validation
    guard let range = type.integerRange, type != .boolean, type != .integer64, validation.minimumLength == nil,
      validation.maximumLength == nil, validation.regularExpression == nil,
      validation.minimum.isNull || validation.minimum.integer != nil,
      validation.maximum.isNull || validation.maximum.integer != nil
    else { return nil }
    let low = max(range.lowerBound, validation.minimum.integer ?? range.lowerBound)
    let high = min(range.upperBound, validation.maximum.integer ?? range.upperBound)
    return low <= high ? low...high : nil
  }
}
