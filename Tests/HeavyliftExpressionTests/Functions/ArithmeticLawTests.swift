import Foundation
import HeavyliftExpression
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@Suite struct ArithmeticLawTests {
  private func call(
    _ function: BuiltinFunction, _ left: ExpressionValue, _ right: ExpressionValue
  ) -> Result<ExpressionValue, EvaluationMistake> {
    let environment = EvaluationEnvironment(variables: ["l", "r"])
    var context = EvaluationContext(environment)
    context["l"] = left
    context["r"] = right
    let expression = MappingExpression(
      .function(function, [MappingExpression(.variable("l")), MappingExpression(.variable("r"))]))
    do {
      return .success(try CompiledExpression(expression, in: environment).evaluate(in: &context))
    } catch let error as ExpressionEvaluationError {
      return .failure(error.mistake)
    } catch {
      preconditionFailure("\(error)")
    }
  }

  /// Slow and obvious: 128-bit integers that cannot overflow.
  private func reference(_ function: BuiltinFunction, _ left: Int64, _ right: Int64) -> ExpressionValue? {
    let (left, right) = (Int128(left), Int128(right))
    if right == 0 && (function == .divide || function == .modulus) { return nil }
    let exact: Int128 =
      switch function {
      case .add: left + right
      case .subtract: left - right
      case .multiply: left * right
      case .divide: left / right
      default: left % right
      }
    return Int64(exactly: exact).map(ExpressionValue.integer)
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `whole numbers are calculated exactly or not at all`(seed: UInt64) {
    var values = ValueGenerator(generator: SeededGenerator(seed: seed))
    for _ in 0..<300 {
      func integer() -> Int64 {
        Bool.random(using: &values.generator)
          ? ValueGenerator.integers.randomElement(using: &values.generator) ?? 0
          : Int64.random(in: -100...100, using: &values.generator)
      }
      let (left, right) = (integer(), integer())
      for function in [BuiltinFunction.add, .subtract, .multiply, .divide, .modulus] {
        let found = try? call(function, .integer(left), .integer(right)).get()
        let expected = reference(function, left, right)
        #expect(found == expected && found?.kind == expected?.kind, "seed \(seed): \(function) \(left) \(right)")
      }
    }
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `a double makes it double, and otherwise a decimal makes it decimal`(seed: UInt64) {
    var values = ValueGenerator(generator: SeededGenerator(seed: seed))
    for _ in 0..<300 {
      let (left, right) = (values.number(), values.number())
      for function in [BuiltinFunction.add, .subtract, .multiply, .divide] {
        guard case .success(let found) = call(function, left, right) else { continue }
        let kinds = [left.kind, right.kind]
        let expected =
          kinds.contains("a floating-point number")
          ? "a floating-point number" : kinds.contains("a decimal") ? "a decimal" : "an integer"
        #expect(found.kind == expected, "seed \(seed): \(function) \(left) \(right)")
        if case .double(let result) = found, case .double(let l) = left, case .double(let r) = right {
          let plain =
            switch function {
            case .add: l + r
            case .subtract: l - r
            case .multiply: l * r
            default: l / r
            }
          #expect(result.bitPattern == plain.bitPattern || result.isNaN && plain.isNaN, "seed \(seed)")
        }
        if function == .add || function == .multiply {
          #expect(call(function, right, left) == .success(found), "seed \(seed): \(function) \(left) \(right)")
        }
      }
    }
  }

  @Test(arguments: Seeds.some(of: 1..<21))
  func `every function returns a value or throws one mistake`(seed: UInt64) throws {
    var values = ValueGenerator(generator: SeededGenerator(seed: seed))
    for function in BuiltinFunction.allCases {
      for _ in 0..<30 {
        let arguments = (0..<function.argumentCount).map { _ -> MappingExpression in
          switch Int.random(in: 0..<5, using: &values.generator) {
          case 0: MappingExpression(.constant(.value(.null)))
          case 1: MappingExpression(.constant(.value(.string(values.longText()))))
          case 2:
            MappingExpression(
              .aggregate((0..<3).map { _ in MappingExpression(.constant(.value(Value(values.number()) ?? .null))) }))
          default: MappingExpression(.constant(.value(Value(values.number()) ?? .null)))
          }
        }
        var context = EvaluationContext()
        do {
          _ = try CompiledExpression(MappingExpression(.function(function, arguments))).evaluate(in: &context)
        } catch is ExpressionEvaluationError {}
      }
    }
  }
}
