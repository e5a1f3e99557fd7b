import Foundation
import HeavyliftTestSupport
import Testing

@testable import HeavyliftExpression

/// Case conversion gives the same result as Swift's, apart from a sigma at the end of a word.
@Suite struct LetterCaseTests {
  private func check(_ text: String) {
    #expect(Array(text.inCapitals.utf8) == Array(text.uppercased().utf8), "\(text)")
    // Foundation knows the two small sigmas, but changes some letters by other rules than Swift.
    let small = text.inSmallLetters.replacing("ς", with: "σ")
    #expect(Array(small.utf8) == Array(text.lowercased().replacing("ς", with: "σ").utf8), "\(text)")
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

  @Test(
    arguments: [
      ("ΟΔΟΣ", "οδος"), ("Σ", "σ"), ("ΣΑΣ ΣΑΣ", "σας σας"), ("ΣΑΣΣ", "σασς"), ("1Σ", "1σ"), ("AΣ1", "aς1"),
      ("AΣ.", "aς."), ("AΣ.B", "aσ.b"), ("A.Σ", "a.ς"), ("A\u{301}Σ\u{301}", "a\u{301}ς\u{301}"),
      ("A\u{301}Σ\u{301}B", "a\u{301}σ\u{301}b"), ("\u{2B0}Σ", "\u{2B0}σ"), ("aςb σ", "aςb σ"), ("Ä Σ", "ä σ"),
    ])
  func `a sigma at the end of a word has its own small letter`(text: String, small: String) {
    #expect(Array(text.inSmallLetters.utf8) == Array(small.utf8))
    #expect(Array(text.lowercased(with: Locale(identifier: "en_US_POSIX")).utf8) == Array(small.utf8))
  }

  @Test func `a long text with many sigmas`() {
    let word = String(repeating: "ΣΟΣ.", count: 100)
    #expect(word.inSmallLetters == String(repeating: "σοσ.", count: 99) + "σος.")
    check(String(repeating: "ΐΣ", count: 100))
  }

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
