/// Where an operator gets a value from. Operators are compiled for each kind of operand, so that the frequent ones cost
/// no closure of their own.
protocol Operand: Sendable {
  func value(in context: inout EvaluationContext) throws -> ExpressionValue
}

/// Whatever has to be evaluated first.
struct CodeOperand: Operand {
  let code: ExpressionCode

  @inline(__always)
  func value(in context: inout EvaluationContext) throws -> ExpressionValue { try code(&context) }
}

extension ConstantValue: Operand {
  @inline(__always)
  func value(in context: inout EvaluationContext) throws -> ExpressionValue { value }
}

/// A key of the object that a variable holds, by its slot.
struct SlotOperand: Operand {
  let variable: Int
  let name: String
  let slot: ExpressionSlot
  let coding: KeyValueCoding
  let range: SourceRange

  @inline(__always)
  func value(in context: inout EvaluationContext) throws -> ExpressionValue {
    guard case .object(let object) = context.variables[variable] else {
      return try valueByName(of: context.variables[variable])
    }
    do { return try object.value(forKey: name, at: slot) } catch { throw failed(error) }
  }

  @inline(never)
  private func valueByName(of value: ExpressionValue) throws -> ExpressionValue {
    do { return try coding.value(of: value, forKey: name) } catch { throw located(error, at: range) }
  }

  @inline(never)
  private func failed(_ error: any Error) -> any Error { failedKey(error, name, at: range) }
}

/// The error of an object that was asked for a key, with its place.
@inline(never)
func failedKey(_ error: any Error, _ key: String, at range: SourceRange) -> any Error {
  error is EvaluationMistake || error is ExpressionEvaluationError
    ? located(error, at: range) : located(FailedKey(key: key, underlying: error), at: range)
}
