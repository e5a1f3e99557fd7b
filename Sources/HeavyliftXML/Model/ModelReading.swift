public import HeavyliftModel

/// What reading a model file gave: the model, and all that is to be said about the file.
public struct ModelReading: Hashable, Sendable {
  /// The model, as far as the file can be understood.
  public var model: ManagedObjectModel
  /// Mistakes, warnings and notes in the order of the file.
  public var diagnostics: [Diagnostic]

  /// Creates a reading.
  public init(model: ManagedObjectModel, diagnostics: [Diagnostic]) {
    self.model = model
    self.diagnostics = diagnostics
  }

  /// The model, if the file has no mistakes; otherwise throws all of them together.
  public func validModel() throws(DiagnosticList) -> ManagedObjectModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return model
  }
}
