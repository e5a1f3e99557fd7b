import Foundation
import HeavyliftStore

@testable import Heavylift

/// The rows of a store's file as text that preserves every bit.
struct RowTexts {
  private let database: Database
  private let folder: ExternalDataFolder
  private let known: Set<String>

  /// - Parameter source: The store that was migrated. Its external files keep their names; new ones can have any.
  init(_ store: URL, migratedFrom source: URL) throws {
    database = try Database(path: store.path, mode: .readOnly)
    folder = ExternalDataFolder(store: store)
    known = Set(try ExternalDataFolder(store: source).fileNames())
  }

  /// Returns the rows of a query, in order.
  func rows(_ sql: String) throws -> [String] {
    var cursor = try database.prepare(sql).query()
    var rows: [String] = []
    while try cursor.next() { rows.append(try cursor.row.values().map(text).joined(separator: " | ")) }
    return rows
  }

  /// The names of all files, with new ones replaced by their sizes in bytes.
  func files() throws -> [String] {
    try folder.fileNames().map { known.contains($0) ? $0 : "\(try folder.read($0).count) bytes" }.sorted()
  }

  /// A text that is the same only for the same bytes, within one run of the tests. In a debug build, the standard
  /// library's hash takes a thousandth of the time of our SHA-256.
  private static func digest(_ data: Data) -> String {
    if data.count < 40 { return data.map { String($0, radix: 16) }.joined(separator: " ") }
    var hasher = Hasher()
    data.withUnsafeBytes { hasher.combine(bytes: $0) }
    return String(hasher.finalize(), radix: 16)
  }

  private func text(_ value: SQLiteValue) throws -> String {
    switch value {
    case .null, .integer, .text: return "\(value)"
    case .real(let number): return "\(number) \(number.bitPattern)"
    case .blob(let data):
      guard data.count == 38, data.first == 2,
        let name = String(validating: data.dropFirst().dropLast(), as: UTF8.self), UUID(uuidString: name) != nil
      else { return "\(data.count) bytes \(Self.digest(data))" }
      let contents = try folder.read(name)
      return "\(known.contains(name) ? name : "a new file"): \(contents.count) bytes \(Self.digest(contents))"
    }
  }
}
