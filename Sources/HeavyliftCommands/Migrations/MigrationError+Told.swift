import Heavylift

extension MigrationError {
  /// The error in the words of the tool.
  var told: [Diagnostic] { diagnostics.count > 1 ? diagnostics : [toldOnce] }

  /// The error merged with its underlying error: one problem and one remedy instead of nested reports.
  private var toldOnce: Diagnostic {
    guard kind == .hop else {
      var told = diagnostic
      told.remedy = told.remedy?.replacing(
        "ask for the missing mappings to be inferred", with: "have the missing mappings inferred with --infer"
      ).replacing(
        "pass allowsJumps: true to accept what the jump skips", with: "accept what the jump skips with --allow-jumps")
      return told
    }
    let inner: Diagnostic
    switch underlying {
    case let error as HopError: inner = error.diagnostic
    case let error as Diagnostic: inner = error
    default: return diagnostic
    }
    // Both may end by saying that nothing was changed: once is enough.
    let end = "; nothing was changed"
    var told = diagnostic
    told.code = inner.code
    told.problem = problem.replacing("\(inner)", with: inner.problem)
      .replacing("\(inner)".withoutSuffix(end), with: inner.problem)
    let first = inner.remedy?.withoutSuffix(end)
    told.remedy =
      first.map { first in remedy.map { first + (first.hasSuffix("?") ? " " : "; ") + $0 } ?? first } ?? remedy
    return told
  }
}

extension String {
  fileprivate func withoutSuffix(_ end: String) -> String { hasSuffix(end) ? String(dropLast(end.count)) : self }
}
