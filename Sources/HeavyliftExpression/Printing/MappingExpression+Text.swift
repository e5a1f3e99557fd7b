extension MappingExpression: CustomStringConvertible {
  /// The canonical text; what has no text of its own is shown as nearly as possible.
  public var description: String {
    var printer = ExpressionPrinter()
    printer.write(self)
    return printer.text
  }

  /// The canonical text, which is read as an expression of the same meaning: as an equal one, where this one was read
  /// from a text itself.
  ///
  /// ```swift
  /// let expression = try MappingExpression(parsing: "a*2+b")
  /// print(try expression.text())  // (a * 2) + b
  /// ```
  public func text() throws(UnprintablePart) -> String {
    var printer = ExpressionPrinter()
    printer.write(self)
    if let obstacle = printer.obstacles.first { throw obstacle }
    return printer.text
  }

  /// The canonical text with placeholders for what has no text, and the arguments that give an equal expression back.
  public func format() throws(UnprintablePart) -> FormatText {
    var printer = ExpressionPrinter(usesPlaceholders: true)
    printer.write(self)
    if let obstacle = printer.obstacles.first { throw obstacle }
    return FormatText(printer.text, arguments: printer.arguments)
  }
}

extension MappingPredicate: CustomStringConvertible {
  /// The canonical text; what has no text of its own is shown as nearly as possible.
  public var description: String {
    var printer = ExpressionPrinter()
    printer.write(self)
    return printer.text
  }

  /// The canonical text, which is read as a predicate of the same meaning: as an equal one, where this one was read
  /// from a text itself.
  public func text() throws(UnprintablePart) -> String {
    var printer = ExpressionPrinter()
    printer.write(self)
    if let obstacle = printer.obstacles.first { throw obstacle }
    return printer.text
  }

  /// The canonical text with placeholders for what has no text, and the arguments that give an equal predicate back.
  public func format() throws(UnprintablePart) -> FormatText {
    var printer = ExpressionPrinter(usesPlaceholders: true)
    printer.write(self)
    if let obstacle = printer.obstacles.first { throw obstacle }
    return FormatText(printer.text, arguments: printer.arguments)
  }
}

extension KeyPath: CustomStringConvertible {
  /// The keys with dots between them.
  public var description: String {
    var text = "\(MappingExpression(.keyPath(base: MappingExpression(.object), self)))"
    if keys.isEmpty { text = "" }
    return text
  }
}
