import HeavyliftModel

extension ArchivedExpression {
  /// Reads an expression from an archive.
  ///
  /// ```swift
  /// let archive = try KeyedArchive(data: valueExpressionData)
  /// let expression = try ArchivedExpression(archive.root ?? .null, in: archive)
  /// print(expression)  // $source.title
  /// ```
  package init(
    _ value: ArchivedValue, in archive: KeyedArchive, subject: String = "the archive"
  ) throws(Diagnostic) {
    var reader = ExpressionReader(budget: ReadingBudget(byteCount: archive.byteCount))
    do {
      self = try reader.expression(value)
    } catch {
      throw error.diagnostic(in: subject)
    }
  }
}

extension ArchivedPredicate {
  /// Reads a predicate from an archive.
  package init(
    _ value: ArchivedValue, in archive: KeyedArchive, subject: String = "the archive"
  ) throws(Diagnostic) {
    var reader = ExpressionReader(budget: ReadingBudget(byteCount: archive.byteCount))
    do {
      self = try reader.predicate(value)
    } catch {
      throw error.diagnostic(in: subject)
    }
  }
}
