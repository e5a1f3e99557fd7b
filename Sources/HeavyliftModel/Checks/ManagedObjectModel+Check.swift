extension ManagedObjectModel {
  /// Everything that is wrong, doubtful or worth knowing about the model, in order of place.
  ///
  /// ```swift
  /// let diagnostics = model.check()
  /// guard !diagnostics.hasErrors else { throw DiagnosticList(diagnostics) }
  /// ```
  ///
  /// An error is something that Xcode's compiler or Core Data refuses; a warning is accepted but surprises; a note
  /// is for whoever wants to know. A mistake that only follows from another one is not told: what an entity of an
  /// unknown parent lacks, it may well inherit.
  public func check() -> [Diagnostic] {
    ModelIndex(self).check()
  }
}

extension ModelIndex {
  /// What `ManagedObjectModel.check` says of the model.
  package func check() -> [Diagnostic] {
    ModelRules.all.flatMap { $0.diagnostics(for: self) }.sortedByPlace()
  }
}
