import Foundation
import HeavyliftExpression
import HeavyliftModel
import Testing

struct LiteralTests {
  @Test(arguments: [
    ("0", 0), ("12", 12), ("007", 7), ("-5", -5), ("- 5", -5), ("0xFF", 255), ("0Xff", 255), ("0o17", 15), ("0b101", 5),
    ("-0x10", -16), ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
    ("0x7FFFFFFFFFFFFFFF", Int64.max), ("-0x8000000000000000", Int64.min),
  ]) func `an integer is read`(text: String, value: Int64) throws {
    #expect(try MappingExpression(parsing: text).kind == .constant(.value(.integer(value))))
  }

  @Test(arguments: [
    ("12.5", 12.5), (".5", 0.5), ("3.", 3), ("1e3", 1000), ("1.5E-3", 0.0015), ("3.e2", 300), ("1E+2", 100),
    ("-2.5", -2.5), ("1.7976931348623157e308", Double.greatestFiniteMagnitude),
    ("5e-324", Double.leastNonzeroMagnitude),
    ("1e-999", 0), ("9.2e-5", 9.2e-5),
  ]) func `a floating-point number is read`(text: String, value: Double) throws {
    #expect(try MappingExpression(parsing: text).kind == .constant(.value(.double(value))))
  }

  @Test(arguments: [
    (#""a""#, "a"), ("'a'", "a"), (#""it's""#, "it's"), (#"'say "hi"'"#, "say \"hi\""), (#"'\''"#, "'"),
    (#""\"""#, "\""), (#""\\""#, "\\"), (#""\n\t\r""#, "\n\t\r"), (#""\b\f\a\v""#, "\u{8}\u{C}\u{7}\u{B}"),
    (#""\101\7\0""#, "A\u{7}\0"), (#""\1011""#, "A1"), (#""\x41\X4a\x4""#, "AJ\u{4}"), (#""\u00e9\U00E9""#, "éé"),
    (#""\uD83D\uDE00""#, "😀"), (#""\d+\?\%""#, "d+?%"), (#""\\d""#, "\\d"), ("'%@'", "%@"), ("''", ""),
    ("'a\nb'", "a\nb"), ("'📍 日本'", "📍 日本"), ("'e\u{301}'", "e\u{301}"),
  ]) func `a string is read`(text: String, value: String) throws {
    guard case .constant(.value(.string(let read))) = try MappingExpression(parsing: text).kind else {
      throw Unexpected(description: text)
    }
    // Scalar by scalar: `==` of strings overlooks how a character is composed.
    #expect(Array(read.unicodeScalars) == Array(value.unicodeScalars))
  }

  @Test(arguments: [
    ("nil", Value.null), ("NULL", .null), ("NiL", .null), ("TRUE", true), ("yes", true), ("Yes", true),
    ("false", false), ("No", false),
    (#"CAST(0, "NSDate")"#, .date(Date(timeIntervalSinceReferenceDate: 0))),
    (#"CAST(517708800.5, 'NSDate')"#, .date(Date(timeIntervalSinceReferenceDate: 517708800.5))),
    (#"castObject:toType:(-1, "NSDate")"#, .date(Date(timeIntervalSinceReferenceDate: -1))),
    (#"CAST("1.5", "NSDecimalNumber")"#, .decimal(Decimal(string: "1.5") ?? 0)),
    (#"CAST("https://a.b/c", "NSURL")"#, .uri("https://a.b/c")),
    (#"CAST("AQI=", "NSData")"#, .data(Data([1, 2]))),
  ]) func `a constant is read`(text: String, value: Value) throws {
    #expect(try MappingExpression(parsing: text).kind == .constant(.value(value)))
  }

  @Test(arguments: [
    #"CAST("x", "NSDate")"#, #"CAST(1, "NSDecimalNumber")"#, #"CAST("1,5", "NSDecimalNumber")"#,
    #"CAST("1.50", "NSDecimalNumber")"#, #"CAST("not one", "NSUUID")"#, #"CAST("?", "NSData")"#,
    #"CAST("NSProcessInfo", "Class")"#, #"CAST(date, "NSNumber")"#,
  ]) func `a cast of a non-constant stays a cast`(text: String) throws {
    guard case .cast = try MappingExpression(parsing: text).kind else { throw Unexpected(description: text) }
    #expect(try MappingExpression(parsing: text).text() == text)
  }
}
