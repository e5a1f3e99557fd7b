import Foundation
import HeavyliftArchive
import HeavyliftMapping
import HeavyliftModel

/// A mapping model from a compiled file (`.cdm`), with its diagnostics.
///
/// ```swift
/// let compiled = try CompiledMapping(contentsOf: URL(filePath: "V2toV3.cdm"))
/// let mapping = try compiled.validMappingModel()
/// let complete = mapping.complete(from: version2, to: version3)
/// ```
///
/// A compiled mapping is explicit: it copies only what it lists, and a property without an expression stays unmapped.
package struct CompiledMapping: Hashable, Sendable {
  package var mappingModel: MappingModel
  /// Errors, warnings and notes about contents of the file that a mapping model cannot represent.
  package var diagnostics: [Diagnostic]
  /// The version hashes of the source model's entities when the mapping was compiled.
  package var sourceEntityVersionHashes: [String: VersionHash]
  /// The version hashes of the destination model's entities when the mapping was compiled.
  package var destinationEntityVersionHashes: [String: VersionHash]

  /// Reads a `.cdm` file.
  package init(contentsOf url: URL) throws(Diagnostic) { try self.init(contentsOf: url, .given) }

  package init(contentsOf url: URL, _ origin: RegularFile.Origin) throws(Diagnostic) {
    let subject = "'\(url.lastPathComponent)'"
    try self.init(data: FileContents.read(url, origin, subject: subject), subject: subject)
    mappingModel.name = url.deletingPathExtension().lastPathComponent
  }

  /// Reads the contents of a `.cdm` file.
  ///
  /// - Parameters:
  ///   - data: The contents.
  ///   - subject: The name of the file in messages: "'V2toV3.cdm'".
  package init(data: Data, subject: String = "the compiled mapping model") throws(Diagnostic) {
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

  /// Returns the mapping model if the file has no mistakes; otherwise throws all of them together.
  package func validMappingModel() throws(DiagnosticList) -> MappingModel {
    if diagnostics.hasErrors { throw DiagnosticList(diagnostics.filter { $0.severity == .error }) }
    return mappingModel
  }
}
