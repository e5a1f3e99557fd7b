/// Writes targets as `"Author/p12"`, with the target's own entity and key.
struct ObjectReferences {
  /// The start of a reference, by entity number: `"Author/p`.
  private let prefixes: [Int64: [UInt8]]
  private let declared: [UInt8]
  /// The `Z_ENT` of every target, if only one is possible.
  let onlyNumber: Int64?
  private var lastNumber: Int64 = -1
  private var lastPrefix: [UInt8] = []

  /// - Parameters:
  ///   - tableName: The table of the targets.
  ///   - destinationEntityName: The relationship's destination entity.
  ///   - names: The names to write for entities, by the entities' own names; entities that are not included keep their
  ///     names.
  init(
    to tableName: String, destinationEntityName: String, in layout: PhysicalLayout, names: [String: String] = [:]
  ) {
    let entities = layout.entities.filter { $0.tableName == tableName }
    prefixes = Dictionary(
      entities.map { (Int64($0.number), Self.prefix(names[$0.name] ?? $0.name)) },
      uniquingKeysWith: { first, _ in first })
    onlyNumber = entities.count == 1 ? entities.first.map { Int64($0.number) } : nil
    declared = Self.prefix(names[destinationEntityName] ?? destinationEntityName)
  }

  /// - Parameter number: The target's `Z_ENT`; nil if the target is missing or of an unknown entity.
  mutating func write(_ key: Int64, number: Int64?, to writer: inout JSONWriter) {
    guard let number, let prefix = prefix(number) else {
      writer.raw("{\"dangling\":")
      writer.raw(declared)
      writer.integer(key)
      writer.raw("\"}")
      return
    }
    writer.raw(prefix)
    writer.integer(key)
    writer.byte(UInt8(ascii: "\""))
  }

  /// Remembers the last prefix, because adjacent rows mostly have the same entity.
  private mutating func prefix(_ number: Int64) -> [UInt8]? {
    if number == lastNumber { return lastPrefix }
    guard let prefix = prefixes[number] else { return nil }
    (lastNumber, lastPrefix) = (number, prefix)
    return prefix
  }

  private static func prefix(_ entityName: String) -> [UInt8] { JSONText.string("\(entityName)/p").dropLast() }
}
