import Foundation
import HeavyliftModel

/// A constant of an archived expression.
package indirect enum ArchivedConstant: Hashable, Sendable {
  case value(Value)
  case collection([ArchivedConstant])
}

extension ArchivedConstant: CustomStringConvertible {
  /// The constant in predicate format syntax.
  ///
  /// A type without a literal form is written as a cast from a type that has one, as Foundation does for dates.
  package var description: String {
    switch self {
    case .collection(let elements): "{\(elements.map(\.description).joined(separator: ", "))}"
    case .value(let value): Self.text(value)
    }
  }

  private static func text(_ value: Value) -> String {
    switch value {
    case .null: "nil"
    case .bool(let value): value ? "1" : "0"
    case .integer(let value): "\(value)"
    case .double(let value): "\(value)"
    case .decimal(let value): "\(value)"
    case .string(let value): quoted(value)
    case .date(let value):
      "CAST(\(String(format: "%f", value.timeIntervalSinceReferenceDate)), \"NSDate\")"
    case .uuid(let value): "CAST(\(quoted(value.uuidString)), \"NSUUID\")"
    case .uri(let value): "CAST(\(quoted(value)), \"NSURL\")"
    case .data(let value): "CAST(\(quoted(value.base64EncodedString())), \"NSData\")"
    case .composite(let elements):
      "{\(elements.sorted { $0.key < $1.key }.map { "\(quoted($0.key)), \(text($0.value))" }.joined(separator: ", "))}"
    }
  }

  /// Returns the text in double quotes, escaped for predicate format syntax.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20: result += String(format: "\\u%04x", scalar.value)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
