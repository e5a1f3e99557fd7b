import Foundation

extension String {
  /// The text with line breaks and control characters escaped.
  var escapedText: String {
    var shown = ""
    for scalar in unicodeScalars {
      switch scalar {
      case "\n": shown += "\\n"
      case "\t": shown += "\\t"
      case "\"": shown += "\\\""
      case "\\": shown += "\\\\"
      default:
        if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl {
          shown += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          shown.unicodeScalars.append(scalar)
        }
      }
    }
    return shown
  }

  /// The text in double quotes, on one line.
  var quotedText: String { "\"\(escapedText)\"" }
}

extension Value {
  /// The value as text; nil for none.
  var shownText: String? {
    switch self {
    case .null: nil
    case .bool(let flag): flag ? "YES" : "NO"
    case .integer(let number): String(number)
    case .double(let number): String(number)
    case .decimal(let number): number.description
    case .string(let text): text.quotedText
    case .date(let date): "\(date.timeIntervalSinceReferenceDate) seconds since 2001"
    case .uuid(let uuid): uuid.uuidString
    case .uri(let text): "<\(text.escapedText)>"
    case .data(let bytes): Self.shown(bytes)
    case .composite(let elements):
      "{"
        + elements.sorted { $0.key < $1.key }.map { "\($0.key.escapedText): \($0.value.shownText ?? "none")" }
        .joined(separator: ", ") + "}"
    }
  }

  private static func shown(_ bytes: Data) -> String {
    let most = 16
    let digits = bytes.prefix(most).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    return bytes.count > most ? "\(bytes.count) bytes, \(digits)…" : "\(bytes.count) bytes, \(digits)"
  }
}
