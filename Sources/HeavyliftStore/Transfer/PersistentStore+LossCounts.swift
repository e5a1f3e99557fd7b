import HeavyliftModel
import HeavyliftSQLite

extension PersistentStore {
  /// Returns the number of objects of exactly that entity that have a value for an attribute, or the number of their
  /// links for a relationship.
  ///
  /// Here and below, the name may be the path of a composite's element, such as `address.city`.
  ///
  /// - Returns: Nil for a property without storage of its own, such as a transient attribute.
  package func count(of property: String, entity name: String) throws -> Int? {
    try layout.entity(named: name).flatMap { rows(of: property, $0) }.map { try number("SELECT count(*) \($0)") }
  }

  /// Counts the values or links of several properties, each only for objects whose keys pass a test. The values of all
  /// attributes are counted at once.
  ///
  /// - Parameter reader: Reads half of the rows.
  /// - Returns: A count for each property; nil for one without storage of its own.
  package func counts(
    of properties: [(name: String, isCounted: (Int64) -> Bool)], entity name: String, with reader: ParallelReader?
  ) throws -> [Int?] {
    guard let entity = layout.entity(named: name) else { return properties.map { _ in nil } }
    var counts: [Int?] = properties.map { _ in nil }
    var values: [(place: Int, column: ValueCount.Column)] = []
    for (place, property) in properties.enumerated() {
      if let attribute = entity.attribute(at: property.name) {
        guard let hasValue = attribute.hasValue else { continue }
        values.append((place, .init(hasValue: hasValue, isCounted: property.isCounted)))
      } else if let links = LinkTable(property.name, of: entity) {
        counts[place] = try count(links, ofOwners: entity.number, where: property.isCounted)
      }
    }
    if values.isEmpty { return counts }
    let count = ValueCount(rows: objects(of: entity), columns: values.map(\.column))
    let found = try reporting {
      guard
        let halves = try reader?.halves(
          of: entity.tableName, lower: { try count.read($0, where: $1) }, upper: { try count.read($0, where: $1) })
      else { return try count.read(database) }
      return zip(halves.lower, halves.upper).map(+)
    }
    for (value, count) in zip(values, found) { counts[value.place] = count }
    return counts
  }

  private func count(
    _ links: LinkTable, ofOwners number: Int, where isCounted: (Int64) -> Bool
  ) throws -> Int {
    try reporting {
      var cursor = try database.prepare(
        "SELECT l.\(SQLName(links.owner)) \(links.links(ofOwners: [number]))"
      ).query()
      var count = 0
      while try cursor.next() { if isCounted(cursor.row.integer(at: 0)) { count += 1 } }
      return count
    }
  }

  /// A `FROM` clause with a row for each value or link.
  private func rows(of property: String, _ entity: EntityLayout) -> String? {
    guard let attribute = entity.attribute(at: property) else {
      return LinkTable(property, of: entity)?.links(ofOwners: [entity.number])
    }
    return attribute.hasValue.map { "\(objects(of: entity)) AND \($0)" }
  }

  /// A `FROM` clause with a row for each object of exactly that entity.
  private func objects(of entity: EntityLayout) -> String {
    "FROM \(SQLName(entity.tableName)) WHERE \(entity.numberSQL()) = \(entity.number)"
  }
}

/// Counts the rows that have a value, for several attributes at once.
private struct ValueCount {
  struct Column {
    /// True in SQL for a row with a value.
    let hasValue: String
    let isCounted: (Int64) -> Bool
  }

  let rows: String
  let columns: [Column]

  func read(_ database: Database, where condition: KeyCondition? = nil) throws(SQLiteError) -> [Int] {
    let values = (["Z_PK"] + columns.map(\.hasValue)).joined(separator: ", ")
    var cursor = try database.prepare(
      "SELECT \(values) \(rows)" + (condition.map { " AND \($0.sql(of: "Z_PK"))" } ?? "")
    ).query()
    var counts = [Int](repeating: 0, count: columns.count)
    while try cursor.next() {
      let key = cursor.row.integer(at: 0)
      for place in columns.indices where cursor.row.integer(at: place + 1) != 0 && columns[place].isCounted(key) {
        counts[place] += 1
      }
    }
    return counts
  }
}

extension AttributeColumn {
  /// A condition for a row with a value; nil if the attribute has no column.
  fileprivate var hasValue: String? {
    let columns = leafColumns.map { "\(SQLName($0)) IS NOT NULL" }
    return columns.isEmpty ? nil : "(\(columns.joined(separator: " OR ")))"
  }
}

extension EntityLayout {
  /// The attribute of that name, or the composite's element at a path such as `address.city`.
  fileprivate func attribute(at path: String) -> AttributeColumn? {
    let keys = path.split(separator: ".")
    guard let first = attributes.first(where: { $0.name == keys.first.map(String.init) }) else { return nil }
    return keys.dropFirst().reduce(first) { attribute, key in attribute?.elements.first { $0.name == key } }
  }
}
