import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite

/// Writes one attribute of a query's rows as JSON.
///
/// Numbers, texts and bytes go straight from SQLite's memory to the output. `AttributeCodec` decides which values a
/// column may hold: it handles or rejects everything except the simple cases, which are handled here.
///
/// A class, so that passing an instance along for every value copies a reference instead of all fields.
final class AttributeDump {
  let column: AttributeColumn
  /// The column's index in the query.
  private let position: Int
  /// A composite's elements, sorted by name, each with the JSON text that precedes it.
  private let elements: [(prefix: [UInt8], dump: AttributeDump)]

  /// Adds the attribute's columns to those of the query.
  init(_ column: AttributeColumn, columns: inout [String]) {
    self.column = column
    position = columns.count
    if column.type == .composite {
      elements = column.elements.sorted { $0.name.precedesInCodeUnits($1.name) }.enumerated().map { offset, element in
        (JSONText.member(element.name, isFirst: offset == 0), AttributeDump(element, columns: &columns))
      }
    } else {
      elements = []
      columns.append(column.column)
    }
  }

  /// - Parameter files: The store's external files, which a column may name.
  func write(
    _ row: borrowing RowView, to writer: inout JSONWriter, files: DumpedFiles
  ) throws {
    if column.type == .composite {
      try writeComposite(row, to: &writer, files: files)
      return
    }
    do {
      try writeValue(row, to: &writer, files: files)
    } catch let mismatch as AttributeCodec.Mismatch {
      throw BadColumn(column: column, problem: mismatch.problem)
    }
    try writer.flushIfFull()
  }

  private func writeValue(
    _ row: borrowing RowView, to writer: inout JSONWriter, files: DumpedFiles
  ) throws {
    let stored = row.type(at: position)
    if stored == .null {
      writer.null()
      return
    }
    switch (column.type, stored) {
    case (.integer16, .integer), (.integer32, .integer), (.integer64, .integer):
      writer.integer(row.integer(at: position))
    case (.boolean, .integer):
      writer.bool(row.integer(at: position) != 0)
    case (.double, .real), (.float, .real), (.double, .integer), (.float, .integer):
      writer.double(row.double(at: position))
    case (.date, .real), (.date, .integer):
      writer.date(row.double(at: position))
    case (.string, .text), (.uri, .text):
      guard try row.withUnsafeText(at: position, { try writer.string($0) }) else {
        throw AttributeCodec.Mismatch(problem: "holds text that is not UTF-8")
      }
    case (.uuid, .blob) where row.withUnsafeBytes(at: position, { $0.count == 16 }):
      row.withUnsafeBytes(at: position) { writer.uuid($0) }
    case (.transformable, .blob):
      try row.withUnsafeBytes(at: position) { try writer.data($0) }
    case (.binaryData, .blob):
      try writeData(row, to: &writer, files: files)
    default:
      try writeDecoded(row, to: &writer, files: files)
    }
  }

  private func writeData(
    _ row: borrowing RowView, to writer: inout JSONWriter, files: DumpedFiles
  ) throws {
    guard column.allowsExternalBinaryDataStorage else {
      try row.withUnsafeBytes(at: position) { try writer.data($0) }
      return
    }
    let isInline = try row.withUnsafeBytes(at: position) { bytes in
      guard bytes.first == 1 else { return false }
      try writer.data(UnsafeRawBufferPointer(rebasing: bytes.dropFirst()))
      return true
    }
    if !isInline { try writeDecoded(row, to: &writer, files: files) }
  }

  private func writeDecoded(
    _ row: borrowing RowView, to writer: inout JSONWriter, files: DumpedFiles
  ) throws {
    switch try AttributeCodec.decode(row, at: position, as: column) {
    case .value(let value): try writer.value(value)
    case .externalFile(let name):
      if try files.passesOver(name) {
        writer.raw("{\"missingFile\":\"\(name)\"}")
      } else {
        try files.folder.reading(name) { try writer.data(of: $0) }
      }
    }
  }

  /// A composite whose elements are all null is itself null.
  private func writeComposite(
    _ row: borrowing RowView, to writer: inout JSONWriter, files: DumpedFiles
  ) throws {
    guard !isNull(row) else {
      writer.null()
      return
    }
    for element in elements {
      writer.raw(element.prefix)
      try element.dump.write(row, to: &writer, files: files)
    }
    writer.byte(UInt8(ascii: "}"))
  }

  private func isNull(_ row: borrowing RowView) -> Bool {
    guard column.type == .composite else { return row.isNull(at: position) }
    for element in elements where !element.dump.isNull(row) { return false }
    return true
  }
}

/// An error: a column's value is not valid for its attribute. The code that reads the row adds the object to the
/// message.
struct BadColumn: Error {
  var column: AttributeColumn
  var problem: String
}

/// The external files that columns name, and a list of those that are missing.
final class DumpedFiles {
  let folder: ExternalDataFolder
  private let refusesMissing: Bool
  /// The names of missing files that were skipped since the list was last emptied.
  var missing: [String] = []

  init(_ folder: ExternalDataFolder, refusesMissing: Bool = false) {
    self.folder = folder
    self.refusesMissing = refusesMissing
  }

  /// Returns true, and records the name, if the file is missing and that is not an error.
  func passesOver(_ name: String) throws -> Bool {
    guard !refusesMissing, try folder.isMissing(name) else { return false }
    missing.append(name)
    return true
  }
}

/// An error: a column names a file that cannot be read.
struct UnreadableFile: Error {
  var name: String
  var reason: String
}

extension ExternalDataFolder {
  /// Calls `body` with a file, opened for reading.
  fileprivate func reading(_ name: String, _ body: (FileHandle) throws -> Void) throws {
    let handle: FileHandle
    do {
      handle = try RegularFile.handle(file(named: name))
    } catch {
      throw UnreadableFile(name: name, reason: error.reason)
    }
    try body(handle)
  }
}
