public import HeavyliftModel

/// A mapping file that may be for a given pair of models.
public struct MappingCandidate: Sendable {
  /// The kind of file, which determines how far the model names in it can be trusted.
  public enum Kind: Hashable, Sendable {
    /// A hand-written file with deliberate names.
    case written
    /// A file from Xcode's editor. Its model names are paths, and often out of date.
    case xcode
    /// A file compiled by Xcode. It contains the version hashes of the entities.
    case compiled
  }

  /// The file name for messages.
  public var file: String
  /// The file's format.
  public var kind: Kind
  /// The mapping model; nil if the file cannot be read at all.
  public var mappingModel: MappingModel?
  /// The models embedded in the file, as they were when the mapping was last edited.
  public var carriedModels: [MappingSide: ManagedObjectModel]
  /// The version hashes in the file, by entity.
  public var versionHashes: [MappingSide: [String: VersionHash]]
  /// The diagnostics of the file.
  public var diagnostics: [Diagnostic]

  /// Creates a candidate.
  public init(
    file: String, kind: Kind = .written, mappingModel: MappingModel?,
    carriedModels: [MappingSide: ManagedObjectModel] = [:],
    versionHashes: [MappingSide: [String: VersionHash]] = [:], diagnostics: [Diagnostic] = []
  ) {
    self.file = file
    self.kind = kind
    self.mappingModel = mappingModel
    self.carriedModels = carriedModels
    self.versionHashes = versionHashes
    self.diagnostics = diagnostics
  }

  /// Returns the mapping model if the file has no mistakes; otherwise throws all of them together.
  public func validMappingModel() throws(DiagnosticList) -> MappingModel {
    guard let mappingModel, !diagnostics.hasErrors else {
      throw DiagnosticList(diagnostics.filter { $0.severity == .error })
    }
    return mappingModel
  }
}
