import HeavyliftModel

extension FormatArgument {
  /// What stands in the tree for `%@`. An array is what `{…}` is, so that both are handled alike.
  var expression: MappingExpression {
    switch self {
    case .expression(let expression): return expression
    case .keyPath(let path): return MappingExpression(.keyPath(base: MappingExpression(.object), path))
    case .array(let elements): return MappingExpression(.aggregate(elements.map(\.expression)))
    case .set(let elements):
      if let constant { return MappingExpression(.constant(constant)) }
      // A set has no order; that of the hash values would change from run to run.
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

  /// For messages; what was given stays out of them.
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

extension KeyPath {
  /// Reads keys with dots between them, as `%K` takes them: no letter but the dot means anything, apart from an `@`
  /// before the name of an operator. Nil where a key is empty.
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
