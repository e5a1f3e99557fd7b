import Heavylift

/// Short forms for the models of tests.
enum Models {
  static func attribute(
    _ name: String, _ type: AttributeType, isOptional: Bool = true, default value: Value = .null
  ) -> AttributeDescription {
    AttributeDescription(name: name, type: type, isOptional: isOptional, defaultValue: value)
  }

  static func toOne(
    _ name: String, _ destination: String, _ inverse: String? = nil, isOptional: Bool = true
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination }, isOptional: isOptional, maxCount: 1)
  }

  static func toMany(
    _ name: String, _ destination: String, _ inverse: String? = nil, isOptional: Bool = true, isOrdered: Bool = false,
    minCount: Int = 0, maxCount: Int = 0
  ) -> RelationshipDescription {
    RelationshipDescription(
      name: name, destinationEntityName: destination, inverseName: inverse,
      inverseEntityName: inverse.map { _ in destination }, isOptional: isOptional, isOrdered: isOrdered,
      minCount: minCount, maxCount: maxCount)
  }
}
