public import Foundation
public import HeavyliftMapping
public import HeavyliftModel

/// A folder of mapping files that is searched for the mapping between two models.
///
/// ```swift
/// let folder = try MappingFolder(contentsOf: URL(filePath: "MappingModels/Music"))
/// for diagnostic in folder.diagnostics { print(diagnostic) }
/// let mapping = try folder.mapping(from: music1, to: music2)
/// ```
///
/// The folder can contain Heavylift's mapping files (`.xml`), Xcode's (`.xcmappingmodel`) and compiled ones (`.cdm`).
/// Subfolders, hidden files and files of other kinds are skipped.
public struct MappingFolder: Sendable {
  /// The files, in Finder's order: 2 before 10.
  public var candidates: [MappingCandidate] { search.candidates }
  /// The diagnostics of all files, including those that cannot be read.
  public var diagnostics: [Diagnostic] { candidates.flatMap(\.diagnostics).sortedByPlace() }
  /// Finds the folder's mapping files for a pair of models.
  package let search: MappingSearch

  /// Finds every mapping file in a folder. The files are read when the first of them is needed.
  ///
  /// Throws if the folder cannot be read. A file that cannot be read becomes a candidate without a mapping;
  /// `diagnostics` lists the reason, along with the mistakes in the other files.
  public init(contentsOf url: URL, file: String? = nil) throws(DiagnosticList) {
    let name = file ?? url.relativePath
    let path = url.path(percentEncoded: false)
    guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
      let exists = FileManager.default.fileExists(atPath: path)
      throw DiagnosticList([
        Diagnostic(
          .error, code: exists ? "file.not-a-folder" : "file.missing",
          problem: exists ? "'\(name)' is not a readable folder" : "there is no folder '\(name)'",
          remedy: "pass a folder that contains mapping files")
      ])
    }
    // Editors and other operating systems leave hidden files, such as locks and metadata, next to the real ones.
    let files = names.filter { !$0.hasPrefix(".") }.sorted()
      .map { (path: $0, url: url.appending(path: $0), shown: "\(name)/\($0)") }
    self.init(files, in: name)
  }

  /// Finds mapping files in a folder and its subfolders.
  ///
  /// - Parameter files: The files, with the paths to use in messages.
  package init(_ files: [(path: String, url: URL)], below name: String) {
    self.init(files.map { (path: $0.path, url: $0.url, shown: $0.path) }, in: name)
  }

  private init(_ files: [(path: String, url: URL, shown: String)], in name: String) {
    let files = files.filter { MappingSource.Kind(pathExtension: $0.url.pathExtension) != nil }
    search = MappingSearch(files.map(\.path), in: "'\(name)'") {
      files.compactMap { Self.candidate($0.url, file: $0.path, shown: $0.shown) }
    }
  }

  /// Returns the only mapping from one model to the other. Throws if there is none, if there are several, or if the
  /// mapping has mistakes.
  public func mapping(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> MappingModel {
    try search.mapping(from: source, to: destination).validMappingModel()
  }

  /// Returns every mapping from one model to the other: the passes of one migration, in order. Throws if there is none,
  /// if one of them has mistakes, or if there are several that do not declare that they are passes.
  public func mappings(
    from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) throws(DiagnosticList) -> [MappingModel] {
    var mappings: [MappingModel] = []
    for candidate in try search.mappings(from: source, to: destination) {
      mappings.append(try candidate.validMappingModel())
    }
    return mappings
  }

  /// Reads one file; nil if its name is not that of a mapping file.
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

extension MappingSearch {
  /// Creates a search among the mapping files of a folder, which are read when the first of them is needed.
  ///
  /// ```swift
  /// let search = try MappingSearch(contentsOf: mappingsURL)
  /// ```
  ///
  /// - Parameter folder: The folder. Subfolders, hidden files and files of other kinds are skipped.
  /// - Throws: `DiagnosticList` if the folder cannot be read.
  public init(contentsOf folder: URL) throws(DiagnosticList) { self = try MappingFolder(contentsOf: folder).search }
}
