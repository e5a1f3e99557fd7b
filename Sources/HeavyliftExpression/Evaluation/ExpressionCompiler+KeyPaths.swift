extension ExpressionCompiler {
  mutating func compileKeyPath(
    _ base: MappingExpression, _ keys: [ExpressionKeyPath.Key], at range: SourceRange
  ) throws -> CompiledPart {
    try located(at: range) { try check(keys) }
    var compiled = try compile(base)
    var rest = keys[...]
    // Keys of objects with a known shape get one closure each; the rest are looked up by name.
    while case .name(let name)? = rest.first, let shape = compiled.shape, let slot = shape.slot(forKey: name) {
      compiled = compileSlot(compiled, name, slot, shape.shape(forKey: name), at: range)
      rest = rest.dropFirst()
    }
    if rest.isEmpty { return compiled }
    let (code, coding, remaining) = (compiled.code, coding, Array(rest))
    if remaining.count == 1, case .name(let name) = remaining[0] {
      return CompiledPart({ context in
        let value = try code(&context)
        do { return try coding.value(of: value, forKey: name) } catch { throw located(error, at: range) }
      })
    }
    return CompiledPart({ context in
      let value = try code(&context)
      do { return try coding.value(of: value, at: remaining[...]) } catch { throw located(error, at: range) }
    })
  }

  private func compileSlot(
    _ base: CompiledPart, _ name: String, _ slot: ExpressionSlot, _ shape: (any ExpressionObjectShape)?,
    at range: SourceRange
  ) -> CompiledPart {
    // The base is nearly always a variable, which needs no closure of its own.
    if let variable = base.variable {
      let operand = SlotOperand(variable: variable, name: name, slot: slot, coding: coding, range: range)
      return CompiledPart(
        { try operand.value(in: &$0) }, scalar: { try operand.scalar(in: &$0) }, shape: shape, slot: operand)
    }
    let (baseCode, coding) = (base.code, coding)
    return CompiledPart(
      { context in
        let value = try baseCode(&context)
        guard case .object(let object) = value else {
          do { return try coding.value(of: value, forKey: name) } catch { throw located(error, at: range) }
        }
        do { return try object.value(forKey: name, at: slot) } catch { throw failedKey(error, name, at: range) }
      },
      scalar: { context in
        guard case .object(let object) = try baseCode(&context) else { return .other }
        do { return try object.scalar(forKey: name, at: slot) } catch { throw failedKey(error, name, at: range) }
      }, shape: shape)
  }

  private func check(_ keys: [ExpressionKeyPath.Key]) throws(EvaluationMistake) {
    for (place, key) in keys.enumerated() {
      guard case .collection(let collectionOperator) = key else { continue }
      let isLast = place == keys.count - 1
      if collectionOperator.takesNoKey && !isLast { throw .misplacedKey(behind: collectionOperator.rawValue) }
      if !collectionOperator.takesNoKey && isLast { throw .missingKey(behind: collectionOperator.rawValue) }
    }
  }
}
