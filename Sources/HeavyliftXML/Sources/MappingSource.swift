public import Foundation
import HeavyliftArchive
public import HeavyliftMapping
public import HeavyliftModel

/// The mapping model at a path, in any supported format: Heavylift's, Xcode's, or compiled.
///
/// ```swift
/// let source = try MappingSource(path: "MappingModels/Music/1-2.xml", url: url)
/// print(source.mappingModel.entityMappings.map(\.name))
/// ```
public struct MappingSource: Sendable {
  /// The kinds of mappings.
  public enum Kind: String, Hashable, Sendable {
    case mappingFile = "mapping file"
    case xcode = "xcmappingmodel"
    case compiled = "cdm"
  }

  /// The path as given.
  public let path: String
  public let kind: Kind
  public private(set) var mappingModel: MappingModel
  /// The diagnostics about the file; the mapping itself is not checked.
  public private(set) var diagnostics: [Diagnostic]
  /// The models that the file embeds, as they were when the mapping was last edited.
  public private(set) var embeddedModels: (source: ManagedObjectModel?, destination: ManagedObjectModel?)
  /// The paths of the models within the Xcode project.
  package private(set) var modelPaths: (source: String?, destination: String?)
  /// The version hashes in a compiled file.
  package private(set) var statedHashes: (source: [String: VersionHash], destination: [String: VersionHash]) = (
    [:], [:]
  )

  /// Reads the mapping at a path.
  ///
  /// - Parameters:
  ///   - path: The path to use in messages.
  ///   - url: The file's location.
  public init(path: String, url: URL) throws {
    guard let kind = try Self.kind(path, url) else {
      throw Diagnostic(
        .error, code: "mapping-file.not-a-mapping", problem: "'\(path)' is not a mapping",
        remedy: "pass a mapping file, an .xcmappingmodel, an xcmapping.xml or a .cdm")
    }
    try self.init(kind, .given, path: path, url: url)
  }

  /// Reads a file of a known kind.
  init(_ kind: Kind, _ origin: RegularFile.Origin, path: String, url: URL) throws(DiagnosticList) {
    switch kind {
    case .mappingFile: self.init(try MappingReader.read(contentsOf: url, origin, file: path), path)
    case .xcode: self.init(try XcodeMappingReader.read(contentsOf: url, origin, file: path), path)
    case .compiled:
      do {
        self.init(try CompiledMapping(contentsOf: url, origin), path)
      } catch {
        throw DiagnosticList([error])
      }
    }
  }

  /// Reads the bytes of a mapping file, or of the `xcmapping.xml` of an `.xcmappingmodel`.
  ///
  /// - Returns: `nil` if they are not a mapping, or cannot be read.
  package init?(data: Data, path: String) {
    switch Self.kind(ofXML: data) {
    case .mappingFile:
      guard let reading = try? MappingReader.read(data: data, file: path) else { return nil }
      self.init(reading, path)
    case .xcode:
      guard let reading = try? XcodeMappingReader.read(data: data, file: path) else { return nil }
      self.init(reading, path)
    default: return nil
    }
  }

  private init(_ reading: MappingReading, _ path: String) {
    (self.path, kind) = (path, .mappingFile)
    (mappingModel, diagnostics) = (reading.mappingModel, reading.diagnostics)
  }

  private init(_ reading: XcodeMappingReading, _ path: String) {
    (self.path, kind) = (path, .xcode)
    (mappingModel, diagnostics) = (reading.mappingModel, reading.diagnostics)
    embeddedModels = (reading.sourceModel, reading.destinationModel)
    modelPaths = (reading.sourceModelPath, reading.destinationModelPath)
  }

  private init(_ compiled: CompiledMapping, _ path: String) {
    (self.path, kind) = (path, .compiled)
    (mappingModel, diagnostics) = (compiled.mappingModel, compiled.diagnostics)
    statedHashes = (compiled.sourceEntityVersionHashes, compiled.destinationEntityVersionHashes)
  }

  /// Returns the mapping model; throws the file's mistakes if it has any.
  public func validMappingModel() throws(DiagnosticList) -> MappingModel {
    let errors = diagnostics.filter { $0.severity == .error }
    if !errors.isEmpty { throw DiagnosticList(errors) }
    return mappingModel
  }

  /// Returns the mapping model, ready to run between these two models.
  ///
  /// Xcode's formats identify their models by more than names: a compiled file by version hashes, and an Xcode source
  /// file by its embedded copies. The model names in these files are often outdated and are ignored here.
  ///
  /// - Throws: The file's mistakes, or the reason why an Xcode mapping is not for these models. Mismatches between a
  ///   mapping file and its models are reported by its check.
  public func validMappingModel(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> MappingModel {
    guard kind != .mappingFile else { return try validMappingModel() }
    let name = URL(filePath: path).lastPathComponent
    return try MappingSearch([candidate(named: name)], in: "'\(path)'").mapping(from: source, to: destination)
      .validMappingModel()
  }

  /// Returns the file as a candidate in a search for the mapping between two models.
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
  /// Creates the kind of a file in a folder from its extension; nil if it is not a mapping.
  init?(pathExtension: String) {
    switch pathExtension.lowercased() {
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
