public import Foundation
import HeavyliftArchive
public import HeavyliftMapping
public import HeavyliftModel

/// The mapping model that a path leads to, whatever kind of file it names: ours, Xcode's, or a compiled one.
///
/// ```swift
/// let source = try MappingSource(path: "MappingModels/Music/1-2.xml", url: url)
/// print(source.mappingModel.entityMappings.map(\.name))
/// ```
public struct MappingSource: Sendable {
  /// What a path can be.
  public enum Kind: String, Hashable, Sendable {
    case mappingFile = "mapping file"
    case xcode = "xcmappingmodel"
    case compiled = "cdm"
  }

  /// As it was given.
  public let path: String
  public let kind: Kind
  public private(set) var mappingModel: MappingModel
  /// What there is to say about the file; the mapping itself is not checked.
  public private(set) var diagnostics: [Diagnostic]
  /// The models that the file carries itself, as they were when somebody last edited it.
  public private(set) var embeddedModels: (source: ManagedObjectModel?, destination: ManagedObjectModel?)
  /// Where Xcode found the models, within its project.
  package private(set) var modelPaths: (source: String?, destination: String?)
  /// The version hashes that a compiled file states.
  package private(set) var statedHashes: (source: [String: VersionHash], destination: [String: VersionHash]) = (
    [:], [:]
  )

  /// Reads what a path leads to.
  ///
  /// - Parameters:
  ///   - path: What messages call it.
  ///   - url: Where it is.
  public init(path: String, url: URL) throws {
    guard let kind = try Self.kind(path, url) else {
      throw Diagnostic(
        .error, code: "mapping-file.not-a-mapping", problem: "'\(path)' is no mapping",
        remedy: "give a mapping file, an .xcmappingmodel, an xcmapping.xml or a .cdm")
    }
    try self.init(kind, .given, path: path, url: url)
  }

  /// Reads a file of a kind that is known.
  init(_ kind: Kind, _ origin: RegularFile.Origin, path: String, url: URL) throws(DiagnosticList) {
    self.path = path
    self.kind = kind
    switch kind {
    case .mappingFile:
      let reading = try MappingReader.read(contentsOf: url, origin, file: path)
      (mappingModel, diagnostics) = (reading.mappingModel, reading.diagnostics)
    case .xcode:
      let reading = try XcodeMappingReader.read(contentsOf: url, origin, file: path)
      (mappingModel, diagnostics) = (reading.mappingModel, reading.diagnostics)
      embeddedModels = (reading.sourceModel, reading.destinationModel)
      modelPaths = (reading.sourceModelPath, reading.destinationModelPath)
    case .compiled:
      let compiled: CompiledMapping
      do {
        compiled = try CompiledMapping(contentsOf: url, origin)
      } catch {
        throw DiagnosticList([error])
      }
      (mappingModel, diagnostics) = (compiled.mappingModel, compiled.diagnostics)
      statedHashes = (compiled.sourceEntityVersionHashes, compiled.destinationEntityVersionHashes)
    }
  }

  /// The mapping model; throws the file's mistakes if it has any.
  public func validMappingModel() throws(DiagnosticList) -> MappingModel {
    let errors = diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { throw DiagnosticList(errors) }
    return mappingModel
  }

  /// The mapping model, to be carried out between these two models.
  ///
  /// What Xcode made knows its models better than by name: a compiled file by their version hashes, and its source by what
  /// it carries of them. So the names in it, which are often out of date, count for nothing here.
  ///
  /// - Throws: The file's mistakes, or why what Xcode made is for other models. What is wrong between a mapping file and
  ///   its models, its check tells.
  public func validMappingModel(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> MappingModel {
    guard kind != .mappingFile else { return try validMappingModel() }
    let name = URL(filePath: path).lastPathComponent
    var mapping = try MappingSearch([candidate(named: name)], in: "'\(path)'").mapping(from: source, to: destination)
      .validMappingModel()
    (mapping.source.name, mapping.destination.name) = (nil, nil)
    return mapping
  }

  /// The file as one among which that for two models is looked for.
  package func candidate(named file: String) -> MappingCandidate {
    var models: [MappingSide: ManagedObjectModel] = [:]
    models[.source] = embeddedModels.source
    models[.destination] = embeddedModels.destination
    return MappingCandidate(
      file: file, kind: kind.ofCandidates, mappingModel: mappingModel, carriedModels: models,
      versionHashes: [.source: statedHashes.source, .destination: statedHashes.destination],
      diagnostics: diagnostics)
  }
}

extension MappingSource.Kind {
  /// What a file in a folder is by its name; nil if it is no mapping.
  init?(pathExtension: String) {
    switch pathExtension {
    case "xml": self = .mappingFile
    case "xcmappingmodel": self = .xcode
    case "cdm": self = .compiled
    default: return nil
    }
  }

  var ofCandidates: MappingCandidate.Kind {
    switch self {
    case .mappingFile: .written
    case .xcode: .xcode
    case .compiled: .compiled
    }
  }
}
