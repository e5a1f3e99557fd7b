/// The type of an attribute's values. The raw values are Core Data's, because version hashes include them.
public enum AttributeType: Int32, Hashable, Sendable, CaseIterable {
  case undefined = 0
  case integer16 = 100
  case integer32 = 200
  case integer64 = 300
  case decimal = 400
  case double = 500
  case float = 600
  case string = 700
  case boolean = 800
  case date = 900
  case binaryData = 1000
  case uuid = 1100
  case uri = 1200
  case transformable = 1800
  case objectID = 2000
  case composite = 2100

  /// The name that Xcode writes, as in `attributeType="Integer 16"`.
  public var modelName: String {
    switch self {
    case .undefined: "Undefined"
    case .integer16: "Integer 16"
    case .integer32: "Integer 32"
    case .integer64: "Integer 64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .string: "String"
    case .boolean: "Boolean"
    case .date: "Date"
    case .binaryData: "Binary"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "Transformable"
    case .objectID: "Object ID"
    case .composite: "Composite"
    }
  }

  /// Creates the type that Xcode writes as `modelName`.
  public init?(modelName: String) {
    guard let type = AttributeType.allCases.first(where: { $0.modelName == modelName }) else { return nil }
    self = type
  }

  /// A Boolean value that indicates whether a store holds values of this type as integers. True for Booleans, too.
  public var isIntegerClass: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: true
    default: false
    }
  }

  /// The range of the three integer types; nil for others.
  public var integerRange: ClosedRange<Int64>? {
    switch self {
    case .integer16: Int64(Int16.min)...Int64(Int16.max)
    case .integer32: Int64(Int32.min)...Int64(Int32.max)
    case .integer64: Int64.min...Int64.max
    default: nil
    }
  }
}
