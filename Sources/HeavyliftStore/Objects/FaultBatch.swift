import HeavyliftSQLite

/// Faults of one fetch that are read together as soon as one of them is.
final class FaultBatch {
  private struct Member {
    weak var object: ManagedObject?
  }

  /// SQLite bounds the length of a statement.
  private static let largestStatement = 5_000

  private let entity: EntityRuntime
  private var members: [Member] = []

  init(_ entity: EntityRuntime) { self.entity = entity }

  func append(_ object: ManagedObject) {
    members.append(Member(object: object))
    object.batch = self
  }

  func fulfill(in context: ManagedObjectContext, startingWith first: ManagedObject) throws {
    let objects = members.compactMap(\.object).filter { $0.isFault && $0.batch === self }
    members = []
    for object in objects { object.batch = nil }
    guard objects.count > 1 else { return }
    let byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = entity.columns
    let names = columns.names.map { SQLName($0).description }.joined(separator: ", ")
    let sorted = byKey.keys.sorted()
    try context.readingRows {
      for start in stride(from: 0, to: sorted.count, by: Self.largestStatement) {
        // Keys are numbers, so they can stand in the text; as many parameters would be a statement for each count.
        let keys = sorted[start..<min(start + Self.largestStatement, sorted.count)].map(String.init)
          .joined(separator: ", ")
        let statement = try context.store.database.prepare(
          "SELECT \(names) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK IN (\(keys))")
        let reader = context.reader(for: entity)
        var cursor = statement.query()
        while try cursor.next() {
          let row = try reader.read(cursor.row)
          guard let object = byKey[row.key], cursor.row.integer(at: 1) == Int64(entity.layout.number) else { continue }
          object.take(row)
        }
      }
    }
  }
}
