import HeavyliftExpression

/// An object with values of any kind under the keys of its shape, which counts accesses.
final class ShapedObject: ExpressionObject {
  struct Unreadable: Error, CustomStringConvertible { var description: String { "the row is gone" } }

  struct Shape: ExpressionObjectShape {
    static var owner: ObjectIdentifier { ObjectIdentifier(ShapedObject.self) }

    func slot(forKey key: String) -> ExpressionSlot? {
      ShapedObject.keys.firstIndex(of: key).map { ExpressionSlot(owner: Shape.owner, number: $0) }
    }

    func shape(forKey key: String) -> (any ExpressionObjectShape)? { key == "next" ? Shape() : nil }
  }

  static let keys = ["a", "b", "c", "next", "broken"]

  var values: [String: ExpressionValue]
  private(set) var valuesAsked = 0
  private(set) var scalarsAsked = 0

  init(_ values: [String: ExpressionValue]) { self.values = values }

  func value(forKey key: String) throws -> ExpressionValue {
    valuesAsked += 1
    return try read(key)
  }

  func value(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionValue {
    valuesAsked += 1
    return try read(ShapedObject.keys[slot.number])
  }

  func scalar(forKey key: String, at slot: ExpressionSlot) throws -> ExpressionScalar {
    scalarsAsked += 1
    return ExpressionScalar(try read(ShapedObject.keys[slot.number]))
  }

  private func read(_ key: String) throws -> ExpressionValue {
    if key == "broken" { throw Unreadable() }
    guard let value = values[key] else {
      throw EvaluationMistake.unknownKey(key, kind: "an object", known: values.keys.sorted())
    }
    return value
  }
}
