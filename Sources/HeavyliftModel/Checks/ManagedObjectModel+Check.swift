extension ManagedObjectModel {
  /// Returns every error, warning and note about the model, sorted by location.
  ///
  /// ```swift
  /// let diagnostics = model.check()
  /// guard !diagnostics.hasErrors else { throw DiagnosticList(diagnostics) }
  /// ```
  ///
  /// An error is something that Xcode's compiler or Core Data rejects. A warning is something that they accept but that
  /// may surprise you. A note is for information. Follow-up mistakes are not reported: an entity whose parent is
  /// unknown may well inherit the property that it seems to lack.
  public func check() -> [Diagnostic] {
    ModelIndex(self).check()
  }
}

extension ModelIndex {
  /// Returns the diagnostics of `ManagedObjectModel.check`.
  package func check() -> [Diagnostic] {
    ModelRules.all.flatMap { $0.diagnostics(for: self) }.sortedByPlace()
  }
}
