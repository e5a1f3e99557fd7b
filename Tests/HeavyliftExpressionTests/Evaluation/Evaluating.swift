import HeavyliftExpression

/// Evaluates a text, with `SELF` and variables.
func evaluate(
  _ text: String, on object: ExpressionValue = .null, _ variables: [String: ExpressionValue] = [:],
  functions: FunctionRegistry = .builtIn
) throws -> ExpressionValue {
  let environment = EvaluationEnvironment(variables: variables.keys.sorted(), functions: functions)
  var context = EvaluationContext(environment, object: object)
  for (name, value) in variables { context[name] = value }
  return try CompiledExpression(MappingExpression(parsing: text), in: environment).evaluate(in: &context)
}

/// Returns true if the predicate of a text holds.
func holds(
  _ text: String, on object: ExpressionValue = .null, _ variables: [String: ExpressionValue] = [:]
) throws -> Bool {
  let environment = EvaluationEnvironment(variables: variables.keys.sorted())
  var context = EvaluationContext(environment, object: object)
  for (name, value) in variables { context[name] = value }
  return try CompiledPredicate(MappingPredicate(parsing: text), in: environment).evaluate(in: &context)
}

/// Returns the evaluation mistake of a text: its range and the whole message.
func failure(
  of text: String, on object: ExpressionValue = .null, _ variables: [String: ExpressionValue] = [:],
  functions: FunctionRegistry = .builtIn
) -> String? {
  do {
    if (try? MappingPredicate(parsing: text)) != nil {
      _ = try holds(text, on: object, variables)
    } else {
      _ = try evaluate(text, on: object, variables, functions: functions)
    }
    return nil
  } catch let error as ExpressionEvaluationError {
    let scalars = Array(text.unicodeScalars)
    var part = String.UnicodeScalarView()
    part.append(contentsOf: scalars[error.range.lowerBound..<error.range.upperBound])
    return "\(String(part)) | \(error)"
  } catch {
    return "\(error)"
  }
}

/// Returns true if two values are the same, including their kinds: `==` ignores the kinds of numbers.
func isSame(_ left: ExpressionValue, _ right: ExpressionValue) -> Bool { left.kind == right.kind && left == right }
