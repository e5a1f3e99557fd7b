import Foundation
import HeavyliftModel
import HeavyliftSQLite
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore

/// Stores in a read-only folder. Each test runs in its own process, which first drops superuser rights, because no
/// folder is read-only for the superuser.
struct ReadOnlyFolderTests {
  /// Exits the process; failed expectations are printed to its standard error.
  static func finish(_ problems: [String]) -> Never {
    for problem in problems { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
    // Without running exit handlers: a sanitizer would report live objects as leaks.
    _exit(problems.isEmpty ? EXIT_SUCCESS : EXIT_FAILURE)
  }

  static func protect(_ folder: TemporaryFolder) {
    for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.url.path)) ?? [] {
      chmod(folder.appending(name).path, 0o444)
    }
    chmod(folder.url.path, 0o555)
    if getuid() == 0 {
      _ = setgid(65534)
      _ = setuid(65534)
    }
  }

  static func difference(_ found: String?, _ expected: String) -> [String] {
    found == expected ? [] : ["expected: \(expected)", "found: \(found ?? "nothing was thrown")"]
  }

  @Test func `a store without a log is read, and not written`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let url = try MalformedStoreTests.makeStore(in: folder)
      let before = try MalformedStoreTests.contents(of: folder.url)
      ReadOnlyFolderTests.protect(folder)
      var problems: [String] = []
      do {
        try MalformedStoreTests.readAll(url, models: [MalformedStoreTests.model], mode: .readOnly)
      } catch {
        problems.append("\(error)")
      }
      problems += ReadOnlyFolderTests.difference(
        message { try MalformedStoreTests.readAll(url, models: [MalformedStoreTests.model], mode: .readWrite) },
        """
        error[store.read-only]: store '\(url.path)' cannot be written: attempt to write a readonly \
        database
          copy the store with its -wal and its support folder to a writable folder, or open it read-only
        """)
      if try MalformedStoreTests.contents(of: folder.url) != before { problems.append("the folder changed") }
      ReadOnlyFolderTests.finish(problems)
    }
  }

  @Test func `a store with an unmerged log is read with its log`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      let other = try TemporaryFolder()
      let source = try MalformedStoreTests.makeStore(in: other)
      let database = try Database(path: source.path, mode: .readWrite)
      try database.execute("PRAGMA wal_autocheckpoint = 0; UPDATE ZPERSON SET ZNAME = 'new'")
      let url = try folder.copyStore(source)
      let before = try MalformedStoreTests.contents(of: folder.url)
      ReadOnlyFolderTests.protect(folder)
      var problems: [String] = []
      do {
        try MalformedStoreTests.readAll(url, models: [MalformedStoreTests.model], mode: .readOnly)
        let store = try PersistentStore(url: url, models: [MalformedStoreTests.model], mode: .readOnly)
        let people = try ManagedObjectContext(store: store).fetch(FetchRequest(entityName: "Person"))
        if people.isEmpty || people.contains(where: { $0["name"] != "new" }) { problems.append("an old state") }
      } catch {
        problems.append("\(error)")
      }
      if before.count != 2 { problems.append("there is no log") }
      if try MalformedStoreTests.contents(of: folder.url) != before { problems.append("the folder changed") }
      ReadOnlyFolderTests.finish(problems)
    }
  }

  @Test func `a store is not created there`() async {
    await #expect(processExitsWith: .success) {
      let folder = try TemporaryFolder()
      ReadOnlyFolderTests.protect(folder)
      let url = folder.appending("new.sqlite")
      ReadOnlyFolderTests.finish(
        ReadOnlyFolderTests.difference(
          message { _ = try PersistentStore.create(at: url, model: Models.library) },
          """
          error[store.read-only]: store '\(url.path)' cannot be written: unable to open database file
            copy the store with its -wal and its support folder to a writable folder, or open it read-only
          """))
    }
  }
}
