import Foundation
import HeavyliftModel
import HeavyliftXML

/// A folder that contains a program's source somewhere below it, such as an Xcode project, and that is searched for
/// models and mappings.
///
/// Compiled models count only in a folder without source models, such as a built program: beside the source, they are
/// copies of it, and may be outdated.
struct ProjectFolder {
  let path: String
  /// The paths of the models, in Finder's order.
  let models: [String]
  /// The paths of the mappings, in Finder's order.
  let mappings: [String]

  /// Searches a folder. Nil for a file, for a folder that is itself a model or a mapping, and for one without models.
  ///
  /// - Throws: `Diagnostic` if something below the folder cannot be read: it may be what is looked for.
  init?(_ given: String, _ io: CommandIO) throws {
    var path = given
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard FileKind(io.url(path)).isFolder, !Self.modelExtensions.contains(path.pathExtension),
      path.pathExtension != "xcmappingmodel"
    else { return nil }
    // Xcode's own files are next to the program's source.
    while ["xcodeproj", "xcworkspace"].contains(path.pathExtension) { path = path.deletingLastPathComponent }
    if path.isEmpty { path = "." }
    var walk = Walk()
    try walk.visit(io.url(path), path)
    let found = walk.sources.isEmpty ? walk.compiled : walk.sources
    // A folder whose only models are versions next to each other is a bundle with another name.
    let isBundle = found.allSatisfy { file in
      ["xcdatamodel", "mom"].contains(file.pathExtension) && file.deletingLastPathComponent == path
    }
    if isBundle { return nil }
    self.path = path
    models = found.sorted { $0.precedesAsCounted($1) }
    // Xcode compiles a mapping model under its own name.
    let names = Set(
      walk.mappings.filter { $0.pathExtension == "xcmappingmodel" }.map(\.withoutExtension.lastPathComponent))
    mappings =
      (walk.mappings + walk.compiledMappings.filter { !names.contains($0.withoutExtension.lastPathComponent) })
      .sorted { $0.precedesAsCounted($1) }
  }

  private static let modelExtensions: Set = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]
}

/// The models and mappings below a folder.
private struct Walk {
  var sources: [String] = []
  var compiled: [String] = []
  var mappings: [String] = []
  var compiledMappings: [String] = []
  /// The folders that were searched, without symbolic links, which may lead back.
  private var seen: Set<String> = []

  mutating func visit(_ folder: URL, _ path: String) throws {
    guard seen.insert(folder.resolvingSymlinksInPath().path).inserted else { return }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw Diagnostic.unreadable("the folder '\(path)'", because: error)
    }
    // Hidden folders contain builds, repositories and settings.
    for name in names.sorted() where !name.hasPrefix(".") {
      let (url, shown) = (folder.appending(path: name), (path as NSString).appendingPathComponent(name))
      let file = FileKind(url)
      switch name.pathExtension {
      case "xcdatamodeld" where file.isFolder, "xcdatamodel" where file.isFolder: sources.append(shown)
      case "momd" where file.isFolder, "mom" where file.isFile: compiled.append(shown)
      case "xcmappingmodel" where file.isFolder: mappings.append(shown)
      case "cdm" where file.isFile: compiledMappings.append(shown)
      case "xml" where file.isFile || !file.exists:
        do {
          if try MappingSource.mayBeMappingFile(url) { mappings.append(shown) }
        } catch {
          throw Diagnostic.unreadable("the file '\(shown)'", because: error)
        }
      default:
        if file.isFolder { try visit(url, shown) }
      }
    }
  }
}

/// The kind of a file, or of the one that a symbolic link leads to.
private struct FileKind {
  private let mode: mode_t

  init(_ url: URL) {
    var status = stat()
    mode = stat(url.path, &status) == 0 ? status.st_mode & S_IFMT : 0
  }

  var exists: Bool { mode != 0 }
  var isFolder: Bool { mode == S_IFDIR }
  var isFile: Bool { mode == S_IFREG }
}

extension String {
  fileprivate var pathExtension: String { (self as NSString).pathExtension }
  fileprivate var withoutExtension: String { (self as NSString).deletingPathExtension }
  fileprivate var lastPathComponent: String { (self as NSString).lastPathComponent }
}
