import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift

/// Locks while a child process is starting: until it executes its program, it has its parent's open files.
@Suite struct LockTests {
  /// Duplicates the descriptor of a file that this process has open, as a new child process would.
  private func duplicate(of url: URL) throws -> Int32 {
    let folder = "/proc/self/fd"
    let own = try FileManager.default.contentsOfDirectory(atPath: folder).first { name in
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")) == url.path
    }
    return dup(try #require(own.flatMap { Int32($0) }))
  }

  @Test func `a migration's lock ends even if a starting process has inherited its file`() throws {
    let folder = try TemporaryFolder()
    let (url, store) = (folder.appending("lock"), folder.appending("Store.sqlite"))
    var lock = try MigrationLock.take(url, store: store, files: FileOperations())
    #expect(lock != nil)
    let other = try duplicate(of: url)
    defer { close(other) }
    lock = nil
    #expect(MigrationLock.owner(of: url) == nil)
    #expect(try MigrationLock.take(url, store: store, files: FileOperations()) != nil)
  }

  @Test func `a store's locks end even if a starting process has inherited its file`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Store.sqlite")
    try Data(count: 1).write(to: url)
    var lock: RangeLock? = try RangeLock(url)
    #expect(try lock?.take(.write, from: RangeLock.Database.pending, count: 1) == true)
    let other = try duplicate(of: url)
    defer { close(other) }
    lock = nil
    #expect(try RangeLock(url).take(.write, from: RangeLock.Database.pending, count: 1))
  }
}
