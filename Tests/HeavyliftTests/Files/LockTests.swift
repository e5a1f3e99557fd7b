import Foundation
import HeavyliftSQLite
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

  @Test func `releasing our own lock does not release those of a connection that opens the file meanwhile`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Store.sqlite")
    try Data(count: 0).write(to: url)
    // Many open files, so that looking for one takes long enough for the connection to lock its own.
    let others = (0..<200).map { _ in open("/dev/null", O_RDONLY) }
    defer { others.forEach { close($0) } }
    for round in 0..<Seeds.some(of: 400) {
      nonisolated(unsafe) var lock: RangeLock? = try RangeLock(url)
      nonisolated(unsafe) var connection: Database?
      DispatchQueue.concurrentPerform(iterations: 2) { number in
        if number == 0 {
          withExtendedLifetime(lock) {}
          lock = nil
        } else {
          connection = try? Database(path: url.path, mode: .readWrite)
          try? connection?.execute("BEGIN IMMEDIATE")
        }
      }
      let database = try #require(connection)
      // Opened only now: it would have kept the lock from being closed.
      let probe = try RangeLock(url)
      let holder = try probe.holder(
        against: .write, from: RangeLock.Database.shared, count: RangeLock.Database.sharedSize)
      #expect(holder != nil, "round \(round)")
      try database.close()
    }
  }
}
