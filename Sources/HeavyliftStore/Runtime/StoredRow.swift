import HeavyliftModel
import HeavyliftSQLite

/// The values of one row, by slot of its entity.
struct StoredRow {
  var key: Int64
  var version: Int64
  var attributes: [Value]
  var toOnes: [Int64]
  var externalFiles: [Int: String]
}

/// Reads rows of one entity out of a query that has its columns, at whatever places.
struct RowReader {
  private let entity: EntityRuntime
  private let keyPosition: Int
  private let versionPosition: Int
  private let attributes: [(slot: Int, column: AttributeColumn, positions: [Int])]
  private let toOnes: [(slot: Int, position: Int)]

  /// - Parameter names: the query's column names in order.
  init(_ entity: EntityRuntime, names: [String]) {
    self.entity = entity
    let places = Dictionary(names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    keyPosition = places["Z_PK"] ?? 0
    versionPosition = places["Z_OPT"] ?? 0
    attributes = entity.columns.attributes.compactMap { attribute in
      let positions = attribute.column.leafColumns.compactMap { places[$0] }
      return (attribute.slot, attribute.column, positions)
    }
    toOnes = entity.columns.toOnes.compactMap { slot, column in places[column.column].map { (slot, $0) } }
  }

  func read(_ row: borrowing RowView) throws -> StoredRow {
    var stored = StoredRow(
      key: row.integer(at: keyPosition), version: row.integer(at: versionPosition),
      attributes: [Value](repeating: .null, count: entity.attributes.count),
      toOnes: [Int64](repeating: 0, count: entity.toOnes.count), externalFiles: [:])
    for (slot, column, positions) in attributes {
      var next = positions[...]
      switch try decode(row, column, &next, key: stored.key) {
      case .value(let value): stored.attributes[slot] = value
      case .externalFile(let name): stored.externalFiles[slot] = name
      }
    }
    for (slot, position) in toOnes { stored.toOnes[slot] = try target(row, position, slot, key: stored.key) }
    return stored
  }

  private func decode(
    _ row: borrowing RowView, _ column: AttributeColumn, _ positions: inout ArraySlice<Int>, key: Int64
  ) throws -> AttributeCodec.Stored {
    if column.type == .composite {
      var elements: [String: Value] = [:]
      for element in column.elements {
        if case .value(let value) = try decode(row, element, &positions, key: key) { elements[element.name] = value }
      }
      return .value(elements.values.allSatisfy(\.isNull) ? .null : .composite(elements))
    }
    guard let position = positions.popFirst() else { return .value(.null) }
    do {
      return try AttributeCodec.decode(row, at: position, as: column)
    } catch let mismatch as AttributeCodec.Mismatch {
      throw BadStoredValue(
        entity: entity.name, key: key, table: entity.layout.tableName, column: column.column, property: column.name,
        problem: mismatch.problem)
    } catch let error as SQLiteError where error.isInvalidText {
      throw BadStoredValue(
        entity: entity.name, key: key, table: entity.layout.tableName, column: column.column, property: column.name,
        problem: "holds text that is not UTF-8")
    }
  }

  private func target(_ row: borrowing RowView, _ position: Int, _ slot: Int, key: Int64) throws -> Int64 {
    switch row.type(at: position) {
    case .null: return 0
    case .integer where row.integer(at: position) > 0: return row.integer(at: position)
    case let type:
      let toOne = entity.toOnes[slot]
      let found = type == .integer ? "a number below 1" : type.phrase
      throw BadStoredValue(
        entity: entity.name, key: key, table: entity.layout.tableName, column: toOne.column?.column ?? "",
        property: toOne.description.name, problem: "holds \(found) where the key of an object is expected")
    }
  }
}

/// A column holds something that its property cannot be; the store words it.
struct BadStoredValue: Error {
  var entity: String
  var key: Int64
  var table: String
  var column: String
  var property: String
  var problem: String
}
