public import Foundation
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
    guard let kind = MappingSource.Kind(pathExtension: url.pathExtension) else { return nil }
    do {
      return try MappingSource(kind, .found, path: shown, url: url).candidate(named: file)
    } catch {
      return MappingCandidate(
        file: file, kind: kind.ofCandidates, mappingModel: nil, diagnostics: error.diagnostics)
    }
  }
}
