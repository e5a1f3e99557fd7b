import HeavyliftMapping
import HeavyliftModel

/// The result of reading one of Xcode's mapping models: the mapping, its embedded models, and the diagnostics.
package struct XcodeMappingReading: Hashable, Sendable {
  /// The mapping model, as far as the file can be understood.
  package var mappingModel: MappingModel
  /// The source model as it was when the mapping was last edited; nil if the file embeds none.
  package var sourceModel: ManagedObjectModel?
  /// The destination model as it was when the mapping was last edited; nil if the file embeds none.
  package var destinationModel: ManagedObjectModel?
  /// The path of the source model within the Xcode project. Often the file no longer exists.
  package var sourceModelPath: String?
  /// The path of the destination model within the Xcode project.
  package var destinationModelPath: String?
  /// Errors, warnings and notes in file order.
  package var diagnostics: [Diagnostic]

  /// Creates a reading.
  package init(
    mappingModel: MappingModel, sourceModel: ManagedObjectModel? = nil, destinationModel: ManagedObjectModel? = nil,
    sourceModelPath: String? = nil, destinationModelPath: String? = nil, diagnostics: [Diagnostic] = []
  ) {
    self.mappingModel = mappingModel
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    self.sourceModelPath = sourceModelPath
    self.destinationModelPath = destinationModelPath
    self.diagnostics = diagnostics
  }

  /// Returns the mapping model if the file has no mistakes; otherwise throws all of them together.
  package func validMappingModel() throws(DiagnosticList) -> MappingModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return mappingModel
  }
}
