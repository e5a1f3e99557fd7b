extension ExpressionInspector {
  /// `SELF`: only available where a predicate tests objects.
  mutating func inspectObject(at range: SourceRange) -> ExpressionFacts {
    if let object = environment.object { return ExpressionFacts(object) }
    report(.noObject(occasion: environment.occasion), at: range)
    return .unknown
  }

  /// `$name`: the variable must be available to this kind of expression.
  mutating func inspectVariable(_ name: String, at range: SourceRange) -> ExpressionFacts {
    if let type = use(name) { return ExpressionFacts(type) }
    if CheckingEnvironment.migrationVariables.contains(name), environment.occasion != .fetch {
      let lacksEntity =
        (name == "source" || name == "destination")
        && (environment.occasion == .attribute || environment.occasion == .relationship)
      report(
        .unavailableVariable(name, occasion: environment.occasion, isAddMapping: lacksEntity), at: range)
    } else {
      report(CheckingMistake.unknownVariable(name, known: variableNames), at: range)
    }
    return .unknown
  }
}
