/// A set of keys that needs only a bit or two per key if the keys are dense, as they are in a store.
package struct KeySet {
  package init() {}

  /// A bitmap of the keys starting at 0, 64 per word. Its size is limited in proportion to the number of keys.
  private var words: [UInt64] = []
  /// The keys outside the bitmap, 256 per page.
  private var pages: [Int64: SIMD4<UInt64>] = [:]
  package private(set) var count = 0

  package func contains(_ key: Int64) -> Bool {
    let number = key >> 6
    if number >= 0, number < words.count { return words[Int(number)] & Self.bit(of: key) != 0 }
    guard !pages.isEmpty, let page = pages[key >> 8] else { return false }
    return page[Self.word(of: key)] & Self.bit(of: key) != 0
  }

  /// Adds a key; returns false if it was there already.
  @discardableResult
  package mutating func insert(_ key: Int64) -> Bool {
    let number = key >> 6
    if number >= words.count { grow(toHold: number) }
    let bit = Self.bit(of: key)
    if number >= 0, number < words.count {
      let isNew = words[Int(number)] & bit == 0
      if isNew {
        words[Int(number)] |= bit
        count += 1
      }
      return isNew
    }
    let isNew = pages[key >> 8, default: .zero][Self.word(of: key)] & bit == 0
    if isNew {
      pages[key >> 8, default: .zero][Self.word(of: key)] |= bit
      count += 1
    }
    return isNew
  }

  /// Adds all keys of another set.
  package mutating func formUnion(_ other: KeySet) {
    guard count > 0 else {
      self = other
      return
    }
    for number in other.sortedPages {
      guard let page = other.page(number) else { continue }
      for word in 0..<4 { add(page[word], toWord: number << 2 + Int64(word)) }
    }
  }

  /// Adds the keys of a word: of 64 keys, the first of which is 64 times the word's number.
  private mutating func add(_ bits: UInt64, toWord number: Int64) {
    guard bits != 0 else { return }
    if number >= words.count { grow(toHold: number) }
    if number >= 0, number < words.count {
      let new = bits & ~words[Int(number)]
      // Sets that share their words keep sharing them as long as nothing changes.
      guard new != 0 else { return }
      count += new.nonzeroBitCount
      words[Int(number)] |= new
    } else {
      let (page, word) = (number >> 2, Int(number & 3))
      count += (bits & ~pages[page, default: .zero][word]).nonzeroBitCount
      pages[page, default: .zero][word] |= bits
    }
  }

  /// Calls a function with each key, in ascending order.
  package func forEach(_ body: (Int64) throws -> Void) rethrows {
    for number in sortedPages {
      guard let page = page(number) else { continue }
      for word in 0..<4 {
        var bits = page[word]
        while bits != 0 {
          try body(number << 8 | Int64(word << 6 + bits.trailingZeroBitCount))
          bits &= bits - 1
        }
      }
    }
  }

  /// The greatest key; nil if there is none.
  package var greatest: Int64? {
    guard let number = sortedPages.last, let page = page(number), let word = (0..<4).last(where: { page[$0] != 0 })
    else { return nil }
    return number << 8 | Int64(word << 6 + 63 - page[word].leadingZeroBitCount)
  }

  /// Returns true if all keys are also in another set.
  package func isSubset(of other: KeySet) -> Bool {
    sortedPages.allSatisfy { number in
      (page(number) ?? .zero) & ~(other.page(number) ?? .zero) == .zero
    }
  }

  /// Removes a key; returns false if it was not there.
  @discardableResult
  package mutating func remove(_ key: Int64) -> Bool {
    guard contains(key) else { return false }
    let (number, bit) = (key >> 6, Self.bit(of: key))
    if number >= 0, number < words.count {
      words[Int(number)] &= ~bit
    } else {
      var page = pages[key >> 8, default: .zero]
      page[Self.word(of: key)] &= ~bit
      pages[key >> 8] = page == .zero ? nil : page
    }
    count -= 1
    return true
  }

  /// Returns up to `limit` keys greater than the given key, in ascending order.
  package func keys(after key: Int64, atMost limit: Int, pages sorted: [Int64]) -> [Int64] {
    var found: [Int64] = []
    // Finds the first page that can contain such a key.
    var (low, high) = (0, sorted.count)
    let first = key >> 8
    while low < high {
      let middle = (low + high) / 2
      if sorted[middle] < first { low = middle + 1 } else { high = middle }
    }
    for number in sorted[low...] {
      guard let page = page(number) else { continue }
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

  /// The numbers of the pages that contain keys, ascending, for `keys(after:atMost:pages:)`.
  package var sortedPages: [Int64] {
    let dense = (0..<Int64(words.count / 4)).filter { page($0) != .zero }
    return (dense + pages.keys).sorted()
  }

  private func page(_ number: Int64) -> SIMD4<UInt64>? {
    guard number >= 0, number < words.count / 4 else { return pages[number] }
    let first = Int(number) * 4
    return SIMD4(words[first], words[first + 1], words[first + 2], words[first + 3])
  }

  /// Extends the bitmap to the given word, but only if there are enough keys: a few sparse keys must not cost memory
  /// for the gaps.
  private mutating func grow(toHold number: Int64) {
    let most = Int64(count) * 2 + 16
    guard number < most else { return }
    // Extends by whole pages, because a page is either in the bitmap or in the dictionary.
    let size = (Int(max(number + 1, min(Int64(words.count) * 2, most))) + 3) / 4 * 4
    words += repeatElement(0, count: size - words.count)
    for (place, page) in pages where place >= 0 && place < size / 4 {
      for word in 0..<4 { words[Int(place) * 4 + word] = page[word] }
      pages[place] = nil
    }
  }

  private static func word(of key: Int64) -> Int { Int(key & 255) >> 6 }

  private static func bit(of key: Int64) -> UInt64 { 1 << UInt64(key & 63) }
}

extension KeySet {
  /// Counts the keys up to a key, for keys in ascending order.
  package struct Counter {
    private let keys: KeySet
    private let pages: [Int64]
    private var place = 0
    /// The number of keys in the pages before that place.
    private var count = 0

    package init(_ keys: KeySet) { (self.keys, pages) = (keys, keys.sortedPages) }

    /// Returns the number of keys up to and including this one, which must not be less than the one of an earlier call.
    package mutating func count(through key: Int64) -> Int {
      let number = key >> 8
      while place < pages.count, pages[place] < number {
        count += keys.count(inPage: pages[place], through: .max)
        place += 1
      }
      return place < pages.count && pages[place] == number ? count + keys.count(inPage: number, through: key) : count
    }
  }

  private func count(inPage number: Int64, through key: Int64) -> Int {
    guard let page = page(number) else { return 0 }
    return (0..<4).reduce(0) { count, word in
      let first = number << 8 | Int64(word << 6)
      guard first <= key else { return count }
      let unwanted = key >= first + 63 ? 0 : 63 - (key - first)
      return count + ((page[word] << UInt64(unwanted)) >> UInt64(unwanted)).nonzeroBitCount
    }
  }
}

extension KeySet: Equatable {
  /// True if both sets contain the same keys, regardless of their representation.
  package static func == (left: KeySet, right: KeySet) -> Bool {
    guard left.count == right.count else { return false }
    if left.words == right.words, left.pages == right.pages { return true }
    return left.sortedPages.allSatisfy { left.page($0) == right.page($0) }
  }
}
