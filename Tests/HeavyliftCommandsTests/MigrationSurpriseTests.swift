import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Unexpected files in a store's folder.
struct MigrationSurpriseTests {
  // MARK: Mapping files that cannot be read

  @Test(arguments: [
    ["1-2.xml"],
    // It might be a second pass of the hop, which would then be missing.
    ["1-2 more.xml"],
  ])
  func `nothing is inferred or done if a mapping file cannot be read`(names: [String]) throws {
    let music = try MusicFixture()
    for name in names {
      try music.write(
        "<mapping-model source=\"Music 1\" destination=\"Music 2\">\n  <entity-mapping", to: "Music/\(name)")
    }
    let before = try music.listing()
    for options in [[], ["--infer"]] {
      for command in [["migrate"], ["plan"], ["migrate", "--dry-run"]] {
        let run = music.run(command + ["Music.sqlite", "--mappings", "Music"] + options)
        #expect(run.code == .negative && run.output == "")
        #expect(run.errors.hasPrefix("Music/\(names[0]):2:18: error[xml.malformed]: "), "\(run)")
      }
    }
    #expect(try music.listing() == before)
  }

  @Test func `a gap names the option that fills it`() throws {
    let music = try MusicFixture()
    for name in ["1-2.xml", "2-3.xml"] {
      try FileManager.default.removeItem(at: music.folder.appending("Music/\(name)"))
    }
    #expect(
      music.run("plan", "Music.sqlite", "--mappings", "Music").errors == """
        error[migration.no-path]: no mappings lead from 'Music 1' to 'Music 3':
          'Music 1' → nothing
          'Music 2' → nothing
          'Music 3' → nothing
          write a mapping file from 'Music 1' to 'Music 2', and on to 'Music 3', or have the missing mappings \
        inferred with --infer

        """)
  }

  // MARK: Versions that are the same to a store

  /// A bundle whose second version differs from the first only in a default value, and a mapping from it to the third.
  private func twins() throws -> ToolFixture {
    let library = try ToolFixture()
    var twin = ToolFixture.firstModel
    twin.entities[1].attributes[0].defaultValue = .integer(7)
    var newest = ToolFixture.firstModel
    newest.entities[0].attributes.insert(AttributeDescription(name: "born", type: .integer16), at: 0)
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: [
        .init(name: "Library", model: ToolFixture.firstModel), .init(name: "Library 1b", model: twin),
        .init(name: "Library 2", model: newest),
      ], currentVersionName: "Library 2"
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
    try library.write(
      "<mapping-model source=\"Library 1b\" destination=\"Library 2\">\n  <entity-mapping source=\"Book\" "
        + "destination=\"Book\"/>\n  <entity-mapping source=\"Novel\" destination=\"Novel\"/>\n  "
        + "<entity-mapping source=\"Author\" destination=\"Author\"/>\n</mapping-model>", to: "1b-2.xml")
    return library
  }

  @Test func `a store continues from any version that it cannot tell from its own`() throws {
    let library = try twins()
    let run = library.run("migrate", "Library.sqlite")
    #expect(run.code == .success, "\(run)")
    #expect(run.output.contains("\nhop 1 of 1: 'Library 1b' → 'Library 2', by 1b-2.xml, "), "\(run)")
    let inferred = try twins()
    try FileManager.default.removeItem(at: inferred.folder.appending("1b-2.xml"))
    let second = inferred.run("migrate", "Library.sqlite", "--infer")
    #expect(second.output.contains("\nhop 1 of 1: 'Library 1b' → 'Library 2', inferred, "), "\(second)")
    try FileManager.default.removeItem(at: library.folder.appending("1b-2.xml"))
    try library.makeStore("Other.sqlite")
    #expect(
      library.run("plan", "Other.sqlite").errors.contains(
        "\n  'Library' → nothing\n  'Library 1b', which has the same version hashes as 'Library'\n"
          + "  'Library 2' → nothing\n"))
  }

  @Test func `a mapping between such versions that never runs is reported`() throws {
    let library = try twins()
    try library.write(
      "<mapping-model source=\"Library\" destination=\"Library 1b\">\n  <entity-mapping source=\"Bok\" "
        + "destination=\"Book\"/>\n</mapping-model>", to: "1-1b.xml")
    for command in ["migrate", "plan"] {
      let run = library.run(command, "Library.sqlite", "--version", "Library 1b")
      #expect(run.code == .success && run.output.contains(" already"), "\(run)")
      #expect(
        (command == "plan" ? run.output + run.errors : run.errors).contains(
          "warning[migration.same-version]: versions 'Library 1b' and 'Library' have the same version hashes: a store "
            + "does not show which one it has, and a mapping between them never runs\n  if there is "
            + "something to migrate, give an entity of the newer version a different hash modifier\n"), "\(run)")
    }
  }

  @Test(arguments: ["migrate", "plan"])
  func `on the way past versions that exchange names, they are reported, and so is a file between them`(
    command: String
  ) throws {
    let library = try ToolFixture()
    var (first, exchanged) = (ToolFixture.firstModel, ToolFixture.firstModel)
    first.entities[0].attributes.append(AttributeDescription(name: "pen", type: .string))
    exchanged.entities[0].attributes = [("name", "pen"), ("pen", "name")].map {
      AttributeDescription(name: $0, type: .string, renamingIdentifier: $1)
    }
    var newest = exchanged
    newest.entities[0].attributes.append(AttributeDescription(name: "born", type: .integer16))
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: [
        .init(name: "Library", model: first), .init(name: "Library 1b", model: exchanged),
        .init(name: "Library 2", model: newest),
      ], currentVersionName: "Library 2"
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
    try library.write(
      "<mapping-model source=\"Library\" destination=\"Library 1b\">\n  <entity-mapping source=\"Author\" "
        + "destination=\"Author\"/>\n</mapping-model>", to: "1-1b.xml")
    let store = try PersistentStore.create(at: library.folder.appending("Exchanged.sqlite"), model: first)
    try store.close()
    let run = library.run(command, "Exchanged.sqlite", "--infer")
    #expect(run.code == .success, "\(run)")
    let text = command == "plan" ? run.output + run.errors : run.errors
    #expect(
      text.contains(
        "warning[migration.same-version]: versions 'Library 1b' and 'Library' have the same version hashes: a store "
          + "does not show which one it has, and a mapping between them never runs\n"), "\(run)")
    #expect(!text.contains("no versions of the model"), "\(run)")
  }

  // MARK: Leftovers of a killed program

  /// Leaves a store like a program that is killed while it writes: with half of a change, and a journal next to it.
  private func cutOff(_ music: MusicFixture) throws {
    let other = try TemporaryFolder()
    let copy = try other.copyStore(music.folder.appending("Music.sqlite"))
    let database = try Database(path: copy.path, mode: .readWrite)
    try database.execute("PRAGMA journal_mode = DELETE; PRAGMA cache_size = 1")
    try database.execute(
      """
      BEGIN; UPDATE ZTRACK SET ZTITLE = 'half'; CREATE TABLE FILLING (TEXT);
      WITH RECURSIVE N(I) AS (SELECT 1 UNION ALL SELECT I + 1 FROM N WHERE I < 300)
      INSERT INTO FILLING SELECT hex(randomblob(2000)) FROM N
      """)
    for suffix in ["", "-journal"] {
      let target = music.folder.appending("Music.sqlite\(suffix)")
      try? FileManager.default.removeItem(at: target)
      try Data(contentsOf: URL(filePath: copy.path + suffix)).write(to: target)
    }
    try database.execute("ROLLBACK")
    try database.close()
    #expect(try Data(contentsOf: music.folder.appending("Music.sqlite")).contains("half".utf8))
  }

  @Test func `an unfinished change of a program is rolled back before a migration, and reported`() throws {
    let music = try MusicFixture()
    try cutOff(music)
    let before = try music.listing()
    let refusal = """
      error[store.unfinished-change]: store 'FOLDER/Music.sqlite' contains another program's unfinished change, which \
      its -journal can roll back
        open it once with the program that wrote it, or migrate it in place: both roll the change back

      """
    for arguments in [["plan"], ["migrate", "--dry-run"], ["migrate", "--to", "New.sqlite"]] {
      let run = music.run(arguments + ["Music.sqlite", "--mappings", "Music"])
      #expect(run == .init(code: .failure, output: "", errors: refusal))
    }
    #expect(try music.listing() == before)
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--backup", "Before.sqlite")
    #expect(run.code == .success)
    #expect(
      run.errors.hasPrefix("Music.sqlite: an unfinished transaction was rolled back, as SQLite does\nhop 1")
    )
    #expect(try music.artists("Music.sqlite", version: 2) == ["Bill: T0 T1", "Miles: T0"])
    #expect(try !Data(contentsOf: music.folder.appending("Before.sqlite")).contains("half".utf8))
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: music.folder.url.path).sorted()
        == ["Before.sqlite", "Music", "Music.sqlite"])
  }
}

extension Data {
  fileprivate func contains(_ text: String.UTF8View) -> Bool { range(of: Data(text)) != nil }
}
