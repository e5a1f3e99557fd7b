import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Finds the rows of one entity by key, mostly in ascending order, and compares their contents in place, in SQLite's
/// memory.
///
/// A read-only cursor over the table, sorted by key. Creates no objects.
package final class RowFinder {
  /// The maximum number of rows to step over before the query is restarted at the wanted key.
  private static let nearby = 16

  private let entity: EntityLayout
  package let row: CurrentRow
  private let statement: Statement
  private let folder: ExternalDataFolder
  /// The index of each attribute's column in the query; -1 for a composite.
  private let positions: [Int]
  /// The attributes' types.
  private let types: [AttributeType]
  /// The key of the current row; nil before the first row and after the last.
  private var key: Int64?

  /// Nil if the store has no such entity.
  package init?(_ entityName: String, in store: PersistentStore) throws {
    guard let entity = store.layout.entity(named: entityName), let names = store.columnNames(ofEntity: entityName),
      let row = try store.rowsByKey(ofEntity: entityName)
    else { return nil }
    (self.entity, self.row, statement, folder) = (entity, row, row.statement, store.externalData)
    let places = Dictionary(names.enumerated().map { ($0.element, $0.offset) }, uniquingKeysWith: { first, _ in first })
    positions = entity.attributes.map { $0.type == .composite ? -1 : places[$0.column] ?? -1 }
    types = entity.attributes.map(\.type)
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
    return key == wanted && statement.row.integer(at: 1) == Int64(entity.number)
  }

  private func step() throws { key = try statement.step() ? statement.row.integer(at: 0) : nil }

  /// Returns a check that all values of a row are valid, except those of the named properties, which the caller reads
  /// anyway.
  package func soundness(except names: Set<String>, in store: PersistentStore) -> RowSoundness {
    let columns = store.columnNames(ofEntity: entity.name) ?? []
    return RowSoundness(
      attributes: entity.attributes.map(\.name).filter { !names.contains($0) }.compactMap {
        CopiedAttribute(of: $0, entity: entity.name, in: store, to: $0, entity: entity.name, in: store)
      },
      toOnes: (entity.toOnes + entity.ownerColumns).filter { !names.contains($0.name) }.compactMap {
        columns.firstIndex(of: $0.column)
      })
  }

  /// Returns the slot of an attribute, for `holds(_:at:)`.
  package func slot(ofAttribute name: String) -> Int? {
    entity.attributes.indices.first { entity.attributes[$0].name == name && positions[$0] >= 0 }
  }

  /// Returns true if the row holds exactly that value; false if it does not, or if a quick comparison cannot decide.
  package func holds(_ value: Value, at slot: Int) -> Bool {
    let position = positions[slot]
    guard position >= 0 else { return false }
    switch (value, types[slot], statement.row.type(at: position)) {
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
      let column = entity.attributes[slot]
      if column.mayBeExternal {
        guard case .data(let data) = value else { return false }
        return (try? StoredContent(statement.row, at: position, of: column, in: folder).isSame(as: .bytes(data)))
          ?? false
      }
      return (try? statement.row.value(at: position, as: column.type))?.isIdentical(to: value) ?? false
    }
  }
}

extension PersistentStore {
  /// Returns the `Z_ENT` of each entity in a hierarchy, given the `Z_ENT` of its root.
  package func entityNumbers(ofHierarchy root: Int) -> [Int] {
    layout.entities.filter { $0.rootNumber == root }.map(\.number)
  }

  /// Returns the `Z_ENT` of the root of an entity's hierarchy.
  package func rootNumber(ofEntity number: Int) -> Int? { layout.entities.first { $0.number == number }?.rootNumber }
}

/// Checks that a row holds valid values for the properties that are not compared with another store.
package struct RowSoundness {
  /// The attributes to check. Comparing a value with itself shows whether it is valid.
  let attributes: [CopiedAttribute]
  /// The indexes of the columns that hold the keys of to-one targets.
  let toOnes: [Int]

  /// Returns true if the finder's current row is certainly valid.
  package func holds(for finder: RowFinder) -> Bool {
    for position in toOnes {
      switch finder.row.statement.row.type(at: position) {
      case .null: continue
      case .integer where finder.row.statement.row.integer(at: position) > 0: continue
      default: return false
      }
    }
    return attributes.allSatisfy { $0.isSame(finder.row, finder) }
  }
}
