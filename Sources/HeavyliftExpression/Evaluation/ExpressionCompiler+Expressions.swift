extension ExpressionCompiler {
  mutating func compile(_ expression: MappingExpression) throws -> CompiledPart {
    try descend(at: expression.range) { try $0.compileNode(expression) }
  }

  private mutating func compileNode(_ expression: MappingExpression) throws -> CompiledPart {
    let range = expression.nameRange
    switch expression.kind {
    case .constant(let value): return constant(ExpressionValue(value))
    case .object: return variable(EvaluationEnvironment.objectSlot, shape: environment.shape)
    case .variable(let name): return try variable(name, at: range)
    case .keyPath(let base, let path): return try compileKeyPath(base, path.keys, at: range)
    case .element(let collection, let index): return try compileElement(collection, index, at: range)
    case .aggregate(let elements): return try compileAggregate(elements)
    case .function(let function, let arguments): return try compileFunction(function, arguments, at: range)
    case .otherFunction(let name, let arguments): return try compileOther(name, arguments, at: range)
    case .call(let receiver, let selector, let arguments):
      return try compileCall(receiver, selector, arguments, at: range)
    case .cast(let operand, let typeName):
      return try located(at: range) {
        let cast = try Cast(typeName: typeName)
        return try compileUnary(operand, at: range) { try cast.call($0) }
      }
    case .ternary(let test, let then, let otherwise):
      return try compileTernary(test, then, otherwise)
    case .subquery(let collection, let variable, let test):
      return try compileSubquery(collection, variable, test, at: range)
    case .fetch(let request, let context, let countOnly):
      return try compileFetch(request, context, countOnly: countOnly, at: range)
    case .set(let setOperator, let left, let right):
      return try compileBinary(left, right, at: range) { try setOperator.call($0, $1) }
    case .assignment(let name, _): throw ExpressionEvaluationError(.assignment(name), at: range)
    case .anyKey: throw ExpressionEvaluationError(.anyKey, at: range)
    }
  }

  private mutating func compileTernary(
    _ test: MappingPredicate, _ then: MappingExpression, _ otherwise: MappingExpression
  ) throws -> CompiledPart {
    let test = try compile(test)
    let (then, otherwise) = (try compile(then), try compile(otherwise))
    let (testCode, thenCode, otherwiseCode) = (test.code, then.code, otherwise.code)
    let code: ExpressionCode = { try testCode(&$0) ? try thenCode(&$0) : try otherwiseCode(&$0) }
    guard let testScalar = test.scalar, let thenScalar = then.scalar, let otherwiseScalar = otherwise.scalar else {
      return CompiledPart(code)
    }
    let (testPlain, thenPlain, otherwisePlain) = (test.plain, then.plain, otherwise.plain)
    return CompiledPart(
      code, plain: { try testPlain(&$0) ? try thenPlain(&$0) : try otherwisePlain(&$0) },
      scalar: { context in
        guard let holds = try testScalar(&context) else { return .other }
        return holds ? try thenScalar(&context) : try otherwiseScalar(&context)
      })
  }

  private mutating func compileAggregate(_ elements: [MappingExpression]) throws -> CompiledPart {
    let compiled = try elements.map { try compile($0) }
    let constants = compiled.compactMap(\.constant?.value)
    if constants.count == compiled.count { return constant(.array(constants)) }
    let codes = compiled.map(\.code)
    return CompiledPart({ context in
      var values: [ExpressionValue] = []
      values.reserveCapacity(codes.count)
      for code in codes { values.append(try code(&context)) }
      return .array(values)
    })
  }

  private mutating func compileSubquery(
    _ collection: MappingExpression, _ name: String, _ test: MappingPredicate, at range: SourceRange
  ) throws -> CompiledPart {
    let collection = try compile(collection).code
    return try withVariable(name, shape: nil) { compiler, slot in
      let test = try compiler.compile(test).code
      return CompiledPart({ context in
        let values = try collection(&context)
        if values.isNull { return .array([]) }
        guard let elements = values.elements else {
          throw ExpressionEvaluationError(
            .wrongOperand(of: "SUBQUERY", expected: "a collection", found: values.kind), at: range)
        }
        var kept: [ExpressionValue] = []
        for element in elements {
          context[slot] = element
          if try test(&context) { kept.append(element) }
        }
        return switch values {
        case .set: .set(DistinctValues(kept))
        case .orderedSet: .orderedSet(DistinctValues(kept))
        default: .array(kept)
        }
      })
    }
  }

  private mutating func compileFetch(
    _ request: MappingExpression, _ fetchContext: MappingExpression, countOnly: Bool, at range: SourceRange
  ) throws -> CompiledPart {
    let (request, fetchContext) = (try compile(request).code, try compile(fetchContext).code)
    return CompiledPart({ context in
      guard let fetch = context.fetch else { throw ExpressionEvaluationError(.noFetching, at: range) }
      let (request, fetchContext) = (try request(&context), try fetchContext(&context))
      do {
        return try fetch(request, fetchContext, countOnly)
      } catch let error as ExpressionEvaluationError {
        throw error
      } catch {
        throw ExpressionEvaluationError(.failedFetch("\(error)"), at: range, underlying: error)
      }
    })
  }

  private mutating func compileElement(
    _ collection: MappingExpression, _ index: ElementIndex, at range: SourceRange
  ) throws -> CompiledPart {
    switch index {
    case .first: try compileUnary(collection, at: range) { try ElementAtEnd.first($0) }
    case .last: try compileUnary(collection, at: range) { try ElementAtEnd.last($0) }
    case .size: try compileUnary(collection, at: range) { try ElementAtEnd.size($0) }
    case .at(let index): try compileBinary(collection, index, at: range) { try ElementAtIndex.call($0, $1) }
    }
  }
}

/// `collection[FIRST]`, `[LAST]` and `[SIZE]`; an empty collection has neither a first nor a last element.
enum ElementAtEnd {
  static func first(_ collection: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try ordered(collection)?.first ?? .null
  }

  static func last(_ collection: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    try ordered(collection)?.last ?? .null
  }

  static func size(_ collection: ExpressionValue) throws(EvaluationMistake) -> ExpressionValue {
    if collection.isNull { return .null }
    if case .dictionary(let values) = collection { return .integer(Int64(values.count)) }
    guard let elements = collection.elements else {
      throw .wrongOperand(of: "[SIZE]", expected: "a collection", found: collection.kind)
    }
    return .integer(Int64(elements.count))
  }

  private static func ordered(_ collection: ExpressionValue) throws(EvaluationMistake) -> [ExpressionValue]? {
    switch collection {
    case .null: return nil
    case .array(let elements): return elements
    case .orderedSet(let values): return values.elements
    default: throw .wrongOperand(of: "[ ]", expected: "an ordered collection", found: collection.kind)
    }
  }
}
