import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// The source objects of an entity mapping whose rows another thread reads before a policy is asked, along with the
/// attributes that are declared for what is made of them.
///
/// Nobody can tell the difference: only what depends on nothing but the row itself is computed beforehand, and it counts
/// only for an object that nobody has changed. Whatever is not as the model says is left to the objects.
package final class AheadRows {
  let source: EntityRuntime
  private let destination: EntityRuntime
  /// Calls functions that a connection must know.
  let transfer: RowTransfer
  /// The cells by slot of the source's attributes; -1 for those that are none.
  let cells: [Int]
  /// Whether cells and targets are all that a row holds.
  let isWhole: Bool
  /// The cells that are needed anyway.
  let wanted: [Int]
  /// The attributes of new objects that are known beforehand.
  package let attributes: Set<String>
  /// Columns of the source that hold attributes' values by themselves.
  let columns: [AheadQuery.Cell]
  /// By the slots of the source's to-one relationships; nil for one that is no column.
  private let targetColumns: [String?]
  /// The attributes of a new object that get the same for each.
  let constants: [(slot: Int, value: Value)]
  private let parts: [AheadQuery.Part]
  let layout: MadeLayout
  /// What `parts` take from the statement, by number.
  private let computed: [(sql: String, bindings: [SQLiteValue])]
  /// The row that is at hand.
  var current: AheadRow?

  /// - Parameters:
  ///   - transfer: Reads the rows on the source's own connection, and computes attributes.
  ///   - store: Holds the new objects.
  ///   - copies: The attributes that are copied as they are.
  ///   - constants: The attributes that get the same for each object.
  ///   - names: The attributes of the source that are looked at for others.
  /// - Returns: Nil where an attribute that is looked at takes more than a look at its column.
  package init?(
    _ transfer: RowTransfer, to store: PersistentStore, copies: AttributeTransfers?, constants: [String: Value],
    reading names: Set<String>
  ) {
    guard let destination = store.runtime.byName[transfer.destination.name] else { return nil }
    let source = transfer.source
    var (columns, numbers) = ([AheadQuery.Cell](), [Int](repeating: -1, count: source.attributes.count))
    var isWhole = true
    for attribute in source.columns.attributes {
      guard attribute.column.type != .composite, !attribute.column.mayBeExternal else {
        isWhole = false
        continue
      }
      numbers[attribute.slot] = columns.count
      columns.append(.init(slot: attribute.slot, column: attribute.column.column, type: attribute.column.type))
    }
    var targetColumns = [String?](repeating: nil, count: source.toOnes.count)
    for (slot, column) in source.columns.toOnes { targetColumns[slot] = column.column }
    var wanted: [Int] = []
    for name in names.sorted() {
      guard case .attribute(let slot)? = source.slots[name] else { continue }
      guard numbers[slot] >= 0 else { return nil }
      wanted.append(numbers[slot])
    }
    var known = Set(constants.keys)
    var parts: [AheadQuery.Part] = []
    var made: [(slot: Int, type: AttributeType)] = []
    for move in copies?.moves ?? [] {
      guard numbers[move.source] >= 0 else { return nil }
      parts.append(.copied(cell: numbers[move.source], move))
      made.append((move.destination, destination.attributes[move.destination].type))
      known.insert(destination.attributes[move.destination].description.name)
    }
    var computed: [(sql: String, bindings: [SQLiteValue])] = []
    for attribute in destination.columns.attributes {
      guard let value = transfer.values[attribute.column.column], !attribute.column.isDerived else { continue }
      parts.append(.computed(number: computed.count, type: attribute.column.type))
      made.append((attribute.slot, attribute.column.type))
      computed.append((value.sql, value.bindings.map(SQLiteValue.init)))
      known.insert(attribute.column.name)
    }
    (self.transfer, self.source, self.destination, cells, self.isWhole) = (
      transfer, source, destination, numbers, isWhole
    )
    (self.wanted, attributes, self.parts) = (wanted, known, parts)
    (self.columns, self.targetColumns, self.computed) = (columns, targetColumns, computed)
    self.constants = constants.compactMap { name, value in
      if case .attribute(let slot)? = destination.slots[name] { (slot, value) } else { nil }
    }
    layout = MadeLayout(slotCount: destination.attributes.count, made)
  }

  /// How many to-one relationships the source has.
  var targetCount: Int { targetColumns.count }

  /// Whether a to-one relationship of the source is a column.
  func hasTarget(at slot: Int) -> Bool { targetColumns[slot] != nil }

  /// Reads the rows from a key on, the statement's last parameter.
  ///
  /// - Parameter wanted: The cells that somebody will look at. A column that nobody needs costs time all the same.
  func query(_ wanted: [Int]) -> AheadQuery {
    var (list, bindings) = (["t0.Z_PK", "t0.Z_OPT"], [SQLiteValue]())
    func place(_ sql: String) -> Int {
      list.append(sql)
      return list.count - 1
    }
    var positions = [Int](repeating: -1, count: columns.count)
    for cell in wanted + copiedCells where positions[cell] < 0 {
      positions[cell] = place("t0.\(SQLName(columns[cell].column))")
    }
    let targetPositions = targetColumns.map { column in column.map { place("t0.\(SQLName($0))") } ?? -1 }
    let computedPositions = computed.map { value in
      bindings += value.bindings
      return place(value.sql)
    }
    return AheadQuery(
      sql: "SELECT \(list.joined(separator: ", ")) \(transfer.origin) "
        + "WHERE \(transfer.condition) AND t0.Z_PK >= ? ORDER BY t0.Z_PK",
      bindings: bindings + transfer.filterBindings, cells: columns, wanted: wanted, positions: positions,
      targetPositions: targetPositions, computedPositions: computedPositions, parts: parts,
      layout: layout)
  }

  private var copiedCells: [Int] {
    parts.compactMap { part in if case .copied(let cell, _) = part { cell } else { nil } }
  }

  /// Gives a new object the attributes that are known of it; false where nothing was given, because somebody has changed
  /// either object, or the row takes a closer look.
  package func give(_ new: ManagedObject, madeFrom object: ManagedObject) -> Bool {
    guard object.isFault, let current, object.row === current, new.runtime === destination, new.isNew,
      !attributes.isEmpty
    else { return false }
    return current.give(new)
  }
}
