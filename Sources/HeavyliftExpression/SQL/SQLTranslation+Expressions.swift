extension SQLTranslation {
  mutating func translate(_ expression: MappingExpression, in form: NaNForm) throws(NotTranslated) -> SQLTerm {
    let range = expression.nameRange
    try step(at: range)
    switch expression.kind {
    case .constant(let value): return try constant(ExpressionValue(value), in: form, at: range)
    case .object, .keyPath: return try translatePath(expression)
    case .variable(let name):
      if object(expression) == nil, let value = translator.variables[name] {
        return try constant(value, in: form, at: range)
      }
      return try translatePath(expression)
    case .function(let function, let arguments):
      if let count = try translateCount(function, arguments, at: range) { return count }
      return try translate(function, arguments, in: form, at: range)
    case .cast(let operand, let typeName): return try translateCast(operand, typeName, in: form, at: range)
    case .ternary(let test, let then, let otherwise):
      return try translateTernary(test, then, otherwise, in: form, at: expression.range)
    case .element(let collection, .size): return try translateSize(collection, at: range)
    case .call(let receiver, "valueForKey:", let arguments):
      guard case .constant(.value(.string(let key)))? = arguments.first?.kind, arguments.count == 1, !key.isEmpty,
        !key.hasPrefix("@")
      else { throw NotTranslated("a key is looked up by a computed name", at: range) }
      return try translatePath(MappingExpression(.keyPath(base: receiver, ExpressionKeyPath([.name(key)])), at: range))
    case .call(let receiver, let selector, let arguments):
      return try translateCall(receiver, selector, arguments, in: form, at: range)
    case .otherFunction(let name, _): throw NotTranslated("function '\(name)' is defined by the program", at: range)
    case .element: throw NotTranslated("an element of a collection has no column", at: range)
    case .aggregate, .subquery, .set: throw NotTranslated("a collection has no equivalent in SQL", at: range)
    case .fetch: throw NotTranslated("'FETCH' is a statement of its own", at: range)
    case .assignment: throw NotTranslated("':=' has no meaning here", at: range)
    case .anyKey: throw NotTranslated("'ANYKEY' works only in Spotlight queries", at: range)
    }
  }

  private mutating func translateTernary(
    _ test: MappingPredicate, _ then: MappingExpression, _ otherwise: MappingExpression, in form: NaNForm,
    at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    let test = try translate(test)
    let (first, second) = (try translate(then, in: form), try translate(otherwise, in: form))
    guard let kind = first.kind.merged(with: second.kind) else {
      throw NotTranslated(
        "'TERNARY' gives \(first.kind.phrase) or \(second.kind.phrase), depending on the row", at: range)
    }
    return SQLTerm(
      text: "CASE WHEN \(test.text) THEN \(first.text) ELSE \(second.text) END", kind: kind,
      mayFail: test.mayFail || first.mayFail || second.mayFail, mayBeNaN: first.mayBeNaN || second.mayBeNaN,
      mayBeNull: first.mayBeNull || second.mayBeNull
    ).parenthesized
  }

  private mutating func translateCast(
    _ operand: MappingExpression, _ typeName: String, in form: NaNForm, at range: SourceRange
  ) throws(NotTranslated) -> SQLTerm {
    guard let cast = try? Cast(typeName: typeName) else {
      throw NotTranslated("'CAST' does not support type '\(typeName)'", at: range)
    }
    let expression = operand
    let operand = try translate(expression, in: .marked)
    if let value = operand.constant { return try folded(in: form, at: range) { try cast.call(value) } }
    if operand.kind.isObject { throw NotTranslated("an object is cast", at: range) }
    let kind: SQLKind
    switch cast {
    case .date: kind = operand.kind.isNumber || [.date, .string].contains(operand.kind) ? .date : .null
    case .number:
      kind =
        switch operand.kind {
        case .string: .number
        case .date: .double
        default: operand.kind.isNumber ? operand.kind : .null
        }
    case .string: kind = operand.kind == .data ? .null : .string
    case .decimal: kind = operand.kind.isNumber || [.string, .date].contains(operand.kind) ? .decimal : .null
    case .uuid: kind = [.string, .uuid].contains(operand.kind) ? .uuid : .null
    case .uri: kind = [.string, .uri].contains(operand.kind) ? .uri : .null
    case .data: kind = operand.kind == .data ? .data : .null
    case .array, .set, .orderedSet: throw NotTranslated("a collection has no equivalent in SQL", at: range)
    }
    if operand.kind == kind { return try translate(expression, in: form) }
    if cast == .string, operand.mayBeNaN {
      throw NotTranslated("as text, NaN has a sign, which SQLite does not keep", at: range)
    }
    let text = call(.cast(cast, operand.kind, marksNaN: operand.mayBeNaN && form == .marked), [operand.text], at: range)
    let mayBeNaN = operand.mayBeNaN || kind.canBeNaN && operand.canMakeNaN
    return SQLTerm(text: text, kind: kind, mayFail: true, mayBeNaN: mayBeNaN)
  }

  /// Evaluates an expression that is the same for every row. A mistake in the expression is left to the evaluator,
  /// which may never evaluate that part.
  func folded(
    in form: NaNForm, at range: SourceRange, _ body: () throws -> ExpressionValue
  ) throws(NotTranslated) -> SQLTerm {
    let value: ExpressionValue
    do {
      value = try body()
    } catch {
      throw NotTranslated("evaluating a constant part of the expression fails", at: range)
    }
    return try constant(value, in: form, at: range)
  }
}

extension SQLTerm {
  /// The term in parentheses, to protect it from surrounding operators.
  var parenthesized: SQLTerm {
    var copy = self
    copy.text = "(\(text))"
    return copy
  }
}
