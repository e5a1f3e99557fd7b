public import Foundation
import HeavyliftArchive
public import HeavyliftMapping
public import HeavyliftModel

/// A folder of mapping files, among which the one for a pair of models is found.
///
/// ```swift
/// let folder = try MappingFolder(contentsOf: URL(filePath: "MappingModels/Music"))
/// for diagnostic in folder.diagnostics { print(diagnostic) }
/// let mapping = try folder.mapping(from: music1, to: music2)
/// ```
///
/// Mapping files are our own (`.xml`), Xcode's (`.xcmappingmodel`) and compiled ones (`.cdm`); they are looked for in the
/// folder itself, not in folders below it. A file of another kind, or a
/// hidden one, is passed over.
public struct MappingFolder: Sendable {
  /// The files, in the order in which a person counts.
  public var candidates: [MappingCandidate] { search.candidates }
  /// What is to be said about all files, those that cannot be read among them.
  public var diagnostics: [Diagnostic] { candidates.flatMap(\.diagnostics).sortedByPlace() }
  /// What finds the files for a pair of models.
  public let search: MappingSearch

  /// Reads every mapping file in a folder.
  ///
  /// Throws if the folder cannot be read. A file that cannot be read is a candidate without a mapping, and told in
  /// `diagnostics`; so are the mistakes in the others.
  public init(contentsOf url: URL, file: String? = nil) throws(DiagnosticList) {
    let name = file ?? url.relativePath
    let path = url.path(percentEncoded: false)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      let exists = FileManager.default.fileExists(atPath: path)
      throw DiagnosticList([
        Diagnostic(
          .error, code: exists ? "file.not-a-folder" : "file.missing",
          problem: exists ? "'\(name)' is no folder that can be read" : "there is no folder '\(name)'",
          remedy: "give a folder with mapping files")
      ])
    }
    // Hidden ones are what editors and other systems leave beside a file: locks, and what goes with it elsewhere.
    let candidates = names.filter { !$0.hasPrefix(".") }.sorted().compactMap { entry in
      Self.candidate(url.appending(path: entry), file: entry, shown: "\(name)/\(entry)")
    }
    search = MappingSearch(candidates, in: "'\(name)'")
  }

  /// The only mapping from one model to the other; throws if there is none, or several, or it has mistakes.
  public func mapping(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> MappingModel {
    try search.mapping(from: source, to: destination).validMappingModel()
  }

  /// Every mapping from one model to the other in order of file name, the passes of one migration; throws if there is
  /// none, or one has mistakes.
  public func mappings(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> [MappingModel] {
    var mappings: [MappingModel] = []
    for candidate in try search.mappings(from: source, to: destination) {
      mappings.append(try candidate.validMappingModel())
    }
    return mappings
  }

  /// Reads one file; nil if it is no mapping file by its name.
  private static func candidate(_ url: URL, file: String, shown: String) -> MappingCandidate? {
    do {
      switch url.pathExtension {
      case "xml":
        let reading = try MappingReader.read(contentsOf: url, file: shown)
        return MappingCandidate(file: file, mappingModel: reading.mappingModel, diagnostics: reading.diagnostics)
      case "xcmappingmodel": return candidate(try XcodeMappingReader.read(contentsOf: url, file: shown), file: file)
      case "cdm": return try compiledCandidate(url, file: file)
      default: return nil
      }
    } catch {
      let kinds: [String: MappingCandidate.Kind] = ["xcmappingmodel": .xcode, "cdm": .compiled]
      return MappingCandidate(
        file: file, kind: kinds[url.pathExtension] ?? .written, mappingModel: nil, diagnostics: error.diagnostics)
    }
  }

  private static func candidate(_ reading: XcodeMappingReading, file: String) -> MappingCandidate {
    var models: [MappingSide: ManagedObjectModel] = [:]
    models[.source] = reading.sourceModel
    models[.destination] = reading.destinationModel
    return MappingCandidate(
      file: file, kind: .xcode, mappingModel: reading.mappingModel, carriedModels: models,
      diagnostics: reading.diagnostics)
  }

  private static func compiledCandidate(_ url: URL, file: String) throws(DiagnosticList) -> MappingCandidate {
    do {
      let compiled = try CompiledMapping(contentsOf: url)
      return MappingCandidate(
        file: file, kind: .compiled, mappingModel: compiled.mappingModel,
        versionHashes: [
          .source: compiled.sourceEntityVersionHashes, .destination: compiled.destinationEntityVersionHashes,
        ], diagnostics: compiled.diagnostics)
    } catch {
      throw DiagnosticList([error])
    }
  }
}
