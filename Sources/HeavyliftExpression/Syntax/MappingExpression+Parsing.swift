extension MappingExpression {
  /// Parses an expression.
  ///
  /// ```swift
  /// let expression = try MappingExpression(parsing: "$source.firstName")
  /// ```
  public init(
    parsing text: String, limits: ExpressionLimits = ExpressionLimits(), acceptingOtherFunctions: Bool = true
  ) throws(ExpressionSyntaxError) {
    var parser = Parser(text, limits: limits, acceptsOtherFunctions: acceptingOtherFunctions)
    self = try parser.runForExpression()
  }

  /// Parses an expression with placeholders and inserts their arguments.
  ///
  /// ```swift
  /// let expression = try MappingExpression(format: "%K * %d", "seconds", 1000)
  /// ```
  public init(format: String, _ arguments: any FormatArgumentConvertible...) throws(ExpressionSyntaxError) {
    try self.init(format: format, arguments: arguments.map(\.formatArgument))
  }

  /// Parses an expression with placeholders and inserts their arguments.
  public init(
    format: String, arguments: [FormatArgument], limits: ExpressionLimits = ExpressionLimits(),
    acceptingOtherFunctions: Bool = true
  ) throws(ExpressionSyntaxError) {
    var parser = Parser(
      format, arguments: arguments, limits: limits, acceptsOtherFunctions: acceptingOtherFunctions)
    self = try parser.runForExpression()
  }
}

extension MappingPredicate {
  /// Parses a predicate.
  ///
  /// ```swift
  /// let predicate = try MappingPredicate(parsing: "image != nil AND size > 0")
  /// ```
  public init(
    parsing text: String, limits: ExpressionLimits = ExpressionLimits(), acceptingOtherFunctions: Bool = true
  ) throws(ExpressionSyntaxError) {
    var parser = Parser(text, limits: limits, acceptsOtherFunctions: acceptingOtherFunctions)
    self = try parser.runForPredicate()
  }

  /// Parses a predicate with placeholders and inserts their arguments.
  ///
  /// ```swift
  /// let predicate = try MappingPredicate(format: "%K LIKE %@", "title", "The *")
  /// ```
  public init(format: String, _ arguments: any FormatArgumentConvertible...) throws(ExpressionSyntaxError) {
    try self.init(format: format, arguments: arguments.map(\.formatArgument))
  }

  /// Parses a predicate with placeholders and inserts their arguments.
  public init(
    format: String, arguments: [FormatArgument], limits: ExpressionLimits = ExpressionLimits(),
    acceptingOtherFunctions: Bool = true
  ) throws(ExpressionSyntaxError) {
    var parser = Parser(
      format, arguments: arguments, limits: limits, acceptsOtherFunctions: acceptingOtherFunctions)
    self = try parser.runForPredicate()
  }
}

extension Parser {
  mutating func runForExpression() throws(ExpressionSyntaxError) -> MappingExpression {
    let node = try run()
    switch node.content {
    case .expression(let expression): return expression
    case .predicate(let predicate):
      let range = predicate.firstOperator ?? node.range
      throw ExpressionSyntaxError(
        text: text, mistakes: [ExpressionMistake(.comparisonInExpression, at: range)])
    case .invalid: throw ExpressionSyntaxError(text: text, mistakes: mistakes)
    }
  }

  mutating func runForPredicate() throws(ExpressionSyntaxError) -> MappingPredicate {
    let node = try run()
    let predicate = try? predicate(node)
    try throwMistakes()
    guard let predicate else { throw ExpressionSyntaxError(text: text, mistakes: mistakes) }
    return predicate
  }
}

extension MappingPredicate {
  /// The place of the operator that makes this a predicate.
  fileprivate var firstOperator: SourceRange? {
    if case .comparison(let comparison) = kind { comparison.operatorRange } else { nil }
  }
}
