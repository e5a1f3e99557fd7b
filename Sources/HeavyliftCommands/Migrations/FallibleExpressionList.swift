import Heavylift

/// The expressions of a plan that can fail for a value, as text.
struct FallibleExpressionList {
  /// The largest number of expressions of one hop that each get a line.
  private static let mostLines = 8
  /// The largest number of properties named for one entity mapping of a hop with more expressions.
  private static let mostNames = 6

  private let hops: [MigrationPlan]

  init(_ hops: [MigrationPlan]) { self.hops = hops }

  /// A title and a line for each expression; empty if none can fail. Those that were checked are not listed.
  var lines: [String] {
    let lines = hops.enumerated().flatMap { number, hop in
      (hop.dataCheck.map { unchecked($0) } ?? all(hop.fallibleExpressions)).map { "  hop \(number + 1): \($0.shown)" }
    }
    if lines.isEmpty { return [] }
    let isChecked = hops.first?.dataCheck != nil
    return [
      "",
      isChecked
        ? "these can fail for a value, and were not evaluated (see 'migrate --dry-run'):"
        : "these can fail for a value, and stop the migration (see 'plan --check-data'):",
    ] + lines
  }

  private func all(_ expressions: [FallibleExpression]) -> [String] {
    guard expressions.count > Self.mostLines else { return expressions.map(\.description) }
    var mappings: [(name: String, properties: [String])] = []
    for expression in expressions {
      let name = expression.property ?? "the filter"
      if mappings.last?.name == expression.entityMapping {
        mappings[mappings.count - 1].properties.append(name)
      } else {
        mappings.append((expression.entityMapping, [name]))
      }
    }
    return mappings.map { name, properties in
      let rest = properties.count - Self.mostNames
      return "\(properties.count.counted("expression")) of \(name): "
        + properties.prefix(Self.mostNames).joined(separator: ", ")
        + (rest > 0 ? " and \(rest.grouped) more" : "")
    }
  }

  private func unchecked(_ check: DataCheck) -> [String] {
    check.unchecked.map { "\($0.expression), because \($0.reason)" }
  }
}

extension FallibleExpression {
  /// The members of the JSON object for the expression.
  var members: [(String, JSONValue)] {
    [
      ("entityMapping", .string(entityMapping)), ("entity", .optional(entity)), ("property", .optional(property)),
      ("expression", .string(expression)),
    ]
  }
}
