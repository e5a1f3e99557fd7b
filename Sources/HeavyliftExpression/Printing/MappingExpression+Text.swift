extension MappingExpression: CustomStringConvertible {
  /// The canonical text, with approximations for parts that cannot be written as text.
  public var description: String { printed().text }

  /// Returns the canonical text. Parsing the text yields an expression with the same meaning; the two are equal if this
  /// expression was parsed from text.
  ///
  /// ```swift
  /// let expression = try MappingExpression(parsing: "a*2+b")
  /// print(try expression.text())  // (a * 2) + b
  /// ```
  package func text() throws(UnprintablePart) -> String { try printed().whole().text }

  /// Returns the canonical text with placeholders for parts that cannot be written as text, and the arguments that
  /// recreate an equal expression.
  package func format() throws(UnprintablePart) -> FormatText { try printed(usesPlaceholders: true).whole() }

  private func printed(usesPlaceholders: Bool = false) -> ExpressionPrinter {
    var printer = ExpressionPrinter(usesPlaceholders: usesPlaceholders)
    printer.write(self)
    return printer
  }
}

extension MappingPredicate: CustomStringConvertible {
  /// The canonical text, with approximations for parts that cannot be written as text.
  public var description: String { printed().text }

  /// Returns the canonical text. Parsing the text yields a predicate with the same meaning; the two are equal if this
  /// predicate was parsed from text.
  package func text() throws(UnprintablePart) -> String { try printed().whole().text }

  /// Returns the canonical text with placeholders for parts that cannot be written as text, and the arguments that
  /// recreate an equal predicate.
  package func format() throws(UnprintablePart) -> FormatText { try printed(usesPlaceholders: true).whole() }

  private func printed(usesPlaceholders: Bool = false) -> ExpressionPrinter {
    var printer = ExpressionPrinter(usesPlaceholders: usesPlaceholders)
    printer.write(self)
    return printer
  }
}

extension ExpressionPrinter {
  /// Returns the printed text; throws if a part cannot be written as text.
  fileprivate func whole() throws(UnprintablePart) -> FormatText {
    if let obstacle = obstacles.first { throw obstacle }
    return FormatText(text, arguments: arguments)
  }
}

extension ExpressionKeyPath: CustomStringConvertible {
  /// The keys separated by dots.
  public var description: String {
    keys.isEmpty ? "" : "\(MappingExpression(.keyPath(base: MappingExpression(.object), self)))"
  }
}
