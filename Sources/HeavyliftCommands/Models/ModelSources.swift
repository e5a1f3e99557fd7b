import Heavylift
import HeavyliftXML

/// The models that a command reads. Each of them is read once, although many mappings may be for it.
final class ModelSources {
  let io: CommandIO
  private var sources: [String: Result<ModelSource, any Error>] = [:]
  private var folders: [[String]: Result<ProjectFolder?, any Error>] = [:]

  init(_ io: CommandIO) { self.io = io }

  /// Returns the models at a path.
  func source(_ path: String) throws -> ModelSource {
    if let known = sources[path] { return try known.get() }
    let source = Result { try ModelSource(path: path, url: io.url(path)) }
    sources[path] = source
    return try source.get()
  }

  /// Returns the folder among the paths that is not itself a model; `nil` if there is none.
  func folder(_ paths: [String]) throws -> ProjectFolder? {
    if let known = folders[paths] { return try known.get() }
    let folder = Result { try ModelPaths.folder(paths, io.directory) }
    folders[paths] = folder
    return try folder.get()
  }
}
