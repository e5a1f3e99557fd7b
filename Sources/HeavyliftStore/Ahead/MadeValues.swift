import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// Which attributes of new objects are made out of rows that were read ahead.
final class MadeLayout: Sendable {
  /// By slot, the place among what is made of a row; -1 for the others.
  let places: [Int]
  /// By place.
  let slots: [Int]
  let types: [AttributeType]

  /// - Parameter made: The slots, and the types of their values.
  init(slotCount: Int, _ made: [(slot: Int, type: AttributeType)]) {
    var places = [Int](repeating: -1, count: slotCount)
    for (place, attribute) in made.enumerated() { places[attribute.slot] = place }
    (self.places, slots, types) = (places, made.map(\.slot), made.map(\.type))
  }
}

/// Attributes of new objects as SQLite gave them, which is how they are written: nothing else is made of them unless
/// somebody looks.
///
/// Its memory stays where it is, so that SQLite can be given texts without a copy. Unchecked, because it is filled by one
/// thread before others have it.
final class MadeValues: @unchecked Sendable {
  private enum Kind: UInt8 {
    case null, integer, real, text, blob
    /// Among `values`.
    case value
  }

  private struct Cell {
    var kind: Kind
    var length: Int32 = 0
    /// The number, its bits, or where it begins.
    var payload: Int64 = 0
  }

  let layout: MadeLayout
  private let width: Int
  /// Row by row.
  private let cells: UnsafeMutablePointer<Cell>
  private let capacity: Int
  private var count = 0
  private var bytes: UnsafeMutableRawPointer
  private var byteCapacity: Int
  private var byteCount = 0
  /// What is written otherwise than it was read.
  private var values: [Value] = []
  /// About how much memory they have elsewhere.
  private(set) var weight = 0

  init(_ layout: MadeLayout, rows: Int) {
    (self.layout, width) = (layout, layout.slots.count)
    (capacity, byteCapacity) = (rows * width, max(rows * 32, 1_024))
    cells = .allocate(capacity: max(capacity, 1))
    bytes = .allocate(byteCount: byteCapacity, alignment: 1)
  }

  deinit {
    cells.deallocate()
    bytes.deallocate()
  }

  @inline(__always)
  private func append(_ cell: Cell) {
    precondition(count < capacity, "there is no room for another row")
    (cells + count).initialize(to: cell)
    count += 1
  }

  /// Appends a column of a row; false where an attribute of the type would not be written as it stands there.
  func append(_ view: ValueView, as type: AttributeType) -> Bool {
    switch (type, view.type) {
    case (_, .null): append(Cell(kind: .null))
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer):
      append(Cell(kind: .integer, payload: view.integer))
    case (.boolean, .integer):
      guard 0...1 ~= view.integer else { return false }
      append(Cell(kind: .integer, payload: view.integer))
    case (.double, .real), (.float, .real), (.date, .real):
      append(Cell(kind: .real, payload: Int64(bitPattern: view.double.bitPattern)))
    case (.string, .text), (.uri, .text):
      return view.isWholeText && append(.text, UnsafeRawBufferPointer(view.utf8))
    case (.binaryData, .blob), (.transformable, .blob): return append(.blob, view.bytes)
    case (.uuid, .blob): return view.bytes.count == 16 && append(.blob, view.bytes)
    default: return false
    }
    return true
  }

  private func append(_ kind: Kind, _ content: UnsafeRawBufferPointer) -> Bool {
    guard let length = Int32(exactly: content.count) else { return false }
    if byteCount + content.count > byteCapacity { grow(for: content.count) }
    if let start = content.baseAddress { (bytes + byteCount).copyMemory(from: start, byteCount: content.count) }
    append(Cell(kind: kind, length: length, payload: Int64(byteCount)))
    byteCount += content.count
    weight += content.count
    return true
  }

  private func grow(for more: Int) {
    byteCapacity = max(byteCapacity * 2, byteCount + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity, alignment: 1)
    larger.copyMemory(from: bytes, byteCount: byteCount)
    bytes.deallocate()
    bytes = larger
  }

  func append(_ value: Value) {
    append(Cell(kind: .value, payload: Int64(values.count)))
    values.append(value)
    weight += value.heapBytes
  }

  /// Has the last row be as many values as there must be, whatever they are.
  func completeRow(_ row: Int) {
    while count < (row + 1) * width { append(Cell(kind: .null)) }
  }

  private func cell(_ row: Int, _ place: Int) -> Cell {
    let index = row * width + place
    precondition(index < count, "there is no such row")
    return cells[index]
  }

  private func content(_ cell: Cell) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: bytes + Int(cell.payload), count: Int(cell.length))
  }

  /// What an object makes of it.
  func value(at row: Int, _ place: Int) -> Value {
    let (cell, type) = (cell(row, place), layout.types[place])
    switch cell.kind {
    case .null: return .null
    case .integer: return type == .boolean ? .bool(cell.payload != 0) : .integer(cell.payload)
    case .real:
      let number = Double(bitPattern: UInt64(bitPattern: cell.payload))
      return type == .date ? .date(Date(timeIntervalSinceReferenceDate: number)) : .double(number)
    case .text:
      let text = String(decoding: content(cell), as: UTF8.self)
      return type == .uri ? .uri(text) : .string(text)
    case .blob:
      let data = Data(content(cell))
      return type == .uuid ? UUID(bytes: data).map(Value.uuid) ?? .data(data) : .data(data)
    case .value: return values[Int(cell.payload)]
    }
  }

  /// Whether there is a value that fits into the bounds of whole numbers.
  func isKept(at row: Int, _ place: Int, isMandatory: Bool, bounds: ClosedRange<Int64>?) -> Bool {
    let cell = cell(row, place)
    return switch cell.kind {
    case .null: !isMandatory
    case .integer where layout.types[place] != .boolean: bounds?.contains(cell.payload) ?? true
    case .integer, .real, .text, .blob: bounds == nil
    case .value: values[Int(cell.payload)].isKept(isMandatory: isMandatory, bounds: bounds)
    }
  }

  /// Binds a value to a parameter, which must be bound to something else before this goes; gives the value where it is not
  /// written as it was read.
  func bind(_ row: Int, _ place: Int, to statement: Statement, at index: Int) throws -> Value? {
    let cell = cell(row, place)
    switch cell.kind {
    case .null: try statement.bindNull(at: index)
    case .integer: try statement.bind(cell.payload, at: index)
    case .real: try statement.bind(Double(bitPattern: UInt64(bitPattern: cell.payload)), at: index)
    case .text: try statement.bind(borrowedText: content(cell).bindMemory(to: UInt8.self), at: index)
    case .blob: try statement.bind(borrowedBlob: content(cell), at: index)
    case .value: return values[Int(cell.payload)]
    }
    return nil
  }
}
