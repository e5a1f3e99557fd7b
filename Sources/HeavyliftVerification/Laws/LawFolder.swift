import Foundation

/// The files of a folder with their bytes, except files that hold no data: a log's index, and an empty log.
struct LawFolder {
  let contents: [String: Data]

  /// - Parameter withWorkFolders: True to include a migration's work folders.
  init(_ folder: URL, withWorkFolders: Bool = true) throws {
    var contents: [String: Data] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path) where !name.hasSuffix("-shm") {
      if !withWorkFolders, name.contains(".heavylift") { continue }
      let url = folder.appending(path: name)
      var isFolder: ObjCBool = false
      _ = FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder)
      let data = isFolder.boolValue ? Data() : try Data(contentsOf: url)
      if name.hasSuffix("-wal"), data.isEmpty { continue }
      contents[name] = data
    }
    self.contents = contents
  }

  /// Returns the names of files that were removed, added or changed.
  static func changes(from before: [String: Data], to after: [String: Data]) -> [String] {
    Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }.sorted()
  }
}
