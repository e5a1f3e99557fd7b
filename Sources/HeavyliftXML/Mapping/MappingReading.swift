import HeavyliftMapping
import HeavyliftModel

/// The result of reading a mapping file: the mapping model and the diagnostics.
package struct MappingReading: Hashable, Sendable {
  /// The mapping model, as far as the file can be understood.
  ///
  /// Parts that cannot be read are omitted, and a property whose expression cannot be read counts as automatic. If
  /// the file has mistakes, use this only to display and search it; do not run it.
  package var mappingModel: MappingModel
  /// The mistakes in file order.
  package var diagnostics: [Diagnostic]

  /// Creates a reading.
  package init(mappingModel: MappingModel, diagnostics: [Diagnostic]) {
    self.mappingModel = mappingModel
    self.diagnostics = diagnostics
  }

  /// Returns the mapping model if the file has no mistakes; otherwise throws all of them together.
  package func validMappingModel() throws(DiagnosticList) -> MappingModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return mappingModel
  }
}
