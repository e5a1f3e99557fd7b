import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// Large values whose files are symbolic links, which lead elsewhere from another folder.
struct LinkedValueTests {
  private let folder: TemporaryFolder
  private let store: URL
  private let other: URL

  init() throws {
    folder = try TemporaryFolder()
    store = folder.appending("Notes.sqlite")
    other = folder.appending("other/deeper")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    try NoteStores.make(at: store, .withoutLog)
    let values = ExternalDataFolder(store: store)
    let name = try #require(try values.fileNames().first)
    try FileManager.default.moveItem(at: values.file(named: name), to: folder.appending("picture"))
    try FileManager.default.createSymbolicLink(
      atPath: values.file(named: name).path, withDestinationPath: "../../picture")
  }

  @Test(arguments: [false, true]) func `a new store gets their contents`(startsFresh: Bool) throws {
    var execution = MappingHopExecution()
    execution.options.startsFresh = startsFresh
    let new = other.appending(path: "New.sqlite")
    try NoteStores.manager(execution).migrate(store, into: new)
    #expect(try NoteStores.contents(new) == NoteStores.newest)
  }

  @Test func `a backup and the store that replaces the old one get their contents`() throws {
    let backup = other.appending(path: "Old.sqlite")
    try NoteStores.manager(MappingHopExecution()).migrate(
      store, options: IncrementalMigrationOptions(backup: backup))
    #expect(try NoteStores.contents(store) == NoteStores.newest)
    #expect(try NoteStores.contents(backup) == NoteStores.oldest)
  }

  @Test func `a copied store gets their contents`() throws {
    let copy = other.appending(path: "Copy.sqlite")
    try StoreCopy(files: FileOperations()).copy(store, to: copy)
    #expect(try NoteStores.contents(copy) == NoteStores.oldest)
  }

  @Test func `a folder in place of a file is named in the error`() throws {
    let values = ExternalDataFolder(store: store)
    let file = values.file(named: try #require(try values.fileNames().first))
    try FileManager.default.removeItem(at: file)
    try FileManager.default.createDirectory(at: file, withIntermediateDirectories: false)
    let error = #expect(throws: MigrationError.self) {
      try NoteStores.manager(MappingHopExecution()).migrate(store, into: other.appending(path: "New.sqlite"))
    }
    #expect(error?.description.contains("external file '\(file.lastPathComponent)' cannot be read") == true, "\(error)")
    #expect(error?.description.contains("function") == false)
  }
}
