import Foundation
import HeavyliftModel

/// Values of attributes as Swift expressions.
enum SwiftValue {
  /// The name of the Swift type of an attribute; `nil` if there is none.
  static func typeName(of type: AttributeType) -> String? {
    switch type {
    case .boolean: "Bool"
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int"
    case .float: "Float"
    case .double: "Double"
    case .decimal: "Decimal"
    case .string: "String"
    case .date: "Date"
    case .binaryData, .transformable: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    case .undefined, .objectID, .composite: nil
    }
  }

  /// Returns the value that a Swift expression of the attribute's type has; `nil` if no expression has it.
  static func expressible(_ value: Value, as type: AttributeType) -> Value? {
    switch (type, value) {
    case (_, .null): .null
    case (.boolean, .bool), (.string, .string), (.uuid, .uuid), (.binaryData, .data): value
    case (.integer16, .integer(let number)), (.integer32, .integer(let number)), (.integer64, .integer(let number)):
      type.integerRange?.contains(number) == true ? value : nil
    case (.double, .double(let number)): number.isFinite ? value : nil
    // A literal of type Float is rounded.
    case (.float, .double(let number)): Float(number).isFinite ? .double(Double(Float(number))) : nil
    case (.decimal, .decimal(let number)): number.isNaN ? nil : value
    case (.date, .date(let date)): date.timeIntervalSinceReferenceDate.isFinite ? value : nil
    // Foundation may write a URL otherwise.
    case (.uri, .uri(let text)): URL(string: text)?.absoluteString == text ? value : nil
    default: nil
    }
  }

  /// The expression; `nil` for null.
  ///
  /// - Parameter qualified: Returns a type's name with its module if an entity has the same name.
  static func expression(_ value: Value, as type: AttributeType, _ qualified: (String) -> String) -> String? {
    switch value {
    case .null, .composite: nil
    case .bool(let flag): flag ? "true" : "false"
    case .integer(let number): String(number)
    case .double(let number): type == .float ? "\(Float(number))" : "\(number)"
    case .decimal(let number): "\(qualified("Decimal"))(string: \(SwiftWords.literal("\(number)"))) ?? 0"
    case .string(let text): SwiftWords.literal(text)
    case .date(let date):
      "\(qualified("Date"))(timeIntervalSinceReferenceDate: \(date.timeIntervalSinceReferenceDate))"
    case .uuid(let uuid):
      "\(qualified("UUID"))(uuid: (\(bytes(of: uuid).map(String.init).joined(separator: ", "))))"
    case .uri(let text):
      "\(qualified("URL"))(string: \(SwiftWords.literal(text))) ?? \(qualified("URL"))(filePath: \"/\")"
    case .data(let data): "\(qualified("Data"))([\(data.map { String($0) }.joined(separator: ", "))])"
    }
  }

  private static func bytes(of uuid: UUID) -> [UInt8] { withUnsafeBytes(of: uuid.uuid) { Array($0) } }
}
