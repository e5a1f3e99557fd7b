import Foundation

/// A number written with decimal digits, such as "12.50" or "1e3", for conversions that must not change it silently.
package struct DecimalText {
  /// The digits without zeros at either end; empty for zero.
  private var digits: [UInt8] = []
  /// The power of ten by which the last digit is multiplied.
  private var exponent = 0
  private let isNegative: Bool
  private let isScientific: Bool

  /// Returns `nil` unless the whole text is a number. Swift would also accept "nan", "inf" and hexadecimal digits.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }),
      Double(text) != nil
    else { return nil }
    let parts = text.split(maxSplits: 1, whereSeparator: { $0 == "e" || $0 == "E" })
    isNegative = text.hasPrefix("-")
    isScientific = parts.count == 2
    var hasPoint = false
    for byte in parts[0].utf8 {
      switch byte {
      case UInt8(ascii: "."): hasPoint = true
      case UInt8(ascii: "+"), UInt8(ascii: "-"): break
      default:
        digits.append(byte)
        if hasPoint { exponent -= 1 }
      }
    }
    digits.removeFirst(digits.prefix { $0 == UInt8(ascii: "0") }.count)
    while digits.last == UInt8(ascii: "0") {
      digits.removeLast()
      exponent += 1
    }
    // An exponent with too many digits makes the number infinite or 0, whatever its exact value is.
    if isScientific { exponent += Int(parts[1]) ?? (parts[1].hasPrefix("-") ? -1 << 32 : 1 << 32) }
  }

  /// Returns true if the nearest floating-point number still has all the digits that the text states: it must be equal to
  /// an integer, and tells other numbers apart by 17 digits. Of its own exact value, programs may print more.
  package func isKept(by number: Double) -> Bool {
    if digits.isEmpty { return number == 0 }
    guard number.isFinite, number != 0 else { return false }
    // Such a number is exact, or has few enough digits.
    if digits.count <= 15, exponent <= 0 { return true }
    // Programs write a large number with an exponent when they state only its significant digits.
    guard exponent >= 0, !isScientific else {
      return digits.count <= 17 || DecimalText(String(format: "%.\(digits.count - 1)e", number)).map(equals) ?? false
    }
    return DecimalText(String(format: "%.0f", number)).map(equals) ?? false
  }

  /// Returns true if the decimal is exactly the number in the text.
  package func isKept(by number: Decimal) -> Bool {
    // A number without an exponent that has so few digits is in the range of decimals.
    if !isScientific, digits.count <= 38, -38...38 ~= exponent { return true }
    return DecimalText("\(number)").map(equals) ?? false
  }

  private func equals(_ other: DecimalText) -> Bool {
    digits == other.digits && (digits.isEmpty || exponent == other.exponent && isNegative == other.isNegative)
  }
}

extension Decimal {
  /// Returns `nil` unless the whole text is a number that a decimal holds exactly. `Decimal(string:)` reads the beginning
  /// of a text, and drops digits that do not fit.
  package init?(wholeText text: String) {
    guard let digits = DecimalText(text), let value = Decimal(string: text), !value.isNaN, digits.isKept(by: value)
    else {
      return nil
    }
    self = value
  }
}
