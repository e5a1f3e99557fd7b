import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

struct FileIdentityTests {
  /// A folder with a file, a dangling symbolic link, and one that links to itself.
  private func makeFolder() throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try Data("text".utf8).write(to: folder.appending("file"))
    symlink("nowhere", folder.appending("link").path)
    symlink("loop", folder.appending("loop").path)
    return folder
  }

  @Test func `only a missing name counts as absent, and an error does not`() throws {
    let folder = try makeFolder()
    let found = ["file", "link", "nothing", "nothing/file", "file/file"].map { name in
      Result { try FileOperations().exists(folder.appending(name)) }
    }
    #expect(try found.map { try $0.get() } == [true, true, false, false, false])
    for name in ["loop/file", String(repeating: "x", count: 300)] {
      #expect(throws: POSIXError.self) { try FileOperations().exists(folder.appending(name)) }
      #expect(throws: POSIXError.self) {
        try ExternalDataFolder(store: folder.appending(name + "/s.sqlite")).fileNames()
      }
    }
  }

  @Test func `operations do not follow symbolic links`() throws {
    let (folder, victim) = (try makeFolder(), try TemporaryFolder())
    let thesis = victim.appending("thesis")
    try Data("thesis".utf8).write(to: thesis)
    symlink(victim.url.path, folder.appending("victim").path)
    symlink(thesis.path, folder.appending("thesis").path)
    let files = FileOperations()
    #expect(throws: POSIXError(.ENOTDIR)) { try files.remove(folder.appending("victim/thesis")) }
    #expect(throws: POSIXError(.ENOTDIR)) { try files.write(Data(), to: folder.appending("victim/thesis")) }
    #expect(throws: POSIXError(.ENOTDIR)) { try files.move(folder.appending("file"), to: folder.appending("victim/x")) }
    #expect(throws: POSIXError(.ELOOP)) { try files.contents(of: folder.appending("thesis")) }
    try files.remove(folder.appending("victim"))
    try files.write(Data("mine".utf8), to: folder.appending("thesis"))
    #expect(try Data(contentsOf: thesis) == Data("thesis".utf8))
    #expect(try FileManager.default.contentsOfDirectory(atPath: victim.url.path) == ["thesis"])
  }
}
