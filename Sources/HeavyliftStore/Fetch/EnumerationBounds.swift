import HeavyliftSQLite

/// The rows that an enumeration visits if its body writes to the store.
///
/// SQLite also returns rows that are inserted after the cursor's position, and a row whose new value moves it there a
/// second time. A body that does so for each row would never end.
final class EnumerationBounds {
  private let highestKey: Int64
  /// The keys so far, unless the rows are in the order of their keys.
  private var seen: KeySet?

  init(_ plan: FetchPlan, in store: PersistentStore) throws {
    let table = SQLName(plan.entity.layout.tableName)
    let highest = try store.reporting { try store.database.firstValue("SELECT max(Z_PK) FROM \(table)") }
    highestKey = if case .integer(let key)? = highest { key } else { 0 }
    seen = plan.sortPaths.isEmpty ? nil : KeySet()
  }

  /// Returns true if the row existed when the enumeration began and was not visited yet.
  func admits(_ key: Int64) -> Bool { key <= highestKey && seen?.insert(key) ?? true }
}
