import Foundation
import HeavyliftTestSupport
import Testing

@testable import HeavyliftArchive
@testable import HeavyliftModel

struct RegularFileTests {
  @Test(.timeLimit(.minutes(15)), arguments: [(S_IFIFO, SpecialFile.pipe), (S_IFSOCK, .socket)])
  func `a special file in a folder is rejected without blocking`(kind: mode_t, special: SpecialFile) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a")
    try #require(mknod(url.path, kind | 0o600, 0) == 0)
    #expect(throws: special) { try RegularFile.read(url) }
    #expect(throws: special) { try RegularFile.map(url) }
  }

  @Test func `a device is refused, and a link is followed`() throws {
    #expect(throws: SpecialFile.device) { try RegularFile.read(URL(filePath: "/dev/zero")) }
    let folder = try TemporaryFolder()
    let link = folder.appending("link")
    try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "/dev/zero")
    #expect(throws: SpecialFile.device) { try RegularFile.map(link) }
  }

  @Test(arguments: [0, 1, 100_000]) func `a file is read whole`(count: Int) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("a")
    let data = Data((0..<count).map { UInt8(truncatingIfNeeded: $0) })
    try data.write(to: url)
    #expect(try RegularFile.read(url) == data)
    #expect(try RegularFile.read(url, .given) == data)
    #expect(try RegularFile.map(url) == data)
  }

  @Test func `a folder is not a file, and a missing file is missing`() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: (any Error).self) { try RegularFile.read(folder.url) }
    #expect(error.flatMap(SystemErrorNumber.init)?.value == EISDIR)
    #expect(throws: POSIXError(.EISDIR)) { try RegularFile.map(folder.url) }
    #expect(throws: POSIXError(.ENOENT)) { try RegularFile.read(folder.appending("none")) }
  }

  @Test(.timeLimit(.minutes(15)), arguments: ["Library.mom", "VersionInfo.plist"])
  func `a pipe in a compiled model does not block`(name: String) throws {
    let folder = try TemporaryFolder()
    let bundle = folder.appending("Library.momd")
    try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
    try VersionInfo(currentVersionName: "Library").data.write(to: bundle.appending(path: "VersionInfo.plist"))
    try? FileManager.default.removeItem(at: bundle.appending(path: name))
    try #require(mkfifo(bundle.appending(path: name).path, 0o600) == 0)
    let error = #expect(throws: (any Error).self) { try CompiledModelBundle(contentsOf: bundle) }
    #expect(
      error.map { "\($0)" } == """
        error[file.not-regular]: '\(name)' cannot be read: it is not a regular file but a pipe
          put a regular file there, or remove it
        """)
  }
}
