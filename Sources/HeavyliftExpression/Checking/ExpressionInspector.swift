import HeavyliftModel

/// Walks a tree and collects its mistakes. Each rule is an extension in a file of its own.
struct ExpressionInspector {
  private static let depthLimit = 512
  /// More than a hundred mistakes in one expression help no one, and finding similar names for all of them takes time.
  private static let findingLimit = 100

  let environment: CheckingEnvironment
  private(set) var findings: [ExpressionFinding] = []
  private var scope: [Variable] = []
  private var notNull: [Set<MappingExpression>] = []
  private var depth = 0
  /// The number of string literals that enclose the current predicate.
  var nesting = 0
  /// Key paths that are compared with a string; an unknown key among them is probably a string without quotes.
  var comparedKeys: Set<MappingExpression> = []

  private struct Variable {
    var name: String
    var type: ExpressionType
    var isUsed = false
  }

  init(_ environment: CheckingEnvironment) {
    self.environment = environment
    if let filter = environment.sourceFilter {
      let known = filter.keysNotNil(when: true)
      let source = MappingExpression(.variable("source"))
      notNull.append(known)
      notNull.append(Set(known.compactMap { $0.rebased(on: source) }))
    }
  }

  /// The findings, ordered by position, without duplicates.
  var sortedFindings: [ExpressionFinding] {
    var seen: Set<ExpressionFinding> = []
    return findings.filter { seen.insert($0).inserted }.enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }.map(\.element)
  }

  /// True if no more findings will be reported.
  var isFull: Bool { findings.count >= Self.findingLimit }

  /// True if a finding prevents evaluation.
  var hasErrors: Bool { findings.contains { $0.problem.severity == .error } }

  mutating func report(_ problem: CheckingMistake, at range: SourceRange) {
    if !isFull { findings.append(ExpressionFinding(problem: problem, range: range)) }
  }

  mutating func report(_ mistake: EvaluationMistake, at range: SourceRange) {
    report(.evaluation(mistake), at: range)
  }

  /// Adds the findings about a predicate in a string literal, converting their ranges to ranges in the outer text.
  mutating func adopt(_ others: [ExpressionFinding], relocating: (SourceRange) -> SourceRange) {
    for finding in others { report(finding.problem, at: relocating(finding.range)) }
  }

  /// Runs the body one level deeper; returns `nil` if that exceeds the depth limit.
  mutating func descend<Result>(
    at range: SourceRange, _ body: (inout ExpressionInspector) -> Result
  ) -> Result? {
    guard depth < Self.depthLimit else {
      report(EvaluationMistake.tooDeep(limit: Self.depthLimit), at: range)
      return nil
    }
    depth += 1
    defer { depth -= 1 }
    return body(&self)
  }

  // MARK: Variables

  /// The available variable names.
  var variableNames: [String] { (Array(environment.variables.keys) + scope.map(\.name)).sorted() }

  /// Returns the type of the innermost variable with that name, and marks it as used.
  mutating func use(_ name: String) -> ExpressionType? {
    if let place = scope.lastIndex(where: { $0.name == name }) {
      scope[place].isUsed = true
      return scope[place].type
    }
    return environment.variables[name]
  }

  /// Declares a variable while the body runs, and returns whether it was used.
  mutating func withVariable(
    _ name: String, _ type: ExpressionType, _ body: (inout ExpressionInspector) -> Void
  ) -> Bool {
    scope.append(Variable(name: name, type: type))
    body(&self)
    return scope.removeLast().isUsed
  }

  /// The variables of subqueries, innermost first.
  var innerVariables: [(name: String, type: ExpressionType)] { scope.reversed().map { ($0.name, $0.type) } }

  // MARK: Non-nil expressions

  /// Treats expressions as non-nil while the body runs.
  mutating func knowing<Result>(
    _ keys: Set<MappingExpression>, _ body: (inout ExpressionInspector) -> Result
  ) -> Result {
    notNull.append(keys)
    defer { notNull.removeLast() }
    return body(&self)
  }

  func isKnownNotNull(_ expression: MappingExpression) -> Bool {
    notNull.contains { !$0.isEmpty && $0.contains(expression) }
  }
}
