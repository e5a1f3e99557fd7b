public import HeavyliftModel

/// The result of reading a model file: the model and the diagnostics.
public struct ModelReading: Hashable, Sendable {
  /// The model, as far as the file can be understood.
  public var model: ManagedObjectModel
  /// Errors, warnings and notes in file order.
  public var diagnostics: [Diagnostic]

  /// Creates a reading.
  public init(model: ManagedObjectModel, diagnostics: [Diagnostic]) {
    self.model = model
    self.diagnostics = diagnostics
  }

  /// Returns the model if the file has no mistakes; otherwise throws all of them together.
  public func validModel() throws(DiagnosticList) -> ManagedObjectModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return model
  }
}
