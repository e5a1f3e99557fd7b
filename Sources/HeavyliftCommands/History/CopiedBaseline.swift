import Foundation
import Heavylift
import HeavyliftModel
import HeavyliftXML

/// Reads the models of a released app from a copy of its project, or from one of its models.
struct CopiedBaseline {
  /// - Parameters:
  ///   - path: A folder, or a model, source or compiled.
  ///   - project: The folder that is checked.
  ///   - files: The models and mappings of the project.
  static func read(_ path: String, for project: String, _ files: [String], _ io: CommandIO) throws -> Baseline {
    let places = CheckedPlaces([path], io.directory)
    let folder = try ProjectFolder(path, io.directory)
    var models: [ReleasedModel] = []
    for file in (folder?.models ?? [path]) where places.areReleased(file) {
      let source = try ModelSource(path: file, url: io.url(file))
      let versions = try source.validVersions().map { version in
        ReleasedModel.Version(name: version.name, release: path, model: version.model)
      }
      let names = Set(versions.map(\.name))
      let current = source.currentVersionName ?? (versions.count == 1 ? versions[0].name : nil)
      models.append(
        ReleasedModel(
          path: folder.map { counterpart(of: file, in: $0.path, project) } ?? file, versions: versions,
          knownNames: names, namesInBaseline: names, currentNames: [current].compactMap(\.self),
          currentNameInBaseline: current))
    }
    var removed: [RemovedMapping] = []
    for file in folder?.mappings ?? [] where places.areReleased(file) {
      let own = counterpart(of: file, in: folder?.path ?? "", project)
      guard !FileManager.default.fileExists(atPath: io.url(own).path),
        let mapping = try? MappingSource(path: own, url: io.url(file))
      else { continue }
      removed.append(RemovedMapping(release: path, mapping: mapping))
    }
    return Baseline(
      title: "'\(path)'", models: models, removedMappings: removed,
      changedFiles: try folder.map { try changed(files, from: $0.path, project, io) })
  }

  /// The path in one folder of a file in another.
  private static func counterpart(of file: String, in folder: String, _ other: String) -> String {
    guard folder != ".", file.hasPrefix("\(folder)/") else {
      return (other as NSString).appendingPathComponent(file)
    }
    return (other as NSString).appendingPathComponent(String(file.dropFirst(folder.count + 1)))
  }

  /// Returns the absolute paths of the files that the copy does not have, or has with other contents.
  private static func changed(
    _ files: [String], from folder: String, _ project: String, _ io: CommandIO
  ) throws -> Set<String> {
    var changed: Set<String> = []
    for file in files {
      let place = io.url(file)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: place.path, isDirectory: &isFolder)
      let parts = isFolder.boolValue ? try FileManager.default.subpathsOfDirectory(atPath: place.path) : [""]
      let other = io.url(counterpart(of: file, in: project, folder))
      for part in parts {
        let one = part.isEmpty ? place : place.appending(path: part)
        let two = part.isEmpty ? other : other.appending(path: part)
        guard !FileManager.default.contentsEqual(atPath: one.path, andPath: two.path) else { continue }
        changed.insert(CheckedPlaces.absolute(one.path, io.directory))
      }
    }
    return changed
  }
}
