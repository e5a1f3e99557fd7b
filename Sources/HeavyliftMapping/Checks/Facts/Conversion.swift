import HeavyliftModel

/// A conversion of values from one type to another by an expression.
struct Conversion {
  private let typeName: String

  /// Returns `nil` if no expression can convert the value.
  init?(from source: AttributeType, to destination: AttributeType) {
    switch (source, destination) {
    case (.string, .decimal): typeName = "NSDecimalNumber"
    case (.string, let type) where type.isNumber: typeName = "NSNumber"
    case (.date, let type) where type.isNumber && type != .boolean: typeName = "NSNumber"
    case (let type, .string) where type.isNumber: typeName = "NSString"
    case (.uuid, .string), (.uri, .string), (.date, .string): typeName = "NSString"
    case (let type, .date) where type.isNumber && type != .boolean: typeName = "NSDate"
    case (.string, .uuid): typeName = "NSUUID"
    case (.string, .uri): typeName = "NSURL"
    default: return nil
    }
  }

  func expression(_ value: String) -> String { "CAST(\(value), \"\(typeName)\")" }
}
