import Heavylift
import HeavyliftModel
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

  @Test func `the engine groups the numbers in its messages like the tool`() {
    let texts = [
      2_000.counted(as: "row"), (-1).counted(as: "row"), 1.counted(as: "row"),
      "\(MigrationLoss(entity: "Pet", property: "born", reason: .dropped, unit: .values, count: 1_274))",
      StructuralDamage(kind: .danglingLink, table: "ZPET", property: "ZOWNER", count: 12_345).summary,
    ]
    #expect(
      texts.map { $0.replacing("\u{202F}", with: "_") } == [
        "2_000 rows", "-1 rows", "1 row",
        "1_274 values of 'born' of entity 'Pet' are not migrated: the mapping drops it",
        "ZPET.ZOWNER: 12_345 × a link leads to no row",
      ])
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
