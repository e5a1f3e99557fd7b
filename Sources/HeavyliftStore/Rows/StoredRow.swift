import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// The values of one row, by the slots of its entity's properties.
struct StoredRow {
  var key: Int64
  var version: Int64
  var attributes: [Value]
  var toOnes: [Int64]
  var externalFiles: [Int: String]
}

/// Reads rows of one entity from a query that returns the entity's columns in any order.
struct RowReader {
  /// A single column that holds the value of an attribute.
  private struct Cell {
    let slot: Int
    let position: Int
    let type: AttributeType
  }

  let entity: EntityRuntime
  private let keyPosition: Int
  private let versionPosition: Int
  private let cells: [Cell]
  /// Positions in `cells`, by attribute slot; -1 for an attribute that has several columns or can be stored in a file.
  private let cellPlaces: [Int]
  private let others: [(slot: Int, column: AttributeColumn, positions: [Int])]
  private let toOnes: [(slot: Int, position: Int)]
  unowned let store: PersistentStore

  /// - Parameter names: The query's column names in order.
  init(_ entity: EntityRuntime, names: [String], in store: PersistentStore) {
    (self.entity, self.store) = (entity, store)
    let places = Dictionary(names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    keyPosition = places["Z_PK"] ?? 0
    versionPosition = places["Z_OPT"] ?? 0
    var (cells, cellPlaces) = ([Cell](), [Int](repeating: -1, count: entity.attributes.count))
    var others: [(slot: Int, column: AttributeColumn, positions: [Int])] = []
    for attribute in entity.columns.attributes {
      let positions = attribute.column.leafColumns.compactMap { places[$0] }
      if attribute.column.type != .composite, !attribute.column.mayBeExternal, let position = positions.first {
        cellPlaces[attribute.slot] = cells.count
        cells.append(Cell(slot: attribute.slot, position: position, type: attribute.column.type))
      } else {
        others.append((attribute.slot, attribute.column, positions))
      }
    }
    (self.cells, self.cellPlaces, self.others) = (cells, cellPlaces, others)
    toOnes = entity.columns.toOnes.compactMap { slot, column in places[column.column].map { (slot, $0) } }
  }

  func read<Row: RowCells & ~Copyable>(_ row: borrowing Row) throws -> StoredRow {
    var stored = StoredRow(
      key: row.cell(at: keyPosition).integer, version: row.cell(at: versionPosition).integer,
      attributes: entity.noValues,
      toOnes: entity.noTargets, externalFiles: [:])
    for cell in cells { stored.attributes[cell.slot] = try value(row, cell) }
    for (slot, column, positions) in others {
      var next = positions[...]
      switch try decode(row, column, &next, key: stored.key) {
      case .value(let value): stored.attributes[slot] = value
      case .externalFile(let name): stored.externalFiles[slot] = name
      }
    }
    for (slot, position) in toOnes {
      let target = try target(row, position, slot, key: stored.key)
      if target != 0 { stored.toOnes[slot] = target }
    }
    return stored
  }

  /// Returns true if the attribute's value is always in a single column.
  func holds(_ slot: Int) -> Bool { cellPlaces[slot] >= 0 }

  /// Returns the value of an attribute for which `holds(_:)` returns true.
  func value<Row: RowCells & ~Copyable>(_ row: borrowing Row, at slot: Int) throws -> Value {
    try value(row, cells[cellPlaces[slot]])
  }

  /// Decodes attributes into `values`; returns false if `holds(_:)` is false for one, or if a value cannot be
  /// converted.
  func copy<Row: RowCells & ~Copyable>(
    _ row: borrowing Row, _ moves: [AttributeMove], into values: inout [Value]
  ) throws -> Bool {
    for move in moves {
      let place = cellPlaces[move.source]
      guard place >= 0 else { return false }
      let value = try AttributeCodec.decode(row, at: cells[place].position, as: cells[place].type)
      guard let held = move.held(value) else { return false }
      values[move.destination] = held
    }
    return true
  }

  private func value<Row: RowCells & ~Copyable>(_ row: borrowing Row, _ cell: Cell) throws -> Value {
    do {
      return try AttributeCodec.decode(row, at: cell.position, as: cell.type)
    } catch {
      guard let column = entity.attributes[cell.slot].column else { throw error }
      throw bad(error, column, key: row.cell(at: keyPosition).integer)
    }
  }

  private func decode<Row: RowCells & ~Copyable>(
    _ row: borrowing Row, _ column: AttributeColumn, _ positions: inout ArraySlice<Int>, key: Int64
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
    } catch {
      throw bad(error, column, key: key)
    }
  }

  /// Returns an error for an invalid value, with its location.
  private func bad(_ error: any Error, _ column: AttributeColumn, key: Int64) -> any Error {
    let problem: String
    switch error {
    case let mismatch as AttributeCodec.Mismatch: problem = mismatch.problem
    case let error as SQLiteError where error.isInvalidText: problem = "holds text that is not UTF-8"
    default: return error
    }
    return BadStoredValue(
      entity: entity.name, key: key, table: entity.layout.tableName, column: column.column, property: column.name,
      problem: problem)
  }

  private func target<Row: RowCells & ~Copyable>(
    _ row: borrowing Row, _ position: Int, _ slot: Int, key: Int64
  ) throws -> Int64 {
    let cell = row.cell(at: position)
    switch cell.type {
    case .null: return 0
    case .integer where cell.integer > 0: return cell.integer
    case let type:
      let toOne = entity.toOnes[slot]
      let found = type == .integer ? "a number below 1" : type.phrase
      throw BadStoredValue(
        entity: entity.name, key: key, table: entity.layout.tableName, column: toOne.column?.column ?? "",
        property: toOne.description.name, problem: "holds \(found) where the key of an object is expected")
    }
  }
}

/// An error: a column's value is not valid for its property. `ManagedObjectContext.readingRows(_:)` adds the message.
struct BadStoredValue: Error {
  var entity: String
  var key: Int64
  var table: String
  var column: String
  var property: String
  var problem: String
}

/// The row of an enumeration's current object, which most callers release before the next row.
///
/// Only the values that are accessed are decoded. An object that the caller keeps is read completely before the
/// enumeration continues.
package final class CurrentRow {
  /// The query's statement. In an enumeration with pages, a statement that reads a row again by its key.
  package let statement: Statement
  private let reader: RowReader
  /// The row of the current page; nil if the row is the statement's current one.
  private(set) var page: PageRow?

  init(_ statement: Statement, _ reader: RowReader) {
    self.statement = statement
    self.reader = reader
  }

  /// Moves to a row of a page.
  func move(to row: PageRow) { page = row }

  func read() throws -> StoredRow {
    guard let page else { return try reader.read(statement.row) }
    guard page.page.isComplete(page.index) else { return try readingAgain(page) { try reader.read(statement.row) } }
    return try withExtendedLifetime(page) { try reader.read(page) }
  }

  /// Reads the complete row, and reports an invalid value with its location.
  func read(in context: ManagedObjectContext) throws -> StoredRow { try context.readingRows { try read() } }

  /// Returns true if one column always holds the attribute's value.
  func holds(_ slot: Int) -> Bool { reader.holds(slot) }

  /// Returns the value of an attribute that a column holds.
  func value(at slot: Int) throws -> Value {
    guard let page else { return try reader.value(statement.row, at: slot) }
    guard page.page.isComplete(page.index) else {
      return try readingAgain(page) { try reader.value(statement.row, at: slot) }
    }
    return try withExtendedLifetime(page) { try reader.value(page, at: slot) }
  }

  /// Decodes attributes into `values`; returns false if one has no column of its own, or if a value cannot be
  /// converted.
  func copy(_ moves: [AttributeMove], into values: inout [Value]) throws -> Bool {
    guard let page else { return try reader.copy(statement.row, moves, into: &values) }
    guard page.page.isComplete(page.index) else { return false }
    return try withExtendedLifetime(page) { try reader.copy(page, moves, into: &values) }
  }

  /// Reads a row again with the statement, because the page omits its large values.
  private func readingAgain<Result>(_ page: PageRow, _ body: () throws -> Result) throws -> Result {
    let key = page.cell(at: 0).integer
    reader.store.waitForThreads()
    statement.reset()
    try statement.bind(key, at: 1)
    defer { statement.reset() }
    guard try statement.step() else {
      throw StoreMistake.missingObject(entity: reader.entity.name, key: key).diagnostic(reader.store.url)
    }
    return try body()
  }
}

extension PersistentStore {
  /// The columns of an entity's rows, in the order in which queries return them; nil if there is no such entity.
  package func columnNames(ofEntity name: String) -> [String]? { runtime.byName[name]?.columns.names }

  /// Returns a query for the rows of an entity's table from a key on, sorted by key; nil if there is no such entity.
  package func rowsByKey(ofEntity name: String) throws -> CurrentRow? {
    guard let entity = runtime.byName[name] else { return nil }
    let names = entity.columns.names
    let list = names.map { entity.layout.columnSQL($0) }.joined(separator: ", ")
    let statement = try database.prepare(
      "SELECT \(list) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK >= ? ORDER BY Z_PK")
    return CurrentRow(statement, RowReader(entity, names: names, in: self))
  }
}

/// A column's value in SQLite's own form, regardless of where its bytes are.
protocol CellView {
  var type: SQLiteType { get }
  /// The value as an integer by SQLite's conversion rules.
  var integer: Int64 { get }
  /// The value as a floating-point number by SQLite's conversion rules.
  var double: Double { get }
  /// The text, or nil if it is not valid UTF-8.
  var text: String? { get }
  /// The bytes of a text or a blob.
  var bytes: UnsafeRawBufferPointer { get }
  /// A copy of the value, or nil if it is text that is not valid UTF-8.
  var owned: SQLiteValue? { get }
}

extension ValueView: CellView {}

/// A row whose columns have positions: a query's current row, or a copy of one.
protocol RowCells: ~Copyable {
  associatedtype Cell: CellView

  func cell(at position: Int) -> Cell
}

extension RowView: RowCells {
  @inline(__always)
  func cell(at position: Int) -> ValueView { view(at: position) }
}

/// The number at the start of a text, as SQLite converts texts and blobs (https://sqlite.org/lang_expr.html#castexpr).
///
/// Unlike `strtod` and `strtoll`, it does not depend on the host program's locale, and knows no hexadecimal numbers,
/// infinities and NaN.
struct LeadingNumber {
  private var isNegative = false
  private var whole: [UInt8] = []
  private var fraction: [UInt8] = []
  private var exponent = ""

  init(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes.drop { $0 == UInt8(ascii: " ") || 9...13 ~= $0 }
    isNegative = Self.takeSign(&rest)
    whole = Self.takeDigits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = Self.takeDigits(&rest)
    }
    guard let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") else { return }
    rest = rest.dropFirst()
    let sign = Self.takeSign(&rest) ? "-" : ""
    let digits = Self.takeDigits(&rest)
    if !digits.isEmpty { exponent = "e" + sign + String(decoding: digits, as: UTF8.self) }
  }

  /// The whole part, or the nearest integer that `Int64` holds.
  var integer: Int64 {
    let digits = whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
    return Int64((isNegative ? "-" : "") + digits) ?? (isNegative ? .min : .max)
  }

  var double: Double {
    let text = String(decoding: [UInt8(ascii: "0")] + whole + [UInt8(ascii: ".")] + fraction, as: UTF8.self)
    let number = Double(text + "0" + exponent) ?? 0
    return isNegative ? -number : number
  }

  /// Returns true for a minus.
  private static func takeSign(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Bool {
    let sign = bytes.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    return sign == UInt8(ascii: "-")
  }

  private static func takeDigits(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    let digits = bytes.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    bytes = bytes.dropFirst(digits.count)
    return Array(digits)
  }
}
