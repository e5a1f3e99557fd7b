import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `heavylift prune`, as a user or a script runs it.
struct PruneCommandTests {
  private func history() throws -> HistoryFixture {
    let history = try HistoryFixture(
      HistoryFixture.replace("name", with: "fullName", in: "Author"), HistoryFixture.add("country", default: "?"),
      HistoryFixture.add("label", to: "Book"))
    try history.write(
      #"<entity-mapping source="Author" destination="Author"><attribute name="fullName" value="$source.name"/></entity-mapping>"#,
      from: "Library 2", to: "Library 3", as: "2-3.xml")
    return history
  }

  private func versions(_ bundle: String, _ history: HistoryFixture) throws -> [String] {
    try ModelBundle(contentsOf: history.library.folder.appending(bundle)).versions.map(\.name)
  }

  @Test func `old versions move to a frozen bundle with their mapping files, byte for byte`() throws {
    let history = try history()
    let before = try history.library.folder.contents()
    let run = history.run("prune", "Library.xcdatamodeld", "--keep", "2", "--to", "Frozen", "--accept-stranded")
    #expect(
      run
        == .init(
          code: .success,
          output: """
            moved 4 files and folders:
              Library.xcdatamodeld/Library.xcdatamodel → Frozen/Library.xcdatamodeld/Library.xcdatamodel
              Library.xcdatamodeld/Library 2.xcdatamodel → Frozen/Library.xcdatamodeld/Library 2.xcdatamodel
              Library.xcdatamodeld/Library 3.xcdatamodel → Frozen/Library.xcdatamodeld/Library 3.xcdatamodel
              2-3.xml → Frozen/2-3.xml
            Library.xcdatamodeld has 2 versions:
              'Library 4'
              'Library 5'
            the app no longer recognizes stores of 'Library', 'Library 2' and 'Library 3'; to migrate one with the tool:
              heavylift migrate STORE -m . -m 'Frozen/Library.xcdatamodeld' -m 'Library.xcdatamodeld'

            """, errors: ""))
    #expect(try versions("Library.xcdatamodeld", history) == ["Library 4", "Library 5"])
    #expect(try versions("Frozen/Library.xcdatamodeld", history) == ["Library", "Library 2", "Library 3"])
    let after = try history.library.folder.contents()
    for (path, bytes) in before where path.hasSuffix("contents") || path.hasSuffix(".xml") {
      #expect(after[path] == bytes || after["Frozen/\(path)"] == bytes, "\(path)")
    }
    // The frozen versions have checksums, and the app's bundle has its current version.
    #expect(
      history.run("schema", "check", "Frozen/Library.xcdatamodeld", "Frozen/Library.xcdatamodeld").code == .success)
    #expect(
      try ModelBundle(contentsOf: history.library.folder.appending("Library.xcdatamodeld")).currentVersionName
        == "Library 5")
    // The command that the output names works.
    let migration = history.run(
      "migrate", "Library.sqlite", "-m", ".", "-m", "Frozen/Library.xcdatamodeld", "-m", "Library.xcdatamodeld",
      "--infer", "--quiet")
    #expect(migration.code == .success, "\(migration)")
    // A second run continues where the first one ended.
    let second = history.run("prune", "Library.xcdatamodeld", "--keep", "1", "--to", "Frozen", "--accept-stranded")
    #expect(second.code == .success, "\(second)")
    #expect(try versions("Frozen/Library.xcdatamodeld", history).count == 4)
  }

  @Test func `stranded stores must be accepted, and a dry run shows them`() throws {
    let history = try history()
    let before = try history.library.folder.contents()
    let run = history.run("prune", "Library.xcdatamodeld", "--before", "Library 3", "--to", "Frozen")
    #expect(run.code == .negative)
    #expect(
      run.errors == """
        error[prune.stranded-stores]: the app would no longer recognize stores of 'Library' and 'Library 2', so it could not migrate them
          keep every version that users may still have; if they must go, add --accept-stranded. Nothing was moved

        """)
    let trial = history.run("prune", "Library.xcdatamodeld", "--before", "Library 3", "--to", "Frozen", "--dry-run")
    #expect(trial.code == .success && trial.errors == "" && trial.output.hasPrefix("would move 3 "), "\(trial)")
    let json = history.run(
      "prune", "Library.xcdatamodeld", "--before", "Library 3", "--to", "Frozen", "--dry-run", "--json")
    #expect(json.output.contains("\"stranded\": [\n    \"Library\",\n    \"Library 2\"\n  ]"), "\(json)")
    #expect(try history.library.folder.contents() == before)
  }

  @Test func `a squashed mapping keeps its first version, and only the versions in between go`() throws {
    let history = try history()
    #expect(history.run("squash", "Library.xcdatamodeld", "-o", "1-5.xml").code == .success)
    let run = history.run("prune", "Library.xcdatamodeld", "--keep", "1", "--to", "Frozen", "--accept-stranded")
    #expect(run.code == .success, "\(run)")
    #expect(run.output.contains("\n  'Library', because '1-5.xml' leads from it\n  'Library 5'\n"), "\(run)")
    #expect(try versions("Library.xcdatamodeld", history) == ["Library", "Library 5"])
    #expect(history.exists("1-5.xml") && !history.exists("2-3.xml") && history.exists("Frozen/2-3.xml"))
    // The app migrates stores of the first version as before.
    #expect(history.run("migrate", "Library.sqlite", "--quiet").code == .success)
    let dump = history.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "--entity", "Author").output
    #expect(dump.contains(#""fullName":"Franz Kafka""#) && dump.contains(#""country":"?""#), "\(dump)")
  }

  @Test func `a mapping that leads to a version that goes keeps nothing, unless that version stays for another one`()
    throws
  {
    let history = try history()
    for (first, last) in [("Library", "Library 3"), ("Library 3", "Library 5")] {
      let name = "\(first.suffix(1))-\(last.suffix(1)).xml"
      #expect(
        history.run("squash", "Library.xcdatamodeld", "--from", first, "--to", last, "-o", name).code == .success)
    }
    let trial = history.run("prune", "Library.xcdatamodeld", "--keep", "1", "--to", "Frozen", "--dry-run")
    #expect(
      trial.output.contains(
        "\n  'Library', because 'y-3.xml' leads from it\n  'Library 3', because '3-5.xml' leads from it\n  'Library 5'\n"
      ),
      "\(trial)")
    try FileManager.default.removeItem(at: history.library.folder.appending("3-5.xml"))
    let other = history.run("prune", "Library.xcdatamodeld", "--keep", "1", "--to", "Frozen", "--dry-run")
    #expect(other.output.contains("would have 1 version:\n  'Library 5'\n"), "\(other)")
    #expect(other.output.contains("  y-3.xml → Frozen/y-3.xml\n"), "\(other)")
  }

  @Test func `the current version stays`() throws {
    let history = try history()
    var bundle = try ModelBundle(contentsOf: history.library.folder.appending("Library.xcdatamodeld"))
    bundle.currentVersionName = "Library 2"
    try bundle.write(to: history.library.folder.appending("Library.xcdatamodeld"))
    let run = history.run("prune", "Library.xcdatamodeld", "--keep", "2", "--to", "Frozen", "--accept-stranded")
    #expect(run.code == .failure && run.errors.contains("error[prune.current-version]"), "\(run)")
  }

  @Test func `nothing is overwritten, and after a failure everything is where it was`() throws {
    let history = try history()
    try FileManager.default.createDirectory(
      at: history.library.folder.appending("Frozen"), withIntermediateDirectories: false)
    try history.library.write("mine", to: "Frozen/2-3.xml")
    let before = try history.library.folder.contents()
    let run = history.run("prune", "Library.xcdatamodeld", "--keep", "2", "--to", "Frozen", "--accept-stranded")
    #expect(run.code == .failure)
    #expect(
      run.errors == """
        error[prune.taken]: '2-3.xml' cannot be moved: there is already 'Frozen/2-3.xml'
          move to another bundle, or remove one of the two if they are the same

        """)
    #expect(try history.library.folder.contents() == before)
    // The checksums cannot be written, because a folder has their name: the moves are taken back.
    let other = history.library.folder.appending("Other/Library.checksums")
    try FileManager.default.createDirectory(at: other, withIntermediateDirectories: true)
    let failed = history.run("prune", "Library.xcdatamodeld", "--keep", "2", "--to", "Other", "--accept-stranded")
    #expect(failed.code == .failure, "\(failed)")
    #expect(try versions("Library.xcdatamodeld", history).count == 5 && history.exists("2-3.xml"), "\(failed)")
  }

  @Test func `an Xcode project that lists moved files is named`() throws {
    let history = try history()
    try FileManager.default.createDirectory(
      at: history.library.folder.appending("App.xcodeproj"), withIntermediateDirectories: false)
    try history.library.write(
      "1A /* Library 2.xcdatamodel */ = {isa = PBXFileReference; path = \"Library 2.xcdatamodel\"; };",
      to: "App.xcodeproj/project.pbxproj")
    let run = history.run("prune", "Library.xcdatamodeld", "--keep", "2", "--to", "Frozen", "--accept-stranded")
    #expect(
      run.output.hasSuffix(
        "'App.xcodeproj/project.pbxproj' still lists moved files: remove them from the project in Xcode, or the build may fail\n"
      ), "\(run)")
  }

  @Test func `the usage is checked`() throws {
    let history = try history()
    #expect(history.run("prune", "Library.xcdatamodeld", "--to", "Frozen").code == .usage)
    #expect(history.run("prune", "Library.xcdatamodeld", "--keep", "0", "--to", "Frozen").code == .usage)
    #expect(history.run("prune", "Library.xcdatamodeld", "--keep", "1", "--before", "x", "--to", "F").code == .usage)
    let none = history.run("prune", "Library.xcdatamodeld", "--keep", "9", "--to", "Frozen")
    #expect(none == .init(code: .success, output: "Library.xcdatamodeld: there is no version to move\n", errors: ""))
  }
}
