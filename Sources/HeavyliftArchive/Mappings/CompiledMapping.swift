public import Foundation
public import HeavyliftMapping
public import HeavyliftModel

/// A mapping model out of a compiled file (`.cdm`), with what there is to say about it.
///
/// ```swift
/// let compiled = try CompiledMapping(contentsOf: URL(filePath: "V2toV3.cdm"))
/// let mapping = try compiled.validMappingModel()
/// let complete = mapping.complete(from: version2, to: version3)
/// ```
///
/// A compiled mapping says everything: it copies only what it lists, and what has no expression stays unmapped.
public struct CompiledMapping: Hashable, Sendable {
  public var mappingModel: MappingModel
  /// Mistakes, warnings and notes: what the file holds and a mapping model cannot.
  public var diagnostics: [Diagnostic]
  /// What the entities of the source model were when the mapping was compiled.
  public var sourceEntityVersionHashes: [String: VersionHash]
  /// What the entities of the destination model were when the mapping was compiled.
  public var destinationEntityVersionHashes: [String: VersionHash]

  /// Reads a `.cdm` file.
  public init(contentsOf url: URL) throws(Diagnostic) { try self.init(contentsOf: url, .given) }

  package init(contentsOf url: URL, _ origin: RegularFile.Origin) throws(Diagnostic) {
    let subject = "'\(url.lastPathComponent)'"
    try self.init(data: FileContents.read(url, origin, subject: subject), subject: subject)
    mappingModel.name = url.deletingPathExtension().lastPathComponent
  }

  /// Reads the contents of a `.cdm` file.
  ///
  /// - Parameters:
  ///   - data: The contents.
  ///   - subject: What the bytes are, for messages: "'V2toV3.cdm'".
  public init(data: Data, subject: String = "the compiled mapping model") throws(Diagnostic) {
    do {
      var reader = MappingArchiveReader(archive: try KeyedArchive(parsing: data), subject: subject)
      mappingModel = try reader.mappingModel()
      diagnostics = reader.diagnostics
      sourceEntityVersionHashes = reader.sourceHashes
      destinationEntityVersionHashes = reader.destinationHashes
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  /// The mapping model, if the file has no mistakes; otherwise throws all of them together.
  public func validMappingModel() throws(DiagnosticList) -> MappingModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return mappingModel
  }
}
