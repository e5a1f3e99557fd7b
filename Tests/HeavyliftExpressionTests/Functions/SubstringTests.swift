import HeavyliftTestSupport
import Testing

@testable import HeavyliftExpression

/// Indexes count UTF-16 units, as in `NSString`.
struct SubstringTests {
  @Test(arguments: [("😀b", 0, "", "😀b"), ("😀b", 2, "😀", "b"), ("😀b", 3, "😀b", ""), ("e\u{301}", 1, "e", "\u{301}")])
  func `a text is divided at an index`(text: String, index: Int, start: String, end: String) throws {
    #expect(try evaluate("FUNCTION('\(text)', 'substringToIndex:', \(index))") == .string(start))
    #expect(try evaluate("FUNCTION('\(text)', 'substringFromIndex:', \(index))") == .string(end))
  }

  @Test(arguments: ["substringToIndex:", "substringFromIndex:"])
  func `an index in the middle of a character or past the end is an error`(selector: String) {
    #expect(failure(of: "FUNCTION('a😀b', '\(selector)', 2)")?.contains("in the middle of a character") == true)
    #expect(failure(of: "FUNCTION('a😀b', '\(selector)', 5)")?.contains("outside a collection with 4") == true)
    #expect(failure(of: "FUNCTION('a😀b', '\(selector)', -1)")?.contains("outside a collection with 4") == true)
  }
}
