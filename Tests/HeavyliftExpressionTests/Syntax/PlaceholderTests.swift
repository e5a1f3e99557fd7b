import Foundation
import HeavyliftExpression
import HeavyliftModel
import Testing

struct PlaceholderTests {
  @Test func `values are inserted`() throws {
    #expect(try MappingPredicate(format: "a == %@", "x").text() == #"a == "x""#)
    #expect(try MappingPredicate(format: "a == %@", 1).text() == "a == 1")
    #expect(try MappingPredicate(format: "a == %@", 1.0).text() == "a == 1.0")
    #expect(try MappingPredicate(format: "a == %@", true).text() == "a == TRUE")
    #expect(try MappingPredicate(format: "a == %@", Value.null).text() == "a == nil")
    #expect(try MappingPredicate(format: "a == %@", String?.none).text() == "a == nil")
    #expect(try MappingPredicate(format: "a IN %@", [1, 2]).text() == "a IN {1, 2}")
    #expect(try MappingPredicate(format: "a IN %@", [["x"], []]).text() == #"a IN {{"x"}, {}}"#)
    #expect(
      try MappingPredicate(format: "a == %@", Decimal(string: "1.5")).text() == #"a == CAST("1.5", "NSDecimalNumber")"#)
    #expect(
      try MappingPredicate(format: "a > %@", Date(timeIntervalSinceReferenceDate: 1)).text()
        == #"a > CAST(1.0, "NSDate")"#)
    #expect(try MappingPredicate(format: "a == %@", Data([1])).text() == #"a == CAST("AQ==", "NSData")"#)
    #expect(
      try MappingPredicate(format: "a == %@", UUID(uuidString: "E621E1F8-C36C-495A-93FC-0C247A3E6E5F")).text()
        == #"a == CAST("E621E1F8-C36C-495A-93FC-0C247A3E6E5F", "NSUUID")"#)
    #expect(
      try MappingPredicate(format: "a == %@", URL(string: "x:y")).text() == #"a == CAST("x:y", "NSURL")"#)
  }

  @Test func `expressions and key paths are inserted`() throws {
    let sum = try MappingExpression(parsing: "a + b")
    #expect(try MappingExpression(format: "%@ * 2", sum).text() == "(a + b) * 2")
    #expect(try MappingExpression(format: "%@.c", sum).text() == "(a + b).c")
    #expect(try MappingExpression(format: "{%@, 1}", [sum]).text() == "{{a + b}, 1}")
    #expect(
      try MappingExpression(format: "%@", ExpressionKeyPath([.name("a"), .collection(.count)])).text() == "a.@count")
  }

  @Test func `a set stays a set`() throws {
    let expression = try MappingExpression(format: "%@", Set([1, 2]))
    #expect(expression.kind == .constant(.set([.value(1), .value(2)])))
    let format = try expression.format()
    #expect(format.text == "%@")
    #expect(try MappingExpression(format: format.text, arguments: format.arguments) == expression)
  }

  @Test func `keys are not parsed again`() throws {
    let predicate = try MappingPredicate(format: "%K == 1", "name_zh-Hans.$x.like")
    guard case .comparison(let comparison) = predicate.kind,
      case .keyPath(let base, let path) = comparison.left.kind
    else { throw Unexpected(description: "\(predicate)") }
    #expect(base.kind == .object)
    #expect(path.keys == [.name("name_zh-Hans"), .name("$x"), .name("like")])
    #expect(predicate.description == "name_zh-Hans.$x.#like == 1")
  }

  @Test func `keys are inserted anywhere in a path`() throws {
    #expect(try MappingExpression(format: "a.%K.b", "x.@count").text() == "a.x.@count.b")
    #expect(try MappingExpression(format: "%K.b[0]", "x").text() == "x.b[0]")
    #expect(try MappingExpression(format: "$v.%K", ExpressionKeyPath([.name("a.b")])).description == "$v.a.b")
    #expect(try MappingExpression(format: "%K", "self").text() == "#self")
  }

  @Test(arguments: ["d", "i", "u", "x", "X", "o", "ld", "lld", "lu", "qd", "hd", "hhd", "zd", "D", "U", "O", "c", "C"])
  func `a conversion takes an integer`(conversion: String) throws {
    #expect(try MappingExpression(format: "%\(conversion)", 42).kind == .constant(.value(42)))
    #expect(try MappingExpression(format: "%\(conversion)+1", arguments: [.value(-1)]).text() == "-1 + 1")
  }

  @Test(arguments: ["f", "F", "e", "E", "g", "G", "a", "A", "lf", "Lf"])
  func `a conversion takes a floating-point number`(conversion: String) throws {
    #expect(try MappingExpression(format: "%\(conversion)", 4.5).kind == .constant(.value(4.5)))
    #expect(try MappingExpression(format: "%\(conversion)", 4).kind == .constant(.value(4.0)))
  }

  @Test func `placeholders within quotes are text`() throws {
    #expect(try MappingPredicate(format: "a LIKE '%@' AND b == %@", 1).text() == #"a LIKE "%@" AND b == 1"#)
    // Foundation accepts an argument for it, too.
    #expect(try MappingPredicate(format: "a LIKE '%@'", "x").text() == #"a LIKE "%@""#)
  }

  @Test(
    arguments: [
      ("a == %@", [], "'%@' has no argument: none was given", "a == %@\n     ^~"),
      (
        "a == %@ AND b == %d", [.value(1)], "'%d' has no argument: 1 was given",
        "a == %@ AND b == %d\n                 ^~"
      ),
      ("a == 1", [.value(1)], "1 argument was given for 0 placeholders", "a == 1\n^~~~~~"),
      (
        "a == %@", [.value(1), .value(2), .value(3)], "3 arguments were given for 1 placeholder",
        "a == %@\n^~~~~~~"
      ),
      ("a == %d", [.value("x")], "'%d' takes an integer, not a string", "a == %d\n     ^~"),
      ("a == %ld", [.value(1.5)], "'%ld' takes an integer, not a floating-point number", "a == %ld\n     ^~~"),
      ("a == %f", [.array([])], "'%f' takes a floating-point number, not an array", "a == %f\n     ^~"),
      ("a == %f", [.set([])], "'%f' takes a floating-point number, not a set", "a == %f\n     ^~"),
      ("%K == 1", [.value(1)], "'%K' takes a key path, not an integer", "%K == 1\n^~"),
      (
        "%K == 1", [.expression(MappingExpression(.object))], "'%K' takes a key path, not an expression",
        "%K == 1\n^~"
      ),
      ("%K == 1", [.value("")], "the argument of '%K' has an empty key", "%K == 1\n^~"),
      ("a.%K == 1", [.value("a..b")], "the argument of '%K' has an empty key", "a.%K == 1\n  ^~"),
      ("%K == 1", [.keyPath(ExpressionKeyPath([]))], "the argument of '%K' has an empty key", "%K == 1\n^~"),
      ("%@", [.value(true)], "'%@' is a value, not a predicate", "%@\n^~"),
      (
        "x == %@ and (not (%@))", [.value("x"), .value("y")], "'(%@)' is a value, not a predicate",
        "x == %@ and (not (%@))\n                 ^~~~"
      ),
      (
        "a == %f", [.keyPath(ExpressionKeyPath([.name("a")]))], "'%f' takes a floating-point number, not a key path",
        "a == %f\n     ^~"
      ),
    ] as [(String, [FormatArgument], String, String)])
  func `a wrong argument is reported`(
    format: String, arguments: [FormatArgument], problem: String, excerpt: String
  ) throws {
    let error = #expect(throws: ExpressionSyntaxError.self) {
      try MappingPredicate(format: format, arguments: arguments)
    }
    let mistakes = try #require(error).mistakes
    #expect(mistakes.map(\.problem) == [problem])
    #expect(mistakes.map { SourceExcerpt(format, marking: $0.range).description } == [excerpt])
  }

  @Test func `messages do not contain the argument`() throws {
    let error = #expect(throws: ExpressionSyntaxError.self) {
      try MappingPredicate(format: "a == %d", "a secret")
    }
    #expect(try #require(error).description.contains("secret") == false)
  }

  @Test func `variables are substituted`() throws {
    let predicate = try MappingPredicate(
      parsing: "a == $x AND SUBQUERY(b, $x, $x.c == $y).@count > $x AND c[$y] == $z")
    let substituted = predicate.substituting([
      "x": MappingExpression(.constant(.value(1))), "y": try MappingExpression(parsing: "p + q"),
    ])
    #expect(
      try substituted.text()
        == "a == 1 AND SUBQUERY(b, $x, $x.c == p + q).@count > 1 AND c[p + q] == $z")
  }
}
