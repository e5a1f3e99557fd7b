import HeavyliftExpression
import Testing

/// Precedence: a text and its canonical form, whose parentheses show the tree.
struct GrammarTests {
  @Test(arguments: [
    // Arithmetic.
    ("1 + 2 * 3", "1 + (2 * 3)"), ("1 * 2 + 3", "(1 * 2) + 3"), ("4 + 3 - 2", "(4 + 3) - 2"),
    ("8 / 4 / 2", "(8 / 4) / 2"), ("2 ** 3 ** 2", "(2 ** 3) ** 2"), ("-2 ** 2", "-(2 ** 2)"),
    ("(-2) ** 2", "(-2) ** 2"), ("2 ** -1", "2 ** -1"), ("2 ** -a", "2 ** (-a)"), ("2 ** -2 ** 2", "(2 ** -2) ** 2"),
    ("-a * b", "(-a) * b"), ("- -a", "-(-a)"), ("--5", "-(-5)"), ("-(5)", "0 - 5"), ("0 - 5", "0 - 5"),
    ("a - -5", "a - -5"), ("a-5", "a - 5"), ("a -5", "a - 5"), ("-a.b", "-a.b"), ("-5 + a", "-5 + a"),
    ("a | b ^ c & d", "a | (b ^ (c & d))"), ("a & b ^ c | d", "((a & b) ^ c) | d"),
    ("a << b + c", "leftshift:by:(a, b + c)"), ("a & b >> c", "a & rightshift:by:(b, c)"),
    ("~a + b", "onesComplement:(a) + b"), ("~-a", "onesComplement:(-a)"),
    ("a UNION b MINUS c", "((a UNION b) MINUS c)"), ("a intersect b + c", "(a INTERSECT (b + c))"),
    ("$x := $y := 1 + 2", "$x := $y := 1 + 2"), ("($x := 1) + 2", "($x := 1) + 2"),
    // Key paths.
    ("SELF.a.b", "a.b"), ("self", "SELF"), ("a.SELF", "a.#self"), ("a.@max.#self", "a.@max.#self"),
    ("#size", "#size"), ("size", "#size"), ("a.size", "a.#size"), ("#SELF", "#SELF"), ("SELF.SELF", "#self"),
    ("a.like.between", "a.#like.#between"), ("@count", "@count"), ("children.@avg.age", "children.@avg.age"),
    ("a.@distinctUnionOfObjects.b", "a.@distinctUnionOfObjects.b"), ("a.@other", "a.@other"), ("a . b", "a.b"),
    ("(a.b).c", "(a.b).c"), ("$source.name", "$source.name"), ("'abc'.length", "\"abc\".length"),
    ("(SELF.g)[0]", "g[0]"), ("h['A']", "h[\"A\"]"), ("a[FIRST].b[last][ Size ]", "a[FIRST].b[LAST][SIZE]"),
    ("a[(first)]", "a[#first]"), ("a[first + 1]", "a[#first + 1]"), ("objectFrom:withIndex:(a, SIZE)", "a[SIZE]"),
    ("objectFrom:withIndex:(a, i)", "a[i]"), ("(5).x", "(5).x"), ("(1 + 2)[0]", "(1 + 2)[0]"),
    // Words that are special only in one place.
    ("function", "#function"), ("ternary + union", "#ternary + #union"), ("minus MINUS minus", "(#minus MINUS #minus)"),
    ("first.last", "#first.#last"),
    // Functions.
    ("sum:(a)", "sum:(a)"), ("sum(a)", "sum:(a)"), ("SUM(a)", "sum:(a)"), ("MAX(1, 5, 10)", "max:({1, 5, 10})"),
    ("sum:(1, 2)", "sum:({1, 2})"), ("min({1})", "min:({1})"), ("now()", "now()"), ("random()", "random()"),
    ("random(5)", "random:(5)"), ("lowercase(name)", "lowercase:(name)"), ("modulus:by:(a, b)", "modulus:by:(a, b)"),
    ("add:to:(a, b)", "a + b"), ("from:subtract:(0, a)", "-a"), ("mgl_round(3)", "mgl_round:(3)"), ("mine()", "mine()"),
    ("mgl_x:(1, 2)", "mgl_x:(1, 2)"), ("a:b::c:(1)", "a:b::c:(1)"), ("Lowercase:(a)", "Lowercase:(a)"),
    // Special forms.
    ("function($a, 'x:y:', 1, {})", "FUNCTION($a, \"x:y:\", 1, {})"), ("cast(a, 'T')", "CAST(a, \"T\")"),
    (
      "FUNCTION(FUNCTION(CAST('P', 'Class'), 'p'), 'e').T", "FUNCTION(FUNCTION(CAST(\"P\", \"Class\"), \"p\"), \"e\").T"
    ),
    ("Ternary(a == 1, b, 'c').length", "TERNARY(a == 1, b, \"c\").length"),
    ("TERNARY(TRUEPREDICATE, 1, 2)", "TERNARY(TRUEPREDICATE, 1, 2)"),
    ("SUBQUERY(a.b, $x, $x.c > 1).@count", "SUBQUERY(a.b, $x, $x.c > 1).@count"),
    ("FETCH($r, $m.sourceContext, NO)", "FETCH($r, $m.sourceContext, FALSE)"), ("ANYKEY", "ANYKEY"),
    ("{1, {2, 'x'}, $y}", "{1, {2, \"x\"}, $y}"), ("{}", "{}"), ("((a))", "a"), ("\t1\n+\r1 ", "1 + 1"),
  ]) func `an expression has one reading`(text: String, canonical: String) throws {
    let expression = try MappingExpression(parsing: text)
    #expect(try expression.text() == canonical)
    #expect(try MappingExpression(parsing: canonical) == expression)
  }

  @Test(arguments: [
    ("a = 1", "a == 1"), ("a <> 1", "a != 1"), ("a =< 1", "a <= 1"), ("a => 1", "a >= 1"), ("a==-1", "a == -1"),
    ("a<-1", "a < -1"), ("a = 1 or b = 2 and c = 3", "a == 1 OR (b == 2 AND c == 3)"),
    ("(a = 1 or b = 2) and c = 3", "(a == 1 OR b == 2) AND c == 3"),
    ("a=1 || b=2 || c=3 && d=4", "a == 1 OR b == 2 OR (c == 3 AND d == 4)"),
    ("a=1 AND (b=2 AND c=3)", "a == 1 AND (b == 2 AND c == 3)"), ("not a = 1 and b = 2", "NOT a == 1 AND b == 2"),
    ("!(a = 1 && b = 2)", "NOT (a == 1 AND b == 2)"), ("NOT (NOT (a = 1))", "NOT NOT a == 1"),
    ("!!a=1", "NOT NOT a == 1"),
    ("(((a))) = ((1))", "a == 1"), ("((a = 1))", "a == 1"), ("(a + 1) * 2 = 3", "(a + 1) * 2 == 3"),
    ("any a.b > 1", "ANY a.b > 1"), ("SOME a.b > 1", "ANY a.b > 1"), ("all a.b > 1", "ALL a.b > 1"),
    ("none a.b > 1", "NOT ANY a.b > 1"), ("NOT NONE a.b > 1", "NOT NOT ANY a.b > 1"), ("ANY (a.b) > 1", "ANY a.b > 1"),
    ("ANY distinct:(a) > 1", "ANY distinct:(a) > 1"), ("all indexed:by:(a, b) a:b: c", "ALL indexed:by:(a, b) a:b: c"),
    ("a LIKE[cd] 'x'", "a LIKE[cd] \"x\""), ("a like [DC] 'x'", "a LIKE[cd] \"x\""),
    ("a ==[ lndc ] 'x'", "a ==[cdnl] \"x\""), ("a <[c] 'x'", "a <[c] \"x\""), ("a in[c] {'x'}", "a IN[c] {\"x\"}"),
    ("a BETWEEN {1, $x}", "a BETWEEN {1, $x}"), ("a contains 'x'", "a CONTAINS \"x\""),
    ("a beginswith 'x'", "a BEGINSWITH \"x\""), ("a EndsWith 'x'", "a ENDSWITH \"x\""),
    ("a matches '\\\\d+'", "a MATCHES \"\\\\d+\""), ("SELF isKindOfClass: x", "SELF isKindOfClass: x"),
    ("(y notContainedIn: {1})", "y notContainedIn: {1}"), ("a uti-conforms-to 'b'", "a UTI-CONFORMS-TO \"b\""),
    ("a UTI-EQUALS 'b'", "a UTI-EQUALS \"b\""), ("a TOKENMATCHES 'b'", "a TOKENMATCHES \"b\""),
    ("truePredicate", "TRUEPREDICATE"), ("FALSEPREDICATE OR a = 1", "FALSEPREDICATE OR a == 1"),
    ("(key & 1) > 0", "(key & 1) > 0"), ("key & 1 > 0", "(key & 1) > 0"), ("(a UNION b) = c", "(a UNION b) == c"),
    ("TERNARY(a = nil, b, c) != 1", "TERNARY(a == nil, b, c) != 1"),
    ("(a = 1 AND (b = 2)) OR (c)[0] = 1", "(a == 1 AND b == 2) OR c[0] == 1"),
  ]) func `a predicate has one reading`(text: String, canonical: String) throws {
    let predicate = try MappingPredicate(parsing: text)
    #expect(try predicate.text() == canonical)
    #expect(try MappingPredicate(parsing: canonical) == predicate)
  }

  @Test func `a chain is one node`() throws {
    guard case .or(let predicates) = try MappingPredicate(parsing: "a=1 OR b=2 OR c=3 OR d=4 OR e=5").kind else {
      throw Unexpected(description: "not a chain")
    }
    #expect(predicates.count == 5)
  }

  @Test func `other functions can be refused`() throws {
    #expect(throws: ExpressionSyntaxError.self) {
      try MappingPredicate(parsing: "mine(a) == 1", acceptingOtherFunctions: false)
    }
    #expect(throws: ExpressionSyntaxError.self) {
      try MappingExpression(format: "mine:(%@)", arguments: [.value(1)], acceptingOtherFunctions: false)
    }
    _ = try MappingExpression(parsing: "sum(a)", acceptingOtherFunctions: false)
  }
}
