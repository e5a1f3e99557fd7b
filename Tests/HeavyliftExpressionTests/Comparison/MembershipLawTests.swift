import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@Suite struct MembershipLawTests {
  /// Slow and obvious: compares with each element.
  private func isEqual(_ value: ExpressionValue, toOneOf elements: [ExpressionValue]) throws -> Bool {
    if value.isNull { return false }
    let environment = EvaluationEnvironment(variables: ["l", "r"])
    let predicate = MappingPredicate(
      .comparison(.init(MappingExpression(.variable("l")), .equal, MappingExpression(.variable("r")))))
    let compiled = try CompiledPredicate(predicate, in: environment)
    var context = EvaluationContext(environment)
    context["l"] = value
    for element in elements {
      context["r"] = element
      if try compiled.evaluate(in: &context) { return true }
    }
    return false
  }

  private func holds(_ predicate: MappingPredicate, _ value: ExpressionValue) throws -> Bool {
    let environment = EvaluationEnvironment(variables: ["l"])
    var context = EvaluationContext(environment)
    context["l"] = value
    return try CompiledPredicate(predicate, in: environment).evaluate(in: &context)
  }

  @Test(arguments: Seeds.some(of: 1..<9))
  func `a long list has the members of a short one`(seed: UInt64) throws {
    var values = ValueGenerator(generator: SeededGenerator(seed: seed))
    func value() -> ExpressionValue {
      switch Int.random(in: 0..<8, using: &values.generator) {
      case 0: .null
      case 1...2: .string(values.text())
      case 3: .date(Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -2...2, using: &values.generator))))
      case 4: .uri(values.text())
      default: values.number()
      }
    }
    for _ in 0..<60 {
      let elements = (0..<Int.random(in: 0...40, using: &values.generator)).map { _ in value() }
      let list = MappingExpression(
        .aggregate(elements.map { MappingExpression(.constant(.value(Value($0) ?? .null))) }))
      let variable = MappingExpression(.variable("l"))
      for _ in 0..<20 {
        let wanted = value()
        let expected = try isEqual(wanted, toOneOf: elements)
        let comment: Comment = "seed \(seed): \(wanted) in \(elements)"
        #expect(try holds(MappingPredicate(.comparison(.init(variable, .in, list))), wanted) == expected, comment)
        #expect(try holds(MappingPredicate(.comparison(.init(list, .contains, variable))), wanted) == expected, comment)
      }
    }
  }

  @Test(
    arguments: [
      (1, true), (true, true), (2.0, true), (.decimal(3), true), (false, false), (1.5, false), ("1", false),
      (.double(.nan), false), (0.1, true), (.decimal(Decimal(string: "0.1") ?? 0), true),
      (9_007_199_254_740_993, true), (9_007_199_254_740_992.0, false), ("e\u{301}", false), ("é", true), ("", true),
      (nil, false),
    ] as [(Value, Bool)])
  func `members of a long list are equal across the kinds of numbers`(value: Value, expected: Bool) throws {
    let text = "$l IN {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 0.1, 9007199254740993, 'é', '', nil}"
    #expect(try holds(MappingPredicate(parsing: text), ExpressionValue(value)) == expected)
    #expect(try holds(MappingPredicate(parsing: "NOT \(text)"), ExpressionValue(value)) == !expected)
  }

  @Test func `long lists respect options, and so do quantifiers`() throws {
    let letters = "{'A', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'}"
    #expect(try holds(MappingPredicate(parsing: "$l IN[c] \(letters)"), "a"))
    #expect(try !holds(MappingPredicate(parsing: "$l IN \(letters)"), "a"))
    #expect(try holds(MappingPredicate(parsing: "ANY $l IN \(letters)"), ["x", "j"]))
    #expect(try !holds(MappingPredicate(parsing: "ALL $l IN \(letters)"), ["x", "j"]))
    #expect(try holds(MappingPredicate(parsing: "ANY {'a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'ij'} CONTAINS $l"), "j"))
  }
}
