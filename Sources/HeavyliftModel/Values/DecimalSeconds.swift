/// Seconds as a whole number and a decimal fraction, with exactly the digits that yield the same double.
///
/// The double's shortest decimal representation is split without rounding. A reader that adds the whole seconds and the
/// fraction as decimals gets the same double.
package struct DecimalSeconds: Hashable, Sendable {
  /// Rounded down, also below zero.
  package var whole: Int
  /// The digits after the decimal point as a number.
  package var fraction: Int
  package var fractionDigits: Int

  package static let mostDigits = 18

  package init(whole: Int, fraction: Int = 0, fractionDigits: Int = 0) {
    (self.whole, self.fraction, self.fractionDigits) = (whole, fraction, fractionDigits)
  }

  /// Nil for numbers from a trillion on, and for those with more than 18 decimal places.
  package init?(_ seconds: Double) {
    // In this range, the shortest digits have no exponent.
    guard seconds == 0 ? seconds.sign == .plus : seconds.magnitude >= 1e-4 && seconds.magnitude < 1e12 else {
      return nil
    }
    self.init(whole: 0)
    if let exact = Int(exactly: seconds) {
      whole = exact
      return
    }
    var isFraction = false
    for byte in seconds.magnitude.description.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = Int(byte - UInt8(ascii: "0"))
        if isFraction {
          guard fractionDigits < Self.mostDigits else { return nil }
          fraction = fraction * 10 + digit
          fractionDigits += 1
        } else {
          whole = whole * 10 + digit
        }
      case UInt8(ascii: "."): isFraction = true
      default: return nil
      }
    }
    if seconds < 0 {
      whole = -whole - 1
      fraction = Self.one(fractionDigits) - fraction
    }
  }

  /// Rounds the fraction. The number must be below a trillion.
  package init(_ seconds: Double, roundedTo digits: Int) {
    let floor = seconds.rounded(.down)
    let one = Self.one(digits)
    self.init(
      whole: Int(floor), fraction: Int(((seconds - floor) * Double(one)).rounded()), fractionDigits: digits)
    if fraction == one { (whole, fraction) = (whole + 1, 0) }
  }

  /// The nearest double: the whole seconds and the fraction are joined as decimal digits and parsed as one number.
  package var double: Double? {
    if fraction == 0 { return Double(whole) }
    guard whole < 0 else { return Double("\(whole).\(Self.padded(fraction, to: fractionDigits))") }
    // Before 2001, the fraction is added to a negative number: -1 s plus .25 s is -0.75 s.
    let rest = Self.one(fractionDigits) - fraction
    return Double("-\(-(whole + 1)).\(Self.padded(rest, to: fractionDigits))")
  }

  private static func one(_ digits: Int) -> Int {
    var one = 1
    for _ in 0..<digits { one *= 10 }
    return one
  }

  /// The number with zeros before it.
  package static func padded(_ number: Int, to digits: Int) -> String {
    let text = "\(number)"
    return text.utf8.count < digits ? String(repeating: "0", count: digits - text.utf8.count) + text : text
  }
}
