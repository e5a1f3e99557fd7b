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

  /// Returns the version hashes of the entities that the file maps, as it states them or as its embedded model has them:
  /// by these, Core Data finds a mapping model. Empty if the file identifies no version.
  package func mappedHashes(_ side: MappingSide) -> [String: VersionHash] {
    if let stated = versionHashes[side], !stated.isEmpty { return stated }
    guard let mappingModel, let hashes = carriedModels[side]?.versionHashes,
      carriedModels[.source]?.versionHashes != carriedModels[.destination]?.versionHashes
    else { return [:] }
    let mapped = Set(
      mappingModel.entityMappings.compactMap { side == .source ? $0.sourceEntityName : $0.destinationEntityName })
    return hashes.filter { mapped.contains($0.key) }
  }

  /// Returns the candidate without names of models that are not those of the two versions: what Xcode records is a path,
  /// which may be that of a file that was renamed or never existed.
  func named(like source: ManagedObjectModel, _ destination: ManagedObjectModel) -> MappingCandidate {
    guard kind != .written else { return self }
    var candidate = self
    if mappingModel?.source.name != source.name { candidate.mappingModel?.source.name = nil }
    if mappingModel?.destination.name != destination.name { candidate.mappingModel?.destination.name = nil }
    return candidate
  }

  /// Returns the mapping model if the file has no mistakes; otherwise throws all of them together.
  public func validMappingModel() throws(DiagnosticList) -> MappingModel {
    guard let mappingModel, !diagnostics.hasErrors else {
      throw DiagnosticList(diagnostics.filter { $0.severity == .error })
    }
    return mappingModel
  }
}
