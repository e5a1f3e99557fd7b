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
    let run = music.run("plan", "Music.sqlite", "--mappings", "Music")
    #expect(run.code == .negative && run.output == "")
    #expect(music.run("migrate", "Music.sqlite", "--mappings", "Music").code == .failure)
    #expect(
      run.errors == """
        error[migration.no-path]: no mappings lead from 'Music 1' to 'Music 3':
          'Music 1' → nothing
          'Music 2' → nothing
          'Music 3' → nothing
          write a mapping file from 'Music 1' to 'Music 2', and on to 'Music 3', or have the missing mappings \
        inferred with --infer

        """)
  }

  // MARK: The version to migrate to

  @Test func `models that were given newest first are a question, and not a store that is done`() throws {
    let music = try MusicFixture()
    let (one, two) = ("Music/Music.xcdatamodeld/Music 1.xcdatamodel", "Music/Music.xcdatamodeld/Music 2.xcdatamodel")
    let before = try music.listing()
    for command in ["plan", "migrate"] {
      let run = music.run(command, "Music.sqlite", "-m", two, "-m", one)
      #expect(run.code == .negative && run.output == "", "\(run)")
      #expect(
        run.errors.hasPrefix(
          """
          the models: error[migration.newest-first]: judging by their names, the models were given newest first, so \
          'Music 1' would be the version to migrate to: '\(two)' and '\(one)'
            give them oldest first; if 'Music 1' is the version you want, use --version 'Music 1'

          """), "\(run)")
      let stated = music.run(command, "Music.sqlite", "-m", two, "-m", one, "--version", "Music 1")
      #expect(stated.code == .success && stated.output.contains("nothing to do"), "\(stated)")
    }
    // A store of the newest version would lose what the older one does not have.
    #expect(
      music.run("migrate", "Music.sqlite", "--mappings", "Music", "--version", "Music 2", "--to", "New.sqlite").code
        == .success)
    for options in [[], ["--infer"]] {
      let run = music.run(["migrate", "New.sqlite", "-m", two, "-m", one] + options)
      #expect(run.code != .success, "\(run)")
    }
    #expect(
      try music.listing().filter { !$0.key.contains("New.sqlite") } == before.filter { !$0.key.contains("New.sqlite") })
  }

  @Test func `a newer version that is not current is named if there is nothing to do`() throws {
    let library = try ToolFixture()
    #expect(library.run("migrate", "Library.sqlite", "--infer").code == .success)
    #expect(library.run("schema", "new-version", "Library.xcdatamodeld", "Library 3").code == .success)
    var newest = ToolFixture.secondModel
    newest.entities[0].attributes.append(AttributeDescription(name: "born", type: .integer16))
    newest.name = "Library 3"
    try ModelWriter.write(newest, to: library.folder.appending("Library.xcdatamodeld/Library 3.xcdatamodel"))
    let note =
      "note[migration.not-current]: 'Library 2' is the current version of its bundle, which also has "
      + "'Library 3'\n  make the version that you want the current one, or use --version 'Library 3'\n"
    for command in ["plan", "migrate"] {
      let run = library.run(command, "Library.sqlite")
      #expect(run.code == .success && run.output.contains("nothing to do"), "\(run)")
      #expect((run.output + run.errors).contains(note), "\(run)")
    }
    let done = library.run("migrate", "Library.sqlite", "--infer", "--version", "Library 3")
    #expect(done.code == .success && !done.errors.contains("not-current"), "\(done)")
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
