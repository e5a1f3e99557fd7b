import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// How rows of one entity are written if they contain only plain values and keys: all that a thread without access to
/// objects needs.
///
/// A class, so that copies share the description of the columns.
final class RowInsertion: Sendable {
  /// An attribute that is a parameter of the statement.
  ///
  /// Numbers only, because a loop over columns would retain and release everything in them.
  fileprivate struct Cell {
    let parameter: Int
    let slot: Int
    /// The index of its column.
    let column: Int
    /// Its place in the page, or -1.
    var place = -1
  }

  private static let (keyParameter, entityParameter, versionParameter) = (1, 2, 3)

  /// The statement that writes one row.
  let sql: String
  /// The statement that writes `rowsTogether` rows, which costs less per row.
  let sqlTogether: String
  static let rowsTogether = 8
  let rootNumber: Int
  private let number: Int64
  private let columns: [AttributeColumn]
  fileprivate let attributes: [Cell]
  private let targets: [(parameter: Int, slot: Int)]
  /// The slots of to-one relationships for which a row contains more than the target's key. Only rows without a target
  /// are written here, so that these columns are NULL.
  private let wordyTargets: [Int]
  private let parameterCount: Int

  /// Returns nil if an attribute may be stored in a file or has several columns.
  ///
  /// - Parameter tableColumns: The columns of the entity's table, in order.
  init?(_ entity: EntityRuntime, tableColumns: [String]) {
    let columns = entity.columns
    guard columns.attributes.allSatisfy({ $0.column.type != .composite && !$0.column.mayBeExternal }) else {
      return nil
    }
    (sql, sqlTogether) = (
      entity.insertion(ofRows: 1, in: tableColumns), entity.insertion(ofRows: Self.rowsTogether, in: tableColumns)
    )
    (rootNumber, number) = (entity.rootNumber, Int64(entity.layout.number))
    var parameter = Self.versionParameter
    self.columns = columns.attributes.map(\.column)
    attributes = columns.attributes.enumerated().map { index, attribute in
      parameter += 1
      return Cell(parameter: parameter, slot: attribute.slot, column: index)
    }
    var (targets, wordyTargets) = ([(parameter: Int, slot: Int)](), [Int]())
    for (slot, column) in columns.toOnes {
      parameter += 1
      targets.append((parameter, slot))
      let more = [column.entityColumn, column.orderColumn].compactMap(\.self).count
      parameter += more
      if more > 0 { wordyTargets.append(slot) }
    }
    (self.targets, self.wordyTargets, parameterCount) = (targets, wordyTargets, parameter)
  }

  /// Returns true if a new object's row is everything that has to be written for it.
  func suffices(for object: ManagedObject) -> Bool {
    object.key > 0 && !object.hasExternalFiles && wordyTargets.allSatisfy { object.toOnes[$0] == 0 }
      && (object.toManys.isSameStorage(as: object.runtime.emptyTargets)
        || !object.toManys.contains(where: \.hasChanges))
  }

  /// Binds what is the same in all rows.
  ///
  /// - Parameter rows: The number of rows that the statement writes.
  func prepare(_ statement: Statement, rows: Int) throws {
    for row in 0..<rows {
      try statement.bind(number, at: row * parameterCount + Self.entityParameter)
      try statement.bind(1 as Int64, at: row * parameterCount + Self.versionParameter)
    }
  }

  /// Binds a row to a prepared statement.
  ///
  /// - Parameters:
  ///   - place: The place of the row among those that the statement writes.
  ///   - sources: The sources of attributes for the row's page.
  ///   - texts: Has room for the row's texts, which it must contain until the statement is executed.
  func bind(
    _ row: RowBatch.Row, of batch: RowBatch, _ sources: RowSources, to statement: Statement, at place: Int,
    _ texts: TextBuffer
  ) throws {
    let first = place * parameterCount
    try statement.bind(row.key, at: first + Self.keyParameter)
    for cell in sources.own { try bind(row.values[cell.slot], cell, statement, first, texts) }
    if row.page >= 0 {
      let page = batch.pages[row.page]
      for cell in sources.ofPage {
        if row.overridden.contains(cell.slot) {
          try bind(row.values[cell.slot], cell, statement, first, texts)
        } else {
          try page.bind(attribute: cell.place, ofRow: row.pageRow, to: statement, at: first + cell.parameter)
        }
      }
    }
    for (parameter, slot) in targets {
      let key = batch.targets[row.targets + slot]
      try key == 0 ? statement.bindNull(at: first + parameter) : statement.bind(key, at: first + parameter)
    }
  }

  private func bind(
    _ value: Value, _ cell: Cell, _ statement: Statement, _ first: Int, _ texts: TextBuffer
  ) throws {
    let parameter = first + cell.parameter
    switch value {
    case .null: try statement.bindNull(at: parameter)
    case .integer(let number): try statement.bind(number, at: parameter)
    case .double(let number): try statement.bind(number, at: parameter)
    case .string(let text): try statement.bind(borrowedText: texts.append(text), at: parameter)
    case .date(let date): try statement.bind(date.timeIntervalSinceReferenceDate, at: parameter)
    case .bool(let isTrue): try statement.bind(isTrue ? 1 : 0 as Int64, at: parameter)
    case let value: try statement.bind(AttributeCodec.encode(value, as: columns[cell.column]), at: parameter)
    }
  }
}

extension EntityRuntime {
  /// Returns the statement that writes a number of rows, with the values of one row after another as parameters, in the
  /// order of `RowColumns.names`.
  ///
  /// If all columns are listed in the table's order, SQLite does not copy values to other registers.
  fileprivate func insertion(ofRows count: Int, in tableColumns: [String]) -> String {
    let places = Dictionary(columns.names.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    let rows = (0..<count).map { row in
      let values = tableColumns.map { column in
        places[column].map { "?\(row * columns.names.count + $0)" } ?? "NULL"
      }
      return "(\(values.joined(separator: ", ")))"
    }
    let list = tableColumns.map { SQLName($0).description }.joined(separator: ", ")
    return "INSERT INTO \(SQLName(layout.tableName)) (\(list)) VALUES \(rows.joined(separator: ", "))"
  }
}

/// The sources of an entity's attributes in new rows: a page, or the row itself. Determined once for each kind of
/// page.
final class RowSources {
  /// The attributes that are columns of the page; nil for rows without a page.
  let prefetched: PrefetchedAttributes?
  fileprivate let own: [RowInsertion.Cell]
  fileprivate let ofPage: [RowInsertion.Cell]

  init(_ insertion: RowInsertion, _ prefetched: PrefetchedAttributes?) {
    self.prefetched = prefetched
    let all = insertion.attributes.map { cell in
      var cell = cell
      cell.place = prefetched?.columnIndexes[cell.slot] ?? -1
      return cell
    }
    (own, ofPage) = (all.filter { $0.place < 0 }, all.filter { $0.place >= 0 })
  }

  /// Returns the number of bytes in a row's texts that are not in the page.
  func textBytes(of row: RowBatch.Row) -> Int {
    var bytes = 0
    for cell in own { if case .string(let text) = row.values[cell.slot] { bytes += text.utf8.count } }
    guard !row.overridden.isEmpty else { return bytes }
    for cell in ofPage where row.overridden.contains(cell.slot) {
      if case .string(let text) = row.values[cell.slot] { bytes += text.utf8.count }
    }
    return bytes
  }
}

/// Memory for the texts of rows while they are written. Without it, SQLite would allocate memory for each text from a
/// heap that all connections share.
final class TextBuffer {
  private var start: UnsafeMutablePointer<UInt8>
  private var capacity = 4_096
  private var count = 0

  init() { start = .allocate(capacity: capacity) }

  deinit { start.deallocate() }

  /// Discards all texts and reserves memory for new ones. Buffers that were returned before are no longer valid.
  func clear(reserving bytes: Int) {
    count = 0
    guard bytes > capacity else { return }
    start.deallocate()
    capacity = bytes
    start = .allocate(capacity: bytes)
  }

  /// Copies a text, for which memory must be reserved. The copy is valid until the next `clear(reserving:)`.
  func append(_ text: String) -> UnsafeBufferPointer<UInt8> {
    var text = text
    let place = start + count
    let length = text.withUTF8 { utf8 in
      precondition(count + utf8.count <= capacity, "there is no room for these bytes")
      if let first = utf8.baseAddress { place.update(from: first, count: utf8.count) }
      return utf8.count
    }
    count += length
    return UnsafeBufferPointer(start: place, count: length)
  }
}
