import HeavyliftExpression
import HeavyliftModel
import HeavyliftSQLite

/// The attributes of new objects that are columns of prefetched rows.
final class PrefetchedAttributes: Sendable {
  struct Column: Sendable {
    let slot: Int
    /// The column's position in the row.
    let position: Int
    let type: AttributeType
  }

  let columns: [Column]
  /// Indexes in `columns`, by slot; -1 for other attributes.
  let columnIndexes: [Int]
  /// The slots of other attributes whose values may be large.
  let otherHeavySlots: [Int]

  /// - Parameter heavySlots: The slots of all attributes whose values may be large.
  init(slotCount: Int, _ columns: [Column], heavy heavySlots: [Int] = []) {
    var columnIndexes = [Int](repeating: -1, count: slotCount)
    for (index, column) in columns.enumerated() { columnIndexes[column.slot] = index }
    (self.columns, self.columnIndexes) = (columns, columnIndexes)
    otherHeavySlots = heavySlots.filter { columnIndexes[$0] < 0 }
  }
}

/// The source rows of an entity mapping that another thread reads while its policy runs, with the attributes that the
/// mapping declares for new objects.
///
/// A policy cannot notice the difference: only attributes that depend on nothing but the row are prefetched, and they
/// are used only if neither the source object nor the new object was changed.
package final class RowPrefetch {
  let source: EntityRuntime
  private let destination: EntityRuntime
  /// The transfer that reads the rows; the functions that it calls must be registered with the connection.
  let transfer: RowTransfer
  /// The attributes of new objects that are prefetched or constant.
  package let attributeNames: Set<String>
  let attributes: PrefetchedAttributes
  private let constants: [(slot: Int, value: Value)]
  /// The default values with the constants.
  private let template: [Value]
  let sql: String
  let bindings: [SQLiteValue]
  /// The number of the statement's columns: those of the source's row, and those that are computed for new objects.
  let width: Int
  /// The row of the current source object.
  var current: CurrentRow?
  /// The last object that was given the current row.
  private var given: (key: ObjectKey, context: ManagedObjectContext)?

  /// - Parameters:
  ///   - transfer: Reads the rows on the source's own connection, and computes attributes.
  ///   - store: Holds the new objects.
  ///   - copies: The attributes that are copied unchanged.
  ///   - constants: The attributes that have the same value in every object.
  package init?(
    _ transfer: RowTransfer, to store: PersistentStore, copies: AttributeTransfers?, constants: [String: Value]
  ) {
    guard let destination = store.runtime.byName[transfer.destination.name] else { return nil }
    let source = transfer.source
    var list = source.columns.names.map { source.layout.columnSQL($0, "t0") }
    var (bindings, columns) = ([SQLiteValue](), [PrefetchedAttributes.Column]())
    for move in copies?.moves ?? [] where move.conversion == nil {
      guard let column = source.attributes[move.source].column?.column,
        let position = source.columns.names.firstIndex(of: column)
      else { return nil }
      columns.append(
        .init(slot: move.destination, position: position, type: destination.attributes[move.destination].type))
    }
    for attribute in destination.columns.attributes {
      guard let value = transfer.values[attribute.column.column], !attribute.column.isDerived else { continue }
      columns.append(.init(slot: attribute.slot, position: list.count, type: attribute.column.type))
      list.append(value.sql)
      bindings += value.bindings.map(SQLiteValue.init)
    }
    (self.transfer, self.source, self.destination, width) = (transfer, source, destination, list.count)
    attributes = PrefetchedAttributes(slotCount: destination.attributes.count, columns, heavy: destination.heavySlots)
    self.constants = constants.compactMap { name, value in
      if case .attribute(let slot)? = destination.slots[name] { (slot, value) } else { nil }
    }
    var template = destination.defaults
    for (slot, value) in self.constants { template[slot] = value }
    self.template = template
    attributeNames = Set(constants.keys).union(columns.map { destination.attributes[$0.slot].description.name })
    sql =
      "SELECT \(list.joined(separator: ", ")) \(transfer.origin) WHERE \(transfer.condition) ORDER BY t0.Z_PK"
    self.bindings = bindings + transfer.filterBindings
  }

  /// Gives a new object its prefetched attributes. Returns false, and changes nothing, if either object was changed, or
  /// if a value must be converted or reported.
  package func give(_ new: ManagedObject, madeFrom object: ManagedObject) -> Bool {
    guard object.isFault, let current, object.row === current, new.runtime === destination, new.isNew,
      !attributeNames.isEmpty, let row = current.page, row.page.fits(row.index), let context = new.context
    else { return false }
    release()
    if new.held.isSameStorage(as: destination.defaults) {
      new.held = template
    } else {
      for (slot, value) in constants { new.replaceHeld(value, at: slot) }
    }
    new.prefetched = row
    new.overriddenSlots = SlotSet()
    given = (new.objectKey, context)
    return true
  }

  /// Detaches the object that was given the current row, so that a policy that keeps the object does not keep the page.
  func release() {
    guard let (key, context) = given else { return }
    given = nil
    context.registeredObject(key)?.takePrefetched()
  }
}
