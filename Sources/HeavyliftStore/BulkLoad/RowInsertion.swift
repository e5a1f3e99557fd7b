import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// How rows of one entity are written if they contain only plain values and keys: all that a thread without access to
/// objects needs.
///
/// A class, so that copies share the description of the columns.
final class RowInsertion: Sendable {
  /// One for each parameter after `Z_PK`, `Z_ENT`, and `Z_OPT`.
  private enum Cell {
    /// The slot of the attribute, and the index of its column.
    case attribute(slot: Int, column: Int)
    case target(slot: Int)
    /// A column with more about a target than its key. Only rows without a target are written here, so it is NULL.
    case ofTarget
  }

  let sql: String
  let rootNumber: Int
  /// Rules that no row can break, because targets are always objects that were created in the store.
  let sureRules: Set<PropertyRule>
  private let rules: [RuleSet.Cell]
  private let number: Int64
  private let slotCount: Int
  private let cells: [Cell]
  private let columns: [AttributeColumn]
  /// The slots of to-one relationships for which a row contains more than the target's key.
  private let wordyTargets: [Int]

  /// Returns nil if an attribute may be stored in a file or has several columns.
  init?(_ entity: EntityRuntime) {
    let columns = entity.columns
    guard columns.attributes.allSatisfy({ $0.column.type != .composite && !$0.column.mayBeExternal }) else {
      return nil
    }
    (sql, rootNumber, number) = (columns.insert, entity.rootNumber, Int64(entity.layout.number))
    slotCount = entity.attributes.count
    var (cells, wordyTargets) = ([Cell](), [Int]())
    for (index, attribute) in columns.attributes.enumerated() {
      cells.append(.attribute(slot: attribute.slot, column: index))
    }
    self.columns = columns.attributes.map(\.column)
    for (slot, column) in columns.toOnes {
      cells.append(.target(slot: slot))
      let more = [column.entityColumn, column.orderColumn].compactMap(\.self).count
      cells += [Cell](repeating: .ofTarget, count: more)
      if more > 0 { wordyTargets.append(slot) }
    }
    (self.cells, self.wordyTargets) = (cells, wordyTargets)
    (rules, sureRules) = (entity.rules.cells, entity.rules.links)
  }

  /// Returns the rules that all rows obey, given the indexes of the cells that are invalid in some row.
  func rules(keptIn broken: Set<Int>) -> Set<PropertyRule> {
    rules.indices.filter { !broken.contains($0) }.reduce(into: sureRules) { $0.formUnion(rules[$1].rule.rules) }
  }

  /// Adds the indexes of the rules that a row breaks.
  func check(_ row: RowBatch.Row, of batch: RowBatch, _ broken: inout Set<Int>) {
    for index in rules.indices where !isKept(rules[index], row, batch) { broken.insert(index) }
  }

  private func isKept(_ cell: RuleSet.Cell, _ row: RowBatch.Row, _ batch: RowBatch) -> Bool {
    switch cell.property {
    case .toOne(let slot): return batch.targets[row.targets + slot] != 0
    case .attribute(let slot):
      if row.page >= 0 {
        let page = batch.pages[row.page]
        let index = page.attributes.columnIndexes[slot]
        if index >= 0 { return page.allows(cell.rule, attribute: index, ofRow: row.pageRow) }
      }
      return cell.rule.allows(batch.values[row.values + slot])
    }
  }

  /// Returns true if a new object's row is everything that has to be written for it.
  func suffices(for object: ManagedObject) -> Bool {
    object.key > 0 && !object.hasExternalFiles && wordyTargets.allSatisfy { object.toOnes[$0] == 0 }
      && (object.toManys.isSameStorage(as: object.runtime.emptyTargets)
        || !object.toManys.contains(where: \.hasChanges))
  }

  /// Writes a row with a prepared statement.
  ///
  /// - Parameter texts: Contains the row's texts until the next row is written.
  func write(
    _ row: RowBatch.Row, of batch: RowBatch, with statement: Statement, _ texts: inout TextBuffer
  ) throws {
    let page = row.page < 0 ? nil : batch.pages[row.page]
    texts.clear(reserving: batch.textBytes(of: row, slots: slotCount))
    try statement.bind(row.key, at: 1)
    try statement.bind(number, at: 2)
    try statement.bind(1 as Int64, at: 3)
    var index = 3
    for cell in cells {
      index += 1
      switch cell {
      case .attribute(let slot, let column):
        if let page, page.attributes.columnIndexes[slot] >= 0 {
          try page.bind(attribute: page.attributes.columnIndexes[slot], ofRow: row.pageRow, to: statement, at: index)
          continue
        }
        switch batch.values[row.values + slot] {
        case .null: try statement.bindNull(at: index)
        case .integer(let number): try statement.bind(number, at: index)
        case .double(let number): try statement.bind(number, at: index)
        case .string(let text): try statement.bind(borrowedText: texts.append(text), at: index)
        case .date(let date): try statement.bind(date.timeIntervalSinceReferenceDate, at: index)
        case .bool(let isTrue): try statement.bind(isTrue ? 1 : 0 as Int64, at: index)
        case let value: try statement.bind(AttributeCodec.encode(value, as: columns[column]), at: index)
        }
      case .target(let slot):
        let key = batch.targets[row.targets + slot]
        try key == 0 ? statement.bindNull(at: index) : statement.bind(key, at: index)
      case .ofTarget: try statement.bindNull(at: index)
      }
    }
    try statement.execute()
  }
}
