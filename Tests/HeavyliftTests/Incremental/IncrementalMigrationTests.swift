import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

struct IncrementalMigrationTests {
  @Test(arguments: NoteStores.Kind.allCases)
  func `a store is migrated to the newest version in place`(kind: NoteStores.Kind) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, kind)
    let report = try NoteStores.manager().migrate(url)
    #expect(report.hops.map(\.title) == ["'Notes 1' → 'Notes 2'", "'Notes 2' → 'Notes 3'"])
    #expect(report.hops.map(\.objectCount) == [3, 3])
    #expect(report.hops.map(\.origin) == [.files(["1-2.xml"]), .files(["2-3.xml"])])
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path).sorted()
    #expect(names == [".Notes_SUPPORT", "Notes.sqlite"])
    #expect(try NoteStores.contents(url) == NoteStores.newest)
    #expect(try DatabaseFiles(path: url.path).usesWriteAheadLog == (kind != .withoutLog))
    #expect(try ExternalDataFolder(store: url).fileNames().count == 1)
  }

  @Test func `large values rewritten by a hop replace the old ones`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withLog)
    let before = try ExternalDataFolder(store: url).fileNames()
    try NoteStores.manager(RowCopy(rewritesPictures: true)).migrate(url)
    let after = try ExternalDataFolder(store: url).fileNames()
    #expect(before.count == 1 && after.count == 1 && before != after)
    #expect(try NoteStores.contents(url) == NoteStores.newest)
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `an up-to-date store is not touched`(kind: NoteStores.Kind) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, kind)
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    let report = try NoteStores.manager().migrate(url, to: NoteStores.models[0])
    #expect(report.wasCurrent)
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `a migration into another file leaves the source unchanged`(kind: NoteStores.Kind) throws {
    let folder = try TemporaryFolder()
    let other = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    let target = other.appending("New.sqlite")
    try NoteStores.make(at: url, kind)
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    try NoteStores.manager().migrate(url, into: target)
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
    #expect(try NoteStores.contents(target) == NoteStores.newest)
    let names = try FileManager.default.contentsOfDirectory(atPath: other.url.path).sorted()
    #expect(names == [".New_SUPPORT", "New.sqlite"])
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `a store that is current is copied into another file`(kind: NoteStores.Kind) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    let target = folder.appending("Copy.sqlite")
    try NoteStores.make(at: url, kind)
    let report = try NoteStores.manager().migrate(url, into: target, to: NoteStores.models[0])
    #expect(report.hops.isEmpty)
    #expect(try NoteStores.contents(target) == NoteStores.oldest)
    #expect(try NoteStores.contents(url) == NoteStores.oldest)
  }

  @Test func `an existing destination is not overwritten`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    let target = folder.appending("New.sqlite")
    try NoteStores.make(at: url, .withLog)
    try Data("mine".utf8).write(to: target)
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    #expect(
      failure { try NoteStores.manager().migrate(url, into: target) } == """
        error[migration.destination-exists]: '\(target.path)' already exists
          choose another path, or remove it first; nothing was changed
        """)
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
  }

  @Test(arguments: NoteStores.Kind.allCases)
  func `a backup is the complete old store`(kind: NoteStores.Kind) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    let backup = folder.appending("Before.sqlite")
    try NoteStores.make(at: url, kind)
    let old = try FileManager.default.attributesOfItem(atPath: url.path)[.systemFileNumber] as? UInt64
    let report = try NoteStores.manager(RowCopy(rewritesPictures: true)).migrate(
      url, options: IncrementalMigrationOptions(backup: backup))
    #expect(report.backup == backup)
    #expect(try NoteStores.contents(backup) == NoteStores.oldest)
    #expect(try NoteStores.contents(url) == NoteStores.newest)
    #expect(try FileManager.default.attributesOfItem(atPath: backup.path)[.systemFileNumber] as? UInt64 == old)
  }

  @Test func `a store behind a symbolic link is migrated in its own folder`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withLog)
    let links = try TemporaryFolder()
    let link = links.appending("Link.sqlite")
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
    try NoteStores.manager().migrate(link)
    #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link.path) == url.path)
    #expect(try NoteStores.contents(url) == NoteStores.newest)
    #expect(try FileManager.default.contentsOfDirectory(atPath: links.url.path) == ["Link.sqlite"])
  }

  @Test(arguments: ["with space.sqlite", "Übung 📓.sqlite", "two\nlines.sqlite", "a?b#c%20d.sqlite", "none", ".x.y.db"])
  func `unusual file names are supported`(name: String) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending(name)
    try NoteStores.make(at: url, .withUnmergedLog)
    try NoteStores.manager().migrate(url)
    #expect(try NoteStores.contents(url) == NoteStores.newest)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
  }

  @Test func `file permissions are kept`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withLog)
    #expect(chmod(url.path, 0o640) == 0)
    try NoteStores.manager().migrate(url)
    #expect(try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int == 0o640)
  }

  @Test func `a migration can be planned in advance`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withLog)
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    var plan = try NoteStores.manager().plan(for: url)
    #expect(plan.availableBytes ?? 0 > 0)
    plan.availableBytes = 5_000_000
    let size = try #require(try FileOperations().size(of: url))
    #expect(plan.storeBytes == size)
    #expect(
      plan.description == """
        store '\(url.resolvingLinks.path)' has version 'Notes 1', according to its version hashes
          1. 'Notes 1' → 'Notes 2', by '1-2.xml'
          2. 'Notes 2' → 'Notes 3', by '2-3.xml'
          needs about \(plan.neededBytes) bytes on disk temporarily; 5000000 are free
        """)
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
  }

  @Test func `each temporary store is deleted after the next hop`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withLog)
    let seen = Recorder<[String]>()
    let files = FileOperations { step in
      guard case .merge = step else { return }
      let work = folder.appending(".Notes.sqlite.heavylift")
      seen.append((try? FileManager.default.contentsOfDirectory(atPath: work.path).sorted()) ?? [])
    }
    try NoteStores.manager(files: files).migrate(url)
    let always = ["journal.json", "lock"]
    #expect(
      seen.values == [
        [".hop-1_SUPPORT", "hop-1.sqlite"] + always,
        [".hop-1_SUPPORT", ".hop-2_SUPPORT", "hop-1.sqlite", "hop-2.sqlite"] + always,
        [".hop-2_SUPPORT", "hop-2.sqlite"] + always,
      ])
  }

  @Test func `migration managers run real hops`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withUnmergedLog)
    let report = try NoteStores.manager(MappingHopExecution()).migrate(url, options: .init(composesHops: false))
    #expect(report.hops.map(\.objectCount) == [3, 3])
    #expect(try NoteStores.contents(url) == NoteStores.newest)
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).count == 2)
  }
}

/// The thrown error's text; nil if there was none.
func failure(_ body: () throws -> Any) -> String? {
  do {
    _ = try body()
    return nil
  } catch {
    return "\(error)"
  }
}

/// Collects values from any thread.
final class Recorder<Element>: @unchecked Sendable {
  // Guarded by the lock.
  private var collected: [Element] = []
  private let lock = NSLock()

  var values: [Element] { lock.withLock { collected } }
  func append(_ element: Element) { lock.withLock { collected.append(element) } }
}
