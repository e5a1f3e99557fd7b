import HeavyliftModel
import HeavyliftSQLite

/// Reads an entity's rows for a thread that knows no objects: the columns that hold values by themselves, and what new
/// objects get that are made out of the rows.
struct AheadQuery: Sendable {
  /// A column that holds an attribute's value by itself.
  struct Cell: Sendable {
    let slot: Int
    let column: String
    let type: AttributeType
  }

  /// What an attribute of a new object gets.
  enum Part: Sendable {
    /// The same for each object, by its place in `template`.
    case same
    /// The value of a cell, by its place among them.
    case copied(cell: Int, AttributeMove)
    /// What the statement computes.
    case computed(number: Int, type: AttributeType)
  }

  let sql: String
  let bindings: [SQLiteValue]
  let cells: [Cell]
  /// The cells that somebody will look at.
  let wanted: [Int]
  /// By cell, the place in the statement; -1 for those that it does not read.
  let positions: [Int]
  /// By the slots of the source's to-one relationships; -1 for one that is no column.
  let targetPositions: [Int]
  /// By number, the places of what the statement computes.
  let computedPositions: [Int]
  /// What the attributes of a new object are where nothing is said of them.
  let template: [Value]
  /// By the slots of a new object; empty where nothing is made.
  let parts: [Part]

  /// Reads the row on which a statement stands.
  ///
  /// - Parameter spares: Rows whose memory is of no use to others.
  func read(_ row: borrowing RowView, into page: inout AheadPage.Contents, using spares: inout RowBatch) {
    let place = page.keys.count
    page.keys.append(row.integer(at: 0))
    page.versions.append(row.integer(at: 1))
    var isOdd = false
    for number in wanted {
      let cell = cells[number]
      do {
        let value = try AttributeCodec.decode(row, at: positions[number], as: cell.type)
        page.bytes += value.heapBytes
        page.values.append(value)
      } catch {
        page.values.append(.null)
        isOdd = true
      }
    }
    for position in targetPositions {
      guard position >= 0 else {
        page.targets.append(0)
        continue
      }
      let view = row.view(at: position)
      page.targets.append(view.integer)
      if view.type != .null, view.type != .integer || view.integer <= 0 { isOdd = true }
    }
    if !parts.isEmpty {
      let made = isOdd ? nil : make(row, &page, at: place, &spares)
      page.made.append(made ?? [])
      if made == nil { isOdd = true }
    }
    if isOdd { page.odd.insert(place) }
  }

  /// The attributes of a new object; nil where one of them takes a closer look.
  private func make(
    _ row: borrowing RowView, _ page: inout AheadPage.Contents, at place: Int, _ spares: inout RowBatch
  ) -> [Value]? {
    var values = spares.takeValues(count: parts.count)
    let isWhole = values.withUnsafeMutableBufferPointer { values in
      for slot in values.indices {
        guard let value = value(at: slot, row, page, at: place) else { return false }
        page.bytes += value.heapBytes
        values[slot] = value
      }
      return true
    }
    return isWhole ? values : nil
  }

  @inline(__always)
  private func value(
    at slot: Int, _ row: borrowing RowView, _ page: borrowing AheadPage.Contents, at place: Int
  ) -> Value? {
    switch parts[slot] {
    case .same: return template[slot]
    case .copied(let cell, let move):
      guard let value = page.value(ofCell: cell, at: place) ?? decode(row, cell) else { return nil }
      return move.held(value)
    case .computed(let number, let type):
      return try? AttributeCodec.decode(row, at: computedPositions[number], as: type)
    }
  }

  private func decode(_ row: borrowing RowView, _ cell: Int) -> Value? {
    try? AttributeCodec.decode(row, at: positions[cell], as: cells[cell].type)
  }
}
