import Foundation
import HeavyliftModel
import HeavyliftSQLite

/// A value whose external file is missing: the store refers to it, but it is not in the external data folder.
///
/// ```swift
/// for missing in try store.missingExternalFiles() {
///   print("\(missing.entity)/p\(missing.key)", missing.attribute, missing.file)
/// }
/// ```
package struct MissingExternalFile: Hashable, Sendable {
  /// The object's own entity.
  package var entity: String
  /// The object's primary key, `Z_PK`.
  package var key: Int64
  /// The attribute whose value is missing.
  package var attribute: String
  /// The file's name in the external data folder.
  package var file: String

  package init(entity: String, key: Int64, attribute: String, file: String) {
    (self.entity, self.key, self.attribute, self.file) = (entity, key, attribute, file)
  }
}

extension PersistentStore {
  /// Returns every value whose external file is missing, sorted by entity and key.
  ///
  /// - Throws: An error if a file exists but cannot be examined.
  package func missingExternalFiles() throws -> [MissingExternalFile] {
    try reporting {
      var missing: [MissingExternalFile] = []
      for entity in layout.entities {
        let columns = entity.attributes.filter(\.mayBeExternal)
        for column in columns { missing += try missingFiles(of: column, in: entity) }
      }
      return missing.sorted { ($0.entity, $0.key, $0.attribute) < ($1.entity, $1.key, $1.attribute) }
    }
  }

  /// Returns warnings about missing external files: those whose values are nil in the new store, and those whose
  /// references it still has.
  package func missingFileNotes() throws -> [Diagnostic] {
    let missing = try missingExternalFiles()
    func isLost(_ value: MissingExternalFile) -> Bool { externalData.lostFiles?.contains(value.file) == true }
    return [
      missing.filter(isLost).lossDiagnostic, missing.filter { !isLost($0) }.diagnostic(.warning, in: externalData),
    ].compactMap(\.self)
  }

  private func missingFiles(of column: AttributeColumn, in entity: EntityLayout) throws -> [MissingExternalFile] {
    let name = SQLName(column.column)
    // A reference is the byte 2, a UUID as text, and usually the byte 0. SQLite determines the length of a value
    // without reading the value.
    var cursor = try database.prepare(
      "SELECT Z_PK, \(name) FROM \(SQLName(entity.tableName)) "
        + "WHERE \(entity.numberSQL()) = \(entity.number) AND typeof(\(name)) = 'blob' AND length(\(name)) BETWEEN 37 AND 38"
    ).query()
    var missing: [MissingExternalFile] = []
    while try cursor.next() {
      guard let bytes = cursor.row.blob(at: 1), bytes.first == 2,
        case .externalFile(let file)? = try? ExternalDataFormat.decode(bytes, as: column.type),
        try externalData.isMissing(file)
      else { continue }
      missing.append(
        MissingExternalFile(
          entity: entity.name, key: cursor.row.integer(at: 0), attribute: column.name, file: file))
    }
    return missing
  }
}

extension [MissingExternalFile] {
  /// Returns one diagnostic about all values in the list; `nil` if the list is empty.
  ///
  /// - Parameters:
  ///   - folder: The store's external data folder.
  ///   - isNeeded: True if a migration needs the values, because the new version cannot keep references to the files.
  package func diagnostic(
    _ severity: Diagnostic.Severity, in folder: ExternalDataFolder, isNeeded: Bool = false
  ) -> Diagnostic? {
    guard !isEmpty else { return nil }
    return Diagnostic(
      severity, code: "store.missing-external-file",
      problem: problem(isNeeded ? "missing, and the new version needs the data" : "missing"),
      remedy: "the folder '\(folder.url.path)' belongs to the store: copy it along with the store's file; "
        + (isNeeded
          ? "if the data is lost, migrate it as nil, with --accept-damage"
          : "references to missing files are copied unchanged"))
  }

  /// A warning about values that are nil in the new store.
  fileprivate var lossDiagnostic: Diagnostic? {
    guard !isEmpty else { return nil }
    return Diagnostic(
      .warning, code: "store.lost-external-file", problem: problem("missing, and the new store has no value instead"),
      remedy: "compare the new store with a backup")
  }

  private func problem(_ what: String) -> String {
    let examples = prefix(3).map { "'\($0.attribute)' of \($0.entity)/p\($0.key) (\($0.file))" }
    if count == 1 { return "the external file of \(examples[0]) is \(what)" }
    let others = count > 3 ? " and \((count - 3).grouped) more" : ""
    return "\(count.grouped) external files are \(what): \(examples.joined(separator: ", "))\(others)"
  }
}
