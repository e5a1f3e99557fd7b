import Foundation
import HeavyliftModel
import HeavyliftXML

/// The paths of the models that may contain a store's version, before any of them is read.
struct ModelPaths {
  /// The folder that the user gave; `nil` if only models were given, or if the models were found next to a store.
  let folder: ProjectFolder?
  /// The models that the user named.
  let given: [String]
  /// The models in the folder, or next to a store or its mappings.
  let found: [String]

  /// A folder among the paths is searched for models if it is the only path, and otherwise only for mappings.
  init(_ paths: [String], _ io: CommandIO) throws {
    let folder = try Self.folder(paths, io)
    self.folder = folder
    given = folder != nil && paths.count == 1 ? [] : paths.filter { folder?.given != $0 }
    found = folder?.models ?? []
  }

  init(besideStore paths: [String]) { (folder, given, found) = (nil, [], paths) }

  /// Returns the folder among the paths that is not itself a model; `nil` if there is none.
  static func folder(_ paths: [String], _ io: CommandIO) throws -> ProjectFolder? {
    let folders = try paths.compactMap { path in
      try ProjectFolder(path, io).flatMap { $0.isBundle && paths.count > 1 ? nil : $0 }
    }
    guard folders.count <= 1 else {
      throw Diagnostic(
        .error, code: "model-file.not-a-model",
        problem: "the folders \(folders.map(\.path).quotedPaths) are not models, and only one can be searched for them",
        remedy: "specify a folder that contains all of them, or the models: \(folders.flatMap(\.models).quotedPaths)")
    }
    return folders.first
  }

  /// The only model, if it has several versions.
  func onlyBundle(_ io: CommandIO) -> (path: String, url: URL)? {
    let paths = given + found
    guard paths.count == 1, let kind = try? ModelSource.kind(paths[0], io.url(paths[0])),
      kind == .bundle || kind == .compiledBundle
    else { return nil }
    return (paths[0], io.url(paths[0]))
  }
}
