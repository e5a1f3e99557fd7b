import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

/// Generates trees of parts with a fast path, and a few without, on keys with any values.
private struct ScalarTreeGenerator {
  var values: ValueGenerator

  mutating func value() -> ExpressionValue {
    switch Int.random(in: 0..<10, using: &values.generator) {
    case 0...1: .null
    case 2: .string(values.text())
    case 3: .date(Date(timeIntervalSinceReferenceDate: 5))
    default: values.number()
    }
  }

  mutating func expression(_ depth: Int) -> MappingExpression {
    switch depth == 0 ? 0 : Int.random(in: 0..<8, using: &values.generator) {
    case 0: return leaf()
    case 1:
      return MappingExpression(
        .ternary(predicate(depth - 1), then: expression(depth - 1), otherwise: expression(depth - 1)))
    case 2: return MappingExpression(.function(.absolute, [expression(depth - 1)]))
    default:
      let functions: [BuiltinFunction] = [.add, .subtract, .multiply, .divide, .modulus]
      return MappingExpression(
        .function(
          functions.randomElement(using: &values.generator) ?? .add, [expression(depth - 1), expression(depth - 1)]))
    }
  }

  private mutating func predicate(_ depth: Int) -> MappingPredicate {
    switch depth == 0 ? 0 : Int.random(in: 0..<6, using: &values.generator) {
    case 1: return MappingPredicate(.not(predicate(depth - 1)))
    case 2: return MappingPredicate(.and([predicate(depth - 1), predicate(depth - 1)]))
    case 3: return MappingPredicate(.or([predicate(depth - 1), predicate(depth - 1)]))
    case 4 where depth > 2: return MappingPredicate(.literal(.random(using: &values.generator)))
    default:
      let comparators: [PredicateOperator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .beginsWith,
      ]
      return MappingPredicate(
        .comparison(
          .init(
            expression(depth / 2), comparators.randomElement(using: &values.generator) ?? .equal,
            expression(depth / 2), options: values.options())))
    }
  }

  private mutating func leaf() -> MappingExpression {
    if Int.random(in: 0..<4, using: &values.generator) == 0 {
      return MappingExpression(.constant(.value(Value(value()) ?? .null)))
    }
    let base = MappingExpression([.object, .variable("other")].randomElement(using: &values.generator) ?? .object)
    let path = ["a", "b", "c", "a", "b", "c", "next.a", "broken"].randomElement(using: &values.generator) ?? "a"
    return MappingExpression(.keyPath(base: base, ExpressionKeyPath(parsing: path) ?? ExpressionKeyPath([])))
  }
}

@Suite struct ScalarLawTests {
  /// Returns the exact value, or the mistake with its place.
  private func outcome(
    _ expression: MappingExpression, _ one: ExpressionValue, _ other: ExpressionValue,
    shapes: (object: Bool, other: Bool)
  ) -> String {
    var environment = EvaluationEnvironment(shape: shapes.object ? ShapedObject.Shape() : nil)
    environment.declare("other", shape: shapes.other ? ShapedObject.Shape() : nil)
    var context = EvaluationContext(environment, object: one)
    context["other"] = other
    do {
      let value = try CompiledExpression(expression, in: environment).evaluate(in: &context)
      switch value {
      case .double(let number): return number.isNaN ? "nan" : "double \(number.bitPattern)"
      case .date(let date): return "date \(date.timeIntervalSinceReferenceDate)"
      default: return "\(value)"
      }
    } catch let error as ExpressionEvaluationError {
      return "\(error.range) \(error)"
    } catch {
      return "\(error)"
    }
  }

  @Test(arguments: Seeds.some(of: 1..<13))
  func `keys of a known and an unknown shape give the same values`(seed: UInt64) throws {
    var trees = ScalarTreeGenerator(values: ValueGenerator(generator: SeededGenerator(seed: seed)))
    func object(next: ExpressionValue) -> ExpressionValue {
      .object(ShapedObject(["a": trees.value(), "b": trees.value(), "c": trees.value(), "next": next]))
    }
    for _ in 0..<150 {
      // Parsed from its own text, so that every part has a place.
      let tree = trees.expression(Int.random(in: 1...4, using: &trees.values.generator))
      let expression = try MappingExpression(parsing: "\(tree)")
      for _ in 0..<4 {
        let one = object(next: Bool.random(using: &trees.values.generator) ? object(next: nil) : nil)
        let other = Int.random(in: 0..<8, using: &trees.values.generator) == 0 ? trees.value() : object(next: nil)
        let plain = outcome(expression, one, other, shapes: (false, false))
        for shapes in [(true, false), (false, true), (true, true)] {
          #expect(
            outcome(expression, one, other, shapes: shapes) == plain, "seed \(seed): \(expression) \(shapes)")
        }
      }
    }
  }

  @Test func `the time grows with the tree and not with its depth`() throws {
    let object = ShapedObject(["a": .decimal(1), "b": 1])
    let environment = EvaluationEnvironment(shape: ShapedObject.Shape())
    var context = EvaluationContext(environment, object: .object(object))
    let (a, b, zero) = (
      try MappingExpression(parsing: "a"), try MappingExpression(parsing: "b"), try MappingExpression(parsing: "0")
    )
    func sum(_ left: MappingExpression, _ right: MappingExpression) -> MappingExpression {
      MappingExpression(.function(.add, [left, right]))
    }
    // On each level the fast path gives up, in the test as well as in the sum; retrying it on the level below would
    // take 2⁶⁰ attempts.
    var expression = a
    for _ in 0..<60 {
      let test = MappingPredicate(.comparison(.init(sum(b, expression), .greater, zero)))
      expression = sum(MappingExpression(.ternary(test, then: a, otherwise: zero)), b)
    }
    #expect(
      isSame(try CompiledExpression(expression, in: environment).evaluate(in: &context), .decimal(2)))
    #expect(object.valuesAsked + object.scalarsAsked < 10_000)
    for _ in 0..<60 { expression = sum(expression, b) }
    #expect(
      isSame(try CompiledExpression(expression, in: environment).evaluate(in: &context), .decimal(62)))
    #expect(object.valuesAsked + object.scalarsAsked < 20_000)
  }
}
