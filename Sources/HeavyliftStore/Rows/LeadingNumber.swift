/// The number at the start of a text, as SQLite converts texts and blobs (https://sqlite.org/lang_expr.html#castexpr).
///
/// Unlike `strtod` and `strtoll`, it does not depend on the host program's locale, and knows no hexadecimal numbers,
/// infinities and NaN.
struct LeadingNumber {
  private var isNegative = false
  private var whole: [UInt8] = []
  private var fraction: [UInt8] = []
  private var exponent = ""

  init(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes.drop { $0 == UInt8(ascii: " ") || 9...13 ~= $0 }
    isNegative = Self.takeSign(&rest)
    whole = Self.takeDigits(&rest)
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = Self.takeDigits(&rest)
    }
    guard let letter = rest.first, letter | 0x20 == UInt8(ascii: "e") else { return }
    rest = rest.dropFirst()
    let sign = Self.takeSign(&rest) ? "-" : ""
    let digits = Self.takeDigits(&rest)
    if !digits.isEmpty { exponent = "e" + sign + String(decoding: digits, as: UTF8.self) }
  }

  /// The whole part, or the nearest integer that `Int64` holds.
  var integer: Int64 {
    let digits = whole.isEmpty ? "0" : String(decoding: whole, as: UTF8.self)
    return Int64((isNegative ? "-" : "") + digits) ?? (isNegative ? .min : .max)
  }

  var double: Double {
    let text = String(decoding: [UInt8(ascii: "0")] + whole + [UInt8(ascii: ".")] + fraction, as: UTF8.self)
    let number = Double(text + "0" + exponent) ?? 0
    return isNegative ? -number : number
  }

  /// Returns true for a minus.
  private static func takeSign(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> Bool {
    let sign = bytes.first
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { bytes = bytes.dropFirst() }
    return sign == UInt8(ascii: "-")
  }

  private static func takeDigits(_ bytes: inout Slice<UnsafeRawBufferPointer>) -> [UInt8] {
    let digits = bytes.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    bytes = bytes.dropFirst(digits.count)
    return Array(digits)
  }
}
