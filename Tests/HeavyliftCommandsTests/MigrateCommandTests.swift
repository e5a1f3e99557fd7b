import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import SamplePolicies
import Synchronization
import Testing

/// `heavylift migrate`, as a user or a script runs it.
struct MigrateCommandTests {
  private let music: MusicFixture

  init() throws { music = try MusicFixture() }

  private static let firstHop = """
    hop 1 of 2: 'Music 1' → 'Music 2': examining the store
    hop 1 of 2: 'Music 1' → 'Music 2': creating objects
    hop 1 of 2: 'Music 1' → 'Music 2': connecting objects
    hop 1 of 2: 'Music 1' → 'Music 2': checking objects
    hop 1 of 2: 'Music 1' → 'Music 2': writing the new store to disk

    """
  private static let progress =
    firstHop + """
      hop 2 of 2: 'Music 2' → 'Music 3': examining the store
      hop 2 of 2: 'Music 2' → 'Music 3': writing the new store to disk

      """
  private static let hops = """

    hop 1 of 2: 'Music 1' → 'Music 2', by 1-2.xml, TIME
      entity  before  after
      Album        1      1
      Artist       -      2
      Track        3      3

    hop 2 of 2: 'Music 2' → 'Music 3', by 2-3.xml, in the previous hop's store, TIME
      entity  before  after
      Album        1      1
      Artist       2      2
      Track        3      3
      adds column 'ZSORTNAME' of table 'ZARTIST'
      fills ZSORTNAME of table 'ZARTIST', 2 rows
      drops column 'ZJSON' of table 'ZTRACK'
      3 values of 'json' of entity 'Track' are not migrated: the destination does not have it

    """

  @Test func `a tool with policies migrates a store through three versions`() throws {
    let old = try Data(contentsOf: music.folder.appending("Music.sqlite"))
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--backup", "Before.sqlite")
    #expect(
      run
        == .init(
          code: .success,
          output: "Music.sqlite was migrated from 'Music 1' to 'Music 3'\n\(Self.hops)\n"
            + "the old store was kept as Before.sqlite\ntook TIME\n",
          errors: Self.progress + "hop 2 of 2: 'Music 2' → 'Music 3': moving the new store into place\n"))
    #expect(try music.artists("Music.sqlite", version: 2) == ["Bill: T0 T1", "Miles: T0"])
    #expect(try Data(contentsOf: music.folder.appending("Before.sqlite")).count == old.count)
    let before = try music.listing()
    #expect(
      music.run("migrate", "Music.sqlite", "--mappings", "Music")
        == .init(
          code: .success, output: "Music.sqlite already has version 'Music 3': nothing to do\n", errors: ""))
    #expect(try music.listing() == before)
  }

  @Test func `a quiet migration prints nothing`() throws {
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--quiet")
    #expect(run == .init(code: .success, output: "", errors: ""))
    #expect(try music.artists("Music.sqlite", version: 2) == ["Bill: T0 T1", "Miles: T0"])
  }

  /// Migrates, and stops as soon as the new store is in place.
  private func interruptAfterSwap() throws {
    struct Stopped: Error {}
    let store = music.folder.appending("Music.sqlite").path
    func inode() -> UInt64 {
      var status = stat()
      return stat(store, &status) == 0 ? UInt64(status.st_ino) : 0
    }
    let old = inode()
    let manager = IncrementalMigrationManager(
      models: music.versions, mappings: try MappingFolder(contentsOf: music.folder.appending("Music")).search,
      execution: MappingHopExecution(policies: PolicyRegistry(ArtistsFromJSON.self))
    ).observingFileSteps {
      var status = stat()
      if stat(store, &status) == 0, UInt64(status.st_ino) != old { throw Stopped() }
    }
    #expect(throws: MigrationError.self) { try manager.migrate(URL(filePath: store)) }
    #expect(inode() != old)
  }

  @Test func `a run that only cleans up passes on the report of the run that migrated`() throws {
    try music.change("Music.sqlite", "CREATE INDEX mine ON ZTRACK (ZJSON)")
    try interruptAfterSwap()
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music")
    #expect(
      run
        == .init(
          code: .success,
          output: """
            Music.sqlite has version 'Music 3': an earlier run migrated it, and the leftover files were removed

            hop 1 of 2: 'Music 1' → 'Music 2', done by an earlier run

            hop 2 of 2: 'Music 2' → 'Music 3', done by an earlier run
              3 values of 'json' of entity 'Track' are not migrated: the destination does not have it
              warning: index 'mine' is dropped with a column that it contains
                create it again for the new version's tables if it is needed

            """, errors: ""))
  }

  @Test func `a quiet run that only cleans up prints the warnings of the run that migrated`() throws {
    try music.change("Music.sqlite", "CREATE INDEX mine ON ZTRACK (ZJSON)")
    try interruptAfterSwap()
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--quiet")
    #expect(run.code == .success && run.output.isEmpty)
    #expect(run.errors.contains("warning[migration.index-left-behind]: index 'mine' is dropped"), "\(run.errors)")
  }

  @Test func `a new store of the named version is created elsewhere`() throws {
    let before = try music.listing()
    let run = music.run(
      "migrate", "Music.sqlite", "-m", "Music/Music.xcdatamodeld", "--to", "New.sqlite", "--version", "Music 2")
    #expect(run.code == .success)
    #expect(run.output.hasPrefix("Music.sqlite was migrated from 'Music 1' to 'Music 2', into New.sqlite\n"))
    #expect(run.output.hasSuffix("\nMusic.sqlite is unchanged\ntook TIME\n"))
    #expect(try music.artists("New.sqlite", version: 1) == ["Bill: T0 T1", "Miles: T0"])
    #expect(try music.listing().filter { before.keys.contains($0.key) } == before)
  }

  @Test func `a dry run reports what would change, and leaves nothing behind`() throws {
    let before = try music.listing()
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--dry-run", "--samples", "1")
    #expect(
      run
        == .init(
          code: .success,
          output: """
            Music.sqlite can be migrated from 'Music 1' to 'Music 3'
            \(Self.hops)
            what would change
              entity  copied  changed  created  dropped  defaulted
              Album        1        0        0        0
              Artist       0        0        2        0
              Track        3        0        0        0
              Track: seconds → duration
              Track: lost: json
              Track: new: addedAt, artists
              Track/p1
                json: "{\\"artists\\": [\\"Miles\\", \\"Bill\\"]}" → none
                seconds: 0 → none
                addedAt: none → null
                duration: none → 0.0
                artists: none → ["Artist/p1","Artist/p2"]
              Artist/p1, created
                name: "Miles"
                sortName: "miles"
                tracks: ["Track/p1"]

            Music.sqlite was not changed, and nothing was left behind
            took TIME

            """, errors: Self.progress))
    #expect(try music.listing() == before)
  }

  @Test func `a dry run shows values only with --samples`() throws {
    try music.write(
      """
      <mapping-model source="Music 1" destination="Music 2">
        <entity-mapping source="Album" destination="Album"/>
        <entity-mapping source="Track" destination="Track" policy="ArtistsFromJSON">
          <attribute name="title" value="uppercase:($source.title)"/>
          <attribute name="duration" value="$source.seconds * 1.0"/>
        </entity-mapping>
        <entity-mapping destination="Artist"/>
      </mapping-model>
      """, to: "Music/1-2.xml")
    try music.change("Music.sqlite", "UPDATE ZTRACK SET ZTITLE = 'low' WHERE Z_PK = 2")
    let run = music.run(
      "migrate", "Music.sqlite", "--mappings", "Music", "--dry-run", "--samples", "1", "--version", "Music 2")
    #expect(run.output.contains("  Track        2        1        0        0\n"), "\(run)")
    #expect(run.output.contains("  Track/p2\n    title: \"low\" → \"LOW\"\n"), "\(run)")
    // Computed values, and objects that the migration creates.
    #expect(run.output.contains("\n    duration: none → 60.0\n"), "\(run)")
    #expect(run.output.contains("\n  Artist/p1, created\n    name: \"Miles\"\n"), "\(run)")
    let silent = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--dry-run", "--version", "Music 2")
    #expect(!silent.output.contains("LOW") && silent.output.contains("  Track        2        1        0        0\n"))
  }

  @Test func `each hop is verified on request`() throws {
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--verify")
    #expect(run.code == .success, "\(run)")
    let verdicts = run.output.split(separator: "\n").filter { $0.hasPrefix("  verified: ") }
    let clean: Substring = "  verified: everything is as the mapping declares"
    #expect(verdicts == [clean + "; policies created 2 more objects", clean], "\(run)")
  }

  @Test func `scripts get JSON`() throws {
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--version", "Music 2", "--json")
    #expect(
      run
        == .init(
          code: .success,
          output: """
            {
              "store": "Music.sqlite",
              "destination": null,
              "from": "Music 1",
              "to": "Music 2",
              "dryRun": false,
              "wasCurrent": false,
              "finishedEarlierRun": false,
              "earlierHops": [],
              "hops": [
                {
                  "title": "'Music 1' → 'Music 2'",
                  "mappings": [
                    "1-2.xml"
                  ],
                  "inferred": false,
                  "stage": null,
                  "doneEarlier": false,
                  "before": {
                    "Album": 1,
                    "Track": 3
                  },
                  "after": {
                    "Album": 1,
                    "Artist": 2,
                    "Track": 3
                  },
                  "entityMappings": [
                    {
                      "name": "AlbumToAlbum",
                      "read": 1,
                      "made": 1
                    },
                    {
                      "name": "TrackToTrack",
                      "read": 3,
                      "made": 3
                    },
                    {
                      "name": "Artist",
                      "read": 0,
                      "made": 0
                    }
                  ],
                  "rows": [
                    {
                      "entity": "Album",
                      "objects": 1,
                      "migrated": 1,
                      "filtered": 0,
                      "removed": 0,
                      "unused": 0,
                      "unmentioned": 0
                    },
                    {
                      "entity": "Track",
                      "objects": 3,
                      "migrated": 3,
                      "filtered": 0,
                      "removed": 0,
                      "unused": 0,
                      "unmentioned": 0
                    }
                  ],
                  "links": [
                    {
                      "entity": "Track",
                      "relationship": "album",
                      "links": 3,
                      "carried": 3,
                      "replaced": 0,
                      "dropped": 0,
                      "dangling": 0,
                      "leftToPolicy": 0
                    }
                  ],
                  "losses": [],
                  "notes": [],
                  "inPlace": null,
                  "milliseconds": TIME
                }
              ],
              "backup": null,
              "provenance": null,
              "changes": null,
              "obstacles": [],
              "warnings": [],
              "milliseconds": TIME
            }

            """, errors: ""))
  }

  @Test func `a terminal has one line that is redrawn, and is empty at the end`() throws {
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", drawsProgress: true)
    #expect(run.code == .success)
    let lines = run.errors.components(separatedBy: "\r\u{1B}[K")
    #expect(lines.first == "" && lines.last == "" && lines.count > 5)
    #expect(lines[1] == "░░░░░░░░░░░░░░░░ 0 %  hop 1 of 2  examining the store")
    #expect(lines.allSatisfy { $0.count < 80 && !$0.contains("\n") })
  }

  // MARK: Interruption

  /// Interrupts as soon as a signal handler is installed.
  private struct AtOnce: InterruptionSource {
    let code: ExitCode

    func watching<Result>(
      _ handler: @escaping @Sendable (ExitCode) -> Void, _ body: () throws -> Result
    ) rethrows -> Result {
      handler(code)
      return try body()
    }
  }

  @Test(arguments: [ExitCode.interrupted, .terminated, .hungUp])
  func `an interrupted migration keeps the old store, and says so`(code: ExitCode) throws {
    let before = try music.listing()
    #expect(
      music.run("migrate", "Music.sqlite", "--mappings", "Music", interruptions: AtOnce(code: code))
        == .init(
          code: code, output: "",
          errors: """
            error[migration.cancelled]: the migration of store 'FOLDER/Music.sqlite' was cancelled in hop \
            'Music 1' → 'Music 2'
              nothing was changed

            """))
    #expect(try music.listing() == before)
  }

  /// A disk that is full when the report is written.
  private final class FullSink: ByteSink {
    func write(_ bytes: UnsafeRawBufferPointer) throws { throw POSIXError(.ENOSPC) }
  }

  @Test func `a report that cannot be written does not hide that the store was migrated`() throws {
    let errors = MemorySink()
    let io = CommandIO(output: FullSink(), errors: errors, workingDirectory: music.folder.url)
    var tool = CommandLineTool.heavylift
    tool.code = MusicFixture.code
    #expect(tool.run(["migrate", "Music.sqlite", "--mappings", "Music", "--json"], io) == .failure)
    let store = music.folder.appending("Music.sqlite").path
    #expect(
      errors.text.contains(
        "store '\(store)' has the new version, but its report cannot be written: no space left on device"))
    #expect(music.run("migrate", "Music.sqlite", "--mappings", "Music").output.contains("nothing to do"))
    #expect(
      music.run("migrate", "Music.sqlite", "--mappings", "Music", "--backup", "Old.sqlite").output.hasSuffix(
        "nothing to do\nOld.sqlite was not written: the store is unchanged\n"))
  }

  // MARK: Refusals

  /// A refused run changes nothing.
  private func refusal(_ arguments: String..., code: MigrationCode? = nil) throws -> ToolFixture.Run {
    let before = try music.listing()
    let run = music.run(arguments, code: code ?? MusicFixture.code)
    #expect(try music.listing() == before)
    return run
  }

  @Test func `a policy that the tool does not have is reported with its location`() throws {
    #expect(
      try refusal("migrate", "Music.sqlite", "--mappings", "Music", code: MigrationCode())
        == .init(
          code: .negative, output: "",
          errors: """
            Music/1-2.xml:5:62: error[mapping.unknown-policy]: entity mapping 'TrackToTrack' names policy \
            'ArtistsFromJSON', which is not registered
              no registered policy is available
            this tool: note[migration.no-code]: no policies or functions are registered in this tool
              build a tool of your own that has them, in about ten lines: see 'A tool of your own' in the README

            1 error, 1 note
            the store was not changed

            """))
  }

  @Test func `a mistake in a mapping is reported with its location, and as JSON`() throws {
    try music.write(
      "<mapping-model source=\"Music 1\" destination=\"Music 2\">\n"
        + "  <entity-mapping source=\"Albun\" destination=\"Album\"/>\n</mapping-model>", to: "Music/1-2.xml")
    let run = try refusal("migrate", "Music.sqlite", "--mappings", "Music")
    #expect(run.code == .negative && run.output == "")
    let mistake = "entity mapping 'AlbunToAlbum' refers to unknown source entity 'Albun'"
    #expect(
      run.errors.hasSuffix(
        "\nMusic/1-2.xml:2:27: error[mapping.unknown-entity]: \(mistake)\n  did you mean 'Album'?\n\n"
          + "2 errors, 1 warning\nthe store was not changed\n"), "\(run)")
    let json = try refusal("migrate", "Music.sqlite", "--mappings", "Music", "--json")
    #expect(json.code == .negative && json.output == "")
    #expect(json.errors.hasPrefix(#"{"errors":[{"severity":"error","code":"mapping.possible-renaming","#), "\(json)")
    #expect(json.errors.contains(#"{"severity":"error","code":"mapping.unknown-entity","problem":"\#(mistake)","#))
    #expect(json.errors.hasSuffix("]}\n") && json.errors.count { $0 == "\n" } == 1)
  }

  @Test func `a gap in the path is shown`() throws {
    try FileManager.default.removeItem(at: music.folder.appending("Music/2-3.xml"))
    let run = try refusal("migrate", "Music.sqlite", "--mappings", "Music")
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: """
            error[migration.no-path]: no mappings lead from 'Music 1' to 'Music 3':
              'Music 1' → 'Music 2' (1-2.xml)
              'Music 2' → nothing
              'Music 3' → nothing
              write a mapping file from 'Music 2' to 'Music 3', or have the missing mappings inferred with --infer

            """))
  }

  @Test func `a newer store is left unchanged`() throws {
    #expect(music.run("migrate", "Music.sqlite", "--mappings", "Music", "--quiet").code == .success)
    let run = try refusal("migrate", "Music.sqlite", "--mappings", "Music", "--version", "Music 1")
    #expect(run.code == .failure && run.output == "")
    #expect(
      run.errors.hasPrefix("error[migration.newer-version]: the store has version 'Music 3', which is newer than"))
  }

  @Test func `a store of another model is not confused with one that fits`() throws {
    try music.change("Music.sqlite", "UPDATE Z_METADATA SET Z_PLIST = NULL")
    #expect(try refusal("migrate", "Music.sqlite", "--mappings", "Music").code == .failure)
    #expect(
      try refusal("migrate", "Music.sqlite", "-m", "Music/Music.xcdatamodeld", "--version", "Musik 3")
        == .init(
          code: .failure, output: "",
          errors: "error[model-file.unknown-version]: no model has a version 'Musik 3'\n  did you mean 'Music 3'?\n"))
  }

  @Test func `a store without models next to it is refused, and the message says what is missing`() throws {
    #expect(
      try refusal("migrate", "Music.sqlite")
        == .init(
          code: .failure, output: "",
          errors: """
            error[migration.no-models]: no models were given for store 'Music.sqlite', and there are none next to it
              specify them with --model, oldest version first, or the folder that contains them

            """))
  }

  @Test func `a store in use is left unchanged`() throws {
    let open = try Database(path: music.folder.appending("Music.sqlite").path, mode: .readWrite)
    defer { try? open.close() }
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--quiet")
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: """
            error[migration.in-use]: store 'FOLDER/Music.sqlite' is in use by this process
              close it first, then try again; nothing was changed

            """))
    let plan = music.run("plan", "Music.sqlite", "--mappings", "Music")
    #expect(plan.code == .negative)
    #expect(
      plan.output.hasSuffix(
        "\nthis would stop the migration:\nerror[migration.in-use]: store 'FOLDER/Music.sqlite' is in use by this process"
          + "\n  close it first, then try again; nothing was changed\n"), "\(plan)")
  }

  @Test func `data that violates a rule of the new model is listed by key`() throws {
    try music.change("Music.sqlite", "UPDATE ZTRACK SET ZTITLE = NULL WHERE Z_PK = 2")
    let before = try Data(contentsOf: music.folder.appending("Music.sqlite"))
    let run = music.run("migrate", "Music.sqlite", "--mappings", "Music", "--quiet")
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: """
            error[migration.1570]: hop 'Music 1' → 'Music 2' of store 'FOLDER/Music.sqlite' failed: the migrated store \
            breaks a rule of its model in 1 place:
            error[1570]: 1 × Track: 'title' is mandatory and has no value (Track/p2)
              the old store already breaks this rule: 'title' is mandatory there, but nil in 1 × Track; give it a \
            value, or make it optional or give it a default in the model
              nothing was changed

            """))
    #expect(try Data(contentsOf: music.folder.appending("Music.sqlite")) == before)
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: music.folder.url.path).sorted() == ["Music", "Music.sqlite"])
  }

  @Test(arguments: [
    (["migrate", "a", "--samples", "2"], "useless-option"),
    (["migrate", "a", "--dry-run", "--samples", "many"], "bad-number"),
    (["migrate", "a", "--to", "b", "--backup", "c"], "useless-option"), (["plan"], "missing-argument"),
  ])
  func `a contradictory command line is refused`(arguments: [String], code: String) throws {
    let run = music.run(arguments)
    #expect(run.code == .usage && run.errors.hasPrefix("error[usage.\(code)]: "), "\(run)")
  }
}
