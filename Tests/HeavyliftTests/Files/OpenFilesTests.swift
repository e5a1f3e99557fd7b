import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Open files, where the system does not list them.
@Suite struct OpenFilesTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Notes.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try NoteStores.make(at: store, .withoutLog)
  }

  @Test(arguments: ["missing", "empty", "without descriptors"])
  func `a list that cannot be read does not mean that no program has the store open`(kind: String) throws {
    let proc = folder.appending("proc")
    if kind != "missing" { try FileManager.default.createDirectory(at: proc, withIntermediateDirectories: false) }
    if kind == "without descriptors" {
      try FileManager.default.createDirectory(
        at: proc.appending(path: "\(getpid())"), withIntermediateDirectories: false)
    }
    let file = try RangeLock(store)
    #expect(
      failure { _ = try OpenFiles.process(using: file, listedIn: proc) } == """
        error[migration.files]: store '\(store.path)' cannot be migrated: programs that have it open cannot be found, \
        because '\(proc.path)' cannot be read: no such file or directory
          mount '\(proc.path)', or migrate to another path; nothing was changed
        """)
  }

  @Test func `processes that have ended, or belong to other users, do not count`() throws {
    let proc = folder.appending("proc")
    for name in ["1", "2/fd", "self"] + ["\(getpid())/fd"] {
      try FileManager.default.createDirectory(at: proc.appending(path: name), withIntermediateDirectories: true)
    }
    let file = try RangeLock(store)
    #expect(try OpenFiles.process(using: file, listedIn: proc) == nil)
    try FileManager.default.linkItem(at: store, to: proc.appending(path: "2/fd/7"))
    #expect(try OpenFiles.process(using: file, listedIn: proc) == 2)
  }

  /// Between `fork` and `exec`, a child has copies of all of our descriptors.
  @Test func `a child that has yet to start its own program does not count`() throws {
    let proc = folder.appending("proc")
    for (process, parent, program) in [
      (getpid(), 1, "notes"), (2, getpid(), "notes"), (3, getpid(), "sqlite3"), (4, 1, "notes"),
    ] {
      let place = proc.appending(path: "\(process)")
      try FileManager.default.createDirectory(at: place.appending(path: "fd"), withIntermediateDirectories: true)
      try FileManager.default.createSymbolicLink(
        atPath: place.appending(path: "exe").path, withDestinationPath: "/usr/bin/\(program)")
      try "Name:\tnotes\nPPid:\t\(parent)\n".write(
        to: place.appending(path: "status"), atomically: false, encoding: .utf8)
    }
    // A child that runs its own program, and another instance of this one, are users like any other.
    #expect((1...4).filter { OpenFiles.isStartingChild($0, proc) } == [2])
    let descriptor = proc.appending(path: "2/fd/7")
    try FileManager.default.linkItem(at: store, to: descriptor)
    let file = try RangeLock(store)
    let child = Thread {
      usleep(400_000)
      unlink(descriptor.path)
    }
    child.start()
    #expect(try OpenFiles.process(using: file, listedIn: proc) == nil)
  }

  @Test func `without descriptors for reading the list, the error says so`() async throws {
    let path = store.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let file = try RangeLock(URL(filePath: path))
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let old = limit.rlim_cur
      limit.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let problem = failure { _ = try OpenFiles.process(using: file) }
      limit.rlim_cur = old
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let expected = """
        error[migration.files]: store '\(path)' cannot be migrated: programs that have it open cannot be found, because \
        '/proc' cannot be read: too many open files
          close files, or raise the limit of open files; nothing was changed
        """
      if problem != expected { FileHandle.standardError.write(Data("found: \(problem ?? "nothing")\n".utf8)) }
      _exit(problem == expected ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }

  /// The app's own lock is lost as soon as any descriptor of the file is closed.
  @Test func `without descriptors for reading the list, a descriptor waits, and the app's locks stay`() async throws {
    let path = store.path
    await #expect(processExitsWith: .success) { [path = path as String] in
      let (ours, apps) = (open(path, O_RDONLY), open(path, O_RDWR))
      var limit = rlimit()
      getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      let old = limit.rlim_cur
      limit.rlim_cur = 0
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      LateClosing.close(ours)
      let waits = fcntl(ours, F_GETFD) >= 0
      limit.rlim_cur = old
      setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
      LateClosing.closeUnshared()
      let stillWaits = fcntl(ours, F_GETFD) >= 0
      close(apps)
      LateClosing.closeUnshared()
      let isClosed = fcntl(ours, F_GETFD) < 0
      _exit(waits && stillWaits && isClosed ? EXIT_SUCCESS : EXIT_FAILURE)
    }
  }
}
