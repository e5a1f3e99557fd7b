import HeavyliftModel
import HeavyliftSQLite

/// A row that was read ahead, for objects as one on which a query stands is.
///
/// What was not read, or is odd, is read again by the row's key, and told as it is told of any other row.
final class AheadRow: CurrentRow {
  private let rows: AheadRows
  private let entity: EntityRuntime
  /// The cells by slot; -1 for attributes that are no cells.
  private let cells: [Int]
  private let isWhole: Bool
  private unowned let context: ManagedObjectContext
  /// The cells that somebody has looked at or will look at.
  private(set) var wanted: [Int]
  private var page: AheadPage
  private var index = 0
  /// How often rows of the page had to be read again.
  private var rereads = 0
  /// The object that was given last what is made of the row.
  private var given: (key: ObjectKey, context: ManagedObjectContext)?
  /// How many pages one after the other were mostly read again.
  private var poorPages = 0

  init(_ rows: AheadRows, in context: ManagedObjectContext) throws {
    (self.rows, entity, cells, isWhole, wanted) = (rows, rows.source, rows.cells, rows.isWhole, rows.wanted)
    (self.context, page) = (context, AheadPage(AheadPage.Contents(cells: 0, wanted: [], rows.layout, rows: 0)))
    super.init(try context.faultStatement(for: entity), context.reader(for: entity))
  }

  /// How many rows are at hand.
  var pageCount: Int { page.contents.keys.count }

  /// Whether reading ahead is of no use: what somebody wants of the rows is not what pages can hold, and those that were
  /// asked for before it was known are over.
  var isPointless: Bool { poorPages > 3 }

  func turn(to page: AheadPage) { (self.page, rereads) = (page, 0) }

  /// To be called when all rows of the page are done with.
  func didFinishPage() { poorPages = rereads * 2 > pageCount ? poorPages + 1 : 0 }

  func turn(to index: Int) { self.index = index }

  override func value(at slot: Int) throws -> Value {
    let (cell, contents) = (cells[slot], page.contents)
    if cell >= 0, let value = contents.value(ofCell: cell, at: index), !contents.isOdd(index) { return value }
    want(cell)
    return try context.store.reporting { try again { try super.value(at: slot) } }
  }

  override func copy(_ moves: [AttributeMove], into values: inout [Value]) throws -> Bool {
    guard !page.contents.isOdd(index) else { return false }
    for move in moves {
      let cell = cells[move.source]
      guard cell >= 0, let value = page.contents.value(ofCell: cell, at: index) else { return false }
      guard let held = move.held(value) else { return false }
      values[move.destination] = held
    }
    return true
  }

  override func storedTargetKey(at slot: Int) -> Int64? {
    rows.hasTarget(at: slot) ? page.contents.targets[index * rows.targetCount + slot] : nil
  }

  override func read(in context: ManagedObjectContext) throws -> StoredRow {
    if let row = wholeRow { return row }
    if isWhole { for cell in rows.columns.indices { want(cell) } }
    return try context.readingRows { try again { try super.read() } }
  }

  /// Gives a new object what is made of the row; false where that takes a closer look.
  func give(_ new: ManagedObject) -> Bool {
    guard !page.contents.isOdd(index), let context = new.context else { return false }
    leave()
    for (slot, value) in rows.constants { new.held[slot] = value }
    new.made = MadeRow(page: page, row: index)
    given = (new.objectKey, context)
    return true
  }

  /// To be called when the row is done with: whoever keeps an object that was made of it must not keep its page.
  func leave() {
    guard let (key, context) = given else { return }
    given = nil
    context.registeredObject(key)?.takeMade()
  }

  /// Out of the page, if all of it is there.
  private var wholeRow: StoredRow? {
    let contents = page.contents
    guard isWhole, contents.width == rows.columns.count, !contents.isOdd(index) else { return nil }
    var row = StoredRow(
      key: contents.keys[index], version: contents.versions[index], attributes: entity.noValues,
      toOnes: entity.noTargets, externalFiles: [:])
    for (number, cell) in rows.columns.enumerated() {
      row.attributes[cell.slot] = contents.value(ofCell: number, at: index) ?? .null
    }
    let width = rows.targetCount
    for slot in 0..<width where contents.targets[index * width + slot] != 0 {
      row.toOnes[slot] = contents.targets[index * width + slot]
    }
    return row
  }

  private func want(_ cell: Int) {
    if cell >= 0, !wanted.contains(cell) { wanted.append(cell) }
  }

  /// Has the statement stand on the row.
  private func again<Result>(_ body: () throws -> Result) throws -> Result {
    let key = page.contents.keys[index]
    rereads += 1
    statement.reset()
    try statement.bind(key, at: 1)
    defer { statement.reset() }
    guard try statement.step() else {
      throw StoreMistake.missingObject(entity: entity.name, key: key).diagnostic(context.store.url)
    }
    return try body()
  }
}
