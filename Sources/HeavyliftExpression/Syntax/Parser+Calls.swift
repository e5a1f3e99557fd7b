import HeavyliftModel

extension Parser {
  // MARK: Built-in functions

  /// Parses `name(a)`.
  mutating func namedCall(_ name: String) throws(Failure) -> SyntaxNode {
    let token = take()
    let open = take()
    let arguments = try list(until: open)
    if arguments.isEmpty, let function = BuiltinFunction(rawValue: name) { return try call(function, token, []) }
    let selector = name + ":"
    if let function = BuiltinFunction(statistics: selector) ?? BuiltinFunction(rawValue: selector) {
      return try call(function, token, arguments)
    }
    if let function = BuiltinFunction(rawValue: name) { return try call(function, token, arguments) }
    return try otherCall(arguments.isEmpty ? name : selector, token, arguments)
  }

  /// Parses `name:(a)` or `name:label:(a, b)`.
  mutating func selectorCall(_ name: String) throws(Failure) -> SyntaxNode {
    let token = take()
    guard let open = take(.openParenthesis) else {
      throw failure(.unexpected(found: shown(current), expected: ["'('"]), at: current.range)
    }
    if name == BuiltinFunction.elementAtIndex.rawValue { return try elementCall(token, open) }
    let arguments = try list(until: open)
    if name == BuiltinFunction.castSelector {
      try check(arguments, count: 2, name, token)
      return try castNode(token, operand: arguments[0], type: arguments[1])
    }
    guard let function = BuiltinFunction(statistics: name) ?? BuiltinFunction(rawValue: name) else {
      return try otherCall(name, token, arguments)
    }
    return try call(function, token, arguments)
  }

  private mutating func call(
    _ function: BuiltinFunction, _ token: Token, _ arguments: [SyntaxNode]
  ) throws(Failure) -> SyntaxNode {
    var values = try expressions(arguments)
    let range = token.range.through(previous?.range ?? token.range)
    var depth = try depth(above: arguments, at: token.range)
    if values.count > 1, BuiltinFunction.isStatistics(function.rawValue) {
      // `max(1, 5, 10)`: several arguments are the elements of one collection.
      let elements = values[0].range.through(values[values.count - 1].range)
      values = [MappingExpression(.aggregate(values), at: elements)]
      depth += 1
    } else {
      try check(arguments, count: function.argumentCount, function.rawValue, token)
    }
    return SyntaxNode(MappingExpression(.function(function, values), at: range, name: token.range), depth: depth)
  }

  private mutating func otherCall(
    _ name: String, _ token: Token, _ arguments: [SyntaxNode]
  ) throws(Failure) -> SyntaxNode {
    guard acceptsOtherFunctions else {
      throw failure(.unknownFunction(name, nearest: BuiltinFunction.nearest(to: name)), at: token.range)
    }
    let values = try expressions(arguments)
    let range = token.range.through(previous?.range ?? token.range)
    let depth = try depth(above: arguments, at: token.range)
    return SyntaxNode(MappingExpression(.otherFunction(name, values), at: range, name: token.range), depth: depth)
  }

  /// Parses `objectFrom:withIndex:(collection, LAST)`, which is the same as `collection[LAST]`.
  private mutating func elementCall(_ token: Token, _ open: Token) throws(Failure) -> SyntaxNode {
    let before = mistakes.count
    let name = BuiltinFunction.elementAtIndex.rawValue
    var parts = [try bracketed()]
    guard take(.comma) != nil else {
      try close(open, knowing: before)
      throw failure(.wrongArgumentCount(function: name, expected: "2", found: 1), at: token.range)
    }
    let collection = try expression(parts[0])
    let index: ElementIndex
    if let symbolic = symbolicIndex(before: .closeParenthesis) {
      index = symbolic
    } else {
      parts.append(try bracketed())
      index = .at(try expression(parts[1]))
    }
    try close(open, knowing: before)
    let depth = try depth(above: parts, at: token.range)
    let range = token.range.through(previous?.range ?? token.range)
    return SyntaxNode(
      MappingExpression(.element(of: collection, index), at: range, name: token.range), depth: depth)
  }

  mutating func check(
    _ arguments: [SyntaxNode], count: Int, _ name: String, _ token: Token
  ) throws(Failure) {
    guard arguments.count != count else { return }
    if arguments.contains(where: \.isInvalid) { throw Failure() }
    throw failure(
      .wrongArgumentCount(function: name, expected: "\(count)", found: arguments.count), at: token.range)
  }

  // MARK: Forms with a syntax of their own

  /// Parses `FUNCTION(receiver, "selector:", argument)`.
  mutating func functionCall() throws(Failure) -> SyntaxNode {
    let token = take()
    var arguments = try list(until: take())
    guard arguments.count >= 2 else {
      if arguments.contains(where: \.isInvalid) { throw Failure() }
      throw failure(
        .wrongArgumentCount(function: "FUNCTION", expected: "at least 2", found: arguments.count), at: token.range)
    }
    let range = token.range.through(previous?.range ?? token.range)
    let depth = try depth(above: arguments, at: token.range)
    let selector = try text(arguments[1]) { .selectorMissing(found: $0) }
    let name = arguments.remove(at: 1).range
    let values = try expressions(arguments)
    let kind = MappingExpression.Kind.call(receiver: values[0], selector: selector, Array(values.dropFirst()))
    return SyntaxNode(MappingExpression(kind, at: range, name: name), depth: depth)
  }

  /// Parses `CAST(operand, "Type")`.
  mutating func cast() throws(Failure) -> SyntaxNode {
    let token = take()
    let arguments = try list(until: take())
    try check(arguments, count: 2, "CAST", token)
    return try castNode(token, operand: arguments[0], type: arguments[1])
  }

  private mutating func castNode(
    _ token: Token, operand: SyntaxNode, type: SyntaxNode
  ) throws(Failure) -> SyntaxNode {
    let name = try typeName(type)
    let value = try expression(operand)
    let range = token.range.through(previous?.range ?? token.range)
    if let constant = CastLiteral.constant(value, typeName: name) {
      return SyntaxNode(MappingExpression(.constant(.value(constant)), at: range, name: type.range))
    }
    let depth = try depth(above: [operand], at: token.range)
    return SyntaxNode(
      MappingExpression(.cast(value, typeName: name), at: range, name: type.range), depth: depth)
  }

  /// Returns the name of a type: a string, or the bare name of a known type as in Xcode's mapping models.
  private mutating func typeName(_ node: SyntaxNode) throws(Failure) -> String {
    if let name = try expression(node).castTypeName { return name }
    throw failure(.typeMissing(found: written(node.range)), at: node.range)
  }

  /// Parses `TERNARY(predicate, then, otherwise)`.
  mutating func ternary() throws(Failure) -> SyntaxNode {
    let token = take()
    let arguments = try list(until: take())
    try check(arguments, count: 3, "TERNARY", token)
    let condition = try predicate(arguments[0])
    let (first, second) = (try expression(arguments[1]), try expression(arguments[2]))
    let range = token.range.through(previous?.range ?? token.range)
    let depth = try depth(above: arguments, at: token.range)
    return SyntaxNode(
      MappingExpression(.ternary(condition, then: first, otherwise: second), at: range, name: token.range),
      depth: depth)
  }

  /// Parses `SUBQUERY(collection, $variable, predicate)`.
  mutating func subquery() throws(Failure) -> SyntaxNode {
    let token = take()
    let arguments = try list(until: take())
    try check(arguments, count: 3, "SUBQUERY", token)
    let collection = try expression(arguments[0])
    guard case .variable(let name) = try expression(arguments[1]).kind else {
      throw failure(.subqueryVariableMissing(found: written(arguments[1].range)), at: arguments[1].range)
    }
    let condition = try predicate(arguments[2])
    let range = token.range.through(previous?.range ?? token.range)
    let depth = try depth(above: arguments, at: token.range)
    return SyntaxNode(
      MappingExpression(
        .subquery(collection, variable: name, condition), at: range, name: arguments[1].range),
      depth: depth)
  }

  /// Parses `FETCH(request, context, countOnly)`.
  mutating func fetch() throws(Failure) -> SyntaxNode {
    let token = take()
    let arguments = try list(until: take())
    try check(arguments, count: 3, "FETCH", token)
    let (request, context) = (try expression(arguments[0]), try expression(arguments[1]))
    guard case .constant(.value(.bool(let countOnly))) = try expression(arguments[2]).kind else {
      throw failure(.flagMissing(found: written(arguments[2].range)), at: arguments[2].range)
    }
    let range = token.range.through(previous?.range ?? token.range)
    let depth = try depth(above: arguments, at: token.range)
    return SyntaxNode(
      MappingExpression(.fetch(request: request, context: context, countOnly: countOnly), at: range, name: token.range),
      depth: depth)
  }

  /// Returns the text of a string literal.
  private mutating func text(
    _ node: SyntaxNode, otherwise mistake: (String) -> ExpressionMistake.Kind
  ) throws(Failure) -> String {
    if case .constant(.value(.string(let text))) = try expression(node).kind { return text }
    throw failure(mistake(written(node.range)), at: node.range)
  }
}

extension BuiltinFunction {
  /// The name of `CAST` as a function.
  static let castSelector = "castObject:toType:"

  /// Looks up one of the five functions that older expressions write in any letter case and with several arguments.
  init?(statistics selector: String) {
    switch selector.lowercased() {
    case "sum:": self = .sum
    case "count:": self = .count
    case "min:": self = .min
    case "max:": self = .max
    case "average:": self = .average
    default: return nil
    }
  }

  static func isStatistics(_ selector: String) -> Bool { BuiltinFunction(statistics: selector) != nil }
}
