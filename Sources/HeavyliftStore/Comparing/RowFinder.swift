import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// Finds the rows of one entity by key, mostly in ascending order, and compares their contents in place, in SQLite's
/// memory.
///
/// A read-only cursor over the table, sorted by key. Creates no objects.
package final class RowFinder {
  /// The maximum number of rows to step over before the query is restarted at the wanted key.
  private static let nearby = 16

  let entity: EntityRuntime
  package let row: CurrentRow
  private let statement: Statement
  private let folder: ExternalDataFolder
  /// Each attribute's column index, by slot; -1 for a composite or an attribute that is not stored.
  private let positions: [Int]
  /// The key of the current row; nil before the first row and after the last.
  private var key: Int64?

  /// Nil if the store has no such entity.
  package init?(_ entityName: String, in store: PersistentStore) throws {
    guard let entity = store.runtime.byName[entityName] else { return nil }
    self.entity = entity
    let names = FetchPlan.columnNames(of: [entity])
    let places = Dictionary(names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    positions = entity.attributes.map { attribute in
      attribute.column.flatMap { $0.type == .composite ? nil : places[$0.column] } ?? -1
    }
    folder = store.externalData
    let list = names.map { entity.layout.columnSQL($0) }.joined(separator: ", ")
    statement = try store.database.prepare(
      "SELECT \(list) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK >= ? ORDER BY Z_PK")
    row = CurrentRow(statement, RowReader(entity, names: names, in: store))
  }

  /// Moves to the row with the given key; returns false if there is no such row, or if it belongs to another entity.
  package func stand(on wanted: Int64) throws -> Bool {
    var left = Self.nearby
    while let current = key, current < wanted, left > 0 {
      try step()
      left -= 1
    }
    if key != wanted {
      statement.reset()
      try statement.bind(wanted, at: 1)
      try step()
    }
    return key == wanted && statement.row.integer(at: 1) == Int64(entity.layout.number)
  }

  private func step() throws { key = try statement.step() ? statement.row.integer(at: 0) : nil }

  /// Returns a check that all values of a row are valid, except those of the named properties, which the caller reads
  /// anyway.
  package func soundness(except names: Set<String>, in store: PersistentStore) -> RowSoundness {
    let positions = FetchPlan.columnNames(of: [entity])
    return RowSoundness(
      attributes: entity.attributes.map(\.description.name).filter { !names.contains($0) }.compactMap {
        CopiedAttribute(of: $0, entity: entity.name, in: store, to: $0, entity: entity.name, in: store)
      },
      toOnes: entity.toOnes.filter { !names.contains($0.description.name) }.compactMap { toOne in
        toOne.column.flatMap { positions.firstIndex(of: $0.column) }
      })
  }

  /// Returns the slot of an attribute, for `holds(_:at:)`.
  package func slot(ofAttribute name: String) -> Int? {
    guard case .attribute(let slot)? = entity.slots[name], positions[slot] >= 0 else { return nil }
    return slot
  }

  /// Returns true if the row holds exactly that value; false if it does not, or if a quick comparison cannot decide.
  package func holds(_ value: Value, at slot: Int) -> Bool {
    let (position, attribute) = (positions[slot], entity.attributes[slot])
    guard position >= 0, let column = attribute.column else { return false }
    let row = statement.row.type(at: position)
    switch (value, attribute.type, row) {
    case (.null, _, .null): return true
    case (_, _, .null), (.null, _, _): return false
    case (.integer(let number), .integer16, .integer), (.integer(let number), .integer32, .integer),
      (.integer(let number), .integer64, .integer):
      return statement.row.integer(at: position) == number
    case (.bool(let truth), .boolean, .integer): return (statement.row.integer(at: position) != 0) == truth
    case (.double(let number), .double, .real), (.double(let number), .float, .real):
      return statement.row.double(at: position).bitPattern == number.bitPattern
    case (.date(let date), .date, .real):
      return statement.row.double(at: position) == date.timeIntervalSinceReferenceDate
    case (.string(let text), .string, .text), (.uri(let text), .uri, .text):
      return statement.row.holds(text: text, at: position)
    default:
      if column.mayBeExternal {
        guard case .data(let data) = value else { return false }
        return (try? StoredContent(statement.row, at: position, of: column, in: folder).isSame(as: .bytes(data)))
          ?? false
      }
      return (try? AttributeCodec.decode(statement.row, at: position, as: attribute.type))?.isIdentical(to: value)
        ?? false
    }
  }
}
