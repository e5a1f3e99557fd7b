import Foundation
import HeavyliftModel

extension ExpressionPrinter {
  mutating func write(_ constant: ExpressionConstant, of expression: MappingExpression) {
    switch constant {
    case .value(let value):
      guard let literal = literal(value) else {
        return writeUnprintable(expression, .value(kind: value.kind), shown: Self.shown(value))
      }
      text += literal
    case .array(let elements):
      // `{…}` has the same meaning but is parsed as an aggregate, and a format must recreate an equal tree.
      if usesPlaceholders {
        return writeUnprintable(expression, .otherwiseRead("{}"), shown: "")
      }
      text += "{"
      writeList(elements.map { MappingExpression(.constant($0)) })
      text += "}"
    case .set(let elements):
      let shown = elements.map { "\(MappingExpression(.constant($0)))" }.sorted().joined(separator: ", ")
      writeUnprintable(expression, .value(kind: "a set"), shown: "{\(shown)}")
    }
  }

  private func literal(_ value: Value) -> String? {
    switch value {
    case .null: return "nil"
    case .bool(let value): return value ? "TRUE" : "FALSE"
    case .integer(let value): return "\(value)"
    // Swift writes the shortest digits that read back as the same number, always with a point or an exponent.
    case .double(let value): return value.isFinite ? "\(value)" : nil
    case .string(let value): return StringLiteral.text(value)
    case .date(let value):
      let seconds = value.timeIntervalSinceReferenceDate
      return seconds.isFinite ? cast("\(seconds)", CastLiteral.date) : nil
    case .decimal(let value):
      return value.isFinite ? cast(StringLiteral.text("\(value)"), CastLiteral.decimal) : nil
    case .uuid(let value): return cast(StringLiteral.text(value.uuidString), CastLiteral.uuid)
    case .uri(let value): return cast(StringLiteral.text(value), CastLiteral.uri)
    case .data(let value): return cast(StringLiteral.text(value.base64EncodedString()), CastLiteral.data)
    case .composite: return nil
    }
  }

  private func cast(_ operand: String, _ typeName: String) -> String { "CAST(\(operand), \"\(typeName)\")" }

  /// Returns readable text for a value without a literal.
  private static func shown(_ value: Value) -> String {
    switch value {
    case .double(let value): "\(value)"
    case .date(let value): "CAST(\(value.timeIntervalSinceReferenceDate), \"\(CastLiteral.date)\")"
    case .decimal(let value): "\(value)"
    case .composite(let elements):
      "{"
        + elements.sorted { $0.key < $1.key }
        .map { "\(StringLiteral.text($0.key)): \(MappingExpression(.constant(.value($0.value))))" }
        .joined(separator: ", ") + "}"
    default: ""
    }
  }
}
