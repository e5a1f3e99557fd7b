import HeavyliftExpression
import Testing

@testable import HeavyliftStore

@Suite struct TranslationTests {
  private func translator(_ variables: [String: ExpressionValue] = [:]) throws -> SQLTranslator {
    try Self.makeStore().store.translator(forEntity: "Row", rowVariables: ["source"], variables: variables)
  }

  private static func makeStore() throws -> TestStore { try TestStore(LawStore.model) }

  @Test(
    arguments: [
      ("i32 == 5", "t0.ZI32 IS ?", ""),
      ("NOT i32 > 5", "NOT (COALESCE(t0.ZI32 > ?, 0))", ""),
      ("i32 <= i64", "COALESCE(t0.ZI32 <= t0.ZI64, t0.ZI32 IS NULL AND t0.ZI64 IS NULL)", ""),
      ("str == 'a'", "t0.ZSTR IS ?", ""),
      ("str ==[c] 'a'", "heavylift_equal1_ss(t0.ZSTR, ?)", ""),
      ("str == 5", "(t0.ZSTR IS NULL AND ? IS NULL)", ""),
      ("$source.owner.boss.dbl > 1.5", "e2.ZDBL > ?", "e1 e2"),
      ("owner == nil", "t0.ZOWNER IS NULL", ""),
      ("day > CAST(5, 'NSDate')", "t0.ZDAY > ?", ""),
      ("flag == YES", "(t0.ZFLAG <> 0) IS ?", ""),
      ("str IN {'a', nil, 'b', 3}", "t0.ZSTR IN (?, ?)", ""),
      ("i16 BETWEEN {1, 5}", "t0.ZI16 BETWEEN ? AND ?", ""),
      // SQLite would not compute the upper bound of values below the lower one, and miss its error.
      (
        "i16 BETWEEN {1, 100 / i32}",
        "heavylift_between0_list_iii(t0.ZI16, ?, heavylift_divide_by__ii(?, t0.ZI32, ?))", ""
      ),
      ("dbl * 2 > 1", "(t0.ZDBL * ?) > ?", ""),
      // Twice a number is a number; a product of two may be NaN, which is not nil.
      ("dbl * 2 == ebl", "(t0.ZDBL * ?) IS t0.ZEBL", ""),
      ("dbl * 0.0 == ebl", "heavylift_multiply_by__ff_nan(t0.ZDBL, ?) IS t0.ZEBL", ""),
      ("dbl * dbl == ebl", "heavylift_multiply_by__ff_nan(t0.ZDBL, t0.ZDBL) IS t0.ZEBL", ""),
      ("parts.@count > 1", "(SELECT count(*) FROM ZPART e1 WHERE e1.ZROW = t0.Z_PK) > ?", ""),
      (
        "ANY parts.i64 > 3",
        "EXISTS (SELECT 1 FROM ZPART e1 WHERE e1.ZROW = t0.Z_PK AND e1.ZI64 IS NOT NULL AND (e1.ZI64 > ?))", ""
      ),
      (
        "ALL parts.i64 > 3",
        "NOT EXISTS (SELECT 1 FROM ZPART e1 WHERE e1.ZROW = t0.Z_PK AND e1.ZI64 IS NOT NULL "
          + "AND (NOT (COALESCE(e1.ZI64 > ?, 0))))", ""
      ),
      (
        "SUBQUERY(parts, $p, $p.i64 == i64).@count == 0",
        "(SELECT count(*) FROM ZPART e1 WHERE e1.ZROW = t0.Z_PK AND (e1.ZI64 IS t0.ZI64)) IS ?", ""
      ),
      (
        "i32 != 0 AND 100 / i32 > 1",
        "CASE WHEN (t0.ZI32 IS NOT ?) THEN (heavylift_divide_by__ii(?, t0.ZI32, ?) > ?) ELSE 0 END", ""
      ),
    ])
  func `a predicate becomes SQL`(format: String, sql: String, joins: String) throws {
    let fragment = try translator().translate(MappingPredicate(parsing: format))
    #expect(fragment.sql == sql)
    #expect(fragment.joins.map(\.alias).joined(separator: " ") == joins)
    #expect(fragment.sql.count { $0 == "?" } == fragment.bindings.count)
  }

  /// The error of a comparison that always fails is located, too.
  @Test func `a single value on the right side of BETWEEN passes its place to the function`() throws {
    // The parser refuses a constant there, but a mapping can be built in code.
    let constant = try MappingExpression(parsing: "CAST('7F020304-0506-07C8-090A-0B0C0D0E0F10', 'NSUUID')")
    let predicate = MappingPredicate(
      .comparison(.init(try MappingExpression(parsing: "ident"), .between, constant, options: .caseInsensitive)))
    #expect(try translator().translate(predicate).sql == "heavylift_between1_uu(t0.ZIDENT, ?, ?)")
  }

  @Test(
    arguments: [
      ("FUNCTION(owner, 'length')", "function 'length' is called on objects"),
      ("FUNCTION(str, 'nothing')", "function 'nothing' is called on objects"),
      ("FUNCTION(str, 'absoluteString')", "a string has no function 'absoluteString'"),
      (
        "FUNCTION(str, 'componentsSeparatedByString:', ',')",
        "the result of function 'componentsSeparatedByString:' has no column"
      ),
      ("FUNCTION(str, 'substringToIndex:', i64 + 1)", "an argument of function 'substringToIndex:' can fail"),
      (
        "FUNCTION(str, 'stringByAppendingString:', owner)",
        "an object is an argument of function 'stringByAppendingString:'"
      ),
      ("FUNCTION('x', 'dateWithISO8601Format')", "evaluating a constant part of the expression fails"),
      ("random()", "function 'random' does not work on plain values"),
      ("now()", "function 'now' does not work on plain values"),
      ("str.length", "a key is read from attribute 'str'"),
      ("nothing", "entity 'Row' has no property 'nothing' in the store"),
      ("parts", "a collection has no equivalent in SQL"),
      ("parts.@sum.i64", "'@sum' depends on the order of its values"),
      ("$nobody", "variable '$nobody' has no value here"),
      ("TERNARY(flag, 1, 'a')", "'TERNARY' gives an integer or a string, depending on the row"),
      ("1 / 0", "evaluating a constant part of the expression fails"),
      ("tokenize:using:(str, ',')", "function 'tokenize:using:' does not work on plain values"),
    ])
  func `unsupported expressions are rejected with the reason`(format: String, reason: String) throws {
    let expression: MappingExpression
    if format.hasPrefix("TERNARY") {
      expression = try MappingExpression(parsing: "TERNARY(flag == YES, 1, 'a')")
    } else {
      expression = try MappingExpression(parsing: format)
    }
    #expect(throws: NotTranslated.self) { try translator().translate(expression) }
    do {
      _ = try translator().translate(expression)
    } catch let refusal as NotTranslated {
      #expect(refusal.reason == reason)
    }
  }

  @Test(
    arguments: [
      (
        "dbl | 0",
        "CASE WHEN t0.ZDBL BETWEEN -9.0e15 AND 9.0e15 THEN CAST(t0.ZDBL AS INTEGER) "
          + "ELSE heavylift_bitwiseOr_with__fi(t0.ZDBL, ?, ?) END"
      ),
      (
        "dbl * 2 | 0",
        "CASE WHEN (t0.ZDBL * ?) BETWEEN -9.0e15 AND 9.0e15 THEN CAST((t0.ZDBL * ?) AS INTEGER) "
          + "ELSE heavylift_bitwiseOr_with__fi((t0.ZDBL * ?), ?, ?) END"
      ),
      ("dbl | 1", "heavylift_bitwiseOr_with__fi(t0.ZDBL, ?, ?)"),
    ])
  func `SQLite truncates a fraction where it does so exactly`(format: String, sql: String) throws {
    let fragment = try translator().translate(MappingExpression(parsing: format))
    #expect(fragment.sql == sql)
    #expect(fragment.sql.count { $0 == "?" } == fragment.bindings.count)
  }

  @Test(
    arguments: [
      ("FUNCTION(str, 'length')", "heavylift_call_length_s(t0.ZSTR, ?)"),
      ("FUNCTION(str, 'dateWithISO8601Format')", "heavylift_call_dateWithISO8601Format_s(t0.ZSTR, ?)"),
      (
        "FUNCTION(str, 'dateWithFormat:timeZone:', 'dd.MM.yyyy', txt)",
        "heavylift_call_dateWithFormat_timeZone__sss(t0.ZSTR, ?, t0.ZTXT, ?)"
      ),
      (
        "FUNCTION(day, 'stringWithFormat:', 'yyyy')", "heavylift_call_stringWithFormat__ds(CAST(t0.ZDAY AS REAL), ?, ?)"
      ),
      ("FUNCTION('2001-01-02', 'dateWithISO8601Format')", "?"),
      ("i64 | 0", "heavylift_bitwiseOr_with__ii(t0.ZI64, ?)"),
    ])
  func `a function of a value becomes a call`(format: String, sql: String) throws {
    let fragment = try translator().translate(MappingExpression(parsing: format))
    #expect(fragment.sql == sql)
    #expect(fragment.sql.count { $0 == "?" } == fragment.bindings.count)
  }

  @Test func `a function that the program defines is not called in SQL`() throws {
    var functions = FunctionRegistry.builtIn
    try functions.register("length", on: String.self) { $0.count }
    let store = try Self.makeStore().store
    let translator = SQLTranslator(
      schema: StoreSchema(runtime: store.runtime), entity: "Row", functions: functions)
    let refusal = #expect(throws: NotTranslated.self) {
      try translator.translate(MappingExpression(parsing: "FUNCTION(str, 'length')"))
    }
    #expect(refusal?.reason == "function 'length' is defined by the program")
  }

  @Test(
    arguments: [
      ("str", "ZSTR", false), ("(str)", "ZSTR", false), ("$source.str", "ZSTR", false), ("owner", "ZOWNER", false),
      ("$source", "Z_PK", false),
      // The value of a Boolean is a comparison, and that of a date is a conversion.
      ("flag", nil, false), ("day", nil, false), ("i64 + i64 * 2", nil, false), ("uppercase:(str)", nil, false),
      ("'str'", nil, false),
      // A column of another row, which is joined.
      ("owner.str", nil, false),
      ("parts.@count", nil, true), ("SUBQUERY(parts, $p, $p.i64 == i64).@count", nil, true),
      ("owner.rows.@count", nil, true),
    ] as [(String, String?, Bool)])
  func `a fragment says what it reads`(format: String, column: String?, readsOtherRows: Bool) throws {
    let fragment = try translator().translate(MappingExpression(parsing: format))
    #expect(fragment.sources.readsOtherRows == readsOtherRows, "\(fragment.sql)")
    #expect(fragment.sources.rowColumn == column, "\(fragment.sql)")
  }

  @Test func `a value never becomes part of the SQL text`() throws {
    let evil = "'; DROP TABLE ZROW; --"
    let fragment = try translator(["x": .string(evil)]).translate(MappingPredicate(parsing: "str == $x OR txt LIKE $x"))
    #expect(!fragment.sql.contains("DROP"))
    #expect(fragment.bindings.filter { $0 == .text(evil) }.count == 2)
  }

  @Test func `expressions that SQLite's parser could not handle are refused`() throws {
    var (text, wide) = ("i32", "i32 == 0")
    for _ in 0..<40 { text = "abs:(\(text))" }
    for index in 1..<400 { wide += " OR i32 == \(index)" }
    #expect(throws: NotTranslated.self) { try translator().translate(MappingExpression(parsing: text)) }
    #expect(throws: NotTranslated.self) { try translator().translate(MappingPredicate(parsing: wide)) }
    // SQLite accepts the deepest expression that is translated.
    var depth = 1
    var deepest: SQLFragment?
    while let fragment = try? translator().translate(
      MappingPredicate(
        parsing: String(repeating: "NOT (i32 == 1 OR ", count: depth) + "i64 > 0" + String(repeating: ")", count: depth)
      ))
    {
      deepest = fragment
      depth += 1
    }
    let fragment = try #require(deepest)
    #expect(depth > 4)
    let store = try Self.makeStore()
    try store.store.register(fragment.functions)
    _ = try store.store.database.prepare("SELECT \(fragment.sql) FROM ZROW t0")
  }
}
