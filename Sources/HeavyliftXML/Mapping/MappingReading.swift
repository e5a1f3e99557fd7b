public import HeavyliftMapping
public import HeavyliftModel

/// The result of reading a mapping file: the mapping model and the diagnostics.
public struct MappingReading: Hashable, Sendable {
  /// The mapping model, as far as the file can be understood.
  ///
  /// Parts that cannot be read are omitted, and a property whose expression cannot be read counts as automatic. If
  /// the file has mistakes, use this only to display and search it; do not run it.
  public var mappingModel: MappingModel
  /// The mistakes in file order.
  public var diagnostics: [Diagnostic]

  /// Creates a reading.
  public init(mappingModel: MappingModel, diagnostics: [Diagnostic]) {
    self.mappingModel = mappingModel
    self.diagnostics = diagnostics
  }

  /// Returns the mapping model if the file has no mistakes; otherwise throws all of them together.
  public func validMappingModel() throws(DiagnosticList) -> MappingModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return mappingModel
  }
}
