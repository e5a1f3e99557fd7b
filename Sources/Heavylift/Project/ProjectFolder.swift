import Foundation
import HeavyliftModel
import HeavyliftXML

/// A folder that contains a program's source somewhere below it, such as an Xcode project, and that is searched for
/// models and mappings.
///
/// Compiled models, and everything in a built program, count only in a folder without source models: beside the source,
/// they are copies of it, and may be outdated.
package struct ProjectFolder: Sendable {
  /// The path that the user gave, which may be one of Xcode's files in the folder.
  package let given: String
  package let path: String
  /// The paths of the models, in Finder's order.
  package let models: [String]
  /// The paths of the mappings, in Finder's order.
  package let mappings: [String]
  /// The paths of compiled models that do not count, because there are source models.
  package let passedOver: [String]
  /// True for a folder whose only models are versions next to each other: a bundle under another name.
  package let isBundle: Bool

  /// Searches a folder. Nil for a file, for a folder that is itself a model or a mapping, and for one without models.
  ///
  /// - Parameter needsModels: False to return a folder that has only mappings, too.
  /// - Throws: `Diagnostic` if something below the folder cannot be read: it may be what is looked for.
  package init?(_ given: String, _ directory: WorkingDirectory, needsModels: Bool = true) throws {
    var path = given
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    guard try FileKind(directory.url(path), path) == .folder, !Self.bundleExtensions.contains(path.pathExtension)
    else { return nil }
    // Xcode's own files are next to the program's source.
    while ["xcodeproj", "xcworkspace"].contains(path.pathExtension) { path = path.deletingLastPathComponent }
    if path.isEmpty { path = "." }
    var walk = Walk(directory.url(path))
    try walk.visit(directory.url(path), path)
    let found = walk.found
    isBundle =
      !found.models.isEmpty
      && found.models.allSatisfy { $0.pathExtension == "xcdatamodel" && $0.deletingLastPathComponent == path }
    models = isBundle ? [path] : found.models.sorted { $0.withoutExtension.precedesAsCounted($1.withoutExtension) }
    mappings = found.mappings.sorted { $0.precedesAsCounted($1) }
    passedOver = found.passedOver.sorted { $0.precedesAsCounted($1) }
    if models.isEmpty && (needsModels || mappings.isEmpty) { return nil }
    (self.given, self.path) = (given, path)
  }

  private static let bundleExtensions: Set = ["xcdatamodeld", "xcdatamodel", "momd", "mom", "xcmappingmodel"]
}

/// The models and mappings below a folder.
private struct Walk {
  /// The models and mappings in one kind of folder.
  private struct Finds {
    var sources: [String] = []
    var compiled: [String] = []
    var mappings: [String] = []
    var compiledMappings: [String] = []
  }

  private let root: String
  private var source = Finds()
  /// The finds in built programs.
  private var built = Finds()
  private var isInProduct = false
  /// The files and folders that were found, without symbolic links, which may lead to them again.
  private var seen: Set<String> = []

  init(_ root: URL) { self.root = root.resolvingSymlinksInPath().path }

  /// The models and mappings that count.
  ///
  /// Beside the source, what was built from it may be outdated.
  var found: (models: [String], mappings: [String], passedOver: [String]) {
    let hasSource = !source.sources.isEmpty
    let all =
      hasSource
      ? source
      : Finds(
        sources: built.sources, compiled: source.compiled + built.compiled, mappings: source.mappings + built.mappings,
        compiledMappings: source.compiledMappings + built.compiledMappings)
    // Xcode compiles a mapping model under its own name.
    let names = Set(
      all.mappings.filter { $0.pathExtension == "xcmappingmodel" }.map(\.withoutExtension.lastPathComponent))
    return (
      all.sources.isEmpty ? all.compiled : all.sources,
      all.mappings + all.compiledMappings.filter { !names.contains($0.withoutExtension.lastPathComponent) },
      all.sources.isEmpty ? [] : source.compiled + built.compiled
    )
  }

  mutating func visit(_ folder: URL, _ path: String) throws {
    let real = folder.resolvingSymlinksInPath().path
    // A link to a folder that contains the project would lead to everything.
    guard real != "/" || root == "/", !root.hasPrefix(real + "/"), seen.insert(real).inserted else { return }
    let names: [String]
    do {
      names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    } catch {
      throw Diagnostic.unreadable("the folder '\(path)'", because: error)
    }
    // Hidden folders contain builds, repositories and settings.
    for name in names.sorted() where !name.hasPrefix(".") {
      try visit(folder.appending(path: name), (path as NSString).appendingPathComponent(name), name.pathExtension)
    }
  }

  private mutating func visit(_ url: URL, _ path: String, _ fileExtension: String) throws {
    let kind = try FileKind(url, path)
    switch (fileExtension, kind) {
    case ("xcdatamodeld", .folder), ("xcdatamodel", .folder): add(url, path, \.sources)
    case ("momd", .folder), ("mom", .file): add(url, path, \.compiled)
    case ("xcmappingmodel", .folder): add(url, path, \.mappings)
    case ("cdm", .file): add(url, path, \.compiledMappings)
    case ("xml", .file):
      do {
        if try MappingSource.mayBeMappingFile(url) { add(url, path, \.mappings) }
      } catch {
        throw Diagnostic.unreadable("the file '\(path)'", because: error)
      }
    case ("xcdatamodeld", .missing), ("xcdatamodel", .missing), ("momd", .missing), ("mom", .missing),
      ("xcmappingmodel", .missing), ("cdm", .missing), ("xml", .missing):
      throw Diagnostic(
        .error, code: "file.missing", problem: "the link '\(path)' leads nowhere",
        remedy: "correct it, or remove it if it is not needed")
    case (_, .folder):
      let wasInProduct = isInProduct
      isInProduct = wasInProduct || Self.products.contains(fileExtension) || url.lastPathComponent == "DerivedData"
      defer { isInProduct = wasInProduct }
      try visit(url, path)
    default: break
    }
  }

  private static let products: Set = ["app", "appex", "bundle", "framework", "xcframework", "xctest"]

  private mutating func add(_ url: URL, _ path: String, _ list: WritableKeyPath<Finds, [String]>) {
    guard seen.insert(url.resolvingSymlinksInPath().path).inserted else { return }
    if isInProduct { built[keyPath: list].append(path) } else { source[keyPath: list].append(path) }
  }
}

/// The kind of a file, or of the one that a symbolic link leads to.
private enum FileKind {
  case folder
  case file
  case other
  case missing

  /// - Throws: `Diagnostic` if the kind cannot be found out.
  init(_ url: URL, _ path: String) throws {
    var status = stat()
    guard stat(url.path, &status) == 0 else {
      guard [ENOENT, ENOTDIR, ELOOP].contains(errno) else {
        throw Diagnostic.unreadable("'\(path)'", because: POSIXError(.init(rawValue: errno) ?? .EIO))
      }
      self = .missing
      return
    }
    switch status.st_mode & S_IFMT {
    case S_IFDIR: self = .folder
    case S_IFREG: self = .file
    default: self = .other
    }
  }
}

extension String {
  fileprivate var pathExtension: String { (self as NSString).pathExtension.lowercased() }
  fileprivate var withoutExtension: String { (self as NSString).deletingPathExtension }
  fileprivate var lastPathComponent: String { (self as NSString).lastPathComponent }
}
