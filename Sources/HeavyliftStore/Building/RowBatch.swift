import HeavyliftModel

/// Rows of new objects, without the objects.
struct RowBatch: Sendable {
  struct Row: Sendable {
    /// The entity's place in the store.
    let entity: Int
    let key: Int64
    let attributes: [Value]
    let toOnes: [Int64]

    init(_ object: ManagedObject) {
      (entity, key) = (object.runtime.index, object.key)
      (attributes, toOnes) = (object.attributes, object.toOnes)
    }

    /// About how many bytes the values hold that are not in the row itself.
    var bytes: Int {
      var bytes = 0
      for value in attributes {
        switch value {
        case .string(let text), .uri(let text): bytes += text.utf8.count
        case .data(let data): bytes += data.count
        default: break
        }
      }
      return bytes
    }
  }

  private(set) var rows: [Row] = []
  private(set) var bytes = 0

  mutating func append(_ object: ManagedObject) {
    let row = Row(object)
    rows.append(row)
    bytes += row.bytes
  }

  init(capacity: Int) { rows.reserveCapacity(capacity) }
}
