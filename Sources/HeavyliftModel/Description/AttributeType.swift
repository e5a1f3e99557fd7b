/// The type of an attribute's values. The raw values are Core Data's, because version hashes include them.
public enum AttributeType: Int32, Hashable, Sendable, CaseIterable {
  /// No type; valid for a transient attribute only.
  case undefined = 0
  /// Whole numbers of 16 bits.
  case integer16 = 100
  /// Whole numbers of 32 bits.
  case integer32 = 200
  /// Whole numbers of 64 bits.
  case integer64 = 300
  /// Decimal numbers of up to 38 digits, as `Decimal` has them.
  case decimal = 400
  /// Floating-point numbers of double precision.
  case double = 500
  /// Floating-point numbers of single precision.
  case float = 600
  /// Text.
  case string = 700
  /// True or false, stored as 1 or 0.
  case boolean = 800
  /// Points in time, stored as seconds since 2001-01-01 UTC.
  case date = 900
  /// Bytes.
  case binaryData = 1000
  /// UUIDs, stored as 16 bytes.
  case uuid = 1100
  /// URIs, stored as their text.
  case uri = 1200
  /// Objects of any class, stored as the bytes that a value transformer makes of them.
  case transformable = 1800
  /// Identifiers of objects; no store keeps them.
  case objectID = 2000
  /// Groups of values, with a column for each element.
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
