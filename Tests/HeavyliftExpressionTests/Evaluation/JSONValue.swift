import Foundation
import HeavyliftExpression
import HeavyliftModel

/// A value of a test vector, in the forms that the vectors' description lists.
enum JSONValue: Decodable {
  case null
  case bool(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int64.self) {
      self = .integer(value)
    } else if let value = try? container.decode(Double.self) {
      self = .double(value)
    } else if let value = try? container.decode(String.self) {
      self = .string(value)
    } else if let value = try? container.decode([JSONValue].self) {
      self = .array(value)
    } else {
      self = .object(try container.decode([String: JSONValue].self))
    }
  }

  /// A date, a set or data, if it is written as one.
  private var special: (name: String, value: JSONValue)? {
    guard case .object(let members) = self, members.count == 1, let member = members.first,
      member.key.hasPrefix("$")
    else { return nil }
    return (member.key, member.value)
  }

  /// Objects become dictionaries: they support key paths, and are equal if their members are.
  var expressionValue: ExpressionValue {
    switch (self, special) {
    case (_, ("$date", .integer(let seconds))?): .date(Date(timeIntervalSinceReferenceDate: Double(seconds)))
    case (_, ("$date", .double(let seconds))?): .date(Date(timeIntervalSinceReferenceDate: seconds))
    case (_, ("$data", .string(let text))?): .data(Data(base64Encoded: text) ?? Data())
    case (_, ("$set", .array(let elements))?): .set(DistinctValues(elements.map(\.expressionValue)))
    case (.null, _): .null
    case (.bool(let value), _): .bool(value)
    case (.integer(let value), _): .integer(value)
    case (.double(let value), _): .double(value)
    case (.string(let value), _): .string(value)
    case (.array(let elements), _): .array(elements.map(\.expressionValue))
    case (.object(let members), _): .dictionary(members.mapValues(\.expressionValue))
    }
  }

  var formatArgument: FormatArgument {
    switch self {
    case .array(let elements) where special == nil: .array(elements.map(\.formatArgument))
    default:
      switch expressionValue {
      case .set(let values): .set(Set(values.elements.map { .value(Value($0) ?? .null) }))
      default: .value(Value(expressionValue) ?? .null)
      }
    }
  }
}
