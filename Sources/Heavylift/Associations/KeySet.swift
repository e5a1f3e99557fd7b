/// A set of keys that costs a bit or two for each where keys lie close together, as they do in a store.
package struct KeySet {
  package init() {}

  private var pages: [Int64: SIMD4<UInt64>] = [:]
  private(set) var count = 0

  package func contains(_ key: Int64) -> Bool {
    guard let page = pages[key >> 8] else { return false }
    let (word, bit) = Self.place(of: key)
    return page[word] & bit != 0
  }

  /// Adds a key; false if it was there.
  @discardableResult
  package mutating func insert(_ key: Int64) -> Bool {
    let (word, bit) = Self.place(of: key)
    let isNew = pages[key >> 8, default: .zero][word] & bit == 0
    if isNew {
      pages[key >> 8, default: .zero][word] |= bit
      count += 1
    }
    return isNew
  }

  /// Takes a key out; false if it was not there.
  @discardableResult
  mutating func remove(_ key: Int64) -> Bool {
    guard contains(key) else { return false }
    let (word, bit) = Self.place(of: key)
    pages[key >> 8, default: .zero][word] &= ~bit
    count -= 1
    return true
  }

  /// Up to that many keys behind a key, ascending.
  func keys(after key: Int64, atMost limit: Int, pages sorted: [Int64]) -> [Int64] {
    var found: [Int64] = []
    // The first page that can hold one.
    var (low, high) = (0, sorted.count)
    let first = key >> 8
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < first { low = middle + 1 } else { high = middle }
    }
    for number in sorted[low...] {
      guard let page = pages[number] else { continue }
      for word in 0..<4 {
        var bits = page[word]
        while bits != 0 {
          let candidate = number << 8 | Int64(word << 6 + bits.trailingZeroBitCount)
          bits &= bits - 1
          guard candidate > key else { continue }
          found.append(candidate)
          if found.count == limit { return found }
        }
      }
    }
    return found
  }

  /// The pages that hold keys, for `keys(after:atMost:pages:)`.
  var sortedPages: [Int64] { pages.keys.sorted() }

  private static func place(of key: Int64) -> (word: Int, bit: UInt64) {
    let place = Int(key & 255)
    return (place >> 6, 1 << UInt64(place & 63))
  }
}
