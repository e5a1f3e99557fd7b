import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftExpression

/// A string becomes the number that it says, or is refused.
struct CastTests {
  @Test(
    arguments: [
      ("0.1", 0.1), ("12.50", 12.5), ("-.5", -0.5), ("5.", 5), ("+1.5", 1.5), ("1e3", 1000), ("1E-3", 0.001),
      ("0.0000", 0), ("0e400", 0), ("-0.0", 0), ("12.0", 12), ("00012.0", 12), ("9007199254740992.0", 0x1p53),
      ("18446744073709551616", 0x1p64), ("10000000000000000000000", 1e22), ("1e23", 1e23),
      ("0.10000000000000001", 0.1), ("0.10000000000000000555", 0.1),
      ("1.7976931348623157e308", .greatestFiniteMagnitude),
      ("4.9406564584124654e-324", .leastNonzeroMagnitude), ("1.2345678901234567e+18", 1.2345678901234567e18),
      ("0.100000000000000000000000000000", 0.1), ("100000.00000000000000000000", 100000),
    ])
  func `a string with few enough digits is a number`(text: String, number: Double) throws {
    #expect(try Cast.number.call(.string(text)) == .double(number))
  }

  @Test(arguments: ["12", "-7", "+5", "9007199254740993", "9223372036854775807", "-9223372036854775808"])
  func `a string of digits is an integer`(text: String) throws {
    #expect(try Cast.number.call(.string(text)) == .integer(try #require(Int64(text))))
  }

  @Test(arguments: [
    "12345678901234567891", "9223372036854775809", "-9223372036854775809", "0.12345678901234567891",
    "99999999999999999999999999999999999999999", "9007199254740993.0", "100000000000000000000000", "1e-400",
    "1.23456789012345678e5", "0.100000000000000001",
  ])
  func `a string with more digits than a floating-point number is refused`(text: String) {
    #expect(throws: EvaluationMistake.inexactCast(to: "NSNumber")) { try Cast.number.call(.string(text)) }
  }

  @Test(
    arguments: [
      "12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678",
      "340282366920938463463374607431768211455", "-12345678901234567891.5", "12.50", "1e-128", "1e127",
      "0.0000000000000000000000000000000000000000000000001", "1.00000000000000000000000000000000000000000000000",
    ])
  func `a string with few enough digits is a decimal`(text: String) throws {
    let decimal = try #require(Decimal(string: text))
    #expect(try Cast.decimal.call(.string(text)) == .decimal(decimal))
  }

  @Test(arguments: [
    "99999999999999999999999999999999999999999", "12345678901234567890123456789012345678901234567890",
    "0.1234567890123456789012345678901234567891", "1.0000000000000000000000000000000000000000000000001",
  ])
  func `a string with more digits than a decimal is refused`(text: String) {
    #expect(throws: EvaluationMistake.inexactCast(to: "NSDecimalNumber")) { try Cast.decimal.call(.string(text)) }
  }

  @Test(arguments: ["", "-", ".", "e5", "1e", "1-2", "1.2.3", " 1", "1 ", "nan", "inf", "0x10", "1e400", "1_000", "٣"])
  func `a string that is not a number is refused`(text: String) {
    for cast in [Cast.number, .decimal] {
      #expect(throws: EvaluationMistake.notCastable("a string", to: cast.rawValue)) { try cast.call(.string(text)) }
    }
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `every floating-point number is read back from its text`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    for _ in 0..<500 {
      let number = Double(bitPattern: UInt64.random(in: .min ... .max, using: &random))
      guard number.isFinite else { continue }
      for text in ["\(number)", String(format: "%.16e", number)] {
        #expect(try Cast.number.call(.string(text)) == .double(number), "\(text)")
      }
    }
  }
}
