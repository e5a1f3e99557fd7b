import HeavyliftModel

/// The result of reading a model file: the model and the diagnostics.
package struct ModelReading: Hashable, Sendable {
  /// The model, as far as the file can be understood.
  package var model: ManagedObjectModel
  /// Errors, warnings and notes in file order.
  package var diagnostics: [Diagnostic]

  /// Creates a reading.
  package init(model: ManagedObjectModel, diagnostics: [Diagnostic]) {
    self.model = model
    self.diagnostics = diagnostics
  }

  /// Returns the model if the file has no mistakes; otherwise throws all of them together.
  package func validModel() throws(DiagnosticList) -> ManagedObjectModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return model
  }
}
