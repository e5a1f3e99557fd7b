import HeavyliftModel
import HeavyliftSQLite

/// How rows of one entity are written that hold nothing but plain values and keys: what a thread needs that knows no
/// objects.
struct RowInsertion: Sendable {
  /// One parameter each, behind `Z_PK`, `Z_ENT` and `Z_OPT`.
  private enum Cell {
    case attribute(slot: Int, AttributeColumn)
    case target(slot: Int)
    /// Says more of a target than its key, and has nothing to say where there is none.
    case ofTarget
  }

  let sql: String
  let rootNumber: Int
  private let number: Int64
  private let cells: [Cell]
  /// To-one relationships of which a row says more than the key.
  private let wordyTargets: [Int]

  /// Nil where values need files or several columns, or something else than the row.
  init?(_ entity: EntityRuntime) {
    let columns = entity.columns
    guard columns.attributes.allSatisfy({ $0.column.type != .composite && !$0.column.mayBeExternal }) else {
      return nil
    }
    (sql, rootNumber, number) = (columns.insert, entity.rootNumber, Int64(entity.layout.number))
    var (cells, wordyTargets) = ([Cell](), [Int]())
    for attribute in columns.attributes { cells.append(.attribute(slot: attribute.slot, attribute.column)) }
    for (slot, column) in columns.toOnes {
      cells.append(.target(slot: slot))
      let more = [column.entityColumn, column.orderColumn].compactMap(\.self).count
      cells += [Cell](repeating: .ofTarget, count: more)
      if more > 0 { wordyTargets.append(slot) }
    }
    (self.cells, self.wordyTargets) = (cells, wordyTargets)
  }

  /// Whether the row of a new object says everything about it that is to be written.
  func suffices(for object: ManagedObject) -> Bool {
    object.key > 0 && object.externalFiles.isEmpty && wordyTargets.allSatisfy { object.toOnes[$0] == 0 }
      && !object.toManys.contains(where: \.hasChanges)
  }

  /// Writes a row with its statement.
  func write(_ row: RowBatch.Row, with statement: Statement) throws {
    try statement.bind(row.key, at: 1)
    try statement.bind(number, at: 2)
    try statement.bind(1 as Int64, at: 3)
    for (index, cell) in zip(4..., cells) {
      switch cell {
      case .attribute(let slot, let column):
        switch row.attributes[slot] {
        case .null: try statement.bindNull(at: index)
        case .integer(let number): try statement.bind(number, at: index)
        case .double(let number): try statement.bind(number, at: index)
        case .string(let text): try statement.bind(text: text, at: index)
        case let value: try statement.bind(AttributeCodec.encode(value, as: column), at: index)
        }
      case .target(let slot):
        let key = row.toOnes[slot]
        try key == 0 ? statement.bindNull(at: index) : statement.bind(key, at: index)
      case .ofTarget: try statement.bindNull(at: index)
      }
    }
    try statement.execute()
  }
}
