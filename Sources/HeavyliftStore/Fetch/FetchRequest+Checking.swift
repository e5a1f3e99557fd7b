import HeavyliftExpression
import HeavyliftModel

extension FetchRequest {
  /// Throws the mistakes in the predicate, as found in the filter of a mapping.
  ///
  /// Values of unrelated kinds are never equal: without this check, `status != 'open'` would match all objects if
  /// `status` were a composite, and a program that deletes what it fetches would delete all of them.
  func checkPredicate(in runtime: StoreRuntime) throws(DiagnosticList) {
    guard let predicate else { return }
    var environment = runtime.checking
    environment.enter(.fetch, source: entityName, destination: nil)
    for (name, value) in variables { environment.variables[name] = ExpressionType(of: value) }
    let mistakes = ExpressionChecker(environment).check(predicate).diagnostics().filter { $0.severity == .error }
    guard mistakes.isEmpty else {
      throw DiagnosticList(
        mistakes.map {
          Diagnostic(
            .error, code: $0.code, problem: "predicate for entity '\(entityName)': \($0.problem)", remedy: $0.remedy)
        })
    }
  }
}
