import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Stores with an unreadable page.
struct DamagedSourceTests {
  private static let count = 300
  private let folder: TemporaryFolder
  private var url: URL { folder.appending("Notes.sqlite") }
  /// The damaged store's files.
  private let before: [String: Data]

  init() throws {
    folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    let store = try PersistentStore.create(at: url, model: NoteStores.models[0])
    let context = ManagedObjectContext(store: store)
    for index in 1...Self.count {
      let note = try context.insert("Note")
      try note.setValue(.string("note \(index) " + String(repeating: "-", count: 300)), forKey: "text")
      if index == 2 { try note.setValue(.data(NoteStores.picture), forKey: "picture") }
    }
    try context.save()
    try store.database.execute("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE")
    try store.close()
    var bytes = try Data(contentsOf: url)
    let place = try #require(bytes.range(of: Data("note 150 ".utf8))).lowerBound / 4_096 * 4_096
    bytes.replaceSubrange(place..<place + 4_096, with: Data(count: 4_096))
    try bytes.write(to: url)
    before = try NoteStores.listing(folder.url, withWorkFolder: true)
  }

  private func manager(_ execution: any HopExecution = MappingHopExecution()) -> IncrementalMigrationManager {
    NoteStores.manager(execution)
  }

  private func refusal(_ body: () throws -> Void) -> MigrationError? {
    do {
      try body()
      return nil
    } catch {
      return error as? MigrationError
    }
  }

  @Test func `a damaged store is refused and left unchanged`() throws {
    let target = folder.appending("New.sqlite")
    for attempt in [
      { try self.manager().migrate(self.url) }, { try self.manager().migrate(self.url, into: target) },
      { try self.manager().rehearse(self.url) { $0.report } },
    ] as [() throws -> IncrementalMigrationReport] {
      let error = refusal { _ = try attempt() }
      #expect(error?.kind == .damaged && error?.number == 134_180)
      #expect(
        error?.problem.hasPrefix("store '\(url.resolvingLinks.path)' is damaged: ") == true, "\(error?.problem ?? "")")
      #expect(
        error?.remedy
          == "restore it from a backup, or migrate what can be read with '--accept-damage' ('acceptsDamage'), which "
          + "reports every lost row; nothing was changed")
      #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
    }
  }

  /// An execution that does not read every row succeeds and misses the damage.
  private struct ReadingNothing: HopExecution {
    func migrate(from source: URL, to destination: URL, hop: MigrationHop) throws -> MigrationReport {
      try PersistentStore.create(at: destination, model: hop.destinationModel).close()
      return MigrationReport()
    }
  }

  /// Only the check for damage compares indexes with their tables.
  @Test(arguments: [false, true]) func `an index that does not match its table stops a migration`(
    isInPlace: Bool
  ) throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Notes.sqlite")
    try NoteStores.make(at: url, .withoutLog)
    let database = try Database(path: url.path, mode: .readWrite)
    try database.execute(
      "CREATE TABLE own (a VARCHAR); CREATE INDEX own_a ON own (a); INSERT INTO own VALUES ('one of a kind')")
    try database.close()
    var bytes = try Data(contentsOf: url)
    let place = try #require(bytes.range(of: Data("one of a kind".utf8), options: .backwards))
    bytes[place.lowerBound] = UInt8(ascii: "O")
    try bytes.write(to: url)
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    let chain = manager(ReadingNothing())
    let error = refusal {
      _ = isInPlace ? try chain.migrate(url) : try chain.migrate(url, into: folder.appending("New.sqlite"))
    }
    #expect(error?.kind == .damaged, "\(error?.problem ?? "")")
    #expect(error?.problem.contains("own_a") == true, "\(error?.problem ?? "")")
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
  }

  @Test func `damage in pages that the migration does not read stops it, too`() throws {
    #expect(refusal { _ = try manager(ReadingNothing()).migrate(url) }?.kind == .damaged)
    #expect(try NoteStores.listing(folder.url) == before)
  }

  @Test(arguments: [false, true])
  func `readable rows are migrated on request, and unreadable ones are reported`(isInPlace: Bool) throws {
    let options = IncrementalMigrationOptions(
      backup: isInPlace ? folder.appending("Old.sqlite") : nil, acceptsDamage: true)
    let target = isInPlace ? url : folder.appending("New.sqlite")
    let report =
      isInPlace
      ? try manager().migrate(url, options: options) : try manager().migrate(url, into: target, options: options)
    let notes = report.hops[0].report?.notes ?? []
    let damaged = notes.filter { $0.code == "store.damaged" }
    #expect(damaged.count == 1 && damaged[0].severity == .warning)
    #expect(damaged[0].problem.hasSuffix("was migrated as far as possible: one part is lost"), "\(damaged)")
    let lost = try #require(notes.first { $0.code == "store.unreadable" })
    let keys = try #require(lost.problem.firstMatch(of: /^rows (\d+) to (\d+) of table 'ZNOTE' cannot be read$/))
    let (first, last) = (try #require(Int(keys.1)), try #require(Int(keys.2)))
    #expect((first...last).contains(150) && last - first < 20)
    let texts = try NoteStores.contents(target).dropFirst().map { String($0.prefix { $0 != "-" }) }
    let expected = (1...Self.count).filter { !(first...last).contains($0) }.map { "note \($0) " }
    #expect(texts.sorted() == expected.sorted())
    #expect(try NoteStores.contents(target).contains { $0.hasSuffix(" picture") })
    if isInPlace {
      #expect(try Data(contentsOf: folder.appending("Old.sqlite")) == before["Notes.sqlite"])
    } else {
      #expect(try Data(contentsOf: url) == before["Notes.sqlite"])
    }
  }

  @Test func `an undamaged store migrates as it does without the option`() throws {
    let sound = folder.appending("Sound.sqlite")
    try NoteStores.make(at: sound, .withLog)
    let report = try manager().migrate(sound, options: IncrementalMigrationOptions(acceptsDamage: true))
    #expect(report.hops.flatMap { $0.report?.notes ?? [] } == [])
    #expect(try NoteStores.contents(sound) == NoteStores.newest)
  }
}
