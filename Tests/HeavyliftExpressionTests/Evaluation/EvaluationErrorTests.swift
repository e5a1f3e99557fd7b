import Foundation
import HeavyliftExpression
import Testing

@Suite struct EvaluationErrorTests {
  @Test(arguments: [
    (
      "1 + 9223372036854775807",
      "+ | error[expression.overflow]: '+' gives a number that is too large\n  convert an operand to 'NSDecimalNumber' with 'CAST', or calculate with 1.0 instead of 1"
    ),
    (
      "(a + 1) / 0", "/ | error[expression.division-by-zero]: '/' divides by zero\n  test for zero with 'TERNARY' first"
    ),
    ("a + 'x'", "+ | error[expression.operand]: '+' needs numbers, but got a string"),
    ("uppercase:(a)", "uppercase: | error[expression.operand]: 'uppercase:' needs a string, but got an integer"),
    (
      "a < 'x'",
      "< | error[expression.incomparable]: '<' cannot compare an integer with a string\n  convert one of them with 'CAST'"
    ),
    (
      "ANY a == 1",
      "== | error[expression.quantifier]: the left side of 'ANY' is an integer, not a collection\n  remove 'ANY', or name a to-many relationship"
    ),
    (
      "a BETWEEN {1, 2, 3}",
      "BETWEEN | error[expression.bound-count]: the right side of 'BETWEEN' has 3 values\n  write two: {lowest, highest}"
    ),
    ("a IN 5", "IN | error[expression.operand]: 'IN' needs a collection or a string, but got an integer"),
    (
      "5 CONTAINS a",
      "CONTAINS | error[expression.operand]: 'CONTAINS' needs a collection or a string, but got an integer"
    ),
    ("a LIKE 'x'", "LIKE | error[expression.operand]: 'LIKE' needs strings, but got an integer"),
    (
      "'a' MATCHES '('",
      "MATCHES | error[expression.invalid-pattern]: the right side of 'MATCHES' is not a regular expression\n  check its brackets and parentheses; within quotes, write each backslash twice"
    ),
    (
      "'a' MATCHES 'a)|(b'",
      "MATCHES | error[expression.invalid-pattern]: the right side of 'MATCHES' is not a regular expression\n  check its brackets and parentheses; within quotes, write each backslash twice"
    ),
    (
      "min({})",
      "min | error[expression.empty-collection]: 'min:' got no value\n  test with 'TERNARY' first that there is one: 'SUBQUERY(items, $i, $i.price != nil).@count > 0'"
    ),
    (
      "{1}[1]",
      "[1] | error[expression.index]: the index is outside a collection with 1 element\n  test '[SIZE]' with 'TERNARY' first"
    ),
    (
      "CAST('12345678901234567891', 'NSNumber')",
      "'NSNumber' | error[expression.inexact]: 'NSNumber' cannot hold the number in this string exactly\n  write 'CAST(…, \"NSDecimalNumber\")', or 'FUNCTION(…, \"doubleValue\")' to round it"
    ),
    (
      "CAST('123456789012345678901234567890123456789.5', 'NSDecimalNumber')",
      "'NSDecimalNumber' | error[expression.inexact]: 'NSDecimalNumber' cannot hold the number in this string exactly\n  a decimal has up to 38 digits: keep the string, or round the number in an entity policy"
    ),
    ("CAST('12 km', 'NSNumber')", "'NSNumber' | error[expression.cast]: a string cannot be converted to 'NSNumber'"),
    // Foundation has no text for such dates: it reports the first, and crashes for the second.
    (
      "CAST(CAST(1e12, 'NSDate'), 'NSString')",
      "'NSString' | error[expression.cast]: a date cannot be converted to 'NSString'"
    ),
    (
      "CAST(CAST(sqrt:(0 - 1), 'NSDate'), 'NSString')",
      "'NSString' | error[expression.cast]: a date cannot be converted to 'NSString'"
    ),
    (
      "CAST('NSProcessInfo', 'Class')",
      "'Class' | error[expression.class-lookup]: 'CAST' to 'Class', which looks up a class by name, is not supported\n  register functions for a receiver, and pass the receiver as a variable"
    ),
    (
      "CAST(a, 'NSStrin')",
      "'NSStrin' | error[expression.unknown-type]: 'CAST' does not support type 'NSStrin'\n  did you mean 'NSString'?"
    ),
    (
      "$x := 5",
      "$x | error[expression.assignment]: variable '$x' cannot be assigned a value\n  write the value in place of the variable"
    ),
    (
      "$sorce.a",
      "$sorce | error[expression.unknown-variable]: variable '$sorce' has no value\n  did you mean 'source'?"
    ),
    (
      "'x'.lenght", "'x'.lenght | error[expression.unknown-key]: a string has no key 'lenght'\n  did you mean 'length'?"
    ),
    (
      "FUNCTION('x', 'lastPathComponen')",
      "'lastPathComponen' | error[expression.unknown-function]: a string has no function 'lastPathComponen'\n  did you mean 'lastPathComponent'?"
    ),
    (
      "FUNCTION('x', 'substringFromIndex:', 'y')",
      "'substringFromIndex:' | error[expression.argument]: argument 1 of function 'substringFromIndex:' must be a whole number, not a string"
    ),
    (
      "FUNCTION('x', 'substringFromIndex:', 2)",
      "'substringFromIndex:' | error[expression.index]: the index is outside a collection with 1 element\n  test '[SIZE]' with 'TERNARY' first"
    ),
    (
      "FETCH(a, a, NO)",
      "FETCH | error[expression.no-fetching]: 'FETCH' is used where nothing can be fetched\n  fetch in an entity policy"
    ),
    (
      "distanceToLocation:fromLocation:(a, a)",
      "distanceToLocation:fromLocation: | error[expression.unavailable-function]: function 'distanceToLocation:fromLocation:' needs a framework that is not available here\n  write a function in an entity policy"
    ),
    (
      "uppercas:(a)",
      "uppercas: | error[expression.unknown-function]: there is no function 'uppercas:'\n  did you mean 'uppercase:'?"
    ),
    (
      "SELF isKindOfClass: a",
      "SELF isKindOfClass: a | error[expression.custom-operator]: operator 'isKindOfClass:' is not built in\n  call a function in an entity policy, and compare its result"
    ),
  ])
  func `a mistake is reported with its place`(_ text: String, _ message: String) {
    #expect(failure(of: text, on: .dictionary(["a": 1]), ["source": nil]) == message)
  }

  @Test func `an error names the place of the evaluation`() {
    let error = ExpressionEvaluationError(.divisionByZero("/"))
      .at(.init(mapping: "BookToBook", property: "pages", object: "Book/p7"))
    #expect(
      error.description == """
        error[expression.division-by-zero]: entity mapping 'BookToBook', property 'pages', object 'Book/p7': \
        '/' divides by zero
          test for zero with 'TERNARY' first
        """)
  }

  @Test func `values stay out of messages`() {
    let secret: ExpressionValue = .dictionary(["s": "secret", "n": 4711])
    for text in ["s + 1", "s < n", "n LIKE s", "CAST(s, 'NSNumber')", "{1}[n]", "s.nothing"] {
      let message = failure(of: text, on: secret) ?? ""
      #expect(!message.isEmpty && !message.contains("secret") && !message.contains("4711"), "\(text): \(message)")
    }
  }

  @Test func `catastrophic backtracking ends in an error`() {
    let text = String(repeating: "a", count: 60)
    #expect(
      failure(of: "SELF MATCHES '(a+)+b'", on: .string(text)) == """
        MATCHES | error[expression.endless-pattern]: the regular expression of 'MATCHES' takes too long to match
          avoid nested repetitions such as '(a+)+'
        """)
  }

  @Test func `a tree deeper than any text is refused`() {
    var expression = MappingExpression(.constant(.value(1)))
    for _ in 0..<1000 { expression = MappingExpression(.function(.noIndex, [expression])) }
    #expect {
      try CompiledExpression(expression)
    } throws: { error in
      (error as? ExpressionEvaluationError)?.mistake == .tooDeep(limit: 512)
    }
  }
}
