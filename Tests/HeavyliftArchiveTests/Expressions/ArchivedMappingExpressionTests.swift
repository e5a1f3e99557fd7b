import Foundation
import HeavyliftArchive
import HeavyliftExpression
import HeavyliftModel
import Testing

/// Archived expressions as mapping expressions: equal to the result of parsing their text.
struct ArchivedMappingExpressionTests {
  private static let source = ArchivedExpression.variable("source")
  private static let own = ArchivedExpression.classReceiver("_NSPredicateUtilities")
  private static let one = ArchivedExpression.constant(.value(.integer(1)))

  private static func call(_ selector: String, _ arguments: ArchivedExpression...) -> ArchivedExpression {
    .function(receiver: own, selector: selector, arguments: arguments)
  }

  private static func key(_ path: String) -> ArchivedExpression { .keyPath(of: .evaluatedObject, path) }

  static let expressions: [ArchivedExpression] = [
    source, .evaluatedObject, .anyKey, one, .constant(.value(.null)), .constant(.value(.string("a \"b\" \\ 'c'\n"))),
    .constant(.value(.double(-2.5))), .constant(.value(.integer(-7))), .constant(.value(.uri("http://x.org"))),
    .constant(.collection([.value(.integer(1)), .value(.string("x"))])), .aggregate([one, source]),
    .keyPath(of: source, "title"), .keyPath(of: source, "country.continent"), key("a.first.b"),
    .keyPath(of: source, "countries.@distinctUnionOfSets.moods"), .keyPath(of: .keyPath(of: source, "a"), "b"),
    call("add:to:", key("a"), call("multiply:by:", key("b"), one)), call("max:", key("a"), key("b")),
    call("now"), call("objectFrom:withIndex:", key("a"), .symbol("LAST")),
    call("objectFrom:withIndex:", key("a"), one),
    call("castObject:toType:", source, .constant(.value(.string("NSNumber")))),
    call("castObject:toType:", one, .constant(.value(.string("NSDate")))), call("other:name:", one, source),
    .function(receiver: .variable("entityPolicy"), selector: "make:from:", arguments: [source, .variable("manager")]),
    .set(.union, key("a"), key("b")), .set(.minus, .set(.intersect, key("a"), key("b")), key("c")),
    .subquery(
      key("a"), variable: "x", .comparison(.keyPath(of: .variable("x"), "b"), .greaterThan, one)),
    .ternary(.comparison(key("a"), .like, .constant(.value(.string("*"))), options: .caseInsensitive), one, source),
    .ternary(
      .or([
        .and([.comparison(key("a"), .in, key("b"), modifier: .any), .literal(true)]), .not(.and([.literal(false)])),
        .and([]),
      ]), one, source),
    .fetch(request: .variable("r"), context: .keyPath(of: .variable("manager"), "sourceContext"), countOnly: true),
    .classReceiver("NSDate"),
  ]

  @Test(arguments: expressions)
  func `an archived expression is what its text is read as`(archived: ArchivedExpression) throws {
    let expression = try MappingExpression(archived: archived)
    #expect(expression == (try MappingExpression(parsing: archived.description)))
    #expect(expression == (try MappingExpression(parsing: try expression.text())))
  }

  @Test func `a Boolean, a date and a decimal are exactly what they were`() throws {
    let values: [Value] = [
      .bool(true), .bool(false), .date(Date(timeIntervalSinceReferenceDate: 0.1)),
      .decimal(try #require(Decimal(string: "0.1"))), .data(Data([1, 2])),
    ]
    for value in values {
      #expect(try MappingExpression(archived: .constant(.value(value))).kind == .constant(.value(value)))
    }
  }

  @Test(
    arguments: [
      (.symbol("FIRST"), "NSSymbolicExpression"), (call("add:to:", one), "NSFunctionExpression"),
      (.keyPath(of: source, "a..b"), "NSKeyPathExpression"),
    ] as [(ArchivedExpression, String)])
  func `what has no text is refused`(archived: ArchivedExpression, className: String) {
    #expect(
      throws: Diagnostic(
        .error, code: "archive.unknown-expression",
        problem: "the archive contains an expression of class '\(className)', which cannot be written as text")
    ) { try MappingExpression(archived: archived) }
  }
}
