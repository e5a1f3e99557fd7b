import Foundation
import HeavyliftExpression
import Testing

/// One line for each decision about the meaning of the language.
@Suite struct MeaningTests {
  static var object: ExpressionValue {
    .dictionary([
      "absent": nil, "seven": 7, "half": 0.5, "price": .decimal(Decimal(string: "1.10") ?? 0), "yes": true,
      "title": "Émile", "day": .date(Date(timeIntervalSinceReferenceDate: 86400)),
      "next": .date(Date(timeIntervalSinceReferenceDate: 86460)),
      "list": [3, 1, nil, 2], "empty": [], "tags": .set(DistinctValues(["b", "a"])),
      "ordered": .orderedSet(DistinctValues(["b", "a", "c"])),
      "uuid": .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))),
      "books": [
        .dictionary(["title": "Emma", "pages": 300, "tags": ["x", "y"]]),
        .dictionary(["title": "Dune", "pages": 500, "tags": ["y"]]), .dictionary(["title": "Ulysses", "pages": nil]),
      ],
      "numbers": .dictionary(["one": 1, "two": 2]),
    ])
  }

  private static var expressions: [(String, ExpressionValue)] {
    [
      // Integers stay integers.
      ("7 + 2", 9), ("7 / 2", 3), ("-7 / 2", -3), ("7 * -2", -14), ("modulus:by:(-7, 2)", -1),
      ("modulus:by:(7, -1)", 0),
      // One floating-point operand makes the result floating-point.
      ("7 / 2.0", 3.5), ("1 / 0.0", .double(.infinity)), ("0.0 / 0.0", .double(.nan)), ("2 ** 3", .double(8)),
      ("2 ** 3 ** 2", .double(64)), ("modulus:by:(7.5, 2)", 1.5), ("abs:(-3)", .double(3)),
      ("trunc:(-1.5)", .double(-1)),
      ("floor:(-1.5)", .double(-2)), ("ceiling:(1.2)", .double(2)), ("log:(1000)", .double(3)), ("ln:(1)", .double(0)),
      ("sqrt:(9)", .double(3)), ("exp:(0)", .double(1)),
      // Decimals.
      ("price + 1", .decimal(Decimal(string: "2.1") ?? 0)), ("price * price", .decimal(Decimal(string: "1.21") ?? 0)),
      ("price + 0.5", 1.6), ("CAST('0.1', 'NSDecimalNumber') / 4", .decimal(Decimal(string: "0.025") ?? 0)),
      ("modulus:by:(CAST('7.5', 'NSDecimalNumber'), 2)", .decimal(Decimal(string: "1.5") ?? 0)),
      // A Boolean counts.
      ("yes + 1", 2),
      // Nil makes nil.
      ("absent + 1", nil), ("1 - absent", nil), ("absent / 0", nil), ("uppercase:(absent)", nil),
      ("sqrt:(absent)", nil),
      ("sum:(absent)", nil), ("absent.a.b", nil), ("absent.@count", nil), ("absent[0]", nil), ("absent[SIZE]", nil),
      ("FUNCTION(absent, 'anything:', 1)", nil), ("CAST(absent, 'NSString')", nil), ("absent UNION {1}", nil),
      ("bitwiseAnd:with:(1, absent)", nil), ("day + absent", nil),
      // Dates.
      ("next - day", .double(60)), ("CAST(day, 'NSNumber')", .double(86400)),
      ("day + 60", .date(Date(timeIntervalSinceReferenceDate: 86460))),
      ("60 + day", .date(Date(timeIntervalSinceReferenceDate: 86460))),
      ("next - 60", .date(Date(timeIntervalSinceReferenceDate: 86400))),
      ("CAST(86400, 'NSDate')", .date(Date(timeIntervalSinceReferenceDate: 86400))),
      // Bits.
      ("6 & 3", 2), ("6 | 3", 7), ("6 ^ 3", 5), ("leftshift:by:(1, 70)", 0), ("rightshift:by:(-8, 70)", -1),
      ("leftshift:by:(8, -1)", 4), ("onesComplement:(0)", -1), ("6.9 & 3", 2),
      // Strings.
      ("uppercase:(title)", "ÉMILE"), ("lowercase('ÀB')", "àb"), ("canonical:(title)", "emile"), ("length:('a🏳')", 3),
      ("tokenize:using:('a, b;c', ',; ')", ["a", "b", "c"]), ("title.length", 5),
      // Statistics.
      ("sum(list)", 6), ("sum(empty)", 0), ("average(list)", .double(2)), ("average:(empty)", 0), ("count(list)", 4),
      ("min(list)", 1), ("max(list)", 3), ("median({1, 2, 3, 10})", 2.5), ("median:({3, 1, 2})", 2),
      ("mode({1, 2, 2, 3, 3})", [2, 3]), ("mode(empty)", []), ("stddev({2, 4})", .double(1)),
      ("distinct:({2, 1, 2.0, 'a', 'a'})", [2, 1, "a"]), ("sum({1, 0.5})", 1.5),
      // Collections.
      ("list[0]", 3), ("list[FIRST]", 3), ("list[LAST]", 2), ("list[SIZE]", 4), ("empty[FIRST]", nil),
      ("numbers['two']", 2), ("numbers['three']", nil), ("numbers[SIZE]", 2), ("ordered[1]", "a"), ("tags[SIZE]", 2),
      ("tags UNION {'c'}", .set(DistinctValues(["a", "b", "c"]))),
      ("ordered MINUS {'a'}", .orderedSet(DistinctValues(["b", "c"]))),
      ("tags INTERSECT {'a', 'z'}", .set(DistinctValues(["a"]))),
      // Key paths.
      ("books.title", ["Emma", "Dune", "Ulysses"]), ("books.pages", [300, 500, nil]), ("books.@count", 3),
      ("books.@sum.pages", 800), ("books.@avg.pages", .double(400)), ("books.@min.pages", 300),
      ("books.@max.title", "Ulysses"), ("empty.@min.pages", nil), ("empty.@sum.pages", 0), ("empty.@avg.pages", 0),
      ("books.@unionOfObjects.pages", [300, 500]), ("list.@max.#self", 3),
      ("books.@distinctUnionOfArrays.tags", ["x", "y"]), ("books.@unionOfArrays.tags", ["x", "y", "y"]),
      ("books.@distinctUnionOfObjects.tags", [["x", "y"], ["y"]]), ("books.tags", [["x", "y"], ["y"], nil]),
      ("books.@unionOfSets.tags", .set(DistinctValues(["x", "y"]))),
      // The rest.
      ("TERNARY(seven > 5, 'more', 'less')", "more"), ("TERNARY(FALSEPREDICATE, 1/0, 2)", 2),
      ("SUBQUERY(books, $b, $b.pages > 300).title", ["Dune"]), ("SUBQUERY(absent, $b, TRUEPREDICATE)", []),
      ("SUBQUERY(tags, $t, $t == 'a')", .set(DistinctValues(["a"]))),
      ("SUBQUERY(books, $b, seven == 7).@count", 3),
      ("SUBQUERY(books, $x, SUBQUERY({1}, $x, $x == 1).@count == 1 AND $x.title == 'Emma').@count", 1),
      ("CAST(2.0, 'NSString')", "2"), ("CAST(12, 'NSString')", "12"), ("CAST('1e2', 'NSNumber')", .double(100)),
      ("CAST('12', 'NSNumber')", 12), ("CAST(yes, 'NSString')", "1"),
      ("CAST(tags, 'NSArray')", ["b", "a"]), ("CAST({1, 1}, 'NSSet')", .set(DistinctValues([1]))),
      ("CAST(uuid, 'NSString')", "01020304-0506-0708-090A-0B0C0D0E0F10"),
      ("floor:(9007199254740992)", .double(9007199254740992)), ("abs:(-9007199254740992)", .double(9007199254740992)),
      ("floor:(CAST('-1.5', 'NSDecimalNumber'))", .double(-2)),
      ("trunc:(CAST('-1.5', 'NSDecimalNumber'))", .double(-1)),
      ("ceiling:(CAST('9007199254740991.5', 'NSDecimalNumber'))", .double(9007199254740992)),
      ("abs:(CAST('-0.1', 'NSDecimalNumber'))", .double(0.1)),
      ("indexed:by:(1, 2)", 1), ("noindex:(1)", 1),
      ("FUNCTION('/a/b.txt', 'lastPathComponent')", "b.txt"), ("FUNCTION('abc', 'substringFromIndex:', 1)", "bc"),
      ("FUNCTION(7, 'stringValue')", "7"), ("FUNCTION(2.5, 'intValue')", 2), ("FUNCTION('12 km', 'intValue')", 12),
      ("FUNCTION(' -1.5e1x', 'doubleValue')", .double(-15)), ("FUNCTION('x', 'doubleValue')", .double(0)),
      ("FUNCTION(' +0Yes', 'boolValue')", true), ("FUNCTION('-07', 'boolValue')", true),
      ("FUNCTION('0.5', 'boolValue')", false), ("FUNCTION('no', 'boolValue')", false),
      ("FUNCTION(ordered, 'firstObject')", "b"), ("FUNCTION(list, 'lastObject')", 2),
      ("FUNCTION(list, 'objectAtIndex:', 1)", 1), ("CAST(0.0 / 0.0, 'NSString')", "nan"),
      ("CAST(-(0.0 / 0.0), 'NSString')", "nan"),
      ("FUNCTION(SELF, 'valueForKey:', 'seven')", 7),
      ("FUNCTION(SELF, 'valueForKeyPath:', 'books.@sum.pages')", 800),
      ("FUNCTION({'a', 'b'}, 'componentsJoinedByString:', '-')", "a-b"),
      ("FUNCTION('é', 'stringByReplacingOccurrencesOfString:withString:', 'e\u{301}\0', 'x')", "é"),
      ("FUNCTION('éyé\0z', 'stringByReplacingOccurrencesOfString:withString:', 'e\u{301}\0', 'x')", "éyxz"),
      ("FUNCTION('é', 'componentsSeparatedByString:', 'e\u{301}\0')", ["é"]),
    ]
  }

  @Test func `an expression gives the value beside it`() throws {
    for (text, expected) in MeaningTests.expressions {
      do {
        let found = try evaluate(text, on: MeaningTests.object)
        #expect(isSame(found, expected), "\(text) gives \(found)")
      } catch {
        Issue.record("\(text): \(error)")
      }
    }
  }

  @Test(arguments: [
    // Nil.
    "absent == nil", "absent <= nil", "absent >= nil", "absent != 1", "NOT absent < nil", "NOT absent < 1",
    "NOT 1 > absent",
    "NOT absent >= 1", "NOT (absent > 5)", "NOT absent LIKE '*'", "NOT absent IN {nil}", "NOT absent BEGINSWITH 'a'",
    "NOT absent BETWEEN {1, 2}", "NOT 1 BETWEEN {absent, 2}", "NOT absent MATCHES '.*'", "NOT 'a' CONTAINS absent",
    "NOT ANY absent == 1", "ALL absent == 1", "NONE absent == 1",
    // Numbers of all kinds.
    "1 == 1.0", "yes == 1", "price == 1.1", "price < 2", "1 < 1.5", "9007199254740993 != 9007199254740992.0",
    "9223372036854775807 < 9223372036854775808.0", "NOT 0.0/0.0 < 1", "NOT 0.0/0.0 > 1", "0.0/0.0 == 0.0/0.0",
    "0.0 == -0.0", "'1' != 1", "yes != '1'", "CAST(0.1, 'NSDecimalNumber') == 0.1",
    // Strings.
    "'é' != 'e\u{301}'", "'é' ==[c] 'e\u{301}'", "'é' ==[l] 'e\u{301}'", "'é' !=[n] 'e\u{301}'", "'é' ==[cd] 'E'",
    "'é' !=[ncd] 'E'", "'ﬀ' ==[c] 'ff'", "'Ａ' ==[c] 'a'", "NOT 'Ａ' CONTAINS[c] 'a'", "'ß' ==[c] 'SS'",
    "NOT 'ü' CONTAINS 'u'", "NOT 'u\u{308}' CONTAINS 'u'", "'u\u{308}' CONTAINS[d] 'u'", "'straße' ENDSWITH[c] 'SSE'",
    "'é' <= 'e\u{301}'", "'a' < 'B'.lowercaseString", "'B' < 'a'", "'B' >[c] 'a'", "NOT 'abc' CONTAINS ''",
    "NOT '' BEGINSWITH ''", "NOT '' ENDSWITH ''", "'' LIKE '*'", "'' LIKE ''", "'b' IN 'abc'", "'B' IN[c] 'abc'",
    "NOT 'x' IN 'abc'",
    // Foundation finds U+0000 behind the end of a text.
    "NOT 'é' CONTAINS 'e\u{301}\0'", "NOT 'é' BEGINSWITH 'e\u{301}\0'", "NOT 'é' ENDSWITH 'e\u{301}\0'",
    "'é\0' CONTAINS 'e\u{301}\0'", "'xé\0' ENDSWITH 'e\u{301}\0'",
    // LIKE.
    "'abc' LIKE 'a?c'", "'ac' LIKE 'a*c'", "'a*c' LIKE 'a\\\\*c'", "NOT 'abc' LIKE 'a\\\\*c'", "'a\nb' LIKE 'a?b'",
    "NOT 'b' LIKE '[a-c]'", "'50%_' LIKE '50%_'", "'É' LIKE[cd] 'e'", "'e\u{301}x' LIKE '?x'", "'ß' LIKE[c] '?'",
    "'ß' LIKE[c] 'SS'", "'aß' LIKE[c] '*s'", "NOT 'aß' LIKE[c] 'as?'", "'a\\\\' LIKE 'a\\\\'",
    // MATCHES.
    "'abc' MATCHES 'a.c'", "NOT 'xabc' MATCHES 'abc'", "'ab' MATCHES 'a|ab'", "'ABC' MATCHES[c] 'abc'",
    "'a\nb' MATCHES 'a.b'", "'é' MATCHES[d] 'e'", "NOT '' MATCHES ''", "'12' MATCHES '\\\\d+'",
    "'ab' MATCHES '(?x) a b # both'",
    // Collections.
    "3 IN list", "list CONTAINS 3.0", "'a' IN tags", "2 IN numbers", "NOT 'two' IN numbers", "'A' IN[c] tags",
    "NOT 'A' IN tags", "ANY list == 2", "NOT ALL list > 0", "ALL empty == 1", "NOT ANY empty == 1", "NONE list == 9",
    "tags != {'b', 'a'}", "list == {3, 1, nil, 2}", "ANY books.title BEGINSWITH 'D'", "SELF.books[0].title == 'Emma'",
    "seven BETWEEN {7, 8}", "NOT seven BETWEEN {8, 6}", "'b' BETWEEN {'a', 'c'}", "day BETWEEN {day, next}",
    "ANY tags IN {'a'}", "ANY ordered LIKE 'c'",
    // Logic.
    "day + 60 == next", "TRUEPREDICATE", "NOT FALSEPREDICATE", "TRUEPREDICATE OR 1/0 == 1",
    "NOT (FALSEPREDICATE AND 1/0 == 1)", "random(5) < 5", "random() >= 0", "now() > day", "randomn:(1) == 0",
  ])
  func `a predicate holds`(_ text: String) throws {
    #expect(try holds(text, on: MeaningTests.object))
  }
}
