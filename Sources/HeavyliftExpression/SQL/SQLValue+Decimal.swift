import Foundation

/// Storage of a decimal number in a column without losing a digit.
///
/// A column declared `DECIMAL` turns every numeric string into an integer or a double, and a double holds 15 to 17
/// digits. A number that fits neither is stored as a blob of its digits: SQLite stores a blob unchanged, and `CAST` and
/// similar conversions still read the blob as the nearest number. `NSDecimalNumber.notANumber` is stored as the text
/// `NaN`, as in Core Data.
extension SQLValue {
  /// Creates the stored form of a decimal.
  package init(_ decimal: Decimal) {
    let digits = "\(decimal)"
    if decimal.isNaN {
      self = .text(SQLValue.notANumberText)
    } else if let whole = Int64(digits) {
      self = .integer(whole)
    } else if let real = Double(digits), real.isFinite, Decimal(string: "\(real)") == decimal {
      self = .real(real)
    } else {
      // Numbers with more zeros than Foundation can parse use an exponent.
      let isReadBack = Decimal(string: digits) == decimal
      let sign = decimal.isSignMinus ? "-" : ""
      let short = "\(sign)\(decimal.magnitude.significand)e\(decimal.exponent)"
      self = .blob(Data((isReadBack ? digits : short).utf8))
    }
  }

  /// The decimal that is stored as this value, if any.
  package var decimal: Decimal? {
    switch self {
    case .integer(let value): Decimal(value)
    // The shortest digits that read back as the double: those that a user typed, not those of its exact value.
    case .real(let value): value.isFinite ? Decimal(string: "\(value)") : nil
    case .text(SQLValue.notANumberText): .nan
    case .text(let digits): SQLValue.parse(digits)
    case .blob(let bytes): String(validating: bytes, as: UTF8.self).flatMap(SQLValue.parse)
    case .null: nil
    }
  }

  private static let notANumberText = "NaN"

  /// `Decimal` parses a prefix; here, the whole text must be a number.
  private static func parse(_ digits: String) -> Decimal? {
    guard !digits.isEmpty, digits.utf8.allSatisfy({ "+-0123456789.eE".utf8.contains($0) }), Double(digits) != nil else {
      return nil
    }
    return Decimal(string: digits)
  }
}
