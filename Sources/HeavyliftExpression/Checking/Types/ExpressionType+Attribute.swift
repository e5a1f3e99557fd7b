import Foundation
import HeavyliftModel

extension ExpressionType {
  /// Creates the type of a variable's value.
  package init(of value: ExpressionValue) { self.init(Kind(value), isNullable: value.isNull) }
}

extension ExpressionType.Kind {
  /// Creates the type of an attribute's values.
  init(_ attribute: AttributeDescription, of side: ExpressionType.ModelSide) {
    self =
      switch attribute.type {
      case .undefined: .any
      case .integer16, .integer32, .integer64: .integer
      case .decimal: .decimal
      case .double, .float: .double
      case .string: .string
      case .boolean: .boolean
      case .date: .date
      case .binaryData: .data
      case .uuid: .uuid
      case .uri: .uri
      case .transformable: .transformable
      case .objectID: .objectID
      case .composite: attribute.compositeName.map { .composite($0, side) } ?? .dictionary
      }
  }

  /// Creates the type of a constant.
  init(_ value: ExpressionValue) {
    self =
      switch value {
      case .null: .null
      case .bool: .boolean
      case .integer: .integer
      case .double: .double
      case .decimal: .decimal
      case .string: .string
      case .date: .date
      case .uuid: .uuid
      case .uri: .uri
      case .data: .data
      case .array(let elements): .collection(.array, of: Self.join(elements))
      case .set(let values): .collection(.set, of: Self.join(values.elements))
      case .orderedSet(let values): .collection(.orderedSet, of: Self.join(values.elements))
      case .dictionary: .dictionary
      case .object: .any
      }
  }

  private static func join(_ elements: [ExpressionValue]) -> ExpressionType.Kind {
    elements.reduce(.null) { $0.joined(with: ExpressionType.Kind($1)) { _, _ in nil } }
  }

  /// A sample value of the kind, to test if a function accepts the kind; nil if no such value can be created.
  var sample: ExpressionValue? {
    switch self {
    case .boolean: .bool(false)
    case .integer, .number: .integer(0)
    case .double: .double(0)
    case .decimal: .decimal(0)
    case .string: .string("")
    case .date: .date(Date(timeIntervalSinceReferenceDate: 0))
    case .uuid: .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)))
    case .uri: .uri("a:b")
    case .data: .data(Data())
    case .dictionary, .composite: .dictionary([:])
    case .collection(let kind, let element):
      switch kind {
      case .array: .array(element.sample.map { [$0] } ?? [])
      case .set: .set(DistinctValues(element.sample.map { [$0] } ?? []))
      case .orderedSet: .orderedSet(DistinctValues(element.sample.map { [$0] } ?? []))
      }
    default: nil
    }
  }
}
