import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Damaged texts: each ends in a tree that survives printing and parsing, or in mistakes with places in the text.
///
/// `HEAVYLIFT_FUZZ_SECONDS=600 swift test --filter MutationTests` runs for ten minutes; `Scripts/fuzz expressions` does
/// the same with coverage guidance.
struct MutationTests {
  static let pieces = [
    "(", ")", "[", "]", "{", "}", ",", ".", "'", "\"", "\\", "$", "#", "@", "%", "%@", "%K", "%d", " ", "\t", "\n",
    "0x",
    "1e", ".5", "9223372036854775808", "-", "**", "=", "!", "&", "|", "<", ">", ":", ":=", "?", "é", "\u{301}", "😀",
    "\u{0}", "NOT ", "AND", "OR", "ANY ", "NONE ", "BETWEEN", "IN", "LIKE", "[cd]", "[FIRST]", "SELF", "nil",
    "TERNARY(",
    "SUBQUERY(", "FUNCTION(", "CAST(", "FETCH(", "sum:(", "now()", "UTI-EQUALS", "TRUEPREDICATE", "//", "\\u", "\\x",
  ]

  static let seedTexts: [String] = [
    #"title == "x" AND NOT (count > 3 OR a.b.@sum.c <= -1.5e3)"#,
    #"SUBQUERY(a.b, $x, $x.c LIKE[cd] 'y*').@count != 0"#,
    #"TERNARY(ANY a BETWEEN {1, 2}, FUNCTION($s, "x:y:", b[0], c[LAST]), CAST(1, "NSDate")).d"#,
    #"NONE a.b MATCHES '\\d+\u00e9\x41' || !(0xFF & ~b ** -c UNION {d}) IN $e"#,
    #"%K == %@ AND %K BETWEEN {%d, %f}"#, #"FETCH($r, $m.sourceContext, NO)"#,
    #"$x := objectFrom:withIndex:(a, SIZE) + now()"#,
  ]

  @Test(arguments: [UInt64](1...2)) func `damaged texts end in a tree or in mistakes`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let seconds = ProcessInfo.processInfo.environment["HEAVYLIFT_FUZZ_SECONDS"].flatMap(Double.init)
    let end = seconds.map { Date(timeIntervalSinceNow: $0) }
    var rounds = 0
    while end.map({ Date() < $0 }) ?? (rounds < 1_500) {
      rounds += 1
      var scalars = Array(Self.seedTexts.randomElement(using: &random).map(\.unicodeScalars) ?? "".unicodeScalars)
      for _ in 0..<Int.random(in: 0...6, using: &random) { Self.damage(&scalars, &random) }
      var text = String.UnicodeScalarView()
      text.append(contentsOf: scalars)
      if let problem = Self.problem(String(text)) {
        Issue.record("seed \(seed), round \(rounds): \(String(text).debugDescription): \(problem)")
        return
      }
    }
  }

  private static func damage(_ scalars: inout [Unicode.Scalar], _ random: inout SeededGenerator) {
    let place = Int.random(in: 0...scalars.count, using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0 where place < scalars.count: scalars.remove(at: place)
    case 1: scalars.removeSubrange(place..<min(scalars.count, place + Int.random(in: 0...9, using: &random)))
    case 2: scalars.insert(contentsOf: scalars[place..<min(scalars.count, place + 12)], at: place)
    case 3: scalars.insert(Unicode.Scalar(UInt32.random(in: 0...0xD7FF, using: &random)) ?? "x", at: place)
    case 4:
      let other = seedTexts.randomElement(using: &random).map { Array($0.unicodeScalars) } ?? []
      scalars.replaceSubrange(place..., with: other.suffix(Int.random(in: 0...other.count, using: &random)))
    default:
      scalars.insert(contentsOf: (pieces.randomElement(using: &random) ?? "").unicodeScalars, at: place)
    }
  }

  /// Returns the problem with the handling of a text.
  static func problem(_ text: String) -> String? {
    let arguments: [FormatArgument] = [.value("a.b"), .value(1), .value("c"), .value(2), .value(3.5)]
    return problem(text) { () throws(ExpressionSyntaxError) in
      let tree = try MappingExpression(parsing: text)
      return { try MappingExpression(parsing: tree.text()) == tree }
    } ?? problem(text) { () throws(ExpressionSyntaxError) in
      let tree = try MappingPredicate(parsing: text)
      return { try MappingPredicate(parsing: tree.text()) == tree }
    }
      ?? problem(text) { () throws(ExpressionSyntaxError) in
        let tree = try MappingPredicate(format: text, arguments: arguments)
        return {
          let format = try tree.format()
          return try MappingPredicate(format: format.text, arguments: format.arguments) == tree
        }
      }
  }

  private static func problem(
    _ text: String, _ read: () throws(ExpressionSyntaxError) -> (() throws -> Bool)
  ) -> String? {
    let isReadBack: () throws -> Bool
    do {
      isReadBack = try read()
    } catch {
      let length = text.unicodeScalars.count
      if error.mistakes.isEmpty { return "an error without a mistake" }
      let isPlaced = error.mistakes.allSatisfy {
        0 <= $0.range.lowerBound && $0.range.lowerBound <= $0.range.upperBound && $0.range.upperBound <= length
      }
      if !isPlaced { return "a mistake that stands nowhere" }
      return error.description.isEmpty ? "nothing said" : nil
    }
    do {
      return try isReadBack() ? nil : "read back as another tree"
    } catch {
      return "not read back: \(error)"
    }
  }
}
