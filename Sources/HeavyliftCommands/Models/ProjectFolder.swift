import Foundation
import HeavyliftModel
import HeavyliftXML

/// A folder that contains a program's source somewhere below it, such as an Xcode project, and that is searched for
/// models and mappings.
///
/// Compiled models and mappings count only in a folder without source models, such as a built program: beside the source,
/// they are copies of it, and may be outdated.
struct ProjectFolder {
  let path: String
  /// The paths of the models, in Finder's order.
  let models: [String]
  /// The paths of the mappings, relative to the folder.
  let mappings: [String]

  /// Searches a folder. Nil for a file, and for a folder that is itself a model or a mapping.
  init?(_ given: String, _ io: CommandIO) {
    var path = Self.isXcodeFile(given) ? given.deletingLastPathComponent : given
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    let url = io.url(path).resolvingSymlinksInPath()
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue,
      (try? ModelSource.kind(path, url)) == nil, (try? MappingSource.kind(path, url)) == .some(nil)
    else { return nil }
    var (sources, compiled) = (Contents(), Contents())
    let walk = FileManager.default.enumerator(atPath: url.path)
    while let name = walk?.nextObject() as? String {
      let file = name as NSString
      // Hidden folders contain builds, repositories and settings.
      if file.lastPathComponent.hasPrefix(".") {
        walk?.skipDescendants()
        continue
      }
      switch file.pathExtension {
      case "xcdatamodeld": sources.models.append(name)
      // Versions next to each other are a bundle whose folder has another name.
      case "xcdatamodel": sources.models.append(name.deletingLastPathComponent)
      case "xcmappingmodel": sources.mappings.append(name)
      case "momd", "mom": compiled.models.append(name)
      case "cdm": compiled.mappings.append(name)
      case "xml":
        if MappingSource.isMappingFile(url.appending(path: name)) { sources.mappings.append(name) }
        continue
      default: continue
      }
      walk?.skipDescendants()
    }
    let found = sources.models.isEmpty ? compiled : sources
    self.path = path.isEmpty ? "." : path
    models = Set(found.models).sorted { $0.precedesAsCounted($1) }.map { (path as NSString).appendingPathComponent($0) }
    // A built program may contain mapping files next to its compiled models.
    mappings = (sources.models.isEmpty ? compiled.mappings + sources.mappings : sources.mappings)
      .sorted { $0.precedesAsCounted($1) }
  }

  private struct Contents {
    var models: [String] = []
    var mappings: [String] = []
  }

  /// True for the file that Xcode opens, which is next to the program's source.
  private static func isXcodeFile(_ path: String) -> Bool {
    ["xcodeproj", "xcworkspace"].contains((path as NSString).pathExtension)
  }
}
