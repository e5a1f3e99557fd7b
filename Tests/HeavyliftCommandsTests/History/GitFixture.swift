import Foundation
import Heavylift
import HeavyliftTestSupport

/// The library of `HistoryFixture` in a git repository, whose first commit has the tag `v1`.
struct GitFixture {
  let history: HistoryFixture

  /// - Parameter changes: The changes from each version to the next, starting with `Library 2`, before the first commit.
  init(_ changes: [(inout ManagedObjectModel) -> Void] = []) throws {
    history = try HistoryFixture()
    try history.library.addVersions(changes)
    try start()
  }

  /// Creates a repository of a project without the library.
  ///
  /// - Parameter fill: Fills the project's folder `App`.
  init(_ fill: (TemporaryFolder) throws -> Void) throws {
    history = try HistoryFixture()
    for name in ["Library.xcdatamodeld", "Library.sqlite"] { try remove(name) }
    try FileManager.default.createDirectory(at: folder.appending("App"), withIntermediateDirectories: true)
    try fill(folder)
    try start()
  }

  private func start() throws {
    try git("init", "-q", "-b", "main")
    try commit()
    try git("tag", "v1")
  }

  func git(_ arguments: String...) throws { try folder.git(arguments) }

  func commit() throws {
    try git("add", "-A")
    try git("commit", "-q", "-m", "change")
  }

  var folder: TemporaryFolder { history.library.folder }

  func check(_ arguments: String...) -> ToolFixture.Run {
    history.library.run(["check", ".", "--since", "v1"] + arguments)
  }

  /// Replaces text in a file.
  func edit(_ file: String, _ text: String, _ other: String) throws {
    let old = try history.text(file)
    precondition(old.contains(text), "\(file) does not contain \(text)")
    try history.library.write(old.replacing(text, with: other), to: file)
  }

  func remove(_ file: String) throws { try FileManager.default.removeItem(at: folder.appending(file)) }

  func move(_ file: String, to other: String) throws {
    let target = folder.appending(other)
    try FileManager.default.createDirectory(at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: folder.appending(file), to: target)
  }
}

extension TemporaryFolder {
  /// Runs git in the folder, whatever the user's own settings are.
  func git(_ arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org", "-c", "commit.gpgsign=false"]
    process.arguments = ["git", "-C", url.path] + identity + arguments
    (process.standardOutput, process.standardError) = (FileHandle.nullDevice, FileHandle.nullDevice)
    try process.run()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { throw CocoaError(.fileReadUnknown) }
  }
}
