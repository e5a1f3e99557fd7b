extension AttributeDescription {
  /// The key path that the attribute counts: `pages` for `pages.@count`, or for `count:(pages)` as Core Data prints it.
  package var countedKeyPath: String? {
    guard let text = derivationExpression?.filter({ !$0.isWhitespace }) else { return nil }
    if text.hasSuffix(".@count") { return String(text.dropLast(7)) }
    if text.hasPrefix("count:("), text.hasSuffix(")") { return String(text.dropFirst(7).dropLast()) }
    return nil
  }

  /// The derivation expression as `NSExpression` prints it, as far as that is known.
  var printedDerivation: String? {
    if let path = countedKeyPath { return "count:(\(path))" }
    guard let text = derivationExpression, let start = text.firstIndex(where: { !$0.isWhitespace }) else {
      return derivationExpression
    }
    let end = text.lastIndex { !$0.isWhitespace } ?? start
    return String(text[start...end])
  }

  /// True if hashes in public stores show how the derivation expression is printed: those of key paths and of counts.
  var hasProvenDerivation: Bool { (countedKeyPath ?? printedDerivation).map(Self.isKeyPath) ?? false }

  private static func isKeyPath(_ text: String) -> Bool {
    text.split(separator: ".", omittingEmptySubsequences: false).allSatisfy { key in
      guard let first = key.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains(first) else { return false }
      return key.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }
  }
}
