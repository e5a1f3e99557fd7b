import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

/// Compares the stored form of an attribute in one store with its copy in another.
///
/// Values with the same bits are equal if they are valid for the type. In any other case, the caller must compare the
/// values itself.
package struct CopiedAttribute {
  private enum Kind {
    case whole, number, text, data, uuid, decimal
  }

  private struct Cell {
    var source: Int
    var destination: Int
    var kind: Kind
  }

  /// A pair of columns, one in each store, whose values can be in external files.
  private struct Content {
    var source: (column: AttributeColumn, position: Int, folder: ExternalDataFolder)
    var destination: (column: AttributeColumn, position: Int, folder: ExternalDataFolder)
  }

  private var cells: [Cell] = []
  private var contents: [Content] = []

  /// Nil if copying can change the value, for example by converting its type, or if the attribute is not stored.
  package init?(
    of sourceName: String, entity sourceEntity: String, in source: PersistentStore, to name: String,
    entity destinationEntity: String, in destination: PersistentStore
  ) {
    guard let (old, oldColumn) = source.attribute(sourceName, ofEntity: sourceEntity),
      let (new, newColumn) = destination.attribute(name, ofEntity: destinationEntity),
      CompositeCopy(from: old, in: source.model, to: new, in: destination.model)?.isPlain != false,
      let names = source.columnNames(ofEntity: sourceEntity),
      let newNames = destination.columnNames(ofEntity: destinationEntity)
    else { return nil }

    func add(_ old: AttributeColumn, _ new: AttributeColumn) -> Bool {
      if old.type == .composite, new.type == .composite {
        return old.elements.count == new.elements.count
          && old.elements.allSatisfy { element in
            new.elements.first { $0.name == element.name }.map { add(element, $0) } ?? false
          }
      }
      guard let kind = Self.kind(old.type, new.type), let first = names.firstIndex(of: old.column),
        let second = newNames.firstIndex(of: new.column)
      else { return false }
      if old.mayBeExternal || new.mayBeExternal {
        contents.append(
          Content(
            source: (old, first, source.externalData), destination: (new, second, destination.externalData)))
      } else {
        cells.append(Cell(source: first, destination: second, kind: kind))
      }
      return true
    }
    guard add(oldColumn, newColumn) else { return nil }
  }

  private static func kind(_ old: AttributeType, _ new: AttributeType) -> Kind? {
    switch (old, new) {
    case (.integer16, .integer16), (.integer16, .integer32), (.integer16, .integer64), (.integer32, .integer16),
      (.integer32, .integer32), (.integer32, .integer64), (.integer64, .integer16), (.integer64, .integer32),
      (.integer64, .integer64), (.boolean, .boolean):
      .whole
    case (.double, .double), (.double, .float), (.float, .double), (.float, .float), (.date, .date): .number
    case (.string, .string), (.uri, .uri): .text
    case (.binaryData, .binaryData), (.transformable, .transformable): .data
    case (.uuid, .uuid): .uuid
    case (.decimal, .decimal): .decimal
    default: nil
    }
  }

  /// Returns true if the two rows certainly hold the same value.
  package func isSame(_ source: CurrentRow, _ destination: RowFinder) -> Bool {
    for cell in cells {
      let type = destination.row.statement.row.sharedType(
        at: cell.destination, as: source.statement.row, at: cell.source)
      guard let type, isValue(type, destination.row.statement.row, cell) else { return false }
    }
    for content in contents {
      guard (try? isSame(content, source.statement.row, destination.row.statement.row)) == true else { return false }
    }
    return true
  }

  /// Returns true if the value that both cells share is valid for the attribute's type.
  private func isValue(_ type: SQLiteType, _ row: borrowing RowView, _ cell: Cell) -> Bool {
    switch (cell.kind, type) {
    case (_, .null), (.whole, .integer), (.number, .integer), (.data, .blob), (.decimal, .integer): true
    // A migration never writes a negative zero.
    case (.number, .real): row.double(at: cell.destination).bitPattern != (-0.0).bitPattern
    case (.text, .text): row.isValidText(at: cell.destination)
    case (.uuid, .blob): row.firstByte(at: cell.destination)?.count == 16
    case (.decimal, _): (try? row.value(at: cell.destination, as: .decimal)) != nil
    default: false
    }
  }

  private func isSame(
    _ content: Content, _ source: borrowing RowView, _ destination: borrowing RowView
  ) throws -> Bool {
    let (old, new) = (content.source, content.destination)
    // The common case: both values are stored in their rows.
    if old.column.mayBeExternal, new.column.mayBeExternal,
      let type = destination.sharedType(at: new.position, as: source, at: old.position),
      type == .null || type == .blob && destination.firstByte(at: new.position)?.byte == 1
    {
      return true
    }
    return try StoredContent(source, at: old.position, of: old.column, in: old.folder).isSame(
      as: StoredContent(destination, at: new.position, of: new.column, in: new.folder))
  }
}

extension PersistentStore {
  /// Returns an attribute's description and column; nil if it is not stored.
  fileprivate func attribute(
    _ name: String, ofEntity entityName: String
  ) -> (description: AttributeDescription, column: AttributeColumn)? {
    guard let entity = model.entity(named: entityName),
      let description = model.allAttributes(of: entity).first(where: { $0.name == name }),
      let column = layout.entity(named: entityName)?.attributes.first(where: { $0.name == name })
    else { return nil }
    return (description, column)
  }
}
