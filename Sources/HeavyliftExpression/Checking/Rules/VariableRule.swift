extension ExpressionInspector {
  /// `SELF`: only available where a predicate tests objects.
  mutating func inspectObject(at range: SourceRange) -> ExpressionFacts {
    if let object = environment.object { return ExpressionFacts(object) }
    report(.noObject(place: environment.place), at: range)
    return .unknown
  }

  /// `$name`: the variable must be available to this kind of expression.
  mutating func inspectVariable(_ name: String, at range: SourceRange) -> ExpressionFacts {
    if let type = use(name) { return ExpressionFacts(type) }
    if CheckingEnvironment.migrationVariables.contains(name), environment.place != .fetch {
      let lacksEntity =
        (name == "source" || name == "destination")
        && (environment.place == .attribute || environment.place == .relationship)
      report(
        .unavailableVariable(name, place: environment.place, isAddMapping: lacksEntity), at: range)
    } else {
      report(CheckingMistake.unknownVariable(name, known: variableNames), at: range)
    }
    return .unknown
  }
}
