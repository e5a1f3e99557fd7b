import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// How rows of one entity are written if they contain only plain values and keys: all that a thread without access to
/// objects needs.
///
/// A class, so that copies share the description of the columns.
final class RowInsertion: Sendable {
  /// An attribute that is a parameter of the statement, or that has a rule.
  ///
  /// Numbers only, because a loop over columns or rules would retain and release everything in them.
  fileprivate struct Cell {
    /// The parameter, or the index of the rule.
    let number: Int
    let slot: Int
    /// The index of its column, or -1.
    let column: Int
    /// Its place in the page, or -1.
    var place = -1
  }

  private static let (keyParameter, entityParameter, versionParameter) = (1, 2, 3)

  let sql: String
  let rootNumber: Int
  /// Rules that no row can break, because targets are always objects that were created in the store.
  let sureRules: Set<PropertyRule>
  private let rules: [RuleSet.Cell]
  private let number: Int64
  private let columns: [AttributeColumn]
  fileprivate let attributes: [Cell]
  fileprivate let checkedAttributes: [Cell]
  private let checkedTargets: [(rule: Int, slot: Int)]
  private let targets: [(parameter: Int, slot: Int)]
  /// The slots of to-one relationships for which a row contains more than the target's key. Only rows without a target
  /// are written here, so that these columns are NULL.
  private let wordyTargets: [Int]

  /// Returns nil if an attribute may be stored in a file or has several columns.
  init?(_ entity: EntityRuntime) {
    let columns = entity.columns
    guard columns.attributes.allSatisfy({ $0.column.type != .composite && !$0.column.mayBeExternal }) else {
      return nil
    }
    (sql, rootNumber, number) = (columns.insert, entity.rootNumber, Int64(entity.layout.number))
    var parameter = Self.versionParameter
    self.columns = columns.attributes.map(\.column)
    attributes = columns.attributes.enumerated().map { index, attribute in
      parameter += 1
      return Cell(number: parameter, slot: attribute.slot, column: index)
    }
    var (targets, wordyTargets) = ([(parameter: Int, slot: Int)](), [Int]())
    for (slot, column) in columns.toOnes {
      parameter += 1
      targets.append((parameter, slot))
      let more = [column.entityColumn, column.orderColumn].compactMap(\.self).count
      parameter += more
      if more > 0 { wordyTargets.append(slot) }
    }
    (self.targets, self.wordyTargets) = (targets, wordyTargets)
    (rules, sureRules) = (entity.rules.cells, entity.rules.links)
    var (checkedAttributes, checkedTargets) = ([Cell](), [(rule: Int, slot: Int)]())
    for (index, cell) in rules.enumerated() {
      switch cell.property {
      case .toOne(let slot): checkedTargets.append((index, slot))
      case .attribute(let slot): checkedAttributes.append(Cell(number: index, slot: slot, column: -1))
      }
    }
    (self.checkedAttributes, self.checkedTargets) = (checkedAttributes, checkedTargets)
  }

  /// Returns the rules that all rows obey, given the indexes of the cells that are invalid in some row.
  func rules(keptIn broken: Set<Int>) -> Set<PropertyRule> {
    rules.indices.filter { !broken.contains($0) }.reduce(into: sureRules) { $0.formUnion(rules[$1].rule.rules) }
  }

  /// Returns true if a new object's row is everything that has to be written for it.
  func suffices(for object: ManagedObject) -> Bool {
    object.key > 0 && !object.hasExternalFiles && wordyTargets.allSatisfy { object.toOnes[$0] == 0 }
      && (object.toManys.isSameStorage(as: object.runtime.emptyTargets)
        || !object.toManys.contains(where: \.hasChanges))
  }

  /// Binds what is the same in all rows.
  func prepare(_ statement: Statement) throws {
    try statement.bind(number, at: Self.entityParameter)
    try statement.bind(1 as Int64, at: Self.versionParameter)
  }

  /// Writes a row with a prepared statement.
  ///
  /// - Parameters:
  ///   - sources: The sources of attributes for the row's page.
  ///   - texts: Contains the row's texts until the next row is written.
  func write(
    _ row: RowBatch.Row, of batch: RowBatch, _ sources: RowSources, with statement: Statement, _ texts: TextBuffer
  ) throws {
    texts.clear(reserving: sources.textBytes(of: row))
    try statement.bind(row.key, at: Self.keyParameter)
    for cell in sources.own { try bind(row.values[cell.slot], cell, statement, texts) }
    if row.page >= 0 {
      let page = batch.pages[row.page]
      for cell in sources.ofPage {
        if row.overridden.contains(cell.slot) {
          try bind(row.values[cell.slot], cell, statement, texts)
        } else {
          try page.bind(attribute: cell.place, ofRow: row.pageRow, to: statement, at: cell.number)
        }
      }
    }
    for (parameter, slot) in targets {
      let key = batch.targets[row.targets + slot]
      try key == 0 ? statement.bindNull(at: parameter) : statement.bind(key, at: parameter)
    }
    try statement.execute()
  }

  private func bind(_ value: Value, _ cell: Cell, _ statement: Statement, _ texts: TextBuffer) throws {
    let parameter = cell.number
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

  /// Adds the indexes of the rules that a row breaks.
  func check(_ row: RowBatch.Row, of batch: RowBatch, _ sources: RowSources, _ broken: inout Set<Int>) {
    for cell in sources.checkedOwn where !rules[cell.number].rule.allows(row.values[cell.slot]) {
      broken.insert(cell.number)
    }
    for (rule, slot) in checkedTargets where batch.targets[row.targets + slot] == 0 { broken.insert(rule) }
    guard row.page >= 0 else { return }
    let page = batch.pages[row.page]
    for cell in sources.checkedOfPage {
      let isKept =
        row.overridden.contains(cell.slot)
        ? rules[cell.number].rule.allows(row.values[cell.slot])
        : page.allows(rules[cell.number].rule, attribute: cell.place, ofRow: row.pageRow)
      if !isKept { broken.insert(cell.number) }
    }
  }
}

/// The sources of an entity's attributes in new rows: a page, or the row itself. Determined once for each kind of
/// page.
final class RowSources {
  /// The attributes that are columns of the page; nil for rows without a page.
  let prefetched: PrefetchedAttributes?
  fileprivate let own: [RowInsertion.Cell]
  fileprivate let ofPage: [RowInsertion.Cell]
  fileprivate let checkedOwn: [RowInsertion.Cell]
  fileprivate let checkedOfPage: [RowInsertion.Cell]

  init(_ insertion: RowInsertion, _ prefetched: PrefetchedAttributes?) {
    self.prefetched = prefetched
    func placed(_ cells: [RowInsertion.Cell]) -> (own: [RowInsertion.Cell], ofPage: [RowInsertion.Cell]) {
      let all = cells.map { cell in
        var cell = cell
        cell.place = prefetched?.columnIndexes[cell.slot] ?? -1
        return cell
      }
      return (all.filter { $0.place < 0 }, all.filter { $0.place >= 0 })
    }
    (own, ofPage) = placed(insertion.attributes)
    (checkedOwn, checkedOfPage) = placed(insertion.checkedAttributes)
  }

  /// Returns the number of bytes in a row's texts that are not in the page.
  fileprivate func textBytes(of row: RowBatch.Row) -> Int {
    var bytes = 0
    for cell in own { if case .string(let text) = row.values[cell.slot] { bytes += text.utf8.count } }
    guard !row.overridden.isEmpty else { return bytes }
    for cell in ofPage where row.overridden.contains(cell.slot) {
      if case .string(let text) = row.values[cell.slot] { bytes += text.utf8.count }
    }
    return bytes
  }
}
