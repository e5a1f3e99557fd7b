import HeavyliftSQLite

/// The rows of carried tables that policies must not see yet: their entity mappings have not run.
///
/// A policy's own objects have higher keys, and can be seen as soon as they are written.
struct AbsentRows {
  /// The highest key that an absent row can have, by `Z_ENT`.
  fileprivate(set) var highestKeys: [Int: Int64] = [:]

  func contains(number: Int64, key: Int64) -> Bool {
    guard !highestKeys.isEmpty else { return false }
    return highestKeys[Int(truncatingIfNeeded: number)].map { key <= $0 } ?? false
  }

  /// Returns a condition that is true for the rows of some entities that are not absent; nil if none can be.
  func presence(of numbers: [Int], alias: String) -> String? {
    let absent = numbers.compactMap { number in
      highestKeys[number].map { "\(alias).Z_ENT = \(number) AND \(alias).Z_PK <= \($0)" }
    }
    return absent.isEmpty ? nil : "NOT (\(absent.joined(separator: " OR ")))"
  }
}

extension PersistentStore {
  /// Hides an entity's rows with keys up to `key`.
  package func hideRows(ofEntity name: String, upTo key: Int64) {
    if let entity = layout.entity(named: name) { absentRows.highestKeys[entity.number] = key }
  }

  /// Shows an entity's rows that were hidden.
  package func showRows(ofEntity name: String) {
    if let entity = layout.entity(named: name) { absentRows.highestKeys[entity.number] = nil }
  }

  /// Deletes an entity's rows that are hidden.
  package func deleteHiddenRows(ofEntity name: String) throws {
    guard let entity = layout.entity(named: name), let key = absentRows.highestKeys.removeValue(forKey: entity.number)
    else { return }
    try reporting {
      try database.run(
        "DELETE FROM \(SQLName(entity.tableName)) WHERE Z_ENT = ? AND Z_PK <= ?", .integer(Int64(entity.number)),
        .integer(key))
    }
  }
}
