/// A key of the object in a variable's slot.
struct SlotOperand: Operand {
  /// A class, because a closure captures one reference faster than several fields.
  private final class Key: Sendable {
    let name: String
    let slot: ExpressionSlot
    let coding: KeyValueCoding
    let range: SourceRange

    init(_ name: String, _ slot: ExpressionSlot, _ coding: KeyValueCoding, at range: SourceRange) {
      self.name = name
      self.slot = slot
      self.coding = coding
      self.range = range
    }
  }

  private let variable: Int
  private let key: Key

  init(variable: Int, name: String, slot: ExpressionSlot, coding: KeyValueCoding, range: SourceRange) {
    self.variable = variable
    key = Key(name, slot, coding, at: range)
  }

  @inline(__always)
  func value(in context: inout EvaluationContext) throws -> ExpressionValue {
    guard context.isSubjectObject, context.subjectSlot == variable else { return try otherValue(in: &context) }
    do { return try context.subject.value(forKey: key.name, at: key.slot) } catch { throw failed(error) }
  }

  /// Does not test if the subject is an object: without an object, the subject is a placeholder that returns `other`.
  @inline(__always)
  func scalar(in context: inout EvaluationContext) throws -> ExpressionScalar {
    guard context.subjectSlot == variable else { return try otherScalar(in: &context) }
    do { return try context.subject.scalar(forKey: key.name, at: key.slot) } catch { throw failed(error) }
  }

  @inline(never)
  private func otherValue(in context: inout EvaluationContext) throws -> ExpressionValue {
    let value = context[variable]
    guard case .object(let object) = value else {
      do { return try key.coding.value(of: value, forKey: key.name) } catch { throw located(error, at: key.range) }
    }
    do { return try object.value(forKey: key.name, at: key.slot) } catch { throw failed(error) }
  }

  @inline(never)
  private func otherScalar(in context: inout EvaluationContext) throws -> ExpressionScalar {
    guard case .object(let object) = context[variable] else { return .other }
    do { return try object.scalar(forKey: key.name, at: key.slot) } catch { throw failed(error) }
  }

  @inline(never)
  private func failed(_ error: any Error) -> any Error { failedKey(error, key.name, at: key.range) }
}

/// Adds the position in the text to an object's error about a key.
@inline(never)
func failedKey(_ error: any Error, _ key: String, at range: SourceRange) -> any Error {
  error is EvaluationMistake || error is ExpressionEvaluationError
    ? located(error, at: range) : located(FailedKey(key: key, underlying: error), at: range)
}
