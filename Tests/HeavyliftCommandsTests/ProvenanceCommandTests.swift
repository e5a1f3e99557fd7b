import Foundation
import Heavylift
import HeavyliftCommands
import Testing

/// `heavylift migrate --provenance`, and `verify` with its result.
struct ProvenanceCommandTests {
  private let music: MusicFixture

  init() throws { music = try MusicFixture() }

  private func migrate(_ more: String...) -> ToolFixture.Run {
    music.run(["migrate", "Music.sqlite", "--mappings", "Music"] + more)
  }

  /// The counterparts of the tracks. Their artists, created by a policy, have no source.
  private static let records = [
    "AlbumToAlbum → AlbumToAlbum: Album/p1 → Album/p1",
    "TrackToTrack → TrackToTrack: Track/p1 → Track/p1",
    "TrackToTrack → TrackToTrack: Track/p2 → Track/p2",
    "TrackToTrack → TrackToTrack: Track/p3 → Track/p3",
  ]

  private static func short(_ uri: String) -> String { uri.split(separator: "/").suffix(2).joined(separator: "/") }

  @Test func `a chain writes which objects of the last version result from which of the first, as a database`() throws {
    let run = migrate("--provenance", "Origins.sqlite")
    #expect(run.code == .success)
    #expect(run.output.hasSuffix("\nprovenance: Origins.sqlite\ntook TIME\n"))
    let database = try Database(path: music.folder.appending("Origins.sqlite").path, mode: .readOnly)
    var cursor = try database.prepare("SELECT mapping, source, destination FROM provenance ORDER BY 1, 2").query()
    var found: [String] = []
    while try cursor.next() {
      let texts = try (0..<3).map { try cursor.row.text(at: $0) ?? "" }
      found.append("\(texts[0]): \(Self.short(texts[1])) → \(Self.short(texts[2]))")
    }
    #expect(found == Self.records)
  }

  @Test func `or as JSON lines`() throws {
    let run = migrate("--provenance", "Origins.jsonl", "--to", "New.sqlite", "--json")
    #expect(run.code == .success)
    #expect(run.output.contains("\"provenance\": \"Origins.jsonl\""))
    struct Line: Decodable {
      var source: String
      var destination: String
      var mappings: [String]
    }
    let text = try String(contentsOf: music.folder.appending("Origins.jsonl"), encoding: .utf8)
    let lines = try text.split(separator: "\n").map { try JSONDecoder().decode(Line.self, from: Data($0.utf8)) }
    #expect(
      lines.map {
        "\($0.mappings.joined(separator: " → ")): \(Self.short($0.source)) → \(Self.short($0.destination))"
      }.sorted() == Self.records)
  }

  @Test func `verify accepts the provenance of one hop, and refuses that of several`() throws {
    #expect(migrate("--provenance", "Origins.sqlite", "--to", "V2.sqlite", "--version", "Music 2").code == .success)
    #expect(migrate("--provenance", "Both.sqlite", "--to", "V3.sqlite").code == .success)
    let verify = ["verify", "--source", "Music.sqlite", "--mapping", "Music/1-2.xml"]
    let run = music.run(verify + ["--destination", "V2.sqlite", "--provenance", "Origins.sqlite"])
    #expect(run.code == .success)
    #expect(
      run.output.hasSuffix("everything is as the mapping declares; policies created 2 more objects\n"))
    #expect(
      music.run(verify + ["--destination", "V2.sqlite", "--provenance", "Both.sqlite"])
        == .init(
          code: .failure, output: "",
          errors: """
            error[verify.chain]: the provenance covers 2 hops, through versions 'Music 1', 'Music 2' and 'Music 3', but \
            hops are verified one at a time
              give 'verify' the mappings of all hops and no provenance, or verify while you migrate, with 'migrate \
            --verify'

            """))
  }

  @Test func `a dry run leaves none, and neither does a store that is current`() throws {
    let before = try music.listing()
    #expect(migrate("--provenance", "Origins.sqlite", "--dry-run").code == .success)
    #expect(try music.listing() == before)
    #expect(migrate("--quiet").code == .success)
    #expect(
      migrate("--provenance", "Origins.sqlite")
        == .init(
          code: .success,
          output: """
            Music.sqlite already has version 'Music 3': nothing to do
            Origins.sqlite was not written: the objects are unchanged

            """, errors: ""))
  }

  @Test func `existing files stay, and nothing is migrated`() throws {
    try music.write("mine", to: "Origins.sqlite")
    let before = try music.listing()
    let run = migrate("--provenance", "Origins.sqlite", "--quiet")
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: """
            error[migration.destination-exists]: 'FOLDER/Origins.sqlite' already exists
              choose another path, or remove it first; nothing was changed

            """))
    #expect(try music.listing() == before)
    #expect(
      migrate("--provenance", "New.sqlite", "--to", "New.sqlite", "--quiet").errors == """
        error[migration.destination-exists]: 'FOLDER/New.sqlite' is the path of both a store and its provenance
          choose another path for one of them; nothing was changed

        """)
    #expect(try music.listing() == before)
  }

  @Test func `plan says why every hop's store is written`() {
    let run = music.run("plan", "Music.sqlite", "--mappings", "Music", "--provenance", "Missing/Origins.sqlite")
    #expect(run.output.contains("'FOLDER/Missing/Origins.sqlite' cannot be created: folder 'FOLDER/Missing'"))
  }
}
