public import Foundation
import HeavyliftArchive
public import HeavyliftMapping
public import HeavyliftModel
import HeavyliftXML

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
  private(set) var modelPaths: (source: String?, destination: String?)
  /// The version hashes that a compiled file states.
  var statedHashes: (source: [String: VersionHash], destination: [String: VersionHash]) = ([:], [:])

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
    self.path = path
    self.kind = kind
    switch kind {
    case .mappingFile:
      let reading = try MappingReader.read(contentsOf: url, file: path)
      (mappingModel, diagnostics) = (reading.mappingModel, reading.diagnostics)
    case .xcode:
      let reading = try XcodeMappingReader.read(contentsOf: url, file: path)
      (mappingModel, diagnostics) = (reading.mappingModel, reading.diagnostics)
      embeddedModels = (reading.sourceModel, reading.destinationModel)
      modelPaths = (reading.sourceModelPath, reading.destinationModelPath)
    case .compiled:
      let compiled = try CompiledMapping(contentsOf: url)
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
}
