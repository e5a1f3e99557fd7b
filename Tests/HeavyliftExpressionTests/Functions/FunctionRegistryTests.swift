import Foundation
import HeavyliftExpression
import Testing

private class Policy: ExpressionObject {
  struct Failure: Error, CustomStringConvertible { var description: String { "no seconds left" } }

  func value(forKey key: String) throws -> ExpressionValue {
    guard key == "factor" else { throw EvaluationMistake.unknownKey(key, kind: "a policy", known: ["factor"]) }
    return 60
  }
}

private final class BookPolicy: Policy {}

@Suite struct FunctionRegistryTests {
  private var functions: FunctionRegistry {
    get throws {
      var functions = FunctionRegistry.builtIn
      try functions.register("seconds", on: Policy.self) { _ in 5 }
      try functions.register("secondsFrom:by:", on: Policy.self) { (policy, minutes: Int, factor: Double?) throws in
        Double(minutes) * (factor ?? 1)
      }
      try functions.register("fail", on: Policy.self) { policy throws -> Int in throw Policy.Failure() }
      try functions.register("seconds", on: BookPolicy.self) { _ in 6 }
      try functions.register("namesOf:", on: Policy.self) { (policy, names: [String]) in names.joined(separator: "+") }
      try functions.register(function: "initial:") { (name: String) in String(name.prefix(1)) }
      return functions
    }
  }

  @Test func `a function gets its arguments as the types it wants`() throws {
    let variables: [String: ExpressionValue] = ["entityPolicy": .object(Policy())]
    let found = try evaluate(
      "FUNCTION($entityPolicy, 'secondsFrom:by:', 3, 1.5)", variables, functions: functions)
    #expect(isSame(found, 4.5))
    let without = try evaluate(
      "FUNCTION($entityPolicy, 'secondsFrom:by:', 3.0, nil)", variables, functions: functions)
    #expect(isSame(without, .double(3)))
    let names = try evaluate("FUNCTION($entityPolicy, 'namesOf:', {'a', 'b'})", variables, functions: functions)
    #expect(names == "a+b")
    #expect(try evaluate("$entityPolicy.factor", variables, functions: functions) == 60)
  }

  @Test func `functions take and give numbers of every size, URLs and sets`() throws {
    var functions = FunctionRegistry.builtIn
    try functions.register(function: "half:") { (small: Int16) in Float(small) / 2 }
    try functions.register(function: "next:") { (number: Int32) in number + 1 }
    try functions.register(function: "rounded:") { (number: Float) in number }
    try functions.register(function: "host:") { (url: URL) in url.host ?? "" }
    try functions.register(function: "secure:") { (url: URL) in URL(string: url.absoluteString + "#s") }
    try functions.register(function: "doubled:") { (numbers: Set<Int32>) in Set(numbers.map { $0 * 2 }) }
    func result(_ text: String, _ value: ExpressionValue) throws -> ExpressionValue {
      try evaluate(text, ["v": value], functions: functions)
    }
    #expect(isSame(try result("half:($v)", 5), 2.5))
    #expect(isSame(try result("next:($v)", 5.0), 6))
    #expect(isSame(try result("rounded:($v)", 0.1), .double(Double(Float(0.1)))))
    #expect(try result("host:($v)", .uri("https://a.example/x")) == "a.example")
    #expect(try result("secure:($v)", .uri("https://a.example")) == .uri("https://a.example#s"))
    #expect(try result("doubled:($v)", [1, 2, 1]) == .set(DistinctValues([2, 4])))
    for (text, value) in [
      ("half:($v)", ExpressionValue.integer(40_000)), ("next:($v)", .integer(1 << 40)), ("next:($v)", 1.5),
      ("host:($v)", "https://a.example"), ("doubled:($v)", .string("x")),
    ] {
      #expect(throws: ExpressionEvaluationError.self, "\(text)") { try result(text, value) }
    }
  }

  @Test func `a function without arguments reads a key of its object`() throws {
    #expect(try evaluate("FUNCTION($p, 'factor')", ["p": .object(Policy())], functions: functions) == 60)
    #expect(try evaluate("FUNCTION($p, 'seconds')", ["p": .object(Policy())], functions: functions) == 5)
  }

  @Test func `a set has no first element and no element at an index`() {
    for call in ["'firstObject'", "'lastObject'", "'objectAtIndex:', 0"] {
      let message = failure(of: "FUNCTION(CAST({1}, 'NSSet'), \(call))")
      #expect(message?.contains("a set has no function \(call.prefix { $0 != "," })") == true, "\(message ?? call)")
    }
  }

  @Test func `the function registered last wins`() throws {
    let text = "FUNCTION($p, 'seconds')"
    #expect(try evaluate(text, ["p": .object(Policy())], functions: functions) == 5)
    #expect(try evaluate(text, ["p": .object(BookPolicy())], functions: functions) == 6)
  }

  @Test func `a function without a receiver is called like the language's own`() throws {
    #expect(try evaluate("initial:('Emma')", functions: functions) == "E")
    #expect(try evaluate("initial('Emma')", functions: functions) == "E")
  }

  @Test(arguments: [
    (
      "FUNCTION($p, 'fail')",
      "'fail' | error[expression.failed-function]: function 'fail' failed: no seconds left"
    ),
    (
      "FUNCTION($p, 'second')",
      "'second' | error[expression.unknown-function]: an object has no function 'second'\n  did you mean 'seconds'?"
    ),
    (
      "FUNCTION($p, 'secondsFrom:by:', 'x', 1)",
      "'secondsFrom:by:' | error[expression.argument]: argument 1 of function 'secondsFrom:by:' must be a whole number, "
        + "not a string"
    ),
    (
      "FUNCTION($p, 'secondsFrom:by:', 1.5, 1)",
      "'secondsFrom:by:' | error[expression.argument]: argument 1 of function 'secondsFrom:by:' must be a whole number, "
        + "not a floating-point number"
    ),
    (
      "$p.facto",
      "$p.facto | error[expression.unknown-key]: a policy has no key 'facto'\n  did you mean 'factor'?"
    ),
  ])
  func `a failed call is reported`(_ text: String, _ message: String) throws {
    #expect(failure(of: text, ["p": .object(Policy())], functions: try functions) == message)
  }

  @Test func `a function's error is kept`() throws {
    #expect {
      try evaluate("FUNCTION($p, 'fail')", ["p": .object(Policy())], functions: functions)
    } throws: { error in
      (error as? ExpressionEvaluationError)?.underlying is Policy.Failure
    }
  }

  @Test func `a selector has a colon for each argument`() {
    #expect(throws: EvaluationMistake.wrongArgumentCount("seconds:", expected: 1, found: 0)) {
      var functions = FunctionRegistry()
      try functions.register("seconds:", on: Policy.self) { _ in 5 }
    }
    #expect(throws: EvaluationMistake.wrongArgumentCount("by", expected: 0, found: 1)) {
      var functions = FunctionRegistry()
      try functions.register("by", on: String.self) { (text, other: String) in text + other }
    }
  }
}

private func evaluate(
  _ text: String, _ variables: [String: ExpressionValue], functions: FunctionRegistry
) throws -> ExpressionValue {
  try evaluate(text, on: .null, variables, functions: functions)
}

private func failure(
  of text: String, _ variables: [String: ExpressionValue], functions: FunctionRegistry
) -> String? {
  failure(of: text, on: .null, variables, functions: functions)
}
