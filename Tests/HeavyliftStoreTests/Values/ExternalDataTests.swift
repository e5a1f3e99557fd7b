import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftStore
import HeavyliftReports

struct ExternalDataTests {
  let test: TestStore
  let big = Data(repeating: 5, count: ExternalDataFolder.threshold)
  let bigger = Data(repeating: 6, count: ExternalDataFolder.threshold * 2)
  let small = Data(repeating: 1, count: ExternalDataFolder.threshold - 1)

  init() throws { test = try TestStore(ValueTests.model) }

  var files: [String] { get throws { try test.store.externalData.fileNames() } }

  @Test func `data is stored in a file from the threshold on`() throws {
    let inside = try test.insert("All", ["external": .data(small)])
    let outside = try test.insert("All", ["external": .data(big)])
    _ = try test.insert("All", ["binaryData": .data(big)])
    try test.context.save()
    let names = try files
    #expect(names.count == 1)
    #expect(try Data(contentsOf: test.folder.appending(".store_SUPPORT/_EXTERNAL_DATA/\(names[0])")) == big)
    #expect(
      try test.rows("SELECT length(ZEXTERNAL), hex(substr(ZEXTERNAL, 1, 1)), Z_PK FROM ZALL WHERE ZEXTERNAL NOT NULL")
        == ["\(small.count + 1) 01 1", "38 02 2"])
    #expect(
      try test.rows(
        "SELECT CAST(substr(ZEXTERNAL, 2, 36) AS TEXT), hex(substr(ZEXTERNAL, 38)) FROM ZALL WHERE Z_PK = 2")
        == ["\(names[0]) 00"])
    #expect(inside["external"] == .data(small))
    #expect(outside["external"] == .data(big))
  }

  @Test func `a file is deleted when its value is replaced, and when its object is deleted`() throws {
    let object = try test.insert("All", ["external": .data(big)])
    try test.context.save()
    let first = try files
    object["external"] = .data(bigger)
    try test.context.save()
    let second = try files
    #expect(second.count == 1)
    #expect(second != first)
    test.context.refresh(object)
    object["external"] = .data(big)
    try test.context.save()
    #expect(try files.count == 1)
    object["external"] = nil
    try test.context.save()
    #expect(try files == [])
    object["external"] = .data(big)
    try test.context.save()
    try test.context.delete(object)
    #expect(try files.count == 1)
    try test.context.save()
    #expect(try files == [])
  }

  @Test func `an object that is deleted without being read leaves no file`() throws {
    _ = try test.insert("All", ["external": .data(big)])
    try test.context.save()
    try test.reopen()
    try test.context.delete(try test.fetch("All")[0])
    try test.context.save()
    #expect(try files == [])
  }

  @Test func `a save that fails leaves the files as they were`() throws {
    let object = try test.insert("All", ["external": .data(big)])
    try test.context.save()
    let before = try files
    try test.run("CREATE TRIGGER refuse BEFORE UPDATE ON ZALL BEGIN SELECT RAISE(ABORT, 'no'); END")
    object["external"] = .data(bigger)
    #expect(throws: (any Error).self) { try test.context.save() }
    #expect(try files == before)
    try test.run("DROP TRIGGER refuse")
    try test.context.save()
    #expect(try files.count == 1)
    #expect(try files != before)
  }

  @Test func `a value that was never accessed is neither read nor rewritten`() throws {
    let object = try test.insert("All", ["external": .data(big), "string": "a"])
    try test.context.save()
    try test.reopen()
    let name = try #require(try files.first)
    let again = try #require(try test.fetch("All").first)
    try FileManager.default.removeItem(at: test.store.externalData.file(named: name))
    again["string"] = "b"
    try test.context.save()
    #expect(try files == [])
    #expect(
      message { _ = try again.value(forKey: "external") } == """
        error[store.external-file]: external file '\(name)' cannot be read: No such file or directory
          the folder '\(test.store.externalData.url.path)' belongs to the store: copy it along with the store's \
        file; if the file is lost, migrate its value as nil, with --accept-damage
        """)
    _ = object
  }

  @Test(.timeLimit(.minutes(15)), arguments: [S_IFIFO, S_IFSOCK])
  func `a special file in place of a regular file does not block`(kind: mode_t) throws {
    _ = try test.insert("All", ["external": .data(big)])
    try test.context.save()
    try test.reopen()
    let values = test.store.externalData
    let name = try #require(try files.first)
    try FileManager.default.removeItem(at: values.file(named: name))
    try #require(mknod(values.file(named: name).path, kind | 0o600, 0) == 0)
    let object = try #require(try test.fetch("All").first)
    let other = ExternalDataFolder(store: test.folder.appending("other.sqlite"))
    let reason = "it is not a regular file but a \(kind == S_IFIFO ? "pipe" : "socket")"
    let remedy = "the folder '\(values.url.path)' belongs to the store: copy it along with the store's file"
    for read in [
      { _ = try object.value(forKey: "external") }, { try other.share(name, from: values) },
      { _ = try other.take(name, from: values) },
    ] {
      #expect(
        message(read) == """
          error[store.external-file]: external file '\(name)' cannot be read: \(reason)
            \(remedy)
          """)
    }
    #expect(
      message { _ = try StoreDump(test.store).write(to: MemorySink()) } == """
        error[store.external-file]: external file '\(name)' of attribute 'external' of All/p1 cannot be read: \(reason)
          \(remedy)
        """)
    #expect(try other.fileNames() == [])
  }

  @Test func `reading a value from its file is not a change`() throws {
    _ = try test.insert("All", ["external": .data(big), "string": "a"])
    try test.context.save()
    try test.reopen()
    let object = try #require(try test.fetch("All").first)
    object["string"] = "b"
    #expect(object["external"] == .data(big))
    #expect(object.changedAttributeNames == ["string"])
    #expect(try object.committedValue(forKey: "external") == .data(big))
    let before = try files
    try test.context.save()
    #expect(try files == before)
    object["external"] = .data(bigger)
    #expect(object.changedAttributeNames == ["external"])
    #expect(try object.committedValue(forKey: "external") == .data(big))
    test.context.rollback()
    #expect(object["external"] == .data(big))
  }

  @Test func `a file is shared with another store by a hard link`() throws {
    _ = try test.insert("All", ["external": .data(big)])
    try test.context.save()
    let name = try #require(try files.first)
    let other = ExternalDataFolder(store: test.folder.appending("other.sqlite"))
    try other.share(name, from: test.store.externalData)
    try other.share(name, from: test.store.externalData)
    #expect(try other.fileNames() == [name])
    func node(_ url: URL) throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: url.path)[.systemFileNumber] as? Int
    }
    #expect(try node(other.file(named: name)) == node(test.store.externalData.file(named: name)))
    test.store.externalData.remove(name)
    #expect(try other.read(name) == big)
  }
}
