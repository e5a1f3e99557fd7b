import Foundation
import Heavylift
import HeavyliftCommands
import Testing

/// `heavylift verify`, as a user or a script runs it.
struct VerifyCommandTests {
  private let music: MusicFixture

  /// Stores of all three versions.
  init() throws {
    music = try MusicFixture()
    for (version, from, to) in [("Music 2", "Music.sqlite", "V2.sqlite"), ("Music 3", "V2.sqlite", "V3.sqlite")] {
      let run = music.run("migrate", from, "--mappings", "Music", "--version", version, "--to", to, "--quiet")
      #expect(run == .init(code: .success, output: "", errors: ""))
    }
  }

  private func verify(_ more: String...) -> ToolFixture.Run {
    music.run(
      ["verify", "--source", "V2.sqlite", "--destination", "V3.sqlite", "--mapping", "Music/2-3.xml"] + more)
  }

  private static let entities = """
    Old objects  All  Migrated  Filtered  Removed  Not mentioned
    Album          1         1         0        0              0
    Artist         2         2         0        0              0
    Track          3         3         0        0              0

    """

  private static func compared(_ values: Int, _ others: String = "") -> String {
    """
    Compared:
      \(values) values and links of 6 objects
      keys, entity numbers and links of all rows in the new store
      UUID, user_version, application_id, and the application's values in the metadata
    \(others)
    """
  }

  @Test func `a store that was migrated as declared is verified`() {
    #expect(
      verify()
        == .init(
          code: .success,
          output: """
            Mapping         Objects  Values  Differences
            AlbumToAlbum          1       3            0
            ArtistToArtist        2       6            0
            TrackToTrack          3      15            0

            \(Self.entities)
            \(Self.compared(24))
            everything is as the mapping declares

            """, errors: ""))
  }

  private func verifyChain(_ more: String...) -> ToolFixture.Run {
    music.run(
      [
        "verify", "--source", "Music.sqlite", "--destination", "V3.sqlite", "--mapping", "Music/1-2.xml", "--mapping",
        "Music/2-3.xml",
      ] + more)
  }

  @Test func `a chain is verified hop by hop, and objects of policies are not differences`() {
    let run = verifyChain()
    #expect((run.code, run.errors) == (.success, ""))
    #expect(
      run.output.split(separator: "\n").filter { $0.hasPrefix("'") || $0.hasPrefix("everything") } == [
        "'Music 1' → 'Music 2'", "everything is as the mapping declares; policies created 2 more objects",
        "'Music 2' → 'Music 3'", "everything is as the mapping declares",
      ])
  }

  @Test func `a change in the last store of a chain is found`() throws {
    try music.change("V3.sqlite", "UPDATE ZARTIST SET ZSORTNAME = 'Miles' WHERE ZNAME = 'Miles'")
    let run = verifyChain("--json")
    #expect(run.code == .negative)
    #expect(run.output.contains("\"differences\": 1"))
  }

  @Test func `mappings that do not join are refused`() {
    #expect(
      music.run(
        "verify", "--source", "Music.sqlite", "--destination", "V3.sqlite", "--mapping", "Music/2-3.xml", "--mapping",
        "Music/1-2.xml")
        == .init(
          code: .failure, output: "",
          errors: """
            error[verify.gap]: 'Music/2-3.xml' leads to model 'Music 3', but the next mapping, \
            'Music/1-2.xml', starts at 'Music 1'
              specify the mapping of every hop, in order; or verify while you migrate, with 'migrate --verify'

            """))
  }

  @Test func `a later change is found, with its location in the mapping`() throws {
    try music.change(
      "V3.sqlite",
      """
      UPDATE ZARTIST SET ZSORTNAME = 'Miles' WHERE ZNAME = 'Miles'; UPDATE ZTRACK SET ZALBUM = NULL WHERE Z_PK = 2;
      DELETE FROM ZTRACK WHERE Z_PK = 3; INSERT INTO ZALBUM (Z_PK, Z_ENT, Z_OPT, ZTITLE) VALUES (9, 1, 1, 'More')
      """)
    #expect(
      verify()
        == .init(
          code: .negative,
          output: """
            Mapping         Objects  Values  Differences
            AlbumToAlbum          1       3            1
            ArtistToArtist        2       6            1
            TrackToTrack          3      10            2

            \(Self.entities)
            New objects that no mapping creates:
              Album: 1

            Damaged rows and links in the new store:
              ZALBUM: 1 × Z_MAX is lower than the highest key in use (p9)

            Differences (up to 5 per property):
              Album/p1 → Album/p1: 'tracks' leads to Track/p1, but the mapping says Track/p1, Track/p2
                Music/2-3.xml:3:3
              Artist/p1 → Artist/p1: 'sortName' is "Miles", but the mapping says "miles"
                Music/2-3.xml:5:5
              Track/p2 → Track/p2: 'album' leads to nothing, but the mapping says Album/p1
                Music/2-3.xml:7:3
              Track/p3: no counterpart in the new store
                Music/2-3.xml:7:3
              Album/p9: no mapping creates it

            \(Self.compared(19))
            6 differences from what the mapping declares

            """, errors: ""))
    let json = verify("--json")
    #expect(json.code == .negative)
    #expect(json.output.contains(#""differences": 6"#))
    #expect(json.output.contains(#""property": "sortName""#))
  }

  @Test func `a policy may decide otherwise, and that is counted`() {
    let run = music.run(
      "verify", "--source", "Music.sqlite", "--destination", "V2.sqlite", "--mapping", "Music/1-2.xml")
    #expect(run.code == .success)
    #expect(
      run.output.hasSuffix("everything is as the mapping declares; policies created 2 more objects\n"))
    #expect(run.output.contains("New objects created by policies, not by a mapping:\n  Artist: 2\n"))
  }

  @Test func `--sample still finds missing objects`() throws {
    try music.change("V3.sqlite", "DELETE FROM ZARTIST WHERE Z_PK = 1")
    let run = verify("--sample", "100")
    #expect(run.code == .negative)
    #expect(run.output.contains("Artist/p1: no counterpart in the new store"))
  }

  @Test(arguments: [
    (["verify"], "missing-argument"), (["verify", "--mapping", "a.xml"], "missing-argument"),
    (["verify", "a", "b", "--source", "c"], "unexpected-argument"),
    (["verify", "a", "b", "--mapping", "c", "--mappings", "d"], "useless-option"),
    (["verify", "--mapping", "a.xml", "--source", "a", "--destination", "b", "--sample", "0"], "bad-number"),
  ])
  func `missing options are reported`(arguments: [String], code: String) {
    let run = music.run(arguments)
    #expect(run.code == .usage)
    #expect(run.errors.hasPrefix("error[usage.\(code)]"), "\(run.errors)")
  }

  @Test func `stores of other versions are refused`() {
    let run = music.run(
      "verify", "--source", "V3.sqlite", "--destination", "V2.sqlite", "--mapping", "Music/2-3.xml")
    #expect(run.code == .failure)
    #expect(run.output == "")
  }

  // MARK: Contents besides objects

  /// Migrates a store with a table of the app, and changes the result.
  private func verifyWithOthers(_ change: String, _ more: [String] = []) throws -> ToolFixture.Run {
    try music.change(
      "V2.sqlite",
      """
      CREATE TABLE docs (id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT); CREATE TABLE tags (doc, label);
      INSERT INTO docs (id, name) VALUES (1, 'one'), (4, 'four'); INSERT INTO tags VALUES (4, 'red');
      PRAGMA user_version = 7; PRAGMA application_id = 9
      """)
    let run = music.run("migrate", "V2.sqlite", "--mappings", "Music", "--to", "Other.sqlite", "--quiet")
    #expect(run == .init(code: .success, output: "", errors: ""))
    try music.change("Other.sqlite", change)
    return music.run(["verify", "V2.sqlite", "Other.sqlite", "--mapping", "Music/2-3.xml"] + more)
  }

  @Test(arguments: [
    ("DELETE FROM docs", "Other differences:\n  rows of table 'docs': 2 missing\n"),
    ("INSERT INTO docs VALUES (2, 'two')", "Other differences:\n  rows of table 'docs': 1 new\n"),
    ("UPDATE docs SET name = 'x' WHERE id = 4", "Other differences:\n  rows of table 'docs': 1 changed\n"),
    ("UPDATE tags SET rowid = 5", "Other differences:\n  rows of table 'tags': 1 missing, 1 new\n"),
    ("UPDATE sqlite_sequence SET seq = 1", "Other differences:\n  the next key of table 'docs' has changed\n"),
    ("DROP TABLE tags", "Other differences:\n  table 'tags' is missing\n"),
    ("CREATE TABLE more (x)", "Other differences:\n  table 'more' is not in the old store\n"),
    ("ALTER TABLE tags RENAME COLUMN label TO name", "Other differences:\n  table 'tags' is declared differently\n"),
    ("PRAGMA user_version = 8", "Other differences:\n  user_version is 8, not 7\n"),
    ("PRAGMA application_id = 0", "Other differences:\n  application_id is 0, not 9\n"),
    (
      "UPDATE Z_METADATA SET Z_UUID = '00000000-0000-4000-8000-000000000000'",
      "Other differences:\n  the store's UUID has changed\n"
    ),
    (
      "UPDATE Z_PRIMARYKEY SET Z_SUPER = 1 WHERE Z_NAME = 'Track'",
      "Damaged rows and links in the new store:\n"
        + "  Z_PRIMARYKEY.Track: 1 × Z_SUPER is not the number of the entity's parent\n"
    ),
  ])
  func `changes besides objects are differences`(change: String, expected: String) throws {
    let run = try verifyWithOthers(change)
    #expect(run.code == .negative)
    #expect(run.output.contains("\n\n\(expected)"), "\(run)")
    #expect(run.output.hasSuffix("\n\n1 difference from what the mapping declares\n"), "\(run)")
  }

  @Test func `the report says what was compared`() throws {
    let run = try verifyWithOthers("SELECT 1")
    #expect(run.code == .success)
    let tables = "  table 'docs', which is not Core Data's: 2 rows\n  table 'tags', which is not Core Data's: 1 row\n"
    #expect(
      run.output.hasSuffix("\n\n\(Self.compared(24, tables))\neverything is as the mapping declares\n"), "\(run)")
    let json = try verifyWithOthersAgain("--json")
    #expect(json.contains(#""rows": {\#n      "docs": 2,\#n      "tags": 1\#n    }"#), "\(json)")
    let some = try verifyWithOthersAgain("--sample", "2")
    #expect(some.contains("values and links of one in 2 of the 6 objects"), "\(some)")
  }

  private func verifyWithOthersAgain(_ more: String...) throws -> String {
    music.run(["verify", "V2.sqlite", "Other.sqlite", "--mapping", "Music/2-3.xml"] + more).output
  }

  @Test func `what was left behind as requested is not a difference`() throws {
    let drop = "DROP TABLE docs; DROP TABLE tags"
    #expect(try verifyWithOthers(drop).code == .negative)
    let run = music.run(
      "verify", "V2.sqlite", "Other.sqlite", "--mapping", "Music/2-3.xml", "--leave-behind")
    #expect(run.code == .success)
    #expect(
      run.output.contains(
        "Not compared:\n  table 'docs': left behind, as requested\n  table 'tags': left behind, as requested\n"))
    let verified = music.run(
      "migrate", "V2.sqlite", "--mappings", "Music", "--to", "Left.sqlite", "--leave-behind", "--verify")
    #expect(verified.code == .success, "\(verified)")
  }

  @Test func `a value in a column of another entity is a difference, and so is changed metadata`() throws {
    let library = try ToolFixture()
    #expect(
      library.run("migrate", "Library.sqlite", "--infer", "--to", "New.sqlite", "--quiet").code == .success)
    let verify = ["verify", "Library.sqlite", "New.sqlite"]
    #expect(library.run(verify).code == .success)
    try library.change("New.sqlite", "UPDATE ZBOOK SET ZGENRE = 'crime' WHERE Z_PK = 1")
    let run = library.run(verify)
    #expect(run.code == .negative)
    #expect(run.output.contains("  ZBOOK.ZGENRE: 1 × a row of another entity has a value in this column (p1)\n"))
    try library.change("New.sqlite", "UPDATE ZBOOK SET ZGENRE = NULL WHERE Z_PK = 1")
    let store = try PersistentStore(url: library.folder.appending("New.sqlite"), models: [ToolFixture.secondModel])
    try store.updateMetadata { $0.values["theme"] = .string("light") }
    try store.close()
    #expect(
      library.run(verify).output.contains(
        "Other differences:\n  the value of 'theme' in the metadata has changed\n"))
  }

  // MARK: Finding the hops

  @Test func `without a mapping, the chain is found`() throws {
    let run = music.run("verify", "Music.sqlite", "V3.sqlite", "-m", "Music")
    #expect(run == verifyChain())
    #expect(music.run("verify", "V2.sqlite", "V3.sqlite", "-m", ".") == verify())
    try music.change("V3.sqlite", "UPDATE ZARTIST SET ZSORTNAME = 'Miles' WHERE ZNAME = 'Miles'")
    #expect(music.run("verify", "Music.sqlite", "V3.sqlite", "-m", "Music").code == .negative)
  }

  @Test(arguments: [
    (
      ["Music.sqlite", "V3.sqlite", "--mapping", "Music/2-3.xml"],
      """
      error[verify.version]: store 'Music.sqlite' has version 'Music 1', but mapping 'Music/2-3.xml' starts at version \
      'Music 2'
        give one mapping for each hop between the stores, in order; 'verify OLD NEW -m FOLDER' finds them on its own

      """
    ),
    (
      ["Music.sqlite", "V3.sqlite", "--mapping", "Music/1-2.xml"],
      """
      error[verify.version]: store 'V3.sqlite' has version 'Music 3', but mapping 'Music/1-2.xml' leads to version \
      'Music 2'
        give one mapping for each hop between the stores, in order; 'verify OLD NEW -m FOLDER' finds them on its own

      """
    ),
    (
      ["V3.sqlite", "V2.sqlite", "--mapping", "Music/2-3.xml"],
      """
      error[verify.version]: store 'V3.sqlite' has the newer version, and 'V2.sqlite' the older one
        name the store as it was before the migration first

      """
    ),
    (
      ["V3.sqlite", "Music.sqlite", "-m", "Music"],
      """
      error[verify.version]: store 'V3.sqlite' has the newer version, and 'Music.sqlite' the older one
        name the store as it was before the migration first

      """
    ),
    (
      ["V3.sqlite", "V3.sqlite", "-m", "Music"],
      """
      error[verify.same-version]: both stores have version 'Music 3': no migration leads from one to the other
        name the store as it was before the migration first; 'diff' compares two stores of one version

      """
    ),
  ])
  func `stores and mappings that do not fit each other are named`(arguments: [String], expected: String) {
    #expect(
      music.run(["verify"] + arguments) == .init(code: .failure, output: "", errors: expected))
  }

  @Test func `a failed verification says each thing once`() throws {
    let mapping = try String(contentsOf: music.folder.appending("Music/2-3.xml"), encoding: .utf8)
    try music.write(
      mapping.replacing(
        #"name="sortName" value="lowercase:($source.name)""#,
        with: #"name="sortName" value='FUNCTION($manager, "count:", $source.name)'"#), to: "Music/2-3.xml")
    var code = MusicFixture.code
    // A function that gives another value each time it is called.
    code.functions["count:"] = MigrationFunction { (name: String) in "\(name) \(UUID())" }
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--verify", code: code)
    #expect(run.code == .failure)
    #expect(run.errors.contains("2 differences from what the mapping declares"), "\(run)")
    #expect(
      run.errors.hasSuffix(
        "  correct the mapping or the policy; nothing was changed; 1 of 2 hops can be skipped in the next run\n"),
      "\(run)")
    #expect(run.errors.components(separatedBy: "correct the mapping").count == 2, "\(run)")
    #expect(run.errors.components(separatedBy: "nothing was changed").count == 2, "\(run)")
  }

  @Test func `the usage shows what is required without brackets`() {
    let usage = music.run("verify", "--help").output
    #expect(usage.contains("Usage: heavylift verify OLD NEW [--mapping FILE]… [--model PATH]…"), "\(usage)")
  }
}
