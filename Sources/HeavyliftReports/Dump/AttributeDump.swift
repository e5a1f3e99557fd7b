import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftStore

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
      throw BadColumn(column: column.column, problem: mismatch.problem)
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
        throw AttributeCodec.Mismatch.invalidText
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
    switch try row.stored(at: position, as: column) {
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
  var column: String
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

/// Writes a to-one relationship of a query's rows.
///
/// A class because it caches the entity of the previous row's target.
final class ToOneDump {
  private let column: String
  private let position: Int
  private var references: ObjectReferences

  /// Adds the target's key and the `Z_ENT` in the target's own row to the query's columns. The `Z_ENT` that the owner's
  /// row stores next to the key is not trusted.
  init(
    _ toOne: ToOneColumn, in layout: PhysicalLayout, names: [String: String] = [:], expressions: inout [String]
  ) {
    column = toOne.column
    references = ObjectReferences(
      to: toOne.destinationTableName, destinationEntityName: toOne.destinationEntityName, in: layout, names: names)
    position = expressions.count
    let key = "s.\(toOne.column.asSQLIdentifier)"
    let number = references.onlyNumber.map(String.init) ?? "Z_ENT"
    expressions += [
      key, "(SELECT \(number) FROM \(toOne.destinationTableName.asSQLIdentifier) WHERE Z_PK = \(key))",
    ]
  }

  func write(_ row: borrowing RowView, to writer: inout JSONWriter) throws {
    switch row.type(at: position) {
    case .null: writer.null()
    case .integer:
      references.write(
        row.integer(at: position), number: row.isNull(at: position + 1) ? nil : row.integer(at: position + 1),
        to: &writer)
    case let type:
      throw BadColumn(column: column, problem: "holds \(type.phrase) where the key of an object is expected")
    }
    try writer.flushIfFull()
  }
}

/// A moment as a date in the Gregorian calendar, with exactly the digits that yield the same double.
package struct CalendarText {
  let day: CivilDay
  let secondOfDay: Int
  /// The digits after the decimal point as a number.
  let fraction: Int
  let fractionDigits: Int

  /// Nil unless the moment is exactly a date with a four-digit year and at most 18 decimal places of a second.
  package init?(secondsSince2001 seconds: Double) {
    // Larger numbers are beyond four-digit years in any case.
    guard let exact = DecimalSeconds(seconds) else { return nil }
    (fraction, fractionDigits) = (exact.fraction, exact.fractionDigits)
    let days = floored(exact.whole, 86_400)
    secondOfDay = exact.whole - days * 86_400
    day = CivilDay(daysSince2001: days)
    guard (1...9999).contains(day.year) else { return nil }
  }
}

extension CalendarText {
  /// Parses a date as dumps write it, `2001-01-31T23:59:59.5Z`, and returns exactly the same double.
  package static func secondsSince2001(_ text: String) -> Double? {
    var bytes = Array(text.utf8)[...]
    func number(_ count: Int, before separator: UInt8?) -> Int? {
      guard bytes.count >= count + (separator == nil ? 0 : 1) else { return nil }
      var value = 0
      for byte in bytes.prefix(count) {
        guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
        value = value * 10 + Int(byte - UInt8(ascii: "0"))
      }
      bytes = bytes.dropFirst(count)
      if let separator {
        guard bytes.first == separator else { return nil }
        bytes = bytes.dropFirst()
      }
      return value
    }
    guard let year = number(4, before: UInt8(ascii: "-")), let month = number(2, before: UInt8(ascii: "-")),
      let day = number(2, before: UInt8(ascii: "T")), let hour = number(2, before: UInt8(ascii: ":")),
      let minute = number(2, before: UInt8(ascii: ":")), let second = number(2, before: nil),
      year > 0, CivilDay(year, month, day).exists, hour < 24, minute < 60, second < 60
    else { return nil }
    let days = CivilDay(year, month, day).daysSince2001
    var seconds = DecimalSeconds(whole: days * 86_400 + hour * 3_600 + minute * 60 + second)
    if bytes.first == UInt8(ascii: ".") {
      let digits = bytes.dropFirst().prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
      guard (1...DecimalSeconds.mostDigits).contains(digits.count) else { return nil }
      seconds.fraction = Int(String(decoding: digits, as: UTF8.self)) ?? 0
      seconds.fractionDigits = digits.count
      bytes = bytes.dropFirst(1 + digits.count)
    }
    return bytes.elementsEqual([UInt8(ascii: "Z")]) ? seconds.double : nil
  }
}
