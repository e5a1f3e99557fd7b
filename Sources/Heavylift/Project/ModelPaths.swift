import Foundation
import HeavyliftModel
import HeavyliftXML

/// The paths of the models that may contain a store's version, before any of them is read.
package struct ModelPaths: Sendable {
  /// The folder that the user gave; `nil` if only models were given, or if the models were found next to a store.
  package let folder: ProjectFolder?
  /// The models that the user named.
  package let given: [String]
  /// The models in the folder, or next to a store or its mappings.
  package let found: [String]

  /// A folder among the paths is searched for models if it is the only path, and otherwise only for mappings.
  package init(_ paths: [String], _ directory: WorkingDirectory) throws {
    let folder = try Self.folder(paths, directory)
    self.folder = folder
    given = folder != nil && paths.count == 1 ? [] : paths.filter { folder?.given != $0 }
    found = folder?.models ?? []
  }

  package init(besideStore paths: [String]) { (folder, given, found) = (nil, [], paths) }

  /// Returns the folder among the paths that is not itself a model; `nil` if there is none.
  package static func folder(_ paths: [String], _ directory: WorkingDirectory) throws -> ProjectFolder? {
    let folders = try paths.compactMap { path in
      try ProjectFolder(path, directory).flatMap { $0.isBundle && paths.count > 1 ? nil : $0 }
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
  func onlyBundle(_ directory: WorkingDirectory) -> (path: String, url: URL)? {
    let paths = given + found
    guard paths.count == 1, let kind = try? ModelSource.kind(paths[0], directory.url(paths[0])),
      kind == .bundle || kind == .compiledBundle
    else { return nil }
    return (paths[0], directory.url(paths[0]))
  }
}

extension ModelPaths {
  /// Returns the paths of the models in the mapping's folder, or in its parent folder, or in the only sibling folder
  /// that has models: samples and projects have such layouts.
  package static func models(beside mapping: String, _ directory: WorkingDirectory) -> [String] {
    let isXcode = (mapping as NSString).lastPathComponent == "xcmapping.xml"
    let file = isXcode ? mapping.deletingLastPathComponent : mapping
    let first = file.deletingLastPathComponent
    let parent = folder(above: first)
    for folder in [first, parent] {
      let models = models(in: folder, directory)
      if !models.isEmpty { return models }
    }
    // Folders above the working directory are not searched, because they may contain anything.
    let (root, above) = (directory.url("").standardizedFileURL.path, directory.url(parent).standardizedFileURL.path)
    guard above == root || above.hasPrefix(root + "/") else { return [] }
    let siblings = names(in: parent, directory).filter { !modelExtensions.contains(($0 as NSString).pathExtension) }
      .map { models(in: (parent as NSString).appendingPathComponent($0), directory) }.filter { !$0.isEmpty }
    return siblings.count == 1 ? siblings[0] : []
  }

  private static let modelExtensions: Set<String> = ["xcdatamodeld", "xcdatamodel", "momd", "mom"]

  private static func models(in folder: String, _ directory: WorkingDirectory) -> [String] {
    names(in: folder, directory).filter { modelExtensions.contains(($0 as NSString).pathExtension) }
      .sorted { ($0 as NSString).deletingPathExtension.precedesAsCounted(($1 as NSString).deletingPathExtension) }
      .map { (folder as NSString).appendingPathComponent($0) }
  }

  private static func names(in folder: String, _ directory: WorkingDirectory) -> [String] {
    (try? FileManager.default.contentsOfDirectory(atPath: directory.url(folder).path)) ?? []
  }

  /// The path of a folder's parent. The folder may be the working directory.
  private static func folder(above folder: String) -> String {
    switch (folder as NSString).lastPathComponent {
    case "", ".": (folder.deletingLastPathComponent as NSString).appendingPathComponent("..")
    case "..": (folder as NSString).appendingPathComponent("..")
    default: folder.deletingLastPathComponent
    }
  }
}
