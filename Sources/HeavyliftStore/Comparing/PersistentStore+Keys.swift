import HeavyliftSQLite

extension PersistentStore {
  /// Calls `body` with the `Z_ENT` and the key of every row, table by table. If `root` is set, visits only its
  /// hierarchy.
  ///
  /// - Throws: An error if an object's key is not valid.
  package func forEachKey(ofHierarchy root: Int? = nil, _ body: (_ number: Int, _ key: Int64) -> Void) throws {
    let held = layout.entities.filter { root == nil || $0.rootNumber == root }
    for table in Set(held.map(\.tableName)).sorted() {
      let statement = try database.prepare("SELECT \(layout.numberSQL(inTable: table)), Z_PK FROM \(SQLName(table))")
      var cursor = statement.query()
      while try cursor.next() {
        guard let number = Int(exactly: cursor.row.integer(at: 0)) else { continue }
        let key = cursor.row.integer(at: 1)
        guard key > 0 || runtime.entity(numbered: Int64(number)) == nil else {
          throw StoreMistake.badKey(table: table).diagnostic(url)
        }
        body(number, key)
      }
    }
  }
}

extension PersistentStore {
  /// Returns the `Z_ENT` of each entity in a hierarchy, given the `Z_ENT` of its root.
  package func entityNumbers(ofHierarchy root: Int) -> [Int] {
    layout.entities.filter { $0.rootNumber == root }.map(\.number)
  }

  /// Returns the `Z_ENT` of the root of an entity's hierarchy.
  package func rootNumber(ofEntity number: Int) -> Int? { runtime.entity(numbered: Int64(number))?.rootNumber }
}

extension ManagedObject {
  /// The row of the object in a running query; nil unless the query is positioned on that row.
  package var currentRow: CurrentRow? { row }
}
