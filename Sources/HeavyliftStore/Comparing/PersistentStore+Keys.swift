import HeavyliftSQLite

extension PersistentStore {
  /// Calls `body` with `Z_ENT` and key of every row, table by table; of the one that holds a hierarchy alone if it is
  /// named.
  ///
  /// - Throws: For an object of the model whose key is none.
  package func forEachKey(ofHierarchy root: Int? = nil, _ body: (_ number: Int, _ key: Int64) -> Void) throws {
    let held = layout.entities.filter { root == nil || $0.rootNumber == root }
    for table in Set(held.map(\.tableName)).sorted() {
      let statement = try database.prepare("SELECT Z_ENT, Z_PK FROM \(SQLName(table))")
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
  /// `Z_ENT` of the entities of a hierarchy, by that of its top.
  package func entityNumbers(ofHierarchy root: Int) -> [Int] {
    layout.entities.filter { $0.rootNumber == root }.map(\.number)
  }

  /// `Z_ENT` of the top of an entity's hierarchy.
  package func rootNumber(ofEntity number: Int) -> Int? { runtime.entity(numbered: Int64(number))?.rootNumber }
}

extension ManagedObject {
  /// The row of the object, while a query stands on it.
  package var currentRow: CurrentRow? { row }
}
