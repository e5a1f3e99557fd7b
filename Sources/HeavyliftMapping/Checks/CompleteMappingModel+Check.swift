import HeavyliftConcurrency
import HeavyliftExpression
import HeavyliftModel

extension CompleteMappingModel {
  /// All errors, warnings and notes about the mapping, sorted by location.
  ///
  /// ```swift
  /// let diagnostics = mapping.complete(from: music1, to: music2).check()
  /// guard !diagnostics.hasErrors else { throw DiagnosticList(diagnostics) }
  /// ```
  ///
  /// Errors report what cannot run, is certainly unintended, or loses data that the mapping does not drop explicitly.
  /// Warnings report what may surprise you or fail on some data. Notes are for information. Consequences of another
  /// mistake are not reported: if a model itself is wrong, nothing is reported about the mapping; if source and
  /// destination are swapped, nothing else is reported.
  package func check(_ environment: MappingCheckEnvironment = MappingCheckEnvironment()) -> [Diagnostic] {
    let flaws = (sourceModel.check() + destinationModel.check()).filter { $0.severity == .error }
    if !flaws.isEmpty { return flaws.sortedByPlace() }
    return facts.findings(environment) { findings(environment) }.map { $0.located(in: environment.file) }
      .sortedByPlace()
  }

  private func findings(_ environment: MappingCheckEnvironment) -> [Diagnostic] {
    WorkCount.add(.check, "\(sourceModel.title) → \(destinationModel.title)")
    let index = MappingIndex(self, environment)
    var found =
      OtherModel().diagnostics(for: index) + MappingRules.all.flatMap { $0.diagnostics(for: index) }
      + ExpressionFindings(index).diagnostics()
    if let swapped = SwappedModels().diagnostic(for: index, found: found) { found = [swapped] }
    found += mappingModel.openConflicts
    return found.map(suited)
  }

  /// Returns the diagnostic with a remedy that is possible: what a mapping file can say does not fit into Xcode's files.
  private func suited(_ diagnostic: Diagnostic) -> Diagnostic {
    guard mappingModel.unmentionedEntities == .dropped, let remedy = diagnostic.remedy,
      ["<", "=\"", "='"].contains(where: remedy.contains)
    else { return diagnostic }
    var suited = diagnostic
    suited.remedy = "convert the mapping with 'heavylift convert' first, then " + remedy
    return suited
  }

  /// Findings whose severity depends on the objects in a store, for a mapping that passed `check`.
  ///
  /// Repeating all other rules would cost as much as the check itself and find nothing new.
  package func checkAgainstStore(_ environment: MappingCheckEnvironment) -> [Diagnostic] {
    let index = MappingIndex(self, environment)
    let found =
      MappingRules.dependingOnStore.flatMap { $0.diagnostics(for: index) } + ExpressionFindings(index).diagnostics()
    return found.map { suited($0).located(in: environment.file) }.sortedByPlace()
  }
}

extension MappingFacts {
  /// The facts besides the mapping that decide what a check finds.
  struct KnownCode: Hashable {
    var policies: [String: [String: FunctionSignature]]?
    var managerFunctions: [String: FunctionSignature]?
  }

  /// Returns the findings of a check, computed on the first call with the same policies and functions.
  fileprivate func findings(
    _ environment: MappingCheckEnvironment, _ compute: () -> [Diagnostic]
  ) -> [Diagnostic] {
    guard environment.objectCounts == nil, environment.functions.isBuiltIn else { return compute() }
    let code =
      callsCode
      ? KnownCode(policies: environment.policies, managerFunctions: environment.managerFunctions) : KnownCode()
    if let known = checks.withLock({ $0[code] }) { return known }
    let found = compute()
    checks.withLock { $0[code] = found }
    return found
  }

  /// True if the mapping names policies, or may call functions of the program.
  private var callsCode: Bool {
    var callsCode = false
    func look(_ expression: MappingExpression) {
      expression.visit { part in
        if case .variable(let name) = part.kind, ["manager", "entityPolicy"].contains(name) { callsCode = true }
      }
    }
    for mapping in mappings {
      callsCode = callsCode || mapping.isCustom
      mapping.description.sourceExpression.map(look)
      mapping.mapping.filter?.visit { look($0) }
      for property in mapping.description.propertyMappings {
        property.source.expression.map(look)
      }
    }
    return callsCode
  }
}

extension Diagnostic {
  /// Adds the start of the file as the location if there is none.
  fileprivate func located(in file: String?) -> Diagnostic {
    guard location == nil, let file else { return self }
    var located = self
    located.location = DiagnosticLocation(file: file, line: 1, column: 1)
    return located
  }
}
