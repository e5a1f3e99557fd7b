import Testing

@testable import HeavyliftCommands

struct ShownTextTests {
  @Test(arguments: [
    (0, "0"), (7, "7"), (999, "999"), (1000, "1 000"), (12_345, "12 345"), (1_000_000, "1 000 000"),
    (-1_234_567, "-1 234 567"), (Int64.min, "-9 223 372 036 854 775 808"),
  ])
  func `numbers are grouped by narrow spaces`(number: Int64, text: String) {
    #expect(number.grouped == text.replacing(" ", with: "\u{202F}"))
  }

  @Test(arguments: [
    (0, "0 bytes"), (1, "1 byte"), (999, "999 bytes"), (1000, "1.0 kB"), (1049, "1.0 kB"), (1050, "1.1 kB"),
    (9_949, "9.9 kB"), (9_951, "10 kB"), (36_864, "37 kB"), (999_499, "999 kB"), (999_500, "1.0 MB"),
    (310_743_040, "311 MB"),
    (2_500_000_000, "2.5 GB"), (Int64.max, "9.2 EB"),
  ])
  func `sizes have the unit that a person would choose`(bytes: Int64, text: String) {
    #expect(bytes.byteText == text)
  }

  @Test(arguments: [
    ("plain", "plain"), ("ü €", "ü €"), ("a\nb", "a\\u{a}b"), ("\u{1B}[31m", "\\u{1b}[31m"),
    ("\u{202E}x", "\\u{202e}x"), ("\u{2028}", "\\u{2028}"), ("👩‍👩‍👧", "👩‍👩‍👧"),
  ])
  func `text cannot control a terminal`(text: String, shown: String) { #expect(text.shown == shown) }
}
