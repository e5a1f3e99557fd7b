import HeavyliftModel
import HeavyliftSQLite

/// A sort key with the path to its attribute through to-one relationships, for sorting in SQL and in memory.
struct SortPath {
  /// The to-one relationships on the path, each as an entity and the slot in that entity.
  let steps: [(entity: EntityRuntime, slot: Int)]
  let attribute: AttributeColumn
  let isAscending: Bool

  init(_ key: FetchRequest.SortKey, from entity: EntityRuntime, in runtime: StoreRuntime) throws {
    let names = key.keyPath.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    var steps: [(entity: EntityRuntime, slot: Int)] = []
    var current = entity
    for name in names.dropLast() {
      guard case .toOne(let slot)? = current.slots[name], current.toOnes[slot].column != nil else {
        throw Self.mistake(name, key, current, entity, wanted: .toOne)
      }
      steps.append((current, slot))
      current = runtime.entities[current.toOnes[slot].destination]
    }
    let last = names.last ?? ""
    guard case .attribute(let slot)? = current.slots[last], let column = current.attributes[slot].column,
      column.type != .composite
    else { throw Self.mistake(last, key, current, entity, wanted: .sortable) }
    self.steps = steps
    attribute = column
    isAscending = key.isAscending
  }

  private static func mistake(
    _ name: String, _ key: FetchRequest.SortKey, _ current: EntityRuntime, _ entity: EntityRuntime,
    wanted: WantedProperty
  ) -> Diagnostic {
    current.slots[name] == nil
      ? ObjectMistake.unknownProperty(name, entity: current, wanted: wanted).diagnostic
      : ObjectMistake.unsortable(key.keyPath, entity: entity.name).diagnostic
  }

  /// The attribute's value for an object; null if a relationship on the path is nil.
  func value(for object: ManagedObject) throws -> Value {
    var current = object
    for step in steps {
      guard let next = try current.object(forKey: step.entity.toOnes[step.slot].description.name) else { return .null }
      current = next
    }
    return try current.value(forKey: attribute.name)
  }

  /// The SQL expression to sort by; `alias` names the table at the end of the path.
  func expression(alias: String) -> String {
    let column = "\(alias).\(SQLName(attribute.column))"
    // A decimal that neither an integer nor a double can hold is stored as a blob of digits, which SQLite sorts after
    // all numbers. NaN is stored as text, and must sort before all numbers, as when decimals are compared.
    let sorted =
      attribute.type == .decimal
      ? "CASE typeof(\(column)) WHEN 'blob' THEN CAST(CAST(\(column) AS TEXT) AS REAL) "
        + "WHEN 'text' THEN -9e999 ELSE \(column) END" : column
    return "\(sorted) \(isAscending ? "ASC" : "DESC")"
  }
}

extension Value {
  /// Returns true if this value sorts before the other in SQLite's order: null first, numbers by size, texts by their
  /// bytes.
  func isOrderedBefore(_ other: Value) -> Bool {
    switch (self, other) {
    case (.null, .null): false
    case (.null, _): true
    case (_, .null): false
    case (.bool(let left), .bool(let right)): !left && right
    case (.integer(let left), .integer(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    case (.date(let left), .date(let right)): left < right
    case (.string(let left), .string(let right)), (.uri(let left), .uri(let right)):
      left.utf8.lexicographicallyPrecedes(right.utf8)
    case (.uuid(let left), .uuid(let right)):
      withUnsafeBytes(of: left.uuid) { left in
        withUnsafeBytes(of: right.uuid) { left.lexicographicallyPrecedes($0) }
      }
    case (.data(let left), .data(let right)): left.lexicographicallyPrecedes(right)
    default: false
    }
  }
}
