/// The elements of an archived array or set, each decoded on access.
public struct ArchivedCollection: RandomAccessCollection, Sendable {
  let archive: KeyedArchive
  let elements: PropertyListParts

  public var startIndex: Int { elements.startIndex }
  public var endIndex: Int { elements.endIndex }

  /// The element at an index.
  public subscript(position: Int) -> ArchivedValue { archive.value(elements[position]) }
}

/// The entries of an archived dictionary, in file order.
public struct ArchivedDictionary: RandomAccessCollection, Sendable {
  let archive: KeyedArchive
  let keys: PropertyListParts
  let values: PropertyListParts
  /// The placeholder that the archive uses for a missing value.
  var emptySlot: PropertyListPart?

  public var startIndex: Int { 0 }
  public var endIndex: Int { Swift.min(keys.count, values.count) }

  /// The entry at an index; the value of an empty slot is null.
  public subscript(position: Int) -> (key: ArchivedValue, value: ArchivedValue) {
    let value = values[position]
    let isEmpty = emptySlot.map { value.isSame(as: $0) } ?? false
    return (archive.value(keys[position]), isEmpty ? .null : archive.value(value))
  }

  /// The entries whose keys are text, by key. If a key occurs twice, the first entry wins.
  public var byName: [String: ArchivedValue] {
    Dictionary(
      compactMap { entry in entry.key.string.map { ($0, entry.value) } }, uniquingKeysWith: { first, _ in first })
  }
}
