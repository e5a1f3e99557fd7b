import CFileSystem
import Foundation
import HeavyliftTestSupport
import Testing

@testable import HeavyliftCommands

/// Files that appear when they are complete.
struct OutputFileTests {
  private let folder: TemporaryFolder
  private var target: URL { folder.appending("dump.jsonl") }

  init() throws { folder = try TemporaryFolder() }

  private func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: folder.url.path) }

  private func write(_ text: String, _ body: () throws -> Void = {}) throws {
    try OutputFile.write(to: target, shownAs: "dump.jsonl") { sink in
      var text = text
      try text.withUTF8 { try sink.write(UnsafeRawBufferPointer($0)) }
      try body()
    }
  }

  @Test func `a file has no name until it is complete`() throws {
    let unnamed = heavylift_open_unnamed(folder.url.path, 0o666)
    try #require(unnamed >= 0, "the file system of the temporary folder does not support files without a name")
    close(unnamed)
    try write("one") { try #expect(names() == []) }
    #expect(try names() == ["dump.jsonl"])
    try write("two") { try #expect(String(contentsOf: target, encoding: .utf8) == "one") }
    #expect(try names() == ["dump.jsonl"])
    #expect(try String(contentsOf: target, encoding: .utf8) == "two")
  }

  @Test func `a file that cannot be completed leaves the old one`() throws {
    try write("one")
    #expect(throws: CancellationError.self) { try write("two") { throw CancellationError() } }
    #expect(try names() == ["dump.jsonl"])
    #expect(try String(contentsOf: target, encoding: .utf8) == "one")
  }

  @Test func `a new file has the permissions that the process gives to files`() throws {
    try write("one")
    let other = folder.appending("other")
    try #require(FileManager.default.createFile(atPath: other.path, contents: nil))
    let modes = try [target, other].map {
      try #require(FileManager.default.attributesOfItem(atPath: $0.path)[.posixPermissions] as? Int)
    }
    #expect(modes[0] == modes[1])
  }
}
