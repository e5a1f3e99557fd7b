import Heavylift
import HeavyliftCommands
import HeavyliftConcurrency
import HeavyliftTestSupport
import Testing

/// A command indexes each model once, compares each pair of models once, and completes and checks each mapping once.
struct SharedFactsTests {
  private func work(_ run: () -> ToolFixture.Run) -> (run: ToolFixture.Run, count: WorkCount) {
    let count = WorkCount()
    return (WorkCount.$current.withValue(count, operation: run), count)
  }

  /// The things that the work was done on, each of them once.
  private func once(_ things: String...) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: things.map { ($0, 1) })
  }

  @Test(arguments: [["plan"], ["migrate"], ["migrate", "--verify"]])
  func `a chain of mapping files`(command: [String]) throws {
    let music = try MusicFixture()
    let (run, count) = work { music.run([command[0], "Music.sqlite", "-m", "Music"] + command.dropFirst()) }
    #expect(run.code == .success, "\(run)")
    let hops = once("Music 1 → Music 2", "Music 2 → Music 3")
    // The verifier shares nothing with the migration.
    #expect(count[.complete] == hops.mapValues { $0 * (command.contains("--verify") ? 2 : 1) })
    #expect(count[.check] == hops)
    #expect(count[.compare] == hops)
    #expect(count[.index] == once("Music 1", "Music 2", "Music 3"))
  }

  @Test(arguments: ["plan", "migrate"])
  func `an inferred hop`(command: String) throws {
    let library = try ToolFixture()
    let (run, count) = work { library.run(command, "Library.sqlite", "--infer") }
    #expect(run.code == .success, "\(run)")
    let hop = once("Library → Library 2")
    #expect(count[.complete] == hop)
    #expect(count[.check] == hop)
    #expect(count[.compare] == hop)
    #expect(count[.index] == once("Library", "Library 2"))
  }

  @Test(arguments: ["plan", "migrate"])
  func `a composed history with a mapping file`(command: String) throws {
    let history = try HistoryFixture(HistoryFixture.add("label", to: "Book"), HistoryFixture.add("born"))
    try history.write(
      #"<entity-mapping source="Book" destination="Book"><attribute name="label" value="'new'"/></entity-mapping>"#,
      from: "Library 2", to: "Library 3", as: "2-3.xml")
    let (run, count) = work { history.run(command, "Library.sqlite", "--infer") }
    #expect(run.code == .success, "\(run)")
    #expect(count[.index] == once("Library", "Library 2", "Library 3", "Library 4"))
    #expect(
      count[.compare] == once("Library → Library 2", "Library 2 → Library 3", "Library 3 → Library 4"))
    // The mapping file is compared with the mapping that is inferred from what it says. A hop that only adds something
    // is not completed.
    let (file, composed) = ("Library 2 → Library 3", "Library → Library 4")
    #expect(count[.complete].filter { $0.key != "Library → Library 2" } == [file: 2, composed: 1])
    #expect(count[.check].filter { $0.key != "Library → Library 2" } == [file: 1, composed: 1])
  }

  @Test func `a store that is current`() throws {
    let library = try ToolFixture()
    #expect(library.run("migrate", "Library.sqlite", "--infer").code == .success)
    let (run, count) = work { library.run("migrate", "Library.sqlite", "--infer") }
    #expect(run.code == .success, "\(run)")
    #expect(count[.derive] == once("PhysicalLayout of Library 2"))
    // The names do not tell the versions apart.
    #expect(count[.hash] == once("Library", "Library 2"))
    #expect(count[.index] == [:])
  }

  @Test func `the check of a project`() throws {
    let music = try MusicFixture()
    let (run, count) = work { music.run("check", "Music") }
    #expect(run.code == .success, "\(run)")
    #expect(count[.index] == once("Music 1", "Music 2", "Music 3"))
    let pairs = once("Music 1 → Music 2", "Music 2 → Music 3")
    #expect(count[.compare] == pairs)
    #expect(count[.complete] == pairs)
    #expect(count[.check] == pairs)
    let models = ["Music 1.xcdatamodel/contents", "Music 2.xcdatamodel/contents", "Music 3.xcdatamodel/contents"]
    let files = ["1-2.xml", "2-3.xml"] + ([".xccurrentversion"] + models).map { "Music.xcdatamodeld/\($0)" }
    #expect(count[.read] == Dictionary(uniqueKeysWithValues: files.map { ("Music/\($0)", 1) }))
  }

  /// A lone pass is checked with the other files in its folder.
  @Test func `the check of several lone passes reads their folder once`() throws {
    let music = try MusicFixture()
    for name in ["1-2", "2-3"] {
      let file = music.folder.appending("Music/\(name).xml")
      let text = try String(contentsOf: file, encoding: .utf8)
      try text.replacing("<mapping-model ", with: "<mapping-model pass=\"1\" ")
        .write(to: file, atomically: true, encoding: .utf8)
    }
    let (run, count) = work { music.run("check", "Music") }
    #expect(run.code == .success, "\(run)")
    // Once because it is given, and once for the passes in its folder.
    #expect(count[.read]["Music/1-2.xml"] == 2)
    #expect(count[.read]["Music/2-3.xml"] == 2)
  }
}
