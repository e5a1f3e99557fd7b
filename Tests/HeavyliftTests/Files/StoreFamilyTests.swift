import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Stores in one folder with the same base name share a folder for large values.
struct StoreFamilyTests {
  private let folder: TemporaryFolder
  private var store: URL { folder.appending("Notes.sqlite") }

  init() throws {
    folder = try TemporaryFolder()
    try NoteStores.make(at: folder.appending("Notes.sqlite"), .withoutLog)
  }

  private func refusal(_ name: String, with other: String) -> String {
    """
    error[migration.destination-exists]: '\(folder.appending(name).resolvingFolder.path)' would share its folder for \
    large values, '.\(URL(filePath: name).deletingPathExtension().lastPathComponent)_SUPPORT', with '\(other)'
      choose a file name that differs in more than its extension, or another folder; nothing was changed
    """
  }

  @Test(arguments: ["Notes.db", "Notes"])
  func `neither a new store nor a backup shares the store's folder`(name: String) throws {
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    let place = folder.appending(name)
    #expect(failure { try NoteStores.manager().migrate(store, into: place) } == refusal(name, with: "Notes.sqlite"))
    #expect(
      failure { try NoteStores.manager().migrate(store, options: IncrementalMigrationOptions(backup: place)) }
        == refusal(name, with: "Notes.sqlite"))
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
  }

  @Test func `a new store does not share an existing store's folder`() throws {
    try NoteStores.make(at: folder.appending("Other.db"), .withoutLog)
    #expect(
      failure { try NoteStores.manager().migrate(store, into: folder.appending("Other.sqlite")) }
        == refusal("Other.sqlite", with: "Other.db"))
    let manager = MigrationManager(sourceModel: NoteStores.models[0], destinationModel: NoteStores.models[1])
    try FileManager.default.removeItem(at: folder.appending(".Other_SUPPORT"))
    #expect(
      failure {
        try manager.migrateStore(from: store, to: folder.appending("Other.sqlite"), with: NoteStores.mapping(1, 2))
      }?.contains("would share its folder for large values, '.Other_SUPPORT', with 'Other.db'") == true)
  }

  @Test func `a value that a copy of the old store refers to is kept`() throws {
    let copy = folder.appending("Notes.backup")
    try FileManager.default.copyItem(at: store, to: copy)
    // A file that is not a store does not count, whatever its name.
    try Data("text".utf8).write(to: folder.appending("Notes.txt"))
    try NoteStores.manager(RowCopy(rewritesPictures: true)).migrate(store)
    #expect(try NoteStores.contents(store) == NoteStores.newest)
    #expect(try NoteStores.contents(copy) == NoteStores.oldest)
    #expect(try ExternalDataFolder(store: store).fileNames().count == 2)
  }

  @Test func `a value is kept if a store sharing the folder cannot be read, even if no store refers to it`() throws {
    try Data("SQLite format 3\0, but damaged".utf8).write(to: folder.appending("Notes.old"))
    try NoteStores.manager(RowCopy(rewritesPictures: true)).migrate(store)
    #expect(try ExternalDataFolder(store: store).fileNames().count == 2)
  }
}
