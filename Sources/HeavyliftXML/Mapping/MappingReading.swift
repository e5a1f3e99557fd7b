public import HeavyliftMapping
public import HeavyliftModel

/// What reading a mapping file gave: the mapping model, and all that is to be said about the file.
public struct MappingReading: Hashable, Sendable {
  /// The mapping model, as far as the file can be understood.
  ///
  /// What cannot be read is left out, and a property whose expression cannot be read is taken for automatic: with such
  /// mistakes, this is something to show and to search, and nothing to run.
  public var mappingModel: MappingModel
  /// Mistakes in the order of the file.
  public var diagnostics: [Diagnostic]

  /// Creates a reading.
  public init(mappingModel: MappingModel, diagnostics: [Diagnostic]) {
    self.mappingModel = mappingModel
    self.diagnostics = diagnostics
  }

  /// The mapping model, if the file has no mistakes; otherwise throws all of them together.
  public func validMappingModel() throws(DiagnosticList) -> MappingModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return mappingModel
  }
}
