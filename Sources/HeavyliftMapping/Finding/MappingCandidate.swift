public import HeavyliftModel

/// A mapping file among which the one for a pair of models is looked for.
public struct MappingCandidate: Sendable {
  /// What kind of file it is, which decides what its models' names are worth.
  public enum Kind: Hashable, Sendable {
    /// Somebody wrote it by hand, names and all.
    case written
    /// Xcode's editor wrote it. The names that it has for its models are paths, and often out of date.
    case xcode
    /// Xcode compiled it: it states the version hashes of the entities.
    case compiled
  }

  /// As messages call it.
  public var file: String
  /// Whose format it is in.
  public var kind: Kind
  /// Nil if the file cannot be read at all.
  public var mappingModel: MappingModel?
  /// The models that the file carries, as they were when it was edited.
  public var carriedModels: [MappingSide: ManagedObjectModel]
  /// The version hashes that the file states, by entity.
  public var versionHashes: [MappingSide: [String: VersionHash]]
  /// What is to be said about the file.
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

  /// The mapping model, if the file has no mistakes; otherwise throws all of them together.
  public func validMappingModel() throws(DiagnosticList) -> MappingModel {
    guard let mappingModel, !diagnostics.hasErrors else {
      throw DiagnosticList(diagnostics.filter { $0.severity == .error })
    }
    return mappingModel
  }
}
