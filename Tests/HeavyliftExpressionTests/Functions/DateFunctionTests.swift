import Foundation
import HeavyliftTestSupport
import Testing

@testable import HeavyliftExpression

/// Strings become dates, and dates strings, in stated formats.
struct DateFunctionTests {
  /// Returns the result as `NSDate` describes it, with a fraction of a second if there is one.
  private func read(_ text: String, _ selector: String, _ arguments: [ExpressionValue]) throws -> String? {
    let result = try FunctionRegistry.builtIn.call(selector, on: .string(text), arguments)
    guard case .date(let date)? = result else { return nil }
    return try DateFormat("yyyy-MM-dd HH:mm:ss.SSS", for: .writing).string(date)?.replacing(".000", with: "")
  }

  private func flaw(_ text: String, _ selector: String, _ arguments: [ExpressionValue]) -> DateFlaw? {
    do {
      let result = try FunctionRegistry.builtIn.call(selector, on: .string(text), arguments)
      Issue.record("'\(text)' is read as \(String(describing: result))")
      return nil
    } catch EvaluationMistake.notADate(_, let flaw) {
      return flaw
    } catch {
      Issue.record("\(error)")
      return nil
    }
  }

  @Test(
    arguments: [
      ("31.01.2024", ["dd.MM.yyyy"], "2024-01-31 00:00:00"), ("1.2.2024", ["d.M.yyyy"], "2024-02-01 00:00:00"),
      ("01.02.2024", ["d.M.y"], "2024-02-01 00:00:00"), ("20240131", ["yyyyMMdd"], "2024-01-31 00:00:00"),
      ("2024-01", ["yyyy-MM"], "2024-01-01 00:00:00"), ("2024", ["yyyy"], "2024-01-01 00:00:00"),
      ("2024-01-31 23:59:58", ["yyyy-MM-dd HH:mm:ss"], "2024-01-31 23:59:58"),
      ("2024-01-31 23:59:58.125", ["yyyy-MM-dd HH:mm:ss.SSS"], "2024-01-31 23:59:58.125"),
      ("2024-01-31T10 o'clock", ["yyyy-MM-dd'T'HH 'o''clock'"], "2024-01-31 10:00:00"),
      ("2024年1月31日", ["yyyy年M月d日"], "2024-01-31 00:00:00"),
      ("1/31/2024 12:05 AM", ["M/d/yyyy h:mm a"], "2024-01-31 00:05:00"),
      ("1/31/2024 12:05 pm", ["M/d/yyyy h:mm a"], "2024-01-31 12:05:00"),
      ("2024-01-31 24:30", ["yyyy-MM-dd kk:mm"], "2024-01-31 00:30:00"),
      ("2024-01-31 0:30 PM", ["yyyy-MM-dd K:mm a"], "2024-01-31 12:30:00"),
      ("31-JAN-2024", ["dd-MMM-yyyy"], "2024-01-31 00:00:00"),
      ("Wed, 31 Jan 2024 10:00:00 -0330", ["EEE, dd MMM yyyy HH:mm:ss Z"], "2024-01-31 13:30:00"),
      ("2024-01-31T10:00:00Z", ["yyyy-MM-dd'T'HH:mm:ssZ"], "2024-01-31 10:00:00"),
      ("2024-01-31T10:00+01", ["yyyy-MM-dd'T'HH:mmX"], "2024-01-31 09:00:00"),
      ("1850-01-01T00:53:28+005328", ["yyyy-MM-dd'T'HH:mm:ssZ"], "1850-01-01 00:00:00"),
      ("1850-01-01T00:53:28+00:53:28", ["yyyy-MM-dd'T'HH:mm:ssZZZZZ"], "1850-01-01 00:00:00"),
      // The time zone of the string wins.
      ("2024-01-31 10:00 +01:00", ["yyyy-MM-dd HH:mm XXX", "America/New_York"], "2024-01-31 09:00:00"),
      ("31.01.2024", ["dd.MM.yyyy", "Europe/Berlin"], "2024-01-30 23:00:00"),
      ("31.07.2024 10:00", ["dd.MM.yyyy HH:mm", "Europe/Berlin"], "2024-07-31 08:00:00"),
      ("31.01.2024", ["dd.MM.yyyy", "GMT+02:30"], "2024-01-30 21:30:00"),
      // Clocks show 2:30 twice; it is read as the first one, as by date formatters.
      ("27.10.2024 02:30", ["dd.MM.yyyy HH:mm", "Europe/Berlin"], "2024-10-27 00:30:00"),
      // The day starts at one o'clock, because clocks skip midnight.
      ("04.11.2018", ["dd.MM.yyyy", "America/Sao_Paulo"], "2018-11-04 03:00:00"),
      ("31. Januar 2024", ["d. MMMM yyyy", "UTC", "de_DE"], "2024-01-31 00:00:00"),
      ("5. märz 2024", ["d. MMMM yyyy", "UTC", "de-DE"], "2024-03-05 00:00:00"),
      ("5. Ma\u{308}rz 2024", ["d. MMMM yyyy", "UTC", "de"], "2024-03-05 00:00:00"),
      ("5. Mär 2024", ["d. MMM yyyy", "UTC", "de_DE"], "2024-03-05 00:00:00"),
      ("11月5日2024", ["MMMd日yyyy", "UTC", "ja_JP"], "2024-11-05 00:00:00"),
      ("1582-10-04", ["yyyy-MM-dd"], "1582-10-04 00:00:00"), ("1500-02-29", ["yyyy-MM-dd"], "1500-02-29 00:00:00"),
      ("0001-01-01", ["yyyy-MM-dd"], "0001-01-01 00:00:00"),
    ] as [(String, [String], String)])
  func `a string in the format is a date`(text: String, arguments: [String], expected: String) throws {
    let selector = ["dateWithFormat:", "dateWithFormat:timeZone:", "dateWithFormat:timeZone:locale:"]
    let found = try read(text, selector[arguments.count - 1], arguments.map { .string($0) })
    #expect(found == expected)
  }

  @Test(
    arguments: [
      ("", "yyyy-MM-dd", .empty), ("2024-01-31 ", "yyyy-MM-dd", .excess(at: 11)),
      (" 2024-01-31", "yyyy-MM-dd", .expected("year", at: 1)), ("24-01-31", "yyyy-MM-dd", .expected("year", at: 1)),
      ("12024-01-31", "yyyy-MM-dd", .expected("'-'", at: 5)), ("2024-1-31", "yyyy-MM-dd", .expected("month", at: 6)),
      ("2024/01/31", "yyyy-MM-dd", .expected("'-'", at: 5)), ("2024-01", "yyyy-MM-dd", .expected("'-'", at: 8)),
      ("2024-13-01", "yyyy-MM-dd", .outside("month")), ("2024-00-01", "yyyy-MM-dd", .outside("month")),
      ("2024-02-30", "yyyy-MM-dd", .noSuchDay), ("2023-02-29", "yyyy-MM-dd", .noSuchDay),
      ("2024-01-32", "yyyy-MM-dd", .outside("day")), ("0000-00-00", "yyyy-MM-dd", .outside("month")),
      ("0000-01-01", "yyyy-MM-dd", .outside("year")), ("1582-10-10", "yyyy-MM-dd", .noSuchDay),
      ("٢٠٢٤-٠١-٠١", "yyyy-MM-dd", .expected("year", at: 1)), ("é2024", "'é'yyyy", nil),
      ("é24", "'é'yyyy", .expected("year", at: 2)), ("2024-01-31 24:00", "yyyy-MM-dd HH:mm", .outside("hour")),
      ("2024-01-31 10:60", "yyyy-MM-dd HH:mm", .outside("minute")),
      ("2024-01-31 10:00:60", "yyyy-MM-dd HH:mm:ss", .outside("second")),
      ("2024-01-31 13:00 PM", "yyyy-MM-dd hh:mm a", .outside("hour")),
      ("2024-01-31 10:00.12", "yyyy-MM-dd HH:mm.ss", nil),
      ("2024-01-31 10:00:00.1", "yyyy-MM-dd HH:mm:ss.SSS", .expected("fraction of a second", at: 21)),
      ("Mon 2024-01-02", "EEE yyyy-MM-dd", .otherWeekday), ("05-Foo-2024", "dd-MMM-yyyy", .expected("month", at: 4)),
      ("2024-01-31 10:00 CET", "yyyy-MM-dd HH:mm Z", .expected("time zone", at: 18)),
      ("2024-01-31 10:00 +25:00", "yyyy-MM-dd HH:mm Z", .outside("time zone")),
    ] as [(String, String, DateFlaw?)])
  func `a string that is not completely a date in the format is refused`(
    text: String, format: String, expected: DateFlaw?
  ) throws {
    if let expected {
      #expect(flaw(text, "dateWithFormat:", [.string(format)]) == expected)
    } else {
      #expect(try read(text, "dateWithFormat:", [.string(format)]) != nil)
    }
  }

  @Test func `a time that clocks skip is refused`() {
    let arguments: [ExpressionValue] = ["dd.MM.yyyy HH:mm", "Europe/Berlin"]
    #expect(flaw("31.03.2024 02:30", "dateWithFormat:timeZone:", arguments) == .skippedTime)
    // Clocks in Samoa skipped the day.
    #expect(flaw("30.12.2011", "dateWithFormat:timeZone:", ["dd.MM.yyyy", "Pacific/Apia"]) == .skippedTime)
  }

  @Test func `a year of two digits is in the hundred years from the stated year on`() throws {
    for (year, expected) in [("50", "1950"), ("99", "1999"), ("00", "2000"), ("49", "2049")] {
      let found = try read("31.12.\(year)", "dateWithFormat:twoDigitStartYear:", ["dd.MM.yy", 1950])
      #expect(found == "\(expected)-12-31 00:00:00")
    }
    let arguments: [ExpressionValue] = ["dd.MM.yy", "Europe/Berlin", "de_DE", 1967]
    #expect(
      try read("01.01.66", "dateWithFormat:timeZone:locale:twoDigitStartYear:", arguments) == "2065-12-31 23:00:00")
  }

  @Test(
    arguments: [
      ("2024-01-31", "2024-01-31 00:00:00"), ("20240131", "2024-01-31 00:00:00"),
      ("2024-01-31T10:00:00Z", "2024-01-31 10:00:00"), ("2024-01-31T10:00Z", "2024-01-31 10:00:00"),
      ("2024-01-31T10:00:00.125Z", "2024-01-31 10:00:00.125"), ("2024-01-31T10:00:00,5Z", "2024-01-31 10:00:00.500"),
      ("2024-01-31T10:00:00+01:00", "2024-01-31 09:00:00"), ("2024-01-31T10:00:00-0330", "2024-01-31 13:30:00"),
      ("2024-01-31T10:00:00+01", "2024-01-31 09:00:00"), ("20240131T100000Z", "2024-01-31 10:00:00"),
      ("0001-01-01T00:00:00Z", "0001-01-01 00:00:00"), ("2000-12-31T23:59:59.75Z", "2000-12-31 23:59:59.750"),
    ])
  func `a string in the format of ISO 8601 is a date`(text: String, expected: String) throws {
    #expect(try read(text, "dateWithISO8601Format", []) == expected)
  }

  @Test(
    arguments: [
      ("", .empty), ("2024-01-31T10:00:00", .missingTimeZone), ("2024-01-31 10:00:00Z", .expected("'T'", at: 11)),
      ("2024-0131", .expected("'-'", at: 8)), ("2024-01-31T100000Z", .expected("':'", at: 14)),
      ("2024-01-31T10Z", .expected("':'", at: 14)),
      ("2024-01-31T10:00:00.Z", .expected("fraction of a second", at: 21)),
      ("2024-01-31T24:00:00Z", .outside("hour")), ("2024-01-31T10:00:00Zx", .excess(at: 21)),
      ("2024-W05-3", .expected("month", at: 6)), ("2024-02-30T10:00:00Z", .noSuchDay),
      ("2024", .expected("month", at: 5)),
    ] as [(String, DateFlaw)])
  func `any other string is refused`(text: String, expected: DateFlaw) {
    #expect(flaw(text, "dateWithISO8601Format", []) == expected)
  }

  @Test func `strings without a time zone can be given one`() throws {
    let selector = "dateWithISO8601FormatInTimeZone:"
    #expect(try read("2024-07-31T10:00:00.5", selector, ["Europe/Berlin"]) == "2024-07-31 08:00:00.500")
    #expect(try read("2024-07-31", selector, ["Europe/Berlin"]) == "2024-07-30 22:00:00")
    #expect(try read("2024-07-31T10:00:00Z", selector, ["Europe/Berlin"]) == "2024-07-31 10:00:00")
    #expect(flaw("2024-03-31T02:30", selector, ["Europe/Berlin"]) == .skippedTime)
  }

  @Test(
    arguments: [
      (["dd.MM.yyyy"], "31.01.2024"), (["d/M/y h:mm a"], "31/1/2024 11:05 PM"), (["yy'yy'''"], "24yy'"),
      (["HH:mm:ss.SS"], "23:05:09.50"), (["K"], "11"),
      (["yyyy-MM-dd HH:mm Z", "Europe/Berlin"], "2024-02-01 00:05 +0100"),
      (["xxx XXX X x", "UTC"], "date format"), (["XXX", "UTC"], "Z"), (["xxx", "UTC"], "+00:00"),
      (["x", "Asia/Kolkata"], "+0530"),
      (["X", "America/New_York"], "-05"),
      (["EEEE, d. MMMM", "UTC", "de_DE"], "Mittwoch, 31. Januar"), (["LLL", "UTC", "de_DE"], "Jan"),
      (["MMM", "UTC", "de_DE"], "Jan."), (["MMM d", "UTC", "ja_JP"], "1月 31"),
    ] as [([String], String)])
  func `a date becomes a string in a format`(arguments: [String], expected: String) throws {
    let date = try #require(try? ISODate.date("2024-01-31T23:05:09.5Z", in: nil))
    let selector = ["stringWithFormat:", "stringWithFormat:timeZone:", "stringWithFormat:timeZone:locale:"]
    func result() throws -> ExpressionValue? {
      try FunctionRegistry.builtIn.call(selector[arguments.count - 1], on: .date(date), arguments.map { .string($0) })
    }
    if expected == "date format" {
      #expect(throws: EvaluationMistake.self) { try result() }
    } else {
      #expect(try result() == .string(expected))
    }
  }

  @Test func `a fraction is rounded to the digits of the format`() throws {
    func text(_ seconds: Double, _ format: String) throws -> String? {
      try DateFormat(format, for: .writing).string(Date(timeIntervalSinceReferenceDate: seconds))
    }
    #expect(try text(0.9996, "ss.SSS") == "01.000")
    #expect(try text(0.9996, "ss") == "00")
    #expect(try text(-0.25, "yyyy ss.SS") == "2000 59.75")
    #expect(try text(700_000_000.123, "ss.SSS") == "40.123")
    #expect(try text(1e13, "yyyy") == nil)
    #expect(try text(3e11, "yyyy") == nil)
    #expect(try text(.nan, "yyyy") == nil)
    #expect(try text(-.infinity, "yyyy") == nil)
  }

  @Test func `a cast reads a date as NSDate describes it`() throws {
    let date = Date(timeIntervalSinceReferenceDate: 700_000_000)
    #expect(try Cast.string.call(.date(date)) == "2023-03-08 20:26:40 +0000")
    #expect(try Cast.date.call("2023-03-08 20:26:40 +0000") == .date(date))
    #expect(try Cast.date.call("2023-03-08 21:26:40 +0100") == .date(date))
    #expect(try Cast.string.call(.date(.distantPast)) == "0001-01-01 00:00:00 +0000")
    for text in ["", "2023-03-08", "08.03.2023", "2023-03-08T20:26:40Z", "2023-02-30 20:26:40 +0000", "700000000"] {
      #expect(throws: EvaluationMistake.notCastable("a string", to: "NSDate")) { try Cast.date.call(.string(text)) }
    }
  }

  @Test func `nil stays nil, and a computed format is read`() throws {
    let variables: [String: ExpressionValue] = ["text": "31.01.2024", "format": "dd.MM.yyyy", "zone": "Europe/Berlin"]
    let call = "FUNCTION($text, 'dateWithFormat:timeZone:', $format, $zone)"
    #expect(try evaluate(call, on: .null, variables) == .date(Date(timeIntervalSinceReferenceDate: 728_348_400)))
    #expect(try evaluate("FUNCTION(nil, 'dateWithFormat:', 'dd')").isNull)
    #expect(
      failure(of: call, on: .null, ["text": "31.01.2024", "format": "dd.mm.yyyy", "zone": "UTC"])?
        .contains("error[expression.date-format]: date format 'dd.mm.yyyy' has the minute ('m') but not the month")
        == true)
  }

  @Test(arguments: [
    (
      "FUNCTION('2024-02-30', 'dateWithFormat:', 'yyyy-MM-dd')",
      "'dateWithFormat:' | error[expression.date]: a string is not a date in format 'yyyy-MM-dd': there is no such day\n"
        + "  correct it; if strings have several formats, choose one with 'TERNARY(… MATCHES …, …, …)'"
    ),
    (
      "FUNCTION('', 'dateWithISO8601Format')",
      "'dateWithISO8601Format' | error[expression.date]: a string is not a date in ISO 8601 format: it is empty\n"
        + "  if it means that there is no date, write 'TERNARY(… == \"\", nil, …)'"
    ),
    (
      "FUNCTION(CAST(3e11, 'NSDate'), 'stringWithISO8601Format')",
      "'stringWithISO8601Format' | error[expression.date]: 'stringWithISO8601Format' cannot write a date outside of the "
        + "years 1 to 9999\n  choose another value for such dates with 'TERNARY'"
    ),
  ])
  func `a failed call is reported without the string`(text: String, message: String) {
    #expect(failure(of: text) == message)
  }

  @Test(
    arguments: [
      ("yyyy-mm-dd", "has the minute ('m') but not the month ('M')", "did you mean 'MM'?"),
      ("HH:MM dd.MM.yyyy", "has the month twice", "did you mean 'mm' for the minute?"),
      ("dd.mm.yyyy HH:mm", "has the minute twice", "did you mean 'MM' for the month?"),
      (
        "YYYY-MM-dd", "has the letter 'Y', which is not supported",
        "did you mean 'y'? 'Y' is the year that a week belongs to"
      ),
      ("yyyy-MM-DD", "has the letter 'D', which is not supported", "did you mean 'd'? 'D' is the day of the year"),
      ("yyyy-MM-ddTHH:mm", "has the letter 'T', which is not supported", "text is in quotes: write ''T''"),
      (
        "yyyy-MM-dd HH:mm z", "has the letter 'z', which is not supported",
        "write 'Z' for an offset such as +0100: names of time zones are ambiguous"
      ),
      ("HH:mm", "has the hour but not the day", "add the day"),
      ("dd.MM.", "has no year", "write the format of the strings, such as 'yyyy-MM-dd'"),
      ("", "has no year", "write the format of the strings, such as 'yyyy-MM-dd'"),
      ("yyyy-dd", "has the day but not the month", "add the month"),
      ("yyyy-MM-dd HH:ss", "has the second but not the minute", "add the minute"),
      (
        "yyyy-MM-dd hh:mm", "counts hours up to 12, but does not say in which half of the day",
        "did you mean 'HH'? Otherwise, add 'a'"
      ),
      ("yyyy-MM-dd HH:mm a", "has the half of the day ('a'), but no hours up to 12 ('h')", "did you mean 'hh'?"),
      (
        "dd.MM.yy", "has a year of two digits, which can be in any century",
        "write the first of its hundred years: 'FUNCTION(…, \"dateWithFormat:twoDigitStartYear:\", \"dd.MM.yy\", 1950)'"
      ),
      (
        "yyyyMd", "does not separate the month from the number after it",
        "write the letter twice for a number of two digits"
      ),
      (
        "HH:mmZyyyy-MM-dd", "does not separate the time zone from the number after it", "write a space between them"
      ),
      ("yyyyy-MM-dd", "has 'yyyyy', which is not supported", "write 'yyyy'"),
      (
        "yyyy-MMMMM-dd", "has 'MMMMM', which is not supported",
        "write 'MM' for a number, and 'MMM' or 'MMMM' for a name"
      ),
      ("yyyy-MM-dd'T", "has a quote that is not closed", "close it; two quotes are a quote in the text"),
    ])
  func `a wrong format is reported`(format: String, problem: String, remedy: String) {
    do {
      _ = try DateFormat(format, for: .reading)
      Issue.record("'\(format)' is accepted")
    } catch {
      #expect(error.code == "expression.date-format")
      #expect(
        error.problem == (format == "HH:mm" ? "date format 'HH:mm' has no year" : "date format '\(format)' \(problem)"))
      if format != "HH:mm" { #expect(error.remedy == remedy) }
    }
  }

  @Test(
    arguments: [
      ("Europe/Berln", "did you mean 'Europe/Berlin'?"), ("berlin", "did you mean 'Europe/Berlin'?"),
      ("new york", "did you mean 'America/New_York'?"), ("EST", "did you mean 'America/New_York'?"),
      ("CEST", "did you mean 'Europe/Paris'?"), ("+02:00", "did you mean 'GMT+02:00'?"), ("Z", "did you mean 'UTC'?"),
      ("Nowhere at all", "write its identifier, such as 'Europe/Berlin' or 'UTC'"),
    ])
  func `an unknown time zone is reported with a similar one`(name: String, remedy: String) {
    do {
      _ = try DateFormat("yyyy", timeZone: name, for: .reading)
      Issue.record("'\(name)' is accepted")
    } catch {
      #expect(error.code == "expression.time-zone")
      #expect(error.problem == "there is no time zone '\(name)'")
      #expect(error.remedy == remedy)
    }
  }

  @Test(
    arguments: [
      ("de_DD", "did you mean 'de_DE'?"), ("German", nil), ("xx_YY", nil), ("", nil), ("de_", nil),
    ] as [(String, String?)])
  func `an unknown locale is reported`(name: String, remedy: String?) {
    do {
      _ = try DateFormat("yyyy", locale: name, for: .reading)
      Issue.record("'\(name)' is accepted")
    } catch {
      #expect(error.code == "expression.locale")
      #expect(error.problem == "there is no locale '\(name)'")
      if let remedy { #expect(error.remedy == remedy) }
    }
  }

  @Test(arguments: ["de", "de_DE", "de-DE", "en_US_POSIX", "zh_CN", "zh_Hans_CN", "en_DE", "pt_BR"])
  func `a known locale is accepted`(name: String) throws {
    _ = try DateFormat("MMMM yyyy", locale: name, for: .reading)
  }
}
