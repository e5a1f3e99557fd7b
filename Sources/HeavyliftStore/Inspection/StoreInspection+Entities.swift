import HeavyliftModel
import HeavyliftSQLite

extension StoreInspection {
  /// Lists the entities and, if `isCounting`, counts their objects, with one scan per table.
  mutating func list(_ file: StoreFile, _ layout: PhysicalLayout?, isCounting: Bool) throws {
    let rows = file.primaryKeys.filter { !$0.isHistory }
    let byNumber = Dictionary(rows.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    let tables = Tables(file)
    var names = Dictionary(rows.map { ($0.number, $0.name) }, uniquingKeysWith: { first, _ in first })
    for entity in layout?.entities ?? [] {
      if let stale = names[entity.number], stale != entity.name {
        note(
          "stale-name", "entity '\(entity.name)' is still called '\(stale)' in Z_PRIMARYKEY",
          "nothing needs to be done: an in-place migration that renames an entity leaves the old name there")
      }
      names[entity.number] = entity.name
    }
    var counted: [String: [Int64: (objects: Int, highest: Int64)]] = [:]
    for row in rows {
      let lineage = Self.lineage(of: row, byNumber)
      let root = lineage.last ?? row
      let known = layout?.entities.first { $0.number == row.number }?.tableName
      let table = tables.actualName(known ?? "Z\(root.name.uppercased())")
      if isCounting, let table, counted[table] == nil { counted[table] = try Self.counts(in: table, of: file) }
      let isAlone = row.superNumber == 0 && !rows.contains { $0.superNumber == row.number }
      // In a table with one entity, every row is one of its objects.
      let found = table.flatMap { counted[$0] }.flatMap { counts in
        isAlone ? Self.sum(counts) : counts[Int64(row.number)]
      }
      entities.append(
        Entity(
          name: names[row.number] ?? row.name, number: row.number, parentName: names[row.superNumber],
          depth: lineage.count - 1, tableName: table, objects: table == nil || !isCounting ? nil : found?.objects ?? 0,
          highestKey: found?.highest, maximumKey: row.superNumber == 0 ? row.maximum : nil))
      if table == nil {
        note(
          "no-table", "entity '\(row.name)' has no table '\(known ?? "Z\(root.name.uppercased())")'",
          "an entity that an in-place migration renamed keeps its old name in Z_PRIMARYKEY: specify the store's model")
      }
    }
    for (table, counts) in counted.sorted(by: { $0.key < $1.key }) { check(counts, in: table) }
  }

  private static func sum(_ counts: [Int64: (objects: Int, highest: Int64)]) -> (objects: Int, highest: Int64)? {
    guard let highest = counts.values.map(\.highest).max() else { return nil }
    return (counts.values.reduce(0) { $0 + $1.objects }, highest)
  }

  private mutating func check(_ counts: [Int64: (objects: Int, highest: Int64)], in table: String) {
    let owners = entities.filter { $0.tableName == table }
    let strays = counts.filter { stray in !owners.contains { Int64($0.number) == stray.key } }
    if owners.count == 1 {
      let count = strays.values.reduce(0) { $0 + $1.objects }
      let rows = MisnumberedRows(entity: owners[0].name, table: table, count: count)
      if count > 0, let diagnostic = [rows].diagnostic { notes.append(diagnostic) }
    } else {
      for (number, count) in strays.sorted(by: { $0.key < $1.key }) {
        let other = entities.first { Int64($0.number) == number }
        note(
          "unknown-entity-number",
          "table \(table) has \(count.objects.grouped) row\(count.objects == 1 ? "" : "s") of entity number \(number), "
            + (other.map { "which is that of '\($0.name)' in another table" } ?? "which Z_PRIMARYKEY does not list"),
          "the store cannot be dumped or migrated until these rows are removed or assigned to an entity",
          severity: .warning)
      }
    }
    let highest = counts.values.map(\.highest).max() ?? 0
    guard let root = entities.first(where: { $0.tableName == table && $0.depth == 0 }), let maximum = root.maximumKey,
      highest > maximum
    else { return }
    note(
      "low-maximum", "Z_MAX of entity '\(root.name)' is \(maximum), but its highest key is \(highest)",
      "a new object would get the key of an existing one: set Z_MAX to \(highest)", severity: .warning)
  }

  private static func counts(
    in table: String, of file: StoreFile
  ) throws -> [Int64: (objects: Int, highest: Int64)] {
    var cursor = try file.database.prepare(
      "SELECT Z_ENT, count(*), max(Z_PK) FROM \(table.asSQLIdentifier) GROUP BY 1"
    ).query()
    var counts: [Int64: (objects: Int, highest: Int64)] = [:]
    while try cursor.next() {
      counts[cursor.row.integer(at: 0)] = (Int(cursor.row.integer(at: 1)), cursor.row.integer(at: 2))
    }
    return counts
  }

  private static func lineage(of row: PrimaryKeyRow, _ byNumber: [Int: PrimaryKeyRow]) -> [PrimaryKeyRow] {
    var lineage = [row]
    while let parent = lineage.last.flatMap({ byNumber[$0.superNumber] }), !lineage.contains(parent) {
      lineage.append(parent)
    }
    return lineage
  }

  mutating func note(
    _ code: String, _ problem: String, _ remedy: String?, severity: Diagnostic.Severity = .note
  ) {
    notes.append(Diagnostic(severity, code: "store.\(code)", problem: problem, remedy: remedy))
  }

  /// The store's tables, found by name regardless of case.
  private struct Tables {
    private let names: [String: String]

    init(_ file: StoreFile) {
      names = Dictionary(
        file.schema.filter { $0.type == .table }.map { ($0.name.uppercased(), $0.name) },
        uniquingKeysWith: { first, _ in first })
    }

    func actualName(_ name: String) -> String? { names[name.uppercased()] }
  }
}
