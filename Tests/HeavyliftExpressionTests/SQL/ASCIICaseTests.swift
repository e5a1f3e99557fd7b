import HeavyliftExpression
import Testing

/// Compares with the results of `String`.
@Suite struct ASCIICaseTests {
  private static func written(_ text: String, _ asciiCase: ASCIICase) -> String? {
    let bytes = Array(text.utf8)
    var isASCII = false
    let written = [UInt8](unsafeUninitializedCapacity: bytes.count) { result, count in
      count = bytes.count
      isASCII = bytes.withUnsafeBufferPointer { asciiCase.write($0, into: result) }
    }
    return isASCII ? String(decoding: written, as: UTF8.self) : nil
  }

  @Test func `every ASCII character is converted as in a string`() {
    let all = String(decoding: 0..<128 as Range<UInt8>, as: UTF8.self)
    #expect(Self.written(all, .upper) == all.uppercased())
    #expect(Self.written(all, .lower) == all.lowercased())
    #expect(Self.written("", .upper) == "")
  }

  @Test(arguments: ["é", "aé", "éa", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaß", "ı", "İ"])
  func `any other text is refused`(text: String) {
    #expect(Self.written(text, .upper) == nil)
    #expect(Self.written(text, .lower) == nil)
  }
}
