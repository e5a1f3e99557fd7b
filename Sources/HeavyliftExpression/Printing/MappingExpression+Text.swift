extension MappingExpression: CustomStringConvertible {
  /// The canonical text; what has no text of its own is shown as nearly as possible.
  public var description: String { printed().text }

  /// The canonical text, which is read as an expression of the same meaning: as an equal one, where this one was read
  /// from a text itself.
  ///
  /// ```swift
  /// let expression = try MappingExpression(parsing: "a*2+b")
  /// print(try expression.text())  // (a * 2) + b
  /// ```
  public func text() throws(UnprintablePart) -> String { try printed().whole().text }

  /// The canonical text with placeholders for what has no text, and the arguments that give an equal expression back.
  public func format() throws(UnprintablePart) -> FormatText { try printed(usesPlaceholders: true).whole() }

  private func printed(usesPlaceholders: Bool = false) -> ExpressionPrinter {
    var printer = ExpressionPrinter(usesPlaceholders: usesPlaceholders)
    printer.write(self)
    return printer
  }
}

extension MappingPredicate: CustomStringConvertible {
  /// The canonical text; what has no text of its own is shown as nearly as possible.
  public var description: String { printed().text }

  /// The canonical text, which is read as a predicate of the same meaning: as an equal one, where this one was read
  /// from a text itself.
  public func text() throws(UnprintablePart) -> String { try printed().whole().text }

  /// The canonical text with placeholders for what has no text, and the arguments that give an equal predicate back.
  public func format() throws(UnprintablePart) -> FormatText { try printed(usesPlaceholders: true).whole() }

  private func printed(usesPlaceholders: Bool = false) -> ExpressionPrinter {
    var printer = ExpressionPrinter(usesPlaceholders: usesPlaceholders)
    printer.write(self)
    return printer
  }
}

extension ExpressionPrinter {
  /// What was printed, unless a part of it has no text.
  fileprivate func whole() throws(UnprintablePart) -> FormatText {
    if let obstacle = obstacles.first { throw obstacle }
    return FormatText(text, arguments: arguments)
  }
}

extension KeyPath: CustomStringConvertible {
  /// The keys with dots between them.
  public var description: String {
    keys.isEmpty ? "" : "\(MappingExpression(.keyPath(base: MappingExpression(.object), self)))"
  }
}
