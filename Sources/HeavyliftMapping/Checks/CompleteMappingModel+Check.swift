public import HeavyliftModel

extension CompleteMappingModel {
  /// Everything that is wrong, doubtful or worth knowing about the mapping, in order of place.
  ///
  /// ```swift
  /// let diagnostics = mapping.complete(from: music1, to: music2).check()
  /// guard !diagnostics.hasErrors else { throw DiagnosticList(diagnostics) }
  /// ```
  ///
  /// An error cannot run, is certainly not what was meant, or loses data without anybody having said so; a warning may
  /// surprise, or fail on some data; a note is for whoever wants to know. A mistake that only follows from another one is
  /// not told: nothing is said about a mapping between models that are themselves wrong, and nothing else about one
  /// whose models are exchanged.
  public func check(_ environment: MappingCheckEnvironment = MappingCheckEnvironment()) -> [Diagnostic] {
    let flaws = (indexes.source.check() + indexes.destination.check()).filter { $0.severity == .error }
    if !flaws.isEmpty { return flaws.sortedByPlace() }
    let index = MappingIndex(self, environment)
    var found =
      OtherModel().diagnostics(for: index) + MappingRules.all.flatMap { $0.diagnostics(for: index) }
      + ExpressionFindings(index).diagnostics()
    if let swapped = SwappedModels().diagnostic(for: index, found: found) { found = [swapped] }
    found += mappingModel.openConflicts
    return found.map { $0.located(in: environment.file) }.sortedByPlace()
  }

  /// The findings whose severity depends on the objects that a store has, for a mapping that `check` let through.
  ///
  /// Repeating all other rules would cost as much as the check itself, and find nothing new.
  package func checkAgainstStore(_ environment: MappingCheckEnvironment) -> [Diagnostic] {
    let index = MappingIndex(self, environment)
    let found =
      MappingRules.dependingOnStore.flatMap { $0.diagnostics(for: index) } + ExpressionFindings(index).diagnostics()
    return found.map { $0.located(in: environment.file) }.sortedByPlace()
  }
}

extension Diagnostic {
  /// What has no place of its own stands at the start of its file.
  fileprivate func located(in file: String?) -> Diagnostic {
    guard location == nil, let file else { return self }
    var located = self
    located.location = SourceLocation(file: file, line: 1, column: 1)
    return located
  }
}
