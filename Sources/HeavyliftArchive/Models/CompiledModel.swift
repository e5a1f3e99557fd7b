public import Foundation
public import HeavyliftModel

/// An object model out of a compiled file, with what there is to say about it.
///
/// ```swift
/// let compiled = try CompiledModel(contentsOf: URL(filePath: "Library.mom"))
/// print(compiled.model.entities.map(\.name))
/// for diagnostic in compiled.diagnostics { print(diagnostic) }
/// ```
///
/// The model equals the one that is read from the source of the compiled file, as far as both hold the same facts: see
/// `ManagedObjectModel.factsHeldByCompiledModels`.
public struct CompiledModel: Hashable, Sendable {
  /// The largest model that is inflated out of a store, in bytes. The largest known ones have less than a hundredth.
  public static let defaultInflatedSizeLimit = 64 << 20

  public var model: ManagedObjectModel
  /// Warnings and notes: what the file holds and the model cannot, what had to be assumed.
  public var diagnostics: [Diagnostic]
  /// Flags of attributes that nobody has explained, by entity and attribute.
  var unexplainedFlags: [String: [String: Int64]] = [:]
  /// What the model was read from, for messages.
  var subject: String

  /// Reads a `.mom` file.
  public init(contentsOf url: URL) throws { try self.init(contentsOf: url, .given) }

  init(contentsOf url: URL, _ origin: RegularFile.Origin) throws {
    let subject = "'\(url.lastPathComponent)'"
    try self.init(data: FileContents.read(url, origin, subject: subject), subject: subject)
    model.name = url.deletingPathExtension().lastPathComponent
  }

  /// Reads the contents of a `.mom` file.
  ///
  /// - Parameters:
  ///   - data: The contents.
  ///   - subject: What the bytes are, for messages: "'Library.mom'".
  public init(data: Data, subject: String = "the compiled model") throws(Diagnostic) {
    do {
      self = try Self.read(data, subject: subject)
    } catch {
      throw error.diagnostic(in: subject)
    }
  }

  /// Reads the model that a store carries, out of its table `Z_MODELCACHE`.
  ///
  /// - Parameters:
  ///   - modelCache: The column's value.
  ///   - inflatedSizeLimit: The largest model that is accepted, in bytes: a few bytes can inflate to gigabytes.
  ///   - subject: What the bytes are, for messages.
  public init(
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
