import Foundation
import HeavyliftExpression
import HeavyliftModel
import Testing

/// Arithmetic and tests on keys of a known shape, which have a fast path for numbers.
@Suite struct ScalarTests {
  private func evaluate(_ text: String, on object: ShapedObject) throws -> ExpressionValue {
    let environment = EvaluationEnvironment(shape: ShapedObject.Shape())
    var context = EvaluationContext(environment, object: .object(object))
    return try CompiledExpression(MappingExpression(parsing: text), in: environment).evaluate(in: &context)
  }

  private func message(of text: String, on object: ShapedObject) -> String {
    do {
      return "no mistake but \(try evaluate(text, on: object))"
    } catch let error as ExpressionEvaluationError {
      let range = error.range
      return "\(String(text.dropFirst(range.lowerBound).prefix(range.upperBound - range.lowerBound))) | \(error)"
    } catch {
      return "\(error)"
    }
  }

  @Test func `available scalars are used without asking for values`() throws {
    let object = ShapedObject(["a": 7, "b": 2.5, "next": nil])
    #expect(isSame(try evaluate("a * 1000 + a", on: object), 7007))
    #expect(isSame(try evaluate("TERNARY(a > 5 AND b <= 2.5 AND NOT b == a, a - 1, 0) * 2", on: object), 12))
    #expect(isSame(try evaluate("a / 2", on: object), 3))
    #expect(isSame(try evaluate("a / b", on: object), 2.8))
    #expect(isSame(try evaluate("modulus:by:(a, b)", on: object), 2.0))
    #expect(isSame(try evaluate("modulus:by:(a, 4)", on: object), 3))
    #expect(object.valuesAsked == 0 && object.scalarsAsked == 13)
  }

  @Test func `anything other than a scalar is requested as a value`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 10)
    let object = ShapedObject(["a": .decimal(1.5), "b": .date(date), "c": "12"])
    #expect(isSame(try evaluate("a * 3", on: object), .decimal(4.5)))
    #expect(isSame(try evaluate("b + 5", on: object), .date(date + 5)))
    #expect(isSame(try evaluate("b - b", on: object), 0.0))
    #expect(isSame(try evaluate("TERNARY(a < 2, c, a)", on: object), "12"))
    #expect(isSame(try evaluate("TERNARY(c == '12' AND a > 1, a, 0) + 1", on: object), .decimal(2.5)))
    #expect(object.valuesAsked > 0)
  }

  @Test(
    arguments: [
      ("a + 1", [:], nil), ("1 - a", [:], nil), ("a * a", [:], nil), ("a / 0", [:], nil), ("a + b", ["b": 2.5], nil),
      ("TERNARY(a == nil, 1, 2)", [:], 1), ("TERNARY(a != 1, 1, 2)", [:], 1), ("TERNARY(a < 1, 1, 2)", [:], 2),
      ("TERNARY(a >= b, 1, 2)", ["b": nil], 1), ("TERNARY(a >= b, 1, 2)", ["b": 0], 2),
      ("TERNARY(NOT a > 1, 1, 2)", [:], 1), ("next.a + 1", [:], nil),
    ] as [(String, [String: Value], Value)])
  func `nil stays nil, and only equality holds for it`(
    text: String, values: [String: Value], expected: Value
  ) throws {
    let object = ShapedObject(["a": nil, "next": nil].merging(values.mapValues { ExpressionValue($0) }) { $1 })
    #expect(isSame(try evaluate(text, on: object), ExpressionValue(expected)))
  }

  @Test(
    arguments: [
      ("a + b", 9.007199254740992e15), ("b + a", 9.007199254740992e15), ("a - b", 9.007199254740992e15),
      ("b * 2", 1.0), ("c * 2", .infinity), ("c - c", .nan), ("b / 0.0", .infinity), ("0 / 0.0", .nan),
      ("b / (b - b)", .infinity), ("c / c", .nan), ("0 - b * 0", 0.0), ("b * (0 - 0.0)", 0.0),
    ] as [(String, Double)])
  func `integers with doubles are doubles`(text: String, expected: Double) throws {
    let object = ShapedObject(["a": 9_007_199_254_740_993, "b": 0.5, "c": .double(.greatestFiniteMagnitude * 2)])
    guard case .double(let found) = try evaluate(text, on: object) else {
      Issue.record("\(text) is no double")
      return
    }
    #expect(found.bitPattern == expected.bitPattern || found.isNaN && expected.isNaN, "\(found)")
  }

  @Test func `integers are compared with doubles without rounding`() throws {
    let object = ShapedObject(["a": 9_007_199_254_740_993, "b": 9_007_199_254_740_992.0, "c": .double(.nan)])
    #expect(try evaluate("TERNARY(a > b, 1, 0)", on: object) == 1)
    #expect(try evaluate("TERNARY(a == b, 1, 0)", on: object) == 0)
    #expect(try evaluate("TERNARY(c == c, 1, 0)", on: object) == 1)
    #expect(try evaluate("TERNARY(a != c AND NOT a < c AND NOT a > c AND NOT c <= b, 1, 0)", on: object) == 1)
    object.values["a"] = true
    #expect(try evaluate("TERNARY(a == 1 AND a == YES AND a < 2 AND a > 0.5, 1, 0)", on: object) == 1)
    #expect(isSame(try evaluate("a + a", on: object), 2))
  }

  @Test(arguments: [
    (
      "1 + a * 2",
      """
      * | error[expression.overflow]: '*' gives a number that is too large
        convert an operand to 'NSDecimalNumber' with 'CAST', or calculate with 1.0 instead of 1
      """
    ),
    (
      "b + (a + 1) / b",
      """
      + | error[expression.overflow]: '+' gives a number that is too large
        convert an operand to 'NSDecimalNumber' with 'CAST', or calculate with 1.0 instead of 1
      """
    ),
    (
      "a / b",
      """
      / | error[expression.division-by-zero]: '/' divides by zero
        test for zero with 'TERNARY' first
      """
    ),
    (
      "modulus:by:(a, b) + 1",
      """
      modulus:by: | error[expression.division-by-zero]: 'modulus:by:' divides by zero
        test for zero with 'TERNARY' first
      """
    ),
    ("a + c * 2", "* | error[expression.operand]: '*' needs numbers, but got a string"),
    (
      "TERNARY(c > a, 1, 0) + 1",
      """
      > | error[expression.incomparable]: '>' cannot compare a string with an integer
        convert one of them with 'CAST'
      """
    ),
    ("a - broken", "broken | error[expression.failed-key]: key 'broken' cannot be read: the row is gone"),
    // Of two mistakes, the first one, on either path.
    (
      "a * a + broken",
      """
      * | error[expression.overflow]: '*' gives a number that is too large
        convert an operand to 'NSDecimalNumber' with 'CAST', or calculate with 1.0 instead of 1
      """
    ),
    ("broken + a * a", "broken | error[expression.failed-key]: key 'broken' cannot be read: the row is gone"),
  ])
  func `both paths report the same mistakes`(text: String, expected: String) {
    #expect(message(of: text, on: ShapedObject(["a": .integer(.max), "b": 0, "c": "x"])) == expected)
  }

  @Test func `the smallest number divided by minus one overflows, and has the remainder zero`() throws {
    let object = ShapedObject(["a": .integer(.min), "b": -1])
    #expect(isSame(try evaluate("modulus:by:(a, b)", on: object), 0))
    #expect(message(of: "a / b", on: object).hasPrefix("/ | error[expression.overflow]"))
  }

  @Test func `a function with effects is called once`() throws {
    var functions = FunctionRegistry.builtIn
    let calls = Counter()
    try functions.register(function: "next:") { (value: ExpressionValue) -> ExpressionValue in
      calls.count += 1
      return value
    }
    let environment = EvaluationEnvironment(shape: ShapedObject.Shape(), functions: functions)
    var context = EvaluationContext(environment, object: .object(ShapedObject(["a": .decimal(2)])))
    let expression = try MappingExpression(parsing: "next:(a) * 2 + TERNARY(next:(a) > 1, a, 0)")
    #expect(
      isSame(try CompiledExpression(expression, in: environment).evaluate(in: &context), .decimal(6)))
    #expect(calls.count == 2)
  }
}

private final class Counter: @unchecked Sendable { var count = 0 }
