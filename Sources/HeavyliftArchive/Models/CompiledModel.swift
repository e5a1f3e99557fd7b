import Foundation
import HeavyliftModel

/// An object model from a compiled file, with its diagnostics.
///
/// ```swift
/// let compiled = try CompiledModel(contentsOf: URL(filePath: "Library.mom"))
/// print(compiled.model.entities.map(\.name))
/// for diagnostic in compiled.diagnostics { print(diagnostic) }
/// ```
///
/// The model equals the model that is read from the source file, apart from facts that only one of the two files holds:
/// see `ManagedObjectModel.factsHeldByCompiledModels`.
package struct CompiledModel: Hashable, Sendable {
  /// The maximum inflated size of a store's model, in bytes: more than 100 times the size of the largest known models.
  package static let defaultInflatedSizeLimit = 64 << 20

  package var model: ManagedObjectModel
  /// Warnings and notes about assumptions, and about contents of the file that a model cannot represent.
  package var diagnostics: [Diagnostic]
  /// Attribute flags of unknown meaning, by entity and attribute.
  var unexplainedFlags: [String: [String: Int64]] = [:]
  /// The name of the model's source in messages.
  var subject: String

  /// Reads a `.mom` file.
  package init(contentsOf url: URL) throws { try self.init(contentsOf: url, .given) }

  init(contentsOf url: URL, _ origin: RegularFile.Origin) throws {
    let subject = "'\(url.lastPathComponent)'"
    try self.init(data: FileContents.read(url, origin, subject: subject), subject: subject)
    model.name = url.deletingPathExtension().lastPathComponent
  }

  /// Reads the contents of a `.mom` file.
  ///
  /// - Parameters:
  ///   - data: The contents.
  ///   - subject: The name of the file in messages: "'Library.mom'".
  package init(data: Data, subject: String = "the compiled model") throws(Diagnostic) {
    do {
      self = try Self.read(data, subject: subject)
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  /// Reads the model that a store embeds in its `Z_MODELCACHE` table.
  ///
  /// - Parameters:
  ///   - modelCache: The column's value.
  ///   - inflatedSizeLimit: The maximum inflated size, in bytes. Without a limit, a few bytes could inflate to
  ///     gigabytes.
  ///   - subject: The name of the data in messages.
  package init(
    modelCache: Data, inflatedSizeLimit: Int = defaultInflatedSizeLimit, subject: String = "the model cache"
  ) throws(Diagnostic) {
    do {
      self = try Self.read(Deflate.inflate(modelCache, limit: inflatedSizeLimit), subject: subject)
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  private static func read(_ data: Data, subject: String) throws(ArchiveMistake) -> CompiledModel {
    let archive = try KeyedArchive(parsing: data)
    var reader = ModelArchiveReader(archive: archive, subject: subject)
    let model = try reader.model()
    return CompiledModel(
      model: model, diagnostics: reader.diagnostics, unexplainedFlags: reader.unexplainedFlags, subject: subject)
  }

  private init(
    model: ManagedObjectModel, diagnostics: [Diagnostic], unexplainedFlags: [String: [String: Int64]], subject: String
  ) {
    self.model = model
    self.diagnostics = diagnostics
    self.unexplainedFlags = unexplainedFlags
    self.subject = subject
  }
}
