import HeavyliftModel

/// Walks a tree and collects what is wrong with it. Each rule is an extension in a file of its own.
struct ExpressionInspector {
  private static let depthLimit = 512
  /// Nobody reads the hundredth mistake of one expression, and finding near names for all of them takes time.
  private static let findingLimit = 100

  let environment: CheckingEnvironment
  private(set) var findings: [ExpressionFinding] = []
  private var scope: [Variable] = []
  private var notNull: [Set<MappingExpression>] = []
  private var depth = 0
  /// How many nested texts surround this one: a predicate within the text of a call.
  var nesting = 0
  /// Single keys of `SELF` that are compared with something: where there is no such key, a text without its quotes.
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

  /// In order of place; what was found at one place twice is told once.
  var sortedFindings: [ExpressionFinding] {
    var seen: Set<ExpressionFinding> = []
    return findings.filter { seen.insert($0).inserted }.enumerated().sorted {
      ($0.element.range.lowerBound, $0.element.range.upperBound, $0.offset)
        < ($1.element.range.lowerBound, $1.element.range.upperBound, $1.offset)
    }.map(\.element)
  }

  /// Whether nothing more will be told, and finding out more is of no use.
  var isFull: Bool { findings.count >= Self.findingLimit }

  /// Whether something was found with which the expression cannot be carried out.
  var hasErrors: Bool { findings.contains { $0.problem.severity == .error } }

  mutating func report(_ problem: CheckingMistake, at range: SourceRange) {
    if !isFull { findings.append(ExpressionFinding(problem: problem, range: range)) }
  }

  mutating func report(_ mistake: EvaluationMistake, at range: SourceRange) {
    report(.evaluation(mistake), at: range)
  }

  /// Adds what was found in a text of its own, told at a place in this one.
  mutating func adopt(_ others: [ExpressionFinding], relocating: (SourceRange) -> SourceRange) {
    for finding in others { report(finding.problem, at: relocating(finding.range)) }
  }

  /// Goes one level deeper for as long as the body runs; nil where that is too deep.
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

  /// The names that can be referred to here.
  var variableNames: [String] { (Array(environment.variables.keys) + scope.map(\.name)).sorted() }

  /// The type of a variable, the innermost of its name.
  mutating func use(_ name: String) -> ExpressionType? {
    if let place = scope.lastIndex(where: { $0.name == name }) {
      scope[place].isUsed = true
      return scope[place].type
    }
    return environment.variables[name]
  }

  /// Gives a variable a type for as long as the body runs, and tells whether it was used.
  mutating func withVariable(
    _ name: String, _ type: ExpressionType, _ body: (inout ExpressionInspector) -> Void
  ) -> Bool {
    scope.append(Variable(name: name, type: type))
    body(&self)
    return scope.removeLast().isUsed
  }

  /// The innermost variables first.
  var innerVariables: [(name: String, type: ExpressionType)] { scope.reversed().map { ($0.name, $0.type) } }

  // MARK: What is not nil

  /// Takes expressions not to be nil for as long as the body runs.
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
