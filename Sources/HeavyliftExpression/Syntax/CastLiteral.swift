import Foundation
import HeavyliftModel

/// Constants without a literal of their own, written as a cast of another constant.
///
/// Foundation prints dates this way; the other types follow its example.
enum CastLiteral {
  static let date = "NSDate"
  static let decimal = "NSDecimalNumber"
  static let uuid = "NSUUID"
  static let uri = "NSURL"
  static let data = "NSData"

  /// Returns the constant that a cast produces, if it can be determined without evaluation.
  static func constant(_ operand: MappingExpression, typeName: String) -> Value? {
    guard case .constant(.value(let value)) = operand.kind else { return nil }
    switch (typeName, value) {
    case (date, .integer(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (date, .double(let seconds)): return .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (decimal, .string(let text)): return number(text).map { .decimal($0) }
    case (uuid, .string(let text)): return UUID(uuidString: text).map { .uuid($0) }
    case (uri, .string(let text)): return .uri(text)
    case (data, .string(let text)): return Data(base64Encoded: text).map { .data($0) }
    default: return nil
    }
  }

  /// Parses a decimal that fills the whole text; Foundation's parser stops at the first letter.
  private static func number(_ text: String) -> Decimal? {
    let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
    let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard digits.utf8.count <= 160, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }),
      parts.allSatisfy({ !$0.isEmpty }), let value = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")),
      "\(value)" == text
    else { return nil }
    return value
  }
}
