import Foundation

/// The comparison of strings with given options.
///
/// Without options, equality compares scalars, and Foundation determines the order. `[n]` without `[l]` makes both
/// literal; with any other option, Foundation determines both. Pure ASCII strings, which are by far the most common,
/// never reach Foundation unless the locale matters: tests show that the result is the same.
struct TextComparison: Sendable {
  private let isLiteralEquality: Bool
  private let isLiteralOrder: Bool
  private let ignoresCase: Bool
  private let whole: String.CompareOptions
  private let part: String.CompareOptions
  private let isLocaleSensitive: Bool

  init(_ options: ComparisonOptions) {
    // `[n]` says that the strings are already normalized: in comparisons of whole strings, it disables `[c]` and `[d]`;
    // in searches for substrings, `[c]` and `[d]` disable `[n]`.
    let isNormalized = options.contains(.normalized)
    let overlooks = !options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
    isLocaleSensitive = options.contains(.localeSensitive)
    isLiteralOrder = isNormalized && !isLocaleSensitive
    isLiteralEquality = isLiteralOrder || options.isEmpty
    var part: String.CompareOptions = []
    if options.contains(.caseInsensitive) { part.insert(.caseInsensitive) }
    if options.contains(.diacriticInsensitive) { part.insert(.diacriticInsensitive) }
    var whole = part
    if overlooks { whole.insert(.widthInsensitive) }
    if isNormalized { whole = [] }
    if isNormalized && !overlooks { part.insert(.literal) }
    self.part = part
    self.whole = whole
    ignoresCase = whole.contains(.caseInsensitive)
  }

  func areEqual(_ left: String, _ right: String) -> Bool {
    if isLiteralEquality { return hasSameScalars(left, right) }
    if !isLocaleSensitive, let order = orderOfASCII(left, right) { return order == .same }
    return compare(left, right) == .orderedSame
  }

  func order(_ left: String, _ right: String) -> ValueOrder {
    if isLiteralOrder {
      // Compares UTF-8 bytes, like SQLite's BINARY collation.
      return left.utf8.lexicographicallyPrecedes(right.utf8) ? .less : hasSameScalars(left, right) ? .same : .greater
    }
    if !isLocaleSensitive, let order = orderOfASCII(left, right) { return order }
    return switch compare(left, right) {
    case .orderedAscending: .less
    case .orderedSame: .same
    case .orderedDescending: .greater
    }
  }

  /// An empty string is found nowhere, not even in another empty string.
  func contains(_ text: String, _ needle: String) -> Bool { range(of: needle, in: text, []) }

  func begins(_ text: String, _ needle: String) -> Bool { range(of: needle, in: text, .anchored) }

  func ends(_ text: String, _ needle: String) -> Bool { range(of: needle, in: text, [.anchored, .backwards]) }

  private func range(of needle: String, in text: String, _ place: String.CompareOptions) -> Bool {
    if needle.isEmpty { return false }
    return TextSearch.contains(text, needle, part.union(place), locale: isLocaleSensitive ? .current : nil)
  }

  private func compare(_ left: String, _ right: String) -> ComparisonResult {
    left.compare(right, options: whole, range: nil, locale: isLocaleSensitive ? .current : nil)
  }

  /// Foundation orders ASCII by bytes, lowercased if case is ignored.
  private func orderOfASCII(_ left: String, _ right: String) -> ValueOrder? {
    let ignoresCase = ignoresCase
    let order = left.utf8.withContiguousStorageIfAvailable { left in
      right.utf8.withContiguousStorageIfAvailable { right in
        orderOfASCIIBytes(left, right, ignoresCase: ignoresCase)
      } ?? nil
    }
    return order ?? nil
  }
}

/// Returns `nil` if a byte is not ASCII.
private func orderOfASCIIBytes(
  _ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>, ignoresCase: Bool
) -> ValueOrder? {
  var order = ValueOrder.same
  let common = min(left.count, right.count)
  var all: UInt8 = 0
  for index in 0..<common {
    let (a, b) = (left[index], right[index])
    all |= a | b
    guard a != b, order == .same else { continue }
    let (first, second) = ignoresCase ? (lowercased(a), lowercased(b)) : (a, b)
    if first != second { order = first < second ? .less : .greater }
  }
  for index in common..<left.count { all |= left[index] }
  for index in common..<right.count { all |= right[index] }
  if all >= 0x80 { return nil }
  return order == .same ? ValueOrder(left.count, right.count) : order
}

private func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
