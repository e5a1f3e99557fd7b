import HeavyliftModel

extension FormatArgument {
  /// The expression for `%@`. An array becomes an aggregate like `{…}`, so that both are treated alike.
  var expression: MappingExpression {
    switch self {
    case .expression(let expression): return expression
    case .keyPath(let path): return MappingExpression(.keyPath(base: MappingExpression(.object), path))
    case .array(let elements): return MappingExpression(.aggregate(elements.map(\.expression)))
    case .set(let elements):
      if let constant { return MappingExpression(.constant(constant)) }
      // Sorted by text, because the order of a `Set` changes from run to run.
      return MappingExpression(.aggregate(elements.map(\.expression).sorted { "\($0)" < "\($1)" }))
    case .value(let value): return MappingExpression(.constant(.value(value)))
    }
  }

  /// The argument as a constant, if nothing in it needs evaluating.
  private var constant: ExpressionConstant? {
    switch self {
    case .value(let value): return .value(value)
    case .expression(let expression):
      if case .constant(let constant) = expression.kind { return constant }
      return nil
    case .keyPath: return nil
    case .array(let elements):
      let constants = elements.compactMap(\.constant)
      return constants.count == elements.count ? .array(constants) : nil
    case .set(let elements):
      let constants = elements.compactMap(\.constant)
      return constants.count == elements.count ? .set(Set(constants)) : nil
    }
  }

  /// The kind for messages, which do not contain the argument itself.
  var kindName: String {
    switch self {
    case .value(let value): value.kind
    case .array: "an array"
    case .set: "a set"
    case .expression: "an expression"
    case .keyPath: "a key path"
    }
  }
}

extension ExpressionKeyPath {
  /// Parses dot-separated keys, as `%K` takes them: only dots, the key `self`, and `@` before the name of an operator
  /// are special. Returns `nil` if a key is empty.
  public init?(parsing text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    guard !parts.isEmpty, parts.allSatisfy({ !$0.isEmpty }) else { return nil }
    self.init(
      parts.map { part in
        if part == "self" { return .element }
        guard part.first == "@", let operation = CollectionOperator(rawValue: String(part.dropFirst())) else {
          return .name(String(part))
        }
        return .collection(operation)
      })
  }
}
