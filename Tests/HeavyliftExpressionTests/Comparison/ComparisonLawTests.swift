import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Generates values, edge cases more often than others.
struct ValueGenerator {
  var generator: SeededGenerator

  static let texts = [
    "", "a", "A", "b", "ab", "é", "e\u{301}", "E\u{301}", "ß", "SS", "ss", "ﬁ", "fi", "İ", "i", "ı", "I", "Ａ", "😀",
    "👩‍👩‍👧", "\r\n", "\n", "x\u{0}y", "日本", "が", "か\u{3099}", "a\u{300}\u{301}", "Æ", "ø", "_", "[", "aB_c",
  ]
  static let integers: [Int64] = [0, 1, -1, 2, .max, .min, .max - 1, 1 << 53, 1 << 53 + 1, -(1 << 53) - 1, 1 << 62]
  static let doubles: [Double] = [
    0, -0.0, 1, 0.1, 0.5, -1.5, 0x1p53, 0x1p62, 0x1p63, -0x1p63, 1e300, -1e300, 1e-300, .infinity, -.infinity, .nan,
  ]
  static let decimals = ["0", "0.1", "1", "-1.5", "9223372036854775807", "9223372036854775808", "1e127", "1e-127"]

  mutating func text() -> String { ValueGenerator.texts.randomElement(using: &generator) ?? "" }

  mutating func longText() -> String {
    (0..<Int.random(in: 0...5, using: &generator)).map { _ in text() }.joined()
  }

  mutating func number() -> ExpressionValue {
    switch Int.random(in: 0..<6, using: &generator) {
    case 0: .bool(Bool.random(using: &generator))
    case 1: .integer(ValueGenerator.integers.randomElement(using: &generator) ?? 0)
    case 2: .integer(Int64.random(in: -9...9, using: &generator))
    case 3: .double(ValueGenerator.doubles.randomElement(using: &generator) ?? 0)
    case 4: .double(Double(Int.random(in: -20...20, using: &generator)) / 4)
    default: .decimal(Decimal(string: ValueGenerator.decimals.randomElement(using: &generator) ?? "") ?? 0)
    }
  }

  mutating func options() -> ComparisonOptions {
    ComparisonOptions(rawValue: UInt8.random(in: 0..<8, using: &generator))
  }
}

@Suite struct ComparisonLawTests {
  private func relate(
    _ left: ExpressionValue, _ comparator: PredicateOperator, _ right: ExpressionValue,
    _ options: ComparisonOptions = []
  ) throws -> Bool {
    func literal(_ name: String) -> MappingExpression { MappingExpression(.variable(name)) }
    let environment = EvaluationEnvironment(variables: ["l", "r"])
    var context = EvaluationContext(environment)
    context["l"] = left
    context["r"] = right
    let predicate = MappingPredicate(
      .comparison(.init(literal("l"), comparator, literal("r"), options: options)))
    return try CompiledPredicate(predicate, in: environment).evaluate(in: &context)
  }

  /// Checks that the order, equality and inequality of a pair agree.
  private func check(
    _ left: ExpressionValue, _ right: ExpressionValue, _ options: ComparisonOptions, _ comment: Comment
  ) throws {
    let equal = try relate(left, .equal, right, options)
    let less = try relate(left, .less, right, options)
    let greater = try relate(left, .greater, right, options)
    #expect(try relate(right, .equal, left, options) == equal, comment)
    #expect(try relate(right, .greater, left, options) == less, comment)
    #expect(try relate(right, .less, left, options) == greater, comment)
    #expect(try relate(left, .notEqual, right, options) == !equal, comment)
    #expect(try relate(left, .equal, left, options), comment)
    #expect(!(less && greater), comment)
    #expect(!(equal && (less || greater)), comment)
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `numbers of all kinds have one order`(seed: UInt64) throws {
    var values = ValueGenerator(generator: SeededGenerator(seed: seed))
    for _ in 0..<300 {
      let (one, two, three) = (values.number(), values.number(), values.number())
      let comment: Comment = "seed \(seed): \(one), \(two), \(three)"
      try check(one, two, [], comment)
      let isNaN = try [one, two, three].contains { try relate($0, .notEqual, $0) || !hasOrder($0) }
      if isNaN { continue }
      #expect(try relate(one, .lessOrEqual, two) || relate(two, .less, one), comment)
      if try relate(one, .lessOrEqual, two) && relate(two, .lessOrEqual, three) {
        #expect(try relate(one, .lessOrEqual, three), comment)
      }
      if one == two { #expect(one.hashValue == two.hashValue, comment) }
    }
  }

  private func hasOrder(_ value: ExpressionValue) throws -> Bool {
    try relate(value, .less, 0) || relate(value, .greaterOrEqual, 0)
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `texts have one order under any options`(seed: UInt64) throws {
    var values = ValueGenerator(generator: SeededGenerator(seed: seed))
    for _ in 0..<200 {
      let (one, two, options) = (values.longText(), values.longText(), values.options())
      let comment: Comment = "seed \(seed): \(one.debugDescription), \(two.debugDescription), \(options.rawValue)"
      // Without options, equality is finer than order: it distinguishes a composed letter from its decomposed form.
      if !options.isEmpty { try check(.string(one), .string(two), options, comment) }
      #expect(
        try relate(.string(one), .lessOrEqual, .string(two), options)
          || relate(.string(two), .less, .string(one), options), comment)
      #expect(ExpressionValue.string(one) == .string(two) ? Array(one.utf8) == Array(two.utf8) : true, comment)
    }
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `ASCII compares as Foundation compares it`(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let cases: [(ComparisonOptions, String.CompareOptions)] = [
      ([], []), (.caseInsensitive, [.caseInsensitive, .widthInsensitive]),
      (.diacriticInsensitive, [.diacriticInsensitive, .widthInsensitive]),
      ([.caseInsensitive, .diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive, .widthInsensitive]),
    ]
    for _ in 0..<300 {
      func text() -> String {
        let letters = Array("aAbBzZ_[@`{0~ \u{0}\n\r\t".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...4, using: &generator) {
          text.append(letters.randomElement(using: &generator) ?? "a")
        }
        return String(text)
      }
      let (one, two) = (text(), text())
      for (options, foundation) in cases {
        let comment: Comment = "seed \(seed): \(one.debugDescription), \(two.debugDescription), \(options.rawValue)"
        let order = one.compare(two, options: foundation)
        #expect(
          try relate(.string(one), .less, .string(two), options) == (order == .orderedAscending), comment)
        #expect(
          try relate(.string(one), .greater, .string(two), options) == (order == .orderedDescending), comment)
        if !options.isEmpty {
          #expect(try relate(.string(one), .equal, .string(two), options) == (order == .orderedSame), comment)
        }
      }
    }
  }
}
