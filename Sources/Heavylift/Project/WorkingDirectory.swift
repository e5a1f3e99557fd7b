package import Foundation

/// The folder that relative paths start from.
package struct WorkingDirectory: Sendable {
  private let folder: URL

  package init(_ folder: URL) {
    // Without `.isDirectory`, a relative path would replace the last component of the URL.
    self.folder = URL(filePath: folder.path, directoryHint: .isDirectory)
  }

  /// The working directory of the process.
  package static var ofProcess: WorkingDirectory {
    WorkingDirectory(URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
  }

  package func url(_ path: String) -> URL { URL(filePath: path, relativeTo: folder).absoluteURL }

  /// Returns the path of a file for messages: a relative one if the program gave one.
  func path(_ url: URL) -> String {
    self.url(url.relativePath).standardizedFileURL == url.absoluteURL.standardizedFileURL ? url.relativePath : url.path
  }
}
