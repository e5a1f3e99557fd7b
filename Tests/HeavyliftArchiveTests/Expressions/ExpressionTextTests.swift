import Foundation
import HeavyliftArchive
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@Suite struct ExpressionTextTests {
  typealias Build = @Sendable (inout ExpressionArchive) -> ExpressionArchive.Reference

  static let expressions: [(String, Build)] = [
    ("SELF", { $0.object("NSSelfExpression") }),
    ("$source", { $0.variable("source") }),
    ("name", { $0.keyPath("name") }),
    ("$source.owner.name", { a in a.keyPath("owner.name", of: a.variable("source")) }),
    ("#size.#Self.sizes", { $0.keyPath("size.Self.sizes") }),
    ("nil", { $0.constant(.null) }),
    ("nil", { $0.className("nil") }),
    ("1", { $0.constant(true) }),
    ("0", { $0.constant(false) }),
    ("-42", { $0.constant(-42) }),
    ("0.5", { $0.constant(0.5) }),
    ("9.99", { $0.constant(.decimal(Decimal(string: "9.99") ?? 0)) }),
    ("\"a \\\"b\\\" \\\\ \\n\\t\\u0001é\"", { $0.constant("a \"b\" \\ \n\t\u{1}é") }),
    (
      "CAST(517708800.000000, \"NSDate\")",
      {
        $0.constant(.date(Date(timeIntervalSinceReferenceDate: 517_708_800)))
      }
    ),
    ("CAST(\"https://a.b\", \"NSURL\")", { $0.constant(.uri("https://a.b")) }),
    ("CAST(\"AQI=\", \"NSData\")", { $0.constant(.data(Data([1, 2]))) }),
    ("now()", { $0.function("now", []) }),
    ("count:(pages)", { a in a.function("count:", [a.keyPath("pages")]) }),
    ("modulus:by:(a, 2)", { a in a.function("modulus:by:", [a.keyPath("a"), a.constant(2)]) }),
    ("a + 1", { a in a.function("add:to:", [a.keyPath("a"), a.constant(1)]) }),
    (
      "(a - b) * (c / d)",
      { a in
        let difference = a.function("from:subtract:", [a.keyPath("a"), a.keyPath("b")])
        let quotient = a.function("divide:by:", [a.keyPath("c"), a.keyPath("d")])
        return a.function("multiply:by:", [difference, quotient])
      }
    ),
    (
      "(a ** 2).b",
      { a in
        let power = a.function("raise:toPower:", [a.keyPath("a"), a.constant(2)])
        return a.keyPath("b", of: power)
      }
    ),
    ("list[0]", { a in a.function("objectFrom:withIndex:", [a.keyPath("list"), a.constant(0)]) }),
    (
      "list[FIRST]",
      { a in
        let first = a.object("NSSymbolicExpression", ["NSSymbol": a.add("FIRST")])
        return a.function("objectFrom:withIndex:", [a.keyPath("list"), first])
      }
    ),
    ("CAST(x, \"NSDate\")", { a in a.function("castObject:toType:", [a.keyPath("x"), a.constant("NSDate")]) }),
    (
      "FUNCTION($entityPolicy, \"nameFor:\", $source)",
      { a in
        a.function("nameFor:", [a.variable("source")], of: a.variable("entityPolicy"))
      }
    ),
    (
      "FUNCTION(CAST(\"NSProcessInfo\", \"Class\"), \"processInfo\")",
      { a in
        a.function("processInfo", [], of: a.className("NSProcessInfo"))
      }
    ),
    (
      "{1, x}",
      { a in
        let elements = a.list([a.constant(1), a.keyPath("x")])
        return a.object("NSAggregateExpression", ["NSCollection": elements])
      }
    ),
    (
      "{1, \"b\"}",
      { a in
        let elements = a.list([a.reference(to: 1), a.reference(to: "b")])
        return a.object("NSConstantValueExpression", ["NSConstantValue": elements])
      }
    ),
    (
      "a UNION (b MINUS c)",
      { a in
        let minus = a.object(
          "NSSetExpression",
          [
            "NSExpressionType": .integer(7), "NSLeftExpression": a.keyPath("b").field,
            "NSRightExpression": a.keyPath("c").field,
          ])
        return a.object(
          "NSSetExpression",
          [
            "NSExpressionType": .integer(5), "NSLeftExpression": a.keyPath("a").field,
            "NSRightExpression": minus.field,
          ])
      }
    ),
    (
      "SUBQUERY(pages, $p, $p.number > 3).@count",
      { a in
        let test = a.comparison(a.keyPath("number", of: a.variable("p")), 2, a.constant(3))
        let query = a.object(
          "NSSubqueryExpression",
          ["NSExpression": a.keyPath("pages").field, "NSVariable": a.add("p"), "NSPredicate": test.field])
        return a.keyPath("@count", of: query)
      }
    ),
    (
      "TERNARY(a == nil, 0, a)",
      { a in
        a.object(
          "NSTernaryExpression",
          [
            "NSPredicate": a.comparison(a.keyPath("a"), 4, a.constant(.null)).field,
            "NSTrueExpression": a.constant(0).field, "NSFalseExpression": a.keyPath("a").field,
          ])
      }
    ),
    (
      "FETCH(r, c, NO)",
      { a in
        a.object(
          "NSFetchRequestExpression",
          [
            "NSFRExpression": a.keyPath("r").field, "NSMOCExpression": a.keyPath("c").field,
            "NSCountOnlyFlag": .boolean(false),
          ])
      }
    ),
    ("ANYKEY", { $0.object("NSAnyKeyExpression") }),
  ]

  @Test(arguments: expressions.indices)
  func `an expression is printed in the format language`(index: Int) throws {
    var builder = ExpressionArchive()
    let root = Self.expressions[index].1(&builder)
    let archive = try builder.archive(root)
    #expect(try ArchivedExpression(#require(archive.root), in: archive).description == Self.expressions[index].0)
  }

  static let predicates: [(String, Build)] =
    [
      ("TRUEPREDICATE", { $0.object("NSTruePredicate") }),
      ("FALSEPREDICATE", { $0.object("NSFalsePredicate") }),
      ("TRUEPREDICATE", { $0.compound(1, []) }),
      ("FALSEPREDICATE", { $0.compound(2, []) }),
      ("a == 1", { a in a.compound(1, [equal("a", &a)]) }),
      (
        "a == 1 AND (b == 1 OR c == 1)",
        { a in
          a.compound(1, [equal("a", &a), a.compound(2, [equal("b", &a), equal("c", &a)])])
        }
      ),
      ("NOT a == 1", { a in a.compound(0, [equal("a", &a)]) }),
      ("NOT (a == 1 AND b == 1)", { a in a.compound(0, [a.compound(1, [equal("a", &a), equal("b", &a)])]) }),
      (
        "NOT (a == 1 OR b == 1)",
        { a in
          a.compound(0, [a.compound(1, [a.compound(2, [equal("a", &a), equal("b", &a)])])])
        }
      ),
      ("ANY children.age < 18", { a in a.comparison(a.keyPath("children.age"), 0, a.constant(18), modifier: 2) }),
      ("ALL children.age >= 18", { a in a.comparison(a.keyPath("children.age"), 3, a.constant(18), modifier: 1) }),
      ("SELF MATCHES \"\\\\d+\"", { a in a.comparison(a.object("NSSelfExpression"), 6, a.constant("\\d+")) }),
    ]

  static let operators: [(Int64, String)] = [
    (0, "<"), (1, "<="), (2, ">"), (3, ">="), (4, "=="), (5, "!="), (6, "MATCHES"), (7, "LIKE"), (8, "BEGINSWITH"),
    (9, "ENDSWITH"), (10, "IN"), (99, "CONTAINS"), (100, "BETWEEN"),
  ]

  static let options: [(Int64, String)] = [
    (0, ""), (1, "[c]"), (2, "[d]"), (3, "[cd]"), (4, "[n]"), (8, "[l]"), (11, "[cdl]"),
  ]

  @Test func `every operator is printed with its options`() throws {
    for (type, symbol) in Self.operators {
      for (bits, letters) in Self.options {
        var builder = ExpressionArchive()
        let predicate = builder.comparison(builder.keyPath("a"), type, builder.keyPath("b"), options: bits)
        let archive = try builder.archive(predicate)
        let text = try ArchivedPredicate(#require(archive.root), in: archive).description
        #expect(text == "a \(symbol)\(letters) b")
      }
    }
  }

  private static func equal(_ key: String, _ archive: inout ExpressionArchive) -> ExpressionArchive.Reference {
    archive.comparison(archive.keyPath(key), 4, archive.constant(1))
  }

  @Test(arguments: predicates.indices)
  func `a predicate is printed in the format language`(index: Int) throws {
    var builder = ExpressionArchive()
    let root = Self.predicates[index].1(&builder)
    let archive = try builder.archive(root)
    #expect(try ArchivedPredicate(#require(archive.root), in: archive).description == Self.predicates[index].0)
  }

  static let refused: [(String, Build)] = [
    (
      "contains an expression of class 'NSBlockExpression', which cannot be written as text",
      { $0.object("NSBlockExpression") }
    ),
    ("contains an expression of class 'a string', which cannot be written as text", { $0.reference(to: "a") }),
    ("contains an expression of class 'NSNumber', which cannot be written as text", { $0.constant(.double(.nan)) }),
    (
      "contains an expression of class 'MyClass', which cannot be written as text",
      { a in
        let object = a.object("MyClass")
        return a.object("NSConstantValueExpression", ["NSConstantValue": object.field])
      }
    ),
    ("is damaged: an object of class 'NSVariableExpression' lacks 'NSVariable'", { $0.object("NSVariableExpression") }),
    (
      "is damaged: 'NSVariable' of an object of class 'NSVariableExpression' is not text",
      { a in
        a.object("NSVariableExpression", ["NSVariable": .integer(1)])
      }
    ),
    (
      "is damaged: an object of class 'NSSubqueryExpression' lacks 'NSExpression'",
      { $0.object("NSSubqueryExpression") }
    ),
    (
      "is damaged: it nests containers more than 100 levels deep",
      { a in
        (0..<200).reduce(a.constant(1)) { inner, _ in a.function("abs:", [inner]) }
      }
    ),
    (
      "is damaged: its parts refer to each other so often that they would exhaust memory",
      { a in (0..<60).reduce(a.constant(1)) { inner, _ in a.function("add:to:", [inner, inner]) } }
    ),
    (
      "is damaged: it nests containers more than 100 levels deep",
      { a in
        // An expression that is its own argument.
        a.selfContaining()
      }
    ),
  ]

  @Test(arguments: refused.indices)
  func `an expression that has no text is refused with its name`(index: Int) throws {
    var builder = ExpressionArchive()
    let root = Self.refused[index].1(&builder)
    let archive = try builder.archive(root)
    let error = #expect(throws: Diagnostic.self) {
      try ArchivedExpression(archive.root ?? .null, in: archive, subject: "the archive")
    }
    #expect(error?.problem == "the archive \(Self.refused[index].0)")
  }

  @Test func `a custom operator is refused with its name`() throws {
    var builder = ExpressionArchive()
    let predicate = builder.comparison(builder.keyPath("a"), 11, builder.keyPath("b"))
    let archive = try builder.archive(predicate)
    let error = #expect(throws: Diagnostic.self) { try ArchivedPredicate(archive.root ?? .null, in: archive) }
    #expect(
      error?.problem
        == "the archive contains an expression of class 'NSComparisonPredicateOperator', which cannot be written as text"
    )
  }
}
