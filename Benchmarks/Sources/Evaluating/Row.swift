import HeavyliftExpression
import HeavyliftModel

/// An object that stores its values by slot, as the objects of a store do.
final class Row: ExpressionObject {
  /// The slots of a row's values; a store derives its shapes from entities.
  struct Shape: ExpressionObjectShape {
    static var owner: ObjectIdentifier { ObjectIdentifier(Row.self) }

    func slot(forKey key: String) -> ExpressionSlot? {
      ["a", "b", "name"].firstIndex(of: key).map { ExpressionSlot(owner: Shape.owner, number: $0) }
    }

    func shape(forKey key: String) -> (any ExpressionObjectShape)? { nil }
  }

  struct UnknownKey: Error { let key: String }

  let attributes: [Value]

  init(_ number: Int64) {
    attributes = [.integer(number), .integer(number * 7 % 1000), .string("Café Número \(number)")]
  }

  init(plain number: Int64) {
    attributes = [.integer(number), .integer(number * 7 % 1000), .string("Cafe Numero \(number)")]
  }

  func value(forKey key: String) throws -> ExpressionValue {
    guard let slot = Shape().slot(forKey: key) else {
      throw UnknownKey(key: key)
    }
    return ExpressionValue(attributes[slot.number])
  }

  func value(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionValue {
    guard slot.owner == Shape.owner else { return try value(forKey: key) }
    return ExpressionValue(attributes[slot.number])
  }

  func scalar(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionScalar {
    guard slot.owner == Shape.owner else { return ExpressionScalar(try value(forKey: key)) }
    return ExpressionScalar(attributes[slot.number])
  }
}
