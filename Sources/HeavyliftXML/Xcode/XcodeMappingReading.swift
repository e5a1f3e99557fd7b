public import HeavyliftMapping
public import HeavyliftModel

/// What reading one of Xcode's mapping models gave: the mapping, the models that it carries, and all that is to be said.
public struct XcodeMappingReading: Hashable, Sendable {
  /// The mapping model, as far as the file can be understood.
  public var mappingModel: MappingModel
  /// The source model as it was when somebody last edited the mapping; nil if the file carries none.
  public var sourceModel: ManagedObjectModel?
  /// The destination model as it was when somebody last edited the mapping; nil if the file carries none.
  public var destinationModel: ManagedObjectModel?
  /// Where Xcode found the source model, within its project. Often nothing is there any more.
  public var sourceModelPath: String?
  /// Where Xcode found the destination model, within its project.
  public var destinationModelPath: String?
  /// Mistakes, warnings and notes in the order of the file.
  public var diagnostics: [Diagnostic]

  /// Creates a reading.
  public init(
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

  /// The mapping model, if the file has no mistakes; otherwise throws all of them together.
  public func validMappingModel() throws(DiagnosticList) -> MappingModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return mappingModel
  }
}
