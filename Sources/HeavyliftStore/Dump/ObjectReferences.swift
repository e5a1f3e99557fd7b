/// Writes keys as `"Author/p12"`, with the entity that the target really is an instance of.
struct ObjectReferences {
  /// By entity number: `"Author/p`.
  private let prefixes: [Int64: [UInt8]]
  private let declared: [UInt8]
  /// The entity of every target, where there is only one that targets can be.
  let onlyNumber: Int64?
  private var lastNumber: Int64 = -1
  private var lastPrefix: [UInt8] = []

  /// - Parameters:
  ///   - tableName: where the targets are.
  ///   - destinationEntityName: the entity that the relationship says they are.
  ///   - names: what entities are to be called, if not by their names.
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

  /// - Parameter number: the target's `Z_ENT`; nil if there is no such target, or none of an entity of the store.
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

  /// Rows beside one another are mostly of one entity.
  private mutating func prefix(_ number: Int64) -> [UInt8]? {
    if number == lastNumber { return lastPrefix }
    guard let prefix = prefixes[number] else { return nil }
    (lastNumber, lastPrefix) = (number, prefix)
    return prefix
  }

  private static func prefix(_ entityName: String) -> [UInt8] { JSONText.string("\(entityName)/p").dropLast() }
}
