import HeavyliftMapping

/// The fingerprint of an entity as text in a mapping file: `added:3fa9c2d1 seconds:0b11aa90`.
enum FingerprintText {
  /// The problem with one word of the text.
  enum Mistake: Error {
    case malformed(String, scalarOffset: Int)
    case repeated(String, scalarOffset: Int)
  }

  static func parse(_ text: String) -> (fingerprint: EntityFingerprint, mistakes: [Mistake]) {
    var properties: [String: String] = [:]
    var mistakes: [Mistake] = []
    let scalars = Array(text.unicodeScalars)
    var index = 0
    while index < scalars.count {
      guard !scalars[index].isXMLSpace else {
        index += 1
        continue
      }
      let start = index
      while index < scalars.count, !scalars[index].isXMLSpace { index += 1 }
      var word = String.UnicodeScalarView()
      word.append(contentsOf: scalars[start..<index])
      if let (name, digest) = parse(word: String(word)) {
        if properties.updateValue(digest, forKey: name) != nil {
          mistakes.append(.repeated(name, scalarOffset: start))
        }
      } else {
        mistakes.append(.malformed(String(word), scalarOffset: start))
      }
    }
    return (EntityFingerprint(properties: properties), mistakes)
  }

  /// Returns the canonical text; nil if a digest is malformed.
  static func text(of fingerprint: EntityFingerprint) -> String? {
    var words: [String] = []
    for (name, digest) in fingerprint.properties.sorted(by: { $0.key.precedesInScalars($1.key) }) {
      guard !name.isEmpty, isDigest(digest) else { return nil }
      words.append("\(escape(name)):\(digest)")
    }
    return words.joined(separator: " ")
  }

  private static func parse(word: String) -> (name: String, digest: String)? {
    guard let colon = word.lastIndex(of: ":") else { return nil }
    let digest = String(word[word.index(after: colon)...])
    guard isDigest(digest), let name = unescape(String(word[..<colon])), !name.isEmpty else { return nil }
    return (name, digest)
  }

  private static func isDigest(_ text: String) -> Bool { text.wholeMatch(of: /[0-9a-f]{8,64}/) != nil }

  /// Escapes spaces, which separate names.
  private static func escape(_ name: String) -> String {
    name.unicodeScalars.reduce(into: "") { text, scalar in
      guard scalar == "%" || scalar.value <= 0x20 else { return text.unicodeScalars.append(scalar) }
      let digits = String(scalar.value, radix: 16, uppercase: true)
      text += "%" + String(repeating: "0", count: 2 - digits.count) + digits
    }
  }

  private static func unescape(_ text: String) -> String? {
    guard text.unicodeScalars.contains("%") else { return text }
    var name = String.UnicodeScalarView()
    var rest = Substring(text).unicodeScalars[...]
    while let scalar = rest.popFirst() {
      guard scalar == "%" else {
        name.append(scalar)
        continue
      }
      let digits = String(Substring(rest.prefix(2)))
      guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit),
        let code = UInt8(digits, radix: 16), code <= 0x20 || code == 0x25
      else { return nil }
      name.append(Unicode.Scalar(code))
      rest = rest.dropFirst(2)
    }
    return String(name)
  }
}

extension Unicode.Scalar {
  /// True for XML white space.
  var isXMLSpace: Bool { self == " " || self == "\t" || self == "\n" || self == "\r" }
}

extension String {
  /// Returns true if this text precedes the other, in an order that is the same in every locale and version of Unicode.
  func precedesInScalars(_ other: String) -> Bool {
    unicodeScalars.lexicographicallyPrecedes(other.unicodeScalars) { $0.value < $1.value }
  }
}
