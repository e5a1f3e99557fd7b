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

            Differences (one example per property):
              Album/p1 → Album/p1: 'tracks' leads to Track/p1, but the mapping says Track/p1, Track/p2
                Music/2-3.xml:3:3
              Artist/p1 → Artist/p1: 'sortName' is "Miles", but the mapping says "miles"
                Music/2-3.xml:5:5
              Track/p2 → Track/p2: 'album' leads to nothing, but the mapping says Album/p1
                Music/2-3.xml:7:3
              Track/p3: no counterpart in the new store
                Music/2-3.xml:7:3
              Album/p9: no mapping creates it

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
    (["verify"], "missing-option"), (["verify", "--mapping", "a.xml"], "missing-option"),
    (["verify", "--mapping", "a.xml", "--source", "a", "--destination", "b", "--sample", "0"], "bad-number"),
  ])
  func `missing options are reported`(arguments: [String], code: String) {
    let run = music.run(arguments)
    #expect(run.code == .usage)
    #expect(run.errors.contains(code) || run.errors.contains("--"))
  }

  @Test func `stores of other versions are refused`() {
    let run = music.run(
      "verify", "--source", "V3.sqlite", "--destination", "V2.sqlite", "--mapping", "Music/2-3.xml")
    #expect(run.code == .failure)
    #expect(run.output == "")
  }
}
