import Foundation
import HeavyliftExpression
import HeavyliftTestSupport

/// One expectation of a public test suite.
struct EvaluationVector: Decodable {
  var id: Int
  var kind: String
  var format: String
  var args: [JSONValue]?
  var object: JSONValue?
  var rows: [JSONValue]?
  var bindings: [String: JSONValue]?
  var expect: JSONValue
  var tolerance: Double?
  var checked: String?

  /// Returns the vectors about values.
  static func all() throws -> [EvaluationVector] {
    let file = Corpus.vectors.appending(path: "predicate-vectors.json")
    return try JSONDecoder().decode([EvaluationVector].self, from: Data(contentsOf: file))
      .filter { ["predicate", "expression", "filter-count"].contains($0.kind) }
  }

  /// Returns the actual result in words; nil if it is the expected one.
  func disagreement() -> String? {
    let expectsError: Bool = if case .string("runtime error") = expect { true } else { false }
    do {
      let found = try outcome()
      if expectsError { return "gives \(found), and should fail" }
      return isExpected(found) ? nil : "gives \(found), not \(expected)"
    } catch let error as ExpressionEvaluationError {
      return expectsError ? nil : "fails: \(error)"
    } catch {
      return "fails: \(error)"
    }
  }

  private var expected: ExpressionValue {
    if kind == "filter-count", case .object(let members) = expect { return members["count"]?.expressionValue ?? .null }
    return expect.expressionValue
  }

  private func isExpected(_ found: ExpressionValue) -> Bool {
    if case .double(let value) = found {
      let wanted: Double? =
        switch expected {
        case .double(let wanted): wanted
        case .integer(let wanted): Double(wanted)
        default: nil
        }
      if let wanted { return abs(value - wanted) <= (tolerance ?? max(abs(wanted), 1) * 1e-15) }
    }
    return found == expected
  }

  private func outcome() throws -> ExpressionValue {
    let environment = EvaluationEnvironment(variables: (bindings ?? [:]).keys.sorted())
    var context = EvaluationContext(environment, object: object?.expressionValue ?? .null)
    for (name, value) in bindings ?? [:] { context[name] = value.expressionValue }
    let arguments = (args ?? []).map(\.formatArgument)
    if kind == "expression" {
      let expression = try MappingExpression(format: format, arguments: arguments)
      return try CompiledExpression(expression, in: environment).evaluate(in: &context)
    }
    let predicate = try MappingPredicate(format: format, arguments: arguments)
    let compiled = try CompiledPredicate(predicate, in: environment)
    guard kind == "filter-count" else { return .bool(try compiled.evaluate(in: &context)) }
    var count: Int64 = 0
    for row in rows ?? [] {
      context.object = row.expressionValue
      if try compiled.evaluate(in: &context) { count += 1 }
    }
    return .integer(count)
  }
}
