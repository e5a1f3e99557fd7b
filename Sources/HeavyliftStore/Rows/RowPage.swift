import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// Consecutive rows of a query, copied in SQLite's own form: nothing is decoded before it is accessed.
///
/// The memory of a filled page does not move, so its texts can be bound to a statement without another copy. Unchecked,
/// because no other thread has the page while it is being filled.
final class RowPage: @unchecked Sendable {
  private struct StoredCell {
    var type: SQLiteType
    /// The number of bytes, or `omitted`.
    var length: Int32 = 0
    /// An integer, the bits of a floating-point number, or the offset of the bytes.
    var payload: Int64 = 0
  }

  /// Values with more bytes are not copied.
  private static let largestCell = 1 << 20
  private static let omitted: Int32 = -1

  /// The columns that are attributes of new objects.
  let attributes: PrefetchedAttributes
  private let width: Int
  private let cells: UnsafeMutablePointer<StoredCell>
  private let capacity: Int
  private var bytes: UnsafeMutableRawPointer
  private var byteCapacity: Int
  /// The rows with a value that new objects cannot take exactly as it is in the page.
  private var unfitRows: Set<Int> = []
  // Read for each row: an access to a set that is changed in place costs a check for exclusive access.
  private var (hasUnfitRows, hasPartialRows) = (false, false)
  /// The rows from which a large value is omitted.
  private var partialRows: Set<Int> = []
  private(set) var count = 0
  /// The number of bytes in the page's texts and blobs, including omitted ones.
  private(set) var weight = 0
  private var byteCount = 0

  /// The approximate number of bytes that the page takes.
  var memory: Int { weight + count * width * MemoryLayout<StoredCell>.stride }

  /// - Parameters:
  ///   - width: The number of columns.
  ///   - rows: The maximum number of rows.
  init(width: Int, rows: Int, _ attributes: PrefetchedAttributes) {
    (self.width, self.attributes) = (width, attributes)
    (capacity, byteCapacity) = (rows, max(rows * 32, 1_024))
    cells = .allocate(capacity: max(rows * width, 1))
    bytes = .allocate(byteCount: byteCapacity, alignment: 1)
  }

  deinit {
    cells.deallocate()
    bytes.deallocate()
  }

  /// Appends a query's current row.
  func append(_ row: borrowing RowView) {
    precondition(count < capacity, "the page is full")
    let start = cells + count * width
    for position in 0..<width { (start + position).initialize(to: copy(row.view(at: position))) }
    count += 1
    let row = count - 1
    guard isComplete(row) else { return }
    let fits = attributes.columns.allSatisfy { cell(row, $0.position).isAttribute(of: $0.type) }
    if !fits {
      unfitRows.insert(row)
      hasUnfitRows = true
    }
  }

  private func copy(_ view: ValueView) -> StoredCell {
    switch view.type {
    case .null: StoredCell(type: .null)
    case .integer: StoredCell(type: .integer, payload: view.integer)
    case .real: StoredCell(type: .real, payload: Int64(bitPattern: view.double.bitPattern))
    case .text: copy(UnsafeRawBufferPointer(view.utf8), .text)
    case .blob: copy(view.bytes, .blob)
    }
  }

  private func copy(_ content: UnsafeRawBufferPointer, _ type: SQLiteType) -> StoredCell {
    weight += content.count
    guard content.count <= Self.largestCell else {
      partialRows.insert(count)
      unfitRows.insert(count)
      (hasUnfitRows, hasPartialRows) = (true, true)
      return StoredCell(type: type, length: Self.omitted)
    }
    if byteCount + content.count > byteCapacity { grow(by: content.count) }
    if let start = content.baseAddress { (bytes + byteCount).copyMemory(from: start, byteCount: content.count) }
    defer { byteCount += content.count }
    return StoredCell(type: type, length: Int32(content.count), payload: Int64(byteCount))
  }

  private func grow(by more: Int) {
    byteCapacity = max(byteCapacity * 2, byteCount + more)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity, alignment: 1)
    larger.copyMemory(from: bytes, byteCount: byteCount)
    bytes.deallocate()
    bytes = larger
  }

  // MARK: Reading

  /// Returns true if all values of a row are in the page.
  func isComplete(_ row: Int) -> Bool { !hasPartialRows || !partialRows.contains(row) }

  /// Returns true if new objects can take the values of a row's prefetched attributes exactly as they are stored.
  func fits(_ row: Int) -> Bool { !hasUnfitRows || !unfitRows.contains(row) }

  /// Returns a value in the page's memory.
  func cell(_ row: Int, _ position: Int) -> PageCell {
    precondition(row < count && position < width, "there is no such cell")
    let cell = cells[row * width + position]
    precondition(cell.length != Self.omitted, "the value is not in the page")
    let hasBytes = cell.type == .text || cell.type == .blob
    return PageCell(
      type: cell.type, payload: cell.payload,
      bytes: hasBytes
        ? UnsafeRawBufferPointer(start: bytes + Int(cell.payload), count: Int(cell.length))
        : UnsafeRawBufferPointer(start: nil, count: 0))
  }

  /// Returns the value of a new object's attribute, by its index in `attributes`. `fits(_:)` must be true for the row.
  func attribute(_ index: Int, ofRow row: Int) -> Value {
    let column = attributes.columns[index]
    do {
      return try AttributeCodec.decode(cell(row, column.position), as: column.type)
    } catch {
      preconditionFailure("a row that fits has only valid values: \(error)")
    }
  }

  /// Binds the value of a new object's attribute to a parameter that must be bound again before the page is released.
  func bind(attribute: Int, ofRow row: Int, to statement: Statement, at index: Int) throws {
    let cell = cell(row, attributes.columns[attribute].position)
    switch cell.type {
    case .null: try statement.bindNull(at: index)
    case .integer: try statement.bind(cell.payload, at: index)
    case .real: try statement.bind(cell.double, at: index)
    case .text: try statement.bind(borrowedText: cell.bytes.bindMemory(to: UInt8.self), at: index)
    case .blob: try statement.bind(borrowedBlob: cell.bytes, at: index)
    }
  }
}

/// A value in a page's memory, which must not be used after the page is released.
struct PageCell: CellView {
  let type: SQLiteType
  /// An integer, or the bits of a floating-point number.
  fileprivate let payload: Int64
  let bytes: UnsafeRawBufferPointer

  var integer: Int64 {
    switch type {
    case .integer: payload
    case .real: Int64(exactly: double.rounded(.towardZero)) ?? (double < 0 ? .min : .max)
    case .text, .blob: LeadingNumber(bytes).integer
    case .null: 0
    }
  }

  var double: Double {
    switch type {
    case .real: Double(bitPattern: UInt64(bitPattern: payload))
    case .integer: Double(payload)
    case .text, .blob: LeadingNumber(bytes).double
    case .null: 0
    }
  }

  var text: String? {
    bytes.isASCII ? String(decoding: bytes, as: UTF8.self) : String(validating: bytes, as: UTF8.self)
  }

  var owned: SQLiteValue? {
    switch type {
    case .null: .null
    case .integer: .integer(payload)
    case .real: .real(double)
    case .text: text.map(SQLiteValue.text)
    case .blob: .blob(Data(bytes))
    }
  }

  /// Returns true if a column of the type would hold exactly this value for an attribute.
  func isAttribute(of attributeType: AttributeType) -> Bool {
    switch (attributeType, type) {
    case (_, .null), (.integer16, .integer), (.integer32, .integer), (.integer64, .integer), (.double, .real),
      (.float, .real), (.date, .real), (.binaryData, .blob), (.transformable, .blob):
      true
    case (.boolean, .integer): 0...1 ~= payload
    // A column with numeric affinity stores 5.0 as an integer, and every integer up to this bound is exact as a double.
    case (.date, .integer), (.double, .integer), (.float, .integer): payload.magnitude <= 1 << 53
    case (.decimal, .integer), (.decimal, .real), (.decimal, .text), (.decimal, .blob):
      owned.flatMap { stored in StoredDecimal.decode(stored).map { StoredDecimal.encode($0) == stored } } ?? false
    case (.string, .text), (.uri, .text): bytes.isUTF8
    case (.uuid, .blob): bytes.count == 16
    default: false
    }
  }
}

/// A row of a page.
struct PageRow: RowCells {
  let page: RowPage
  let index: Int

  @inline(__always)
  func cell(at position: Int) -> PageCell { page.cell(index, position) }
}

/// Rows of new objects that are ready to be written.
struct RowBatch: Sendable {
  struct Row: Sendable {
    /// The entity's index in the store.
    let entity: Int
    let key: Int64
    /// The attributes by slot. The array is the object's own, because copying it would copy each value.
    let values: [Value]
    /// The index of its first target among `targets`.
    let targets: Int
    /// The index in `pages` of the page with its prefetched attributes; -1 if there is none.
    let page: Int
    /// The index of its row in that page.
    let pageRow: Int
    /// The slots of the prefetched attributes whose values are in `values` nevertheless.
    let overridden: SlotSet
  }

  private(set) var rows: [Row] = []
  /// The keys of the targets of to-one relationships, of one row after another, by slot; 0 for none.
  private(set) var targets: [Int64] = []
  private(set) var pages: [RowPage] = []
  /// The approximate number of bytes that the values have on the heap.
  private(set) var bytes = 0

  init(capacity: Int) { rows.reserveCapacity(capacity) }

  /// Appends the row of an object.
  mutating func append(_ object: ManagedObject) {
    var page = -1
    if let row = object.prefetched {
      // Consecutive objects mostly have rows of the same page.
      if pages.last !== row.page {
        pages.append(row.page)
        bytes += row.page.weight
      }
      page = pages.count - 1
      bytes += object.overriddenSlots.isEmpty ? object.heapBytes(row.page.attributes.otherHeavySlots) : object.heapBytes
    } else {
      bytes += object.heapBytes
    }
    rows.append(
      Row(
        entity: object.runtime.index, key: object.key, values: object.held, targets: targets.count, page: page,
        pageRow: object.prefetched?.index ?? 0, overridden: object.overriddenSlots))
    targets.append(contentsOf: object.toOnes)
  }
}
