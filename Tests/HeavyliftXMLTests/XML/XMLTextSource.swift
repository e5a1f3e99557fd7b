import HeavyliftTestSupport

/// Generates well-formed XML in every style that the standard permits.
struct XMLTextSource {
  var generator: SeededGenerator

  init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

  mutating func document() -> String {
    let declarations = [
      "", "\u{FEFF}", "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n", "<?xml version='1.0'?>",
    ]
    return pick(declarations) + misc() + pick(["", "<!DOCTYPE a>\n", "<!DOCTYPE a SYSTEM 'file:///a.dtd'>"]) + misc()
      + element(depth: 0) + misc()
  }

  private mutating func misc() -> String { pick(["", "\n", "\r\n  ", "<!-- <é> & -->", "<?p <é> ?>\n"]) }

  private mutating func element(depth: Int) -> String {
    let name = pick(["a", "entity", "é", "x.y-z"])
    var text = "<\(name)"
    for attribute in ["n", "b", "ü", "long-name"].shuffled(using: &generator).prefix(number(0...3)) {
      let quote = pick(["\"", "'"])
      text += pick([" ", "\n ", "\t", "  ", "\r\n"]) + attribute + pick(["=", " = ", "\n="]) + quote
      for _ in 0..<number(0...6) { text += characters(forbidding: [quote, "<", "]]>"]) }
      text += quote
    }
    text += pick(["", " ", "\n"])
    if depth > 4 || number(0...3) == 0 { return text + "/>" }
    text += ">"
    for _ in 0..<number(0...5) {
      switch number(0...6) {
      case 0, 1: text += element(depth: depth + 1)
      case 2: text += "<!--\(pick(["", "c <x> & \r\n é"]))-->"
      case 3: text += "<?t \(pick(["", "d < & \r"]))?>"
      case 4: text += "<![CDATA[\(pick(["", "<x> & ]] \r\n", "é"]))]]>"
      default: text += characters(forbidding: ["<", "]]>"])
      }
    }
    return text + "</\(name)\(pick(["", " ", "\n"]))>"
  }

  private mutating func characters(forbidding forbidden: [String]) -> String {
    let pool = [
      "x", " ", "\n", "\t", "\r", "\r\n", "é", "漢", "😀", "e\u{301}", "&amp;", "&lt;", "&gt;", "&quot;", "&apos;",
      "&#10;", "&#xD;", "&#9;", "&#x1F600;", ">", "\"", "'", "<", "]]>", "\u{85}",
    ]
    return pick(pool.filter { !forbidden.contains($0) })
  }

  /// Changes one or more bytes.
  mutating func damage(_ bytes: inout [UInt8]) {
    let place = Int.random(in: 0...bytes.count, using: &generator)
    let markup = Array("<>&\"'/=!?-[];#x \0\u{1}é".utf8)
    switch number(0...4) {
    case 0 where place < bytes.count: bytes.remove(at: place)
    case 1: bytes.insert(pick(markup), at: place)
    case 2 where place < bytes.count: bytes[place] = UInt8.random(in: 0...255, using: &generator)
    case 3: bytes.removeSubrange(place...)
    default:
      let end = Int.random(in: place...bytes.count, using: &generator)
      bytes.insert(contentsOf: bytes[place..<end], at: place)
    }
  }

  mutating func pick<Element>(_ choices: [Element]) -> Element {
    choices[Int.random(in: choices.indices, using: &generator)]
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &generator) }
}
