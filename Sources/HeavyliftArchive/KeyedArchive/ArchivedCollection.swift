/// The elements of an archived array or set, each read when it is asked for.
public struct ArchivedCollection: RandomAccessCollection, Sendable {
  let archive: KeyedArchive
  let elements: [PropertyList]

  public var startIndex: Int { elements.startIndex }
  public var endIndex: Int { elements.endIndex }

  /// The element at a place.
  public subscript(position: Int) -> ArchivedValue { archive.value(elements[position]) }
}

/// The entries of an archived dictionary, in the order in which they stand in the file.
public struct ArchivedDictionary: RandomAccessCollection, Sendable {
  let archive: KeyedArchive
  let keys: [PropertyList]
  let values: [PropertyList]
  /// What stands in the place of a value that is not there.
  var emptySlot: PropertyList?

  public var startIndex: Int { 0 }
  public var endIndex: Int { Swift.min(keys.count, values.count) }

  /// The entry at a place; the value of an empty slot is nil.
  public subscript(position: Int) -> (key: ArchivedValue, value: ArchivedValue) {
    let value = values[position]
    return (archive.value(keys[position]), value == emptySlot ? .null : archive.value(value))
  }

  /// The entries whose keys are text, by key. The first counts where two have one key.
  public var byName: [String: ArchivedValue] {
    Dictionary(
      compactMap { entry in entry.key.string.map { ($0, entry.value) } }, uniquingKeysWith: { first, _ in first })
  }
}
