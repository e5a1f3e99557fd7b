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
  let query: AheadQuery
  /// The cells by slot of the source's attributes; -1 for those that are none.
  let cells: [Int]
  /// Whether cells and targets are all that a row holds.
  let isWhole: Bool
  /// The cells that are needed anyway.
  let wanted: [Int]
  /// The attributes of new objects that are known beforehand.
  package let attributes: Set<String>
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
    var (cells, numbers) = ([AheadQuery.Cell](), [Int](repeating: -1, count: source.attributes.count))
    var list = ["t0.Z_PK", "t0.Z_OPT"]
    var isWhole = true
    for attribute in source.columns.attributes {
      guard attribute.column.type != .composite, !attribute.column.mayBeExternal else {
        isWhole = false
        continue
      }
      numbers[attribute.slot] = cells.count
      cells.append(.init(slot: attribute.slot, position: list.count, type: attribute.column.type))
      list.append("t0.\(SQLName(attribute.column.column))")
    }
    var targetPositions = [Int](repeating: -1, count: source.toOnes.count)
    for (slot, column) in source.columns.toOnes {
      targetPositions[slot] = list.count
      list.append("t0.\(SQLName(column.column))")
    }
    var wanted: [Int] = []
    for name in names.sorted() {
      guard case .attribute(let slot)? = source.slots[name] else { continue }
      guard numbers[slot] >= 0 else { return nil }
      wanted.append(numbers[slot])
    }
    var (template, known, bindings) = (destination.defaults, Set(constants.keys), [SQLiteValue]())
    var parts = [AheadQuery.Part](repeating: .same, count: template.count)
    for (name, value) in constants {
      if case .attribute(let slot)? = destination.slots[name] { template[slot] = value }
    }
    for move in copies?.moves ?? [] {
      guard numbers[move.source] >= 0 else { return nil }
      parts[move.destination] = .copied(cell: numbers[move.source], conversion: move.conversion)
      known.insert(destination.attributes[move.destination].description.name)
    }
    for attribute in destination.columns.attributes {
      guard let value = transfer.values[attribute.column.column], !attribute.column.isDerived else { continue }
      parts[attribute.slot] = .computed(position: list.count, type: attribute.column.type)
      list.append(value.sql)
      bindings += value.bindings.map(SQLiteValue.init)
      known.insert(attribute.column.name)
    }
    query = AheadQuery(
      sql: "SELECT \(list.joined(separator: ", ")) \(transfer.origin) WHERE \(transfer.condition) ORDER BY t0.Z_PK",
      bindings: bindings + transfer.filterBindings, cells: cells, targetPositions: targetPositions,
      template: template, parts: known.isEmpty ? [] : parts)
    (self.transfer, self.source, self.destination, self.cells, self.isWhole) = (
      transfer, source, destination, numbers, isWhole
    )
    (self.wanted, attributes) = (wanted, known)
  }

  /// Gives a new object the attributes that are known of it; false where nothing was given, because somebody has changed
  /// either object, or the row takes a closer look.
  package func give(_ new: ManagedObject, madeFrom object: ManagedObject) -> Bool {
    guard object.isFault, let current, object.row === current, new.runtime === destination, new.isNew,
      let made = current.takeMade()
    else { return false }
    new.attributes = made
    return true
  }
}
