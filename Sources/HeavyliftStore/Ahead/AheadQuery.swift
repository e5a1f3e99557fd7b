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
  /// By their places in `layout`.
  let parts: [Part]
  let layout: MadeLayout

  /// Reads the row on which a statement stands.
  func read(_ row: borrowing RowView, into page: inout AheadPage.Contents) {
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
    if !make(row, page.made) { isOdd = true }
    page.made.completeRow(place)
    if isOdd { page.odd.insert(place) }
  }

  /// Reads the attributes of a new object; false where one of them takes a closer look.
  private func make(_ row: borrowing RowView, _ made: MadeValues) -> Bool {
    for part in parts {
      switch part {
      case .copied(let cell, let move):
        let (position, type) = (positions[cell], cells[cell].type)
        if move.conversion == nil, made.append(row.view(at: position), as: type) { continue }
        guard let value = try? AttributeCodec.decode(row, at: position, as: type), let held = move.held(value) else {
          return false
        }
        made.append(held)
      case .computed(let number, let type):
        let position = computedPositions[number]
        if made.append(row.view(at: position), as: type) { continue }
        guard let value = try? AttributeCodec.decode(row, at: position, as: type) else { return false }
        made.append(value)
      }
    }
    return true
  }
}
