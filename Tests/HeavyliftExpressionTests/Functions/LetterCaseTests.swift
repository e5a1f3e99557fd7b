import HeavyliftTestSupport
import Testing

@testable import HeavyliftExpression

/// Case conversion gives the same result as Swift's.
@Suite struct LetterCaseTests {
  private func check(_ text: String) {
    #expect(Array(text.inCapitals.utf8) == Array(text.uppercased().utf8), "\(text)")
    #expect(Array(text.inSmallLetters.utf8) == Array(text.lowercased().utf8), "\(text)")
  }

  @Test func `each letter that there is`() {
    var wrong: [Unicode.Scalar] = []
    for scalar in (0...0x1_FFFF as ClosedRange<UInt32>).compactMap(Unicode.Scalar.init) {
      let text = String(Character(scalar))
      if text.inCapitals != text.uppercased() || text.inSmallLetters != text.lowercased() { wrong.append(scalar) }
    }
    #expect(wrong.isEmpty)
  }

  @Test(arguments: ["", "a", "Straße", "Ärger über Öl", "e\u{301}", "ΟΔΟΣ", "İstanbul ıssız", "ﬃ", "🇩🇪 one", "a\0b"])
  func `texts`(text: String) { check(text) }

  @Test func `a text that becomes much longer`() {
    check(String(repeating: "ΐ", count: 100))
    check(String(repeating: "aİ", count: 100))
  }

  @Test(arguments: 1...5 as ClosedRange<UInt64>)
  func `texts of all kinds of letters`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<400 {
      let scalars = (0..<Int.random(in: 0...40, using: &random)).compactMap { _ in
        Unicode.Scalar(UInt32.random(in: 0...(Bool.random(using: &random) ? 0x7F : 0x24FF), using: &random))
      }
      check(String(String.UnicodeScalarView(scalars)))
    }
  }
}
