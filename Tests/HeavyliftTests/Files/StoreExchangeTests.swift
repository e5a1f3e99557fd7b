import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Programs that open a store while the new store replaces it.
struct StoreExchangeTests {
  /// Opens a file without blocking; the system notifies the lease's holder anyway.
  @Sendable private static func knock(_ url: URL) -> Bool {
    let file = open(url.path, O_RDWR | O_NONBLOCK)
    if file >= 0 { close(file) }
    return file < 0 && errno == EWOULDBLOCK
  }

  @Test(arguments: NoteStores.Kind.allCases, [false, true])
  func `a program that opens the store during the swap keeps the store that it opened`(
    kind: NoteStores.Kind, opensBoth: Bool
  ) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: kind, hasBackup: true, rewritesPictures: true))
    let store = place.store.resolvingLinks
    let heldUp = Recorder<Bool>()
    let problem = failure {
      try place.migrate(
        FileOperations { step in
          guard case .replace(let target, _) = step, target.lastPathComponent == "Notes.sqlite" else { return }
          // The swap, and the one that undoes it.
          if heldUp.values.isEmpty || opensBoth { heldUp.append(Self.knock(target)) }
        })
    }
    #expect(heldUp.values == (opensBoth ? [true, true] : [true]))
    #expect(
      problem == """
        error[migration.in-use]: store '\(store.path)' is in use by another process
          quit the program that has it open, then try again; nothing was changed
        """)
    #expect(try place.check() == [])
    #expect(try NoteStores.listing(place.folder.url).keys.filter { $0.contains("EXTERNAL") }.count == 1)
    #expect(!FileManager.default.fileExists(atPath: place.folder.appending("Old.sqlite").path))
    let hops = Recorder<String>()
    try place.scenario.migrate(in: place.folder.url, files: FileOperations()) { hops.append($0) }
    // Another process may have opened the new store under the old store's name, so the hop runs again.
    #expect(hops.values.isEmpty == !opensBoth)
    #expect(try place.checkEnd() == [])
  }

  @Test(arguments: [POSIXErrorCode.EINVAL, .ENOSYS])
  func `the new store replaces the old one if names cannot be exchanged`(code: POSIXErrorCode) throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog, hasBackup: true))
    let isFirst = Recorder<Bool>()
    try place.migrate(
      FileOperations { step in
        guard case .replace(let target, _) = step, target.lastPathComponent == "Notes.sqlite" else { return }
        isFirst.append(true)
        if isFirst.values.count == 1 { throw POSIXError(code) }
      })
    #expect(try place.checkEnd() == [])
  }

  @Test func `an error in the last sync says that the store was migrated`() throws {
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog))
    let store = place.store.resolvingLinks
    let isSwapped = Recorder<Bool>()
    let problem = failure {
      try place.migrate(
        FileOperations { step in
          if case .replace(let target, _) = step, target.lastPathComponent == "Notes.sqlite" { isSwapped.append(true) }
          if case .synchronize(let url) = step, !isSwapped.values.isEmpty,
            url.path == store.deletingLastPathComponent().path
          {
            throw POSIXError(.EIO)
          }
        })
    }
    #expect(
      problem == """
        error[migration.files]: store '\(store.path)' was migrated, but its folder could not be written to disk: \
        input/output error
          the new store is in place; check the disk, then migrate again to clean up
        """)
    try place.migrate()
    #expect(try place.checkEnd() == [])
  }

  @Test(arguments: [false, true])
  func `a folder copied after the swap is cleaned up, not refused`(keepsTimes: Bool) throws {
    struct Broken: Error {}
    let place = try FaultScenario.Place(FaultScenario(kind: .withLog, isInto: true))
    let isPlaced = Recorder<Bool>()
    _ = failure {
      try place.migrate(
        FileOperations { step in
          if !isPlaced.values.isEmpty { throw Broken() }
          if case .link(_, let target) = step, target.lastPathComponent == "New.sqlite" { isPlaced.append(true) }
        })
    }
    let copy = try TemporaryFolder()
    let process = Process()
    process.executableURL = URL(filePath: "/bin/cp")
    process.arguments = [keepsTimes ? "-a" : "-rp", place.folder.url.path + "/.", copy.url.path]
    try process.run()
    process.waitUntilExit()
    if !keepsTimes {
      var times = [timespec(tv_sec: 0, tv_nsec: 0), timespec(tv_sec: 0, tv_nsec: 0)]
      utimensat(AT_FDCWD, copy.appending("New.sqlite").path, &times, 0)
    }
    try place.scenario.migrate(in: copy.url, files: FileOperations())
    #expect(try NoteStores.contents(copy.appending("New.sqlite")) == NoteStores.newest)
    #expect(try !FileManager.default.contentsOfDirectory(atPath: copy.url.path).contains { $0.contains("heavylift") })
  }
}
