import HeavyliftSQLite

/// Faults of one fetch that are read together as soon as one of them is.
final class FaultBatch {
  /// SQLite bounds the length of a statement.
  private static let largestStatement = 5_000
  /// Big values are not read for objects that nobody may ask for.
  private static let mostBytes = 4 << 20

  private let entity: EntityRuntime
  /// An object takes itself out when it goes, so that each pointer points to a living one. Weak references would make
  /// every later retain of the objects dearer.
  private var members: [Unmanaged<ManagedObject>?] = []

  init(_ entity: EntityRuntime) { self.entity = entity }

  func append(_ object: ManagedObject) {
    object.batch?.remove(object)
    object.batch = self
    object.batchPlace = members.count
    members.append(.passUnretained(object))
  }

  /// To be called by an object that goes, is read otherwise, or joins another batch.
  func remove(_ object: ManagedObject) {
    // Compared as addresses: the object may be on its way out, and must not be retained any more.
    guard members.indices.contains(object.batchPlace),
      members[object.batchPlace]?.toOpaque() == Unmanaged.passUnretained(object).toOpaque()
    else { return }
    members[object.batchPlace] = nil
  }

  func fulfill(in context: ManagedObjectContext, startingWith first: ManagedObject) throws {
    let objects = members.compactMap { $0?.takeUnretainedValue() }.filter { $0.isFault && $0.batch === self }
    members = []
    for object in objects { object.batch = nil }
    guard objects.count > 1 else { return }
    let byKey = Dictionary(objects.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    let columns = entity.columns
    let names = columns.names.map { SQLName($0).description }.joined(separator: ", ")
    let sorted = byKey.keys.sorted()
    var bytes = 0
    // Whoever asked is read alone where that is enough.
    defer {
      if bytes > Self.mostBytes { for object in objects where object.isFault { append(object) } }
    }
    try context.readingRows {
      for start in stride(from: 0, to: sorted.count, by: Self.largestStatement) {
        // Keys are numbers, so they can stand in the text; as many parameters would be a statement for each count.
        let keys = sorted[start..<min(start + Self.largestStatement, sorted.count)].map(String.init)
          .joined(separator: ", ")
        let statement = try context.store.database.prepare(
          "SELECT \(names) FROM \(SQLName(entity.layout.tableName)) WHERE Z_PK IN (\(keys))")
        let reader = context.reader(for: entity)
        var cursor = statement.query()
        while bytes <= Self.mostBytes, try cursor.next() {
          let row = try reader.read(cursor.row)
          guard let object = byKey[row.key], cursor.row.integer(at: 1) == Int64(entity.layout.number) else { continue }
          object.take(row)
          bytes += object.heapBytes
        }
      }
    }
  }
}
