import HeavyliftModel
import HeavyliftSQLite

/// A table of a store and its columns in order.
package struct TableLayout: Hashable, Sendable {
  /// One column.
  package struct Column: Hashable, Sendable {
    /// The column's name.
    package var name: String
    /// The declared type, which decides the column's affinity in SQLite.
    package var declaredType: String
  }

  /// The table's name.
  package var name: String
  /// The columns in order.
  package var columns: [Column]
  /// The primary key of a join table, which follows the columns.
  package var primaryKey: [String] = []

  /// The statement that creates the table.
  package var sql: String {
    var definitions = columns.map { column in
      "\(column.name) \(column.declaredType)"
    }
    if !primaryKey.isEmpty { definitions.append("PRIMARY KEY (\(primaryKey.joined(separator: ", ")))") }
    return "CREATE TABLE \(SQLName(name)) ( \(definitions.joined(separator: ", ")) )"
  }
}

/// An index of a store.
package struct IndexLayout: Hashable, Sendable {
  /// One indexed column.
  package struct Column: Hashable, Sendable {
    /// The column's name.
    package var name: String
    /// `ASC` or `DESC` for an index that the model declares, which also gets `COLLATE BINARY`; otherwise nil.
    package var order: String?
  }

  /// The index's name.
  package var name: String
  /// The indexed table.
  package var tableName: String
  /// The indexed columns in order.
  package var columns: [Column]
  /// A Boolean value that indicates whether the index enforces a uniqueness constraint.
  package var isUnique: Bool = false

  /// The statement that creates the index.
  package var sql: String {
    let list = columns.map { column in
      column.order.map { "\(column.name) COLLATE BINARY \($0)" } ?? column.name
    }
    return "CREATE \(isUnique ? "UNIQUE " : "")INDEX \(SQLName(name)) ON \(SQLName(tableName)) "
      + "(\(list.joined(separator: ", ")))"
  }
}

extension IndexInfo {
  /// True for an index of columns that compares them as Core Data's indexes do.
  var isOrdinary: Bool {
    !isPartial && columns.allSatisfy { $0.name != nil && $0.collation == "BINARY" }
  }

  /// Returns true if the index is the one of a layout.
  ///
  /// - Parameters:
  ///   - table: The name that its table has, or will have.
  ///   - names: New names of its columns, by the old ones.
  func isIndex(_ layout: IndexLayout, of table: String, renaming names: [String: String] = [:]) -> Bool {
    isOrdinary && table == layout.tableName && isUnique == layout.isUnique
      && columns.map { column in column.name.map { names[$0] ?? $0 } } == layout.columns.map(\.name)
      && columns.map(\.isDescending) == layout.columns.map { $0.order == "DESC" }
  }
}

extension Database {
  /// Returns the indexes that statements have created, each with its table, in order of creation.
  ///
  /// - Parameter objects: The objects of the schema.
  func createdIndexes(among objects: [SchemaObject]) throws(SQLiteError) -> [(table: String, index: IndexInfo)] {
    let created = objects.filter { $0.type == .index && $0.sql != nil }
    var known: [String: IndexInfo] = [:]
    for table in Set(created.map(\.tableName)) {
      for index in try indexes(of: table) { known[index.name] = index }
    }
    return created.compactMap { object in known[object.name].map { (object.tableName, $0) } }
  }
}

extension IndexLayout {
  /// A query for the values that occur more than once although they must be unique: the key of the first row and the
  /// number of rows, as `first` and `number`. A combination with a missing value counts as unique.
  package var repeatedValues: String {
    let columns = columns.map { "\($0.name.asSQLIdentifier) COLLATE BINARY" }
    let present = self.columns.map { "\($0.name.asSQLIdentifier) IS NOT NULL" }.joined(separator: " AND ")
    return "SELECT min(Z_PK) AS first, count(*) AS number FROM \(tableName.asSQLIdentifier) WHERE \(present) "
      + "GROUP BY \(columns.joined(separator: ", ")) HAVING count(*) > 1"
  }
}

/// A trigger that maintains a derived attribute.
package struct TriggerLayout: Hashable, Sendable {
  /// The trigger's name.
  package var name: String
  /// The statement that creates the trigger.
  package var sql: String
  /// The entity that declares the derived attribute.
  package var entityName: String
  /// The derived attribute.
  package var attributeName: String
}

/// One end of a many-to-many relationship, by the entity that declares it.
struct JoinEnd: Hashable, Sendable {
  var entity: String
  var relationship: String
}

/// The table of a many-to-many relationship, and the two ends that it joins.
struct JoinTable: Hashable, Sendable {
  /// One side of the table: an end of the relationship, and the columns for its targets.
  struct Side: Hashable, Sendable {
    var end: JoinEnd
    /// The column with the `Z_PK` of the relationship's targets.
    var column: String
    /// `column` without the number that distinguishes it from another table's column of the same name.
    var baseColumn: String
    /// The number at the end of `column`; 0 for none.
    var number: Int
    /// The column that sorts an owner's targets, for an ordered relationship.
    var orderColumn: String?
    /// The table's name if it is named after this side.
    var tableName: String
  }

  var layout: TableLayout
  /// The side that the table is named after.
  var first: Side
  /// The other side, whose column comes first in the table. If the relationship is its own inverse, both sides have the
  /// same end.
  var second: Side

  /// True for a relationship that is its own inverse: each link is stored in both directions.
  var isReflexive: Bool { first.end == second.end }

  /// The index for the opposite direction, from the second column to the first.
  var index: IndexLayout {
    IndexLayout(
      name: "\(layout.name)_\(first.column)_INDEX", tableName: layout.name,
      columns: [.init(name: first.column, order: nil), .init(name: second.column, order: nil)])
  }
}

/// An existing store's choices for join tables where the model leaves them open; see `LayoutBuilder.joinTables()`.
package struct JoinTableChoices: Hashable, Sendable {
  /// The ends that join tables are named after.
  var naming: Set<JoinEnd> = []
  /// For each end, the number that is appended to the name of its column; 0 for none.
  var numbers: [JoinEnd: Int] = [:]

  /// Creates an empty set of choices.
  init() {}

  /// The choices of a store, translated to the model that its data is migrated to.
  ///
  /// - Parameters:
  ///   - layout: The layout of the store.
  ///   - model: The new model; its relationships are matched by renaming identifiers, then by name.
  package init(of layout: PhysicalLayout, for model: ManagedObjectModel) {
    var (naming, numbers) = (Set<JoinEnd>(), [JoinEnd: Int]())
    for join in layout.joins {
      naming.insert(join.first.end)
      for side in [join.first, join.second] { numbers[side.end] = side.number }
    }
    for entity in model.entities {
      for relationship in entity.relationships where relationship.isToMany {
        let old = [entity.renamingIdentifier, entity.name].compactMap(\.self).flatMap { name in
          [relationship.renamingIdentifier, relationship.name].compactMap(\.self).map {
            JoinEnd(entity: name, relationship: $0)
          }
        }
        guard let known = old.first(where: { numbers[$0] != nil }) else { continue }
        let end = JoinEnd(entity: entity.name, relationship: relationship.name)
        self.numbers[end] = numbers[known]
        if naming.contains(known) { self.naming.insert(end) }
      }
    }
  }
}

/// Assigns names that do not clash: 1 is appended to the second use of a name, 2 to the third.
struct UniqueNames {
  private var taken: Set<String>

  init(reserved: Set<String>) { taken = reserved }

  mutating func take(_ wanted: String) -> String {
    var name = wanted
    var count = 0
    while !taken.insert(name).inserted {
      count += 1
      name = "\(wanted)\(count)"
    }
    return name
  }
}
