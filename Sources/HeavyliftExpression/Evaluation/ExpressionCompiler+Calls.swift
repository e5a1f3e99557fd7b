extension ExpressionCompiler {
  mutating func compileCall(
    _ receiver: MappingExpression, _ selector: String, _ arguments: [MappingExpression], at range: SourceRange
  ) throws -> CompiledPart {
    let count = FunctionRegistry.argumentCount(of: selector)
    if count != arguments.count {
      throw ExpressionEvaluationError(
        .wrongArgumentCount(selector, expected: count, found: arguments.count), at: range)
    }
    if let path = constantPath(selector, arguments) {
      return try compileKeyPath(receiver, path.keys, at: range)
    }
    let compiledReceiver = try compile(receiver)
    let compiledArguments = try arguments.map { try compile($0) }
    let (functions, coding) = (environment.functions, coding)
    let constants = compiledArguments.compactMap { $0.constant?.value }
    let areConstant = constants.count == arguments.count
    let candidates = functions.candidates(selector).map { areConstant ? $0.prepared(for: constants) : $0 }
    if areConstant, let target = compiledReceiver.constant?.value, candidates.allSatisfy(\.isBuiltIn),
      let result = try? functions.call(selector, on: target, constants)
    {
      return constant(result)
    }
    let (receiver, arguments) = (compiledReceiver.code, compiledArguments.map(\.code))
    return CompiledPart({ context in
      let target = try receiver(&context)
      // As in Objective-C, a message to nil returns nil.
      if target.isNull { return .null }
      var values: [ExpressionValue] = []
      values.reserveCapacity(arguments.count)
      for argument in arguments { values.append(try argument(&context)) }
      do {
        for candidate in candidates where candidate.accepts(target) { return try candidate.call(target, values) }
        if let value = try askForKey(target, selector, values, coding) { return value }
        if values.isEmpty, let value = try askForGetter(target, selector) { return value }
      } catch let error where error is EvaluationMistake || error is FailedKey || error is ExpressionEvaluationError {
        throw located(error, at: range)
      } catch {
        throw ExpressionEvaluationError(.failedFunction(selector, "\(error)"), at: range, underlying: error)
      }
      throw ExpressionEvaluationError(
        .unknownFunction(selector, kind: target.kind, known: functions.selectors(of: target)), at: range)
    })
  }

  /// Compiles a call to a function registered without a receiver.
  mutating func compileOther(
    _ name: String, _ arguments: [MappingExpression], at range: SourceRange
  ) throws -> CompiledPart {
    // `name(a)` is short for `name:(a)`.
    let selector = name.contains(":") || arguments.isEmpty ? name : name + ":"
    guard let function = environment.functions.global(selector) else {
      let known = environment.functions.globalNames + BuiltinFunction.allCases.map(\.rawValue)
      throw ExpressionEvaluationError(.unknownGlobalFunction(name, known: known.sorted()), at: range)
    }
    let count = FunctionRegistry.argumentCount(of: selector)
    if count != arguments.count {
      throw ExpressionEvaluationError(
        .wrongArgumentCount(selector, expected: count, found: arguments.count), at: range)
    }
    let arguments = try arguments.map { try compile($0).code }
    return CompiledPart({ context in
      var values: [ExpressionValue] = []
      for argument in arguments { values.append(try argument(&context)) }
      do {
        return try function.call(.null, values)
      } catch let error where error is EvaluationMistake || error is ExpressionEvaluationError {
        throw located(error, at: range)
      } catch {
        throw ExpressionEvaluationError(.failedFunction(selector, "\(error)"), at: range, underlying: error)
      }
    })
  }

  /// Returns the literal path of `valueForKey:` or `valueForKeyPath:`, as in inferred mapping models.
  private func constantPath(_ selector: String, _ arguments: [MappingExpression]) -> ExpressionKeyPath? {
    guard let argument = arguments.first, case .constant(.value(.string(let text))) = argument.kind else { return nil }
    return switch selector {
    case "valueForKey:": key(text)
    case "valueForKeyPath:": ExpressionKeyPath(parsing: text)
    default: nil
    }
  }
}

/// Returns the result of `valueForKey:` or `valueForKeyPath:`, which every receiver supports; nil for other selectors.
private func askForKey(
  _ target: ExpressionValue, _ selector: String, _ arguments: [ExpressionValue], _ coding: KeyValueCoding
) throws -> ExpressionValue? {
  guard selector == "valueForKey:" || selector == "valueForKeyPath:" else { return nil }
  guard case .string(let text)? = arguments.first else {
    throw EvaluationMistake.wrongArgument(
      1, of: selector, expected: "a string", found: arguments.first?.kind ?? "nothing")
  }
  guard let path = selector == "valueForKey:" ? key(text) : ExpressionKeyPath(parsing: text) else {
    throw EvaluationMistake.wrongArgument(1, of: selector, expected: "a key path", found: "an arbitrary string")
  }
  return try coding.value(of: target, at: path.keys[...])
}

/// Returns the value of a key for a call to its getter, as in `FUNCTION($source, "name")`; nil if there is no such key.
private func askForGetter(_ target: ExpressionValue, _ selector: String) throws -> ExpressionValue? {
  guard case .object(let object) = target else { return nil }
  do {
    return try KeyValueCoding.value(of: object, forKey: selector)
  } catch EvaluationMistake.unknownKey(selector, _, _) {
    return nil
  }
}

/// Returns a path with a single key, which may contain dots; `@count` is the only operator that needs no key after it.
private func key(_ text: String) -> ExpressionKeyPath? {
  if text.isEmpty { return nil }
  return ExpressionKeyPath([text == "@count" ? .collection(.count) : .name(text)])
}
