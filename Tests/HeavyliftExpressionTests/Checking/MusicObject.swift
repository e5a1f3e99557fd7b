import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport

/// An object of the music model with random values.
final class MusicObject: ExpressionObject {
  let entity: String
  private(set) var values: [String: ExpressionValue] = [:]

  private init(_ entity: String) { self.entity = entity }

  func value(forKey key: String) throws -> ExpressionValue {
    if let value = values[key] { return value }
    throw EvaluationMistake.unknownKey(key, kind: "entity '\(entity)'", known: values.keys.sorted())
  }

  /// Creates an object and those that it refers to, up to the remaining number of steps.
  static func random(
    _ entity: String, steps: Int, isFull: Bool = false, using generator: inout SeededGenerator
  ) -> MusicObject {
    let object = MusicObject(entity)
    guard let description = MusicModels.version1.entity(named: entity) else { return object }
    for attribute in description.attributes {
      let isNil = !isFull && attribute.isOptional && Int.random(in: 0..<3, using: &generator) == 0
      object.values[attribute.name] = isNil ? .null : value(of: attribute.type, using: &generator)
    }
    for relationship in description.relationships {
      let destination = relationship.destinationEntityName ?? ""
      func other() -> ExpressionValue {
        .object(random(destination, steps: steps - 1, isFull: isFull, using: &generator))
      }
      if relationship.isToMany {
        let count = steps == 0 ? 0 : isFull ? 2 : Int.random(in: 0..<3, using: &generator)
        let elements = DistinctValues((0..<count).map { _ in other() })
        object.values[relationship.name] = relationship.isOrdered ? .orderedSet(elements) : .set(elements)
      } else {
        let isNil = steps == 0 || (!isFull && Bool.random(using: &generator))
        object.values[relationship.name] = isNil ? .null : other()
      }
    }
    return object
  }

  private static func value(of type: AttributeType, using generator: inout SeededGenerator) -> ExpressionValue {
    switch type {
    case .integer16, .integer32, .integer64: .integer([0, 1, -1, 7, 60, .max].randomElement(using: &generator) ?? 0)
    case .decimal: .decimal([0, 1, -3, 12].randomElement(using: &generator) ?? 0)
    case .double, .float: .double([0, 0.5, -2, .infinity, .nan].randomElement(using: &generator) ?? 0)
    case .string: .string(["", "a", "Ä", "12", "x*"].randomElement(using: &generator) ?? "")
    case .boolean: .bool(Bool.random(using: &generator))
    case .date: .date(Date(timeIntervalSinceReferenceDate: Double(Int.random(in: -5...5, using: &generator))))
    case .binaryData, .transformable: .data(Data([1]))
    case .uuid: .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))
    case .uri: .uri("a:b/c")
    case .composite: .dictionary(["x": .double(1), "y": .null])
    case .undefined, .objectID: .null
    }
  }
}
