import CFileSystem
import Foundation
import HeavyliftTestSupport
import Testing

@testable import Heavylift
@testable import HeavyliftStore

/// A new store keeps the extended attributes and access control list of the store that it replaces.
@Suite(.enabled(if: AttributeSupport.isThere, "needs a file system with extended attributes"))
struct StoreAttributesTests {
  private static let listName = "system.posix_acl_access"
  /// `user::rw-`, `user:4711:rw-`, `group::---`, `mask::rw-`, `other::---`.
  private static let list = accessList([
    (0x01, 6, .max), (0x02, 6, 4_711), (0x04, 0, .max), (0x10, 6, .max), (0x20, 0, .max),
  ])

  private static func accessList(_ entries: [(tag: UInt16, permissions: UInt16, number: UInt32)]) -> Data {
    var data = Data([2, 0, 0, 0])
    for entry in entries {
      withUnsafeBytes(of: entry.tag.littleEndian) { data += $0 }
      withUnsafeBytes(of: entry.permissions.littleEndian) { data += $0 }
      withUnsafeBytes(of: entry.number.littleEndian) { data += $0 }
    }
    return data
  }

  private static func set(_ name: String, _ value: Data, of url: URL) -> Bool {
    value.withUnsafeBytes { setxattr(url.path, name, $0.baseAddress, $0.count, 0) } == 0
  }

  /// The attributes that these tests compare.
  private static func attributes(_ url: URL) -> [String: Data] {
    var found: [String: Data] = [:]
    for name in ["user.empty", "user.tags", listName] {
      var bytes = [UInt8](repeating: 0, count: 1_000)
      let count = getxattr(url.path, name, &bytes, bytes.count)
      if count >= 0 { found[name] = Data(bytes[..<count]) }
    }
    return found
  }

  private static let all = ["user.empty": Data(), "user.tags": Data([0, 255, 10]), listName: list]

  private static func mark(_ store: URL) throws {
    for (name, value) in all { try #require(set(name, value, of: store)) }
  }

  @Test(arguments: [
    FaultScenario(kind: .withoutLog), FaultScenario(kind: .withLog, hasBackup: true),
    FaultScenario(kind: .withUnmergedLog, isInto: true, usesEngine: true),
    FaultScenario(kind: .withLog, hasBackup: true, rewritesPictures: true),
  ])
  func `a migrated store and its backup keep the old store's attributes`(scenario: FaultScenario) throws {
    let place = try FaultScenario.Place(scenario)
    try Self.mark(place.store)
    try place.migrate()
    #expect(try place.checkEnd() == [])
    #expect(Self.attributes(scenario.target(in: place.folder.url)) == Self.all)
    for name in try FileManager.default.contentsOfDirectory(atPath: place.folder.url.path)
    where name.hasSuffix(".sqlite") { #expect(Self.attributes(place.folder.appending(name)) == Self.all) }
    // Large values have the store's access control list, and users who can read them can enter their folder.
    guard scenario.rewritesPictures else { return }
    let values = ExternalDataFolder(store: place.store)
    let new = try values.fileNames().filter { Self.attributes(values.file(named: $0)) == [Self.listName: Self.list] }
    #expect(new.isEmpty == false)
  }

  @Test func `a store created by a migration manager keeps its source's attributes`() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (folder.appending("Old.sqlite"), folder.appending("New.sqlite"))
    try NoteStores.make(at: old, .withoutLog)
    try Self.mark(old)
    let manager = MigrationManager(sourceModel: NoteStores.models[0], destinationModel: NoteStores.models[1])
    try manager.migrateStore(from: old, to: new, with: NoteStores.mapping(1, 2))
    #expect(Self.attributes(new) == Self.all)
    let values = ExternalDataFolder(store: new)
    // A folder's mask: read, write and search.
    #expect(
      Self.attributes(values.url) == [
        Self.listName: Self.accessList([
          (0x01, 7, .max), (0x02, 7, 4_711), (0x04, 0, .max), (0x10, 7, .max), (0x20, 0, .max),
        ])
      ])
  }

  @Test func `an access control list inherited from the folder grants no access`() throws {
    let folder = try TemporaryFolder()
    let store = folder.appending("Notes.sqlite")
    try NoteStores.make(at: store, .withoutLog)
    chmod(store.path, 0o660)
    try #require(Self.set("system.posix_acl_default", Self.list, of: folder.url))
    try NoteStores.manager().migrate(store)
    #expect(Self.attributes(store) == [:])
    var status = stat()
    #expect(stat(store.path, &status) == 0 && status.st_mode & 0o777 == 0o660)
  }

  @Test func `a value copied to another store keeps its attributes`() throws {
    let folder = try TemporaryFolder()
    let (old, new) = (
      ExternalDataFolder(store: folder.appending("Old.sqlite")),
      ExternalDataFolder(store: folder.appending("New.sqlite"))
    )
    let name = try old.write(Data([1, 2, 3]))
    try #require(Self.set("user.tags", Data([7]), of: old.file(named: name)))
    let copy = folder.appending("copy")
    try FileOperations().copy(old.file(named: name), to: copy)
    #expect(Self.attributes(copy) == ["user.tags": Data([7])])
    try new.share(name, from: old)
    #expect(Self.attributes(new.file(named: name)) == ["user.tags": Data([7])])
  }

  @Test func `an attribute that cannot be set is named in the error, and nothing is changed`() throws {
    let folder = try TemporaryFolder()
    let store = folder.appending("Notes.sqlite")
    try NoteStores.make(at: store, .withoutLog)
    try Self.mark(store)
    let before = try NoteStores.listing(folder.url, withWorkFolder: true)
    let files = FileOperations { step in
      if case .setAttributes(let url) = step, url.lastPathComponent == "rights" {
        throw ExtendedAttributes.Refusal(name: "user.tags", code: .ENOSPC)
      }
    }
    let scenario = FaultScenario(kind: .withoutLog)
    #expect(
      failure { try scenario.migrate(in: folder.url, files: files) } == """
        error[migration.files]: store '\(store.resolvingLinks.path)' cannot be migrated: its extended attribute \
        'user.tags' cannot be copied: no space left on device
          remove the attribute first if you can do without it, e.g. with 'setfattr -x user.tags'; nothing was changed
        """)
    #expect(try NoteStores.listing(folder.url, withWorkFolder: true) == before)
  }
}

/// True if the temporary folder supports extended attributes and access control lists.
private enum AttributeSupport {
  static let isThere: Bool = {
    guard let folder = try? TemporaryFolder() else { return false }
    // The file mode as an access control list: `user::rwx`, `group::---`, `other::---`.
    let list: [UInt8] = [
      2, 0, 0, 0, 1, 0, 7, 0, 255, 255, 255, 255, 4, 0, 0, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255,
    ]
    func set(_ name: String) -> Bool { setxattr(folder.url.path, name, list, list.count, 0) == 0 }
    return set("user.test") && set("system.posix_acl_access")
  }()
}
