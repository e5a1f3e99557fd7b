import HeavyliftSQLite
import Testing

struct UTF8ValidationTests {
  /// The standard library's answer.
  private func isValid(_ bytes: [UInt8]) -> Bool { String(validating: bytes, as: UTF8.self) != nil }

  private func check(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { $0.isUTF8 } == isValid(bytes)
  }

  @Test func `every sequence of two bytes is valid or not as in the standard library`() {
    for first in UInt8.min...UInt8.max {
      for second in UInt8.min...UInt8.max where !check([first, second]) { Issue.record("\(first) \(second)") }
    }
  }

  @Test func `sequences at every limit are valid or not as in the standard library`() {
    let limits: [UInt8] = [
      0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF,
      0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
    ]
    var count = 0
    for first in limits {
      for second in limits {
        for third in limits {
          // The last byte matters only by its kind.
          let ends: [[UInt8]] = [[], [0x00], [0x7F], [0x80], [0xBF], [0xC0], [0xFF]]
          for end in ends {
            for start: [UInt8] in [[], [0x41]] {
              let bytes = start + [first, second, third] + end
              count += isValid(bytes) ? 1 : 0
              if !check(bytes) { Issue.record("\(bytes)") }
            }
          }
        }
      }
    }
    #expect(count > 1_000)
  }

  @Test(arguments: ["", "plain", "Müller", "日本語", "👩‍👩‍👧", "\u{FFFD}\u{10FFFF}"]) func `text is valid`(text: String) {
    #expect(Array(text.utf8).withUnsafeBytes { $0.isUTF8 })
  }
}
