import HeavyliftSQLite

/// Faults of one fetch: accessing one of them reads all of them.
final class FaultBatch {
  /// SQLite limits the length of a statement.
  private static let largestStatement = 5_000
  /// After this many bytes, the other faults are not read, because the program may never access them.
  private static let mostBytes = 4 << 20

  private let entity: EntityRuntime
  /// An object removes itself when it is deallocated, so each pointer is valid. Weak references would slow down every
  /// later retain of the objects.
  private var members: [Unmanaged<ManagedObject>?] = []

  init(_ entity: EntityRuntime) { self.entity = entity }

  func append(_ object: ManagedObject) {
    object.batch?.remove(object)
    object.batch = self
    object.batchPlace = members.count
    members.append(.passUnretained(object))
  }

  /// To be called for an object that is deallocated, read on its own, or added to another batch.
  func remove(_ object: ManagedObject) {
    // Compared as addresses: an object that is being deallocated must not be retained any more.
    guard members.indices.contains(object.batchPlace),
      members[object.batchPlace]?.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
    else { return }
    members[object.batchPlace] = nil
  }

  func fulfill(in context: ManagedObjectContext) throws {
    let objects = members.compactMap { $0?.takeUnretainedValue() }.filter { $0.isFault && $0.batch === self }
    members = []
    for object in objects { object.batch = nil }
    guard objects.count > 1 else { return }
    let byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = entity.columns
    let names = columns.names.map { entity.layout.columnSQL($0) }.joined(separator: ", ")
    let query = "SELECT \(names) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK"
    let sorted = byKey.keys.sorted()
    var bytes = 0
    // Faults that were not read form a batch again. If the accessed object is one of them, the caller reads it on its
    // own.
    defer {
      if bytes > Self.mostBytes { for object in objects where object.isFault { append(object) } }
    }
    try context.readingRows {
      for start in stride(from: 0, to: sorted.count, by: Self.largestStatement) {
        let keys = sorted[start..<min(start + Self.largestStatement, sorted.count)]
        let statement: Statement
        if let first = keys.first, let last = keys.last, last - first < keys.count * 2 {
          // Reading a few rows too many takes less time than compiling a list of keys.
          statement = try context.store.database.cached("\(query) BETWEEN ? AND ?")
          try statement.bind([.integer(first), .integer(last)])
        } else {
          // Keys are integers, so they can be part of the SQL. With parameters, each number of keys would be another
          // statement.
          statement = try context.store.database.prepare(
            "\(query) IN (\(keys.map(String.init).joined(separator: ", ")))")
        }
        let reader = context.reader(for: entity)
        var cursor = statement.query()
        while bytes <= Self.mostBytes, try cursor.next() {
          guard cursor.row.integer(at: 1) == Int64(entity.layout.number), let object = byKey[cursor.row.integer(at: 0)]
          else { continue }
          object.take(try reader.read(cursor.row))
          bytes += object.heapBytes
        }
      }
    }
  }
}
