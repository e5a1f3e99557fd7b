extension ManagedObjectModel {
  /// Returns every error, warning and note about the model, sorted by location.
  ///
  /// ```swift
  /// let diagnostics = model.check()
  /// guard !diagnostics.hasErrors else { throw DiagnosticList(diagnostics) }
  /// ```
  ///
  /// An error is something that Xcode's compiler or Core Data rejects. A warning is something that they accept but that
  /// may surprise you. A note is purely informational. Follow-up mistakes are not reported: if an entity seems to lack
  /// a property, but its parent is unknown, it may well inherit that property.
  public func check() -> [Diagnostic] {
    facts.diagnostics { ModelIndex(self).findings() }
  }
}

extension ModelIndex {
  /// Returns the diagnostics of `ManagedObjectModel.check`.
  package func check() -> [Diagnostic] { model.facts.diagnostics(findings) }

  fileprivate func findings() -> [Diagnostic] {
    ModelRules.all.flatMap { $0.diagnostics(for: self) }.sortedByPlace()
  }
}
