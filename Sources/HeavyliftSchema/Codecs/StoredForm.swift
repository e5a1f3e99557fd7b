import HeavyliftModel

/// The form in which an attribute stores the values of a Swift type.
struct StoredForm<Value>: Sendable {
  var layout: StoredLayout
  var codec: ValueCodec<Value>
}

/// The facts about an attribute that follow from its Swift type.
struct StoredLayout: Hashable, Sendable {
  var type: AttributeType
  var isOptional = false
  /// The composite type; nil if the attribute is not a composite.
  var composite: CompositeDescription?
  /// The composite types within the composite type.
  var nested: [CompositeDescription] = []
  var valueTransformerName: String?
  var userInfo: [String: String] = [:]
  /// True for a value in an archive, which has no default in a model.
  var isBoxed = false
  /// True for a composite all of whose elements may be nil at once.
  var mayBeEmpty = false

  /// Returns an attribute of that name.
  func attribute(named name: String) -> AttributeDescription {
    AttributeDescription(
      name: name, type: type, isOptional: isOptional, valueTransformerName: valueTransformerName,
      compositeName: composite?.name, userInfo: userInfo)
  }
}

/// The reason why a Swift type cannot be an attribute's type.
enum TypeProblem: Error, Hashable, Sendable {
  case notCodable
  /// An integer type that no attribute holds.
  case integer(instead: String)
  case nestedOptional
  case entity
  /// An enumeration whose cases are unknown, because it does not conform to `CaseIterable`.
  case unknownCases(String)
  case associatedValues(String)
  /// A structure whose elements cannot be found.
  case opaque(String, reason: String)
  /// A type without a layout in SwiftData's stores.
  case noLayout
  /// A class, whose objects can change without being set.
  case reference
  /// A required attribute of a type without a value to read if a row has none.
  case noPlaceholder
  case transformable
}
