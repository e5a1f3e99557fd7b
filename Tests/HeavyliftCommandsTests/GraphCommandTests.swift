import Foundation
import Heavylift
import HeavyliftCommands
import Testing

/// `heavylift graph`, as a user or a script runs it.
struct GraphCommandTests {
  private let music: MusicFixture

  init() throws { music = try MusicFixture() }

  private static let graph = """
    {
      "model": "Music 1",
      "objects": {
        "Album": {
          "album1": { "title": "Kind", "tracks": ["track1", "track2", "track3"] }
        },
        "Track": {
          "track1": { "json": "{\\"artists\\": [\\"Miles\\", \\"Bill\\"]}", "title": "T0" },
          "track2": { "json": "{\\"artists\\": [\\"Bill\\"]}", "seconds": 60, "title": "T1" },
          "track3": { "json": "not JSON", "seconds": 120, "title": "T2" }
        }
      }
    }

    """

  @Test func `a store becomes a graph, and the graph the same store`() throws {
    let model = "Music/Music.xcdatamodeld"
    #expect(
      music.run("graph", "export", "Music.sqlite", "-m", model) == .init(code: .success, output: Self.graph, errors: "")
    )
    #expect(
      music.run("graph", "export", "Music.sqlite", "-m", model, "-o", "g.json")
        == .init(code: .success, output: "wrote 4 objects to g.json\n", errors: ""))
    #expect(
      music.run("graph", "build", "g.json", "-m", model, "-o", "Built.sqlite")
        == .init(code: .success, output: "wrote 4 objects to Built.sqlite\n", errors: ""))
    #expect(music.run("diff", "Music.sqlite", "Built.sqlite", "-m", model).code == .success)
  }

  @Test func `a graph's mistakes are reported with their locations, and no store is created`() throws {
    try music.write(
      """
      { "model": "Music 1", "objects": {
        "Track": { "a": { "title": 1, "albun": "b" } }
      } }
      """, to: "g.json")
    let run = music.run("graph", "build", "g.json", "-m", "Music/Music.xcdatamodeld", "-o", "Built.sqlite")
    #expect(run.code == .failure)
    #expect(run.output == "")
    #expect(
      run.errors.contains(
        "2:30: error[graph.wrong-value]: attribute 'title' of entity 'Track' has type String and cannot hold a number"))
    #expect(run.errors.contains("2:33: error[graph.unknown-property]: entity 'Track' has no property 'albun'"))
    #expect(run.errors.contains("did you mean 'album'?"))
    #expect(!FileManager.default.fileExists(atPath: music.folder.appending("Built.sqlite").path))
  }

  @Test(arguments: [
    (["graph", "exprot", "Music.sqlite"], ExitCode.usage, "did you mean 'export'?"),
    (["graph", "build", "g.json"], .usage, "'graph build' needs '--model' and '--output'"),
    (
      ["graph", "build", "none.json", "-m", "Music/Music.xcdatamodeld", "-o", "a"], .failure,
      "no file or folder 'none.json'"
    ),
    (
      ["graph", "export", "Music.sqlite", "-m", "Music/Music.xcdatamodeld", "-o", "Music.sqlite"], .failure,
      "the store itself"
    ),
  ])
  func `impossible requests are reported`(arguments: [String], code: ExitCode, message: String) {
    let run = music.run(arguments)
    #expect(run.code == code)
    #expect(run.errors.contains(message))
  }

  @Test func `a store with random objects is built, and can be migrated`() throws {
    let model = "Music/Music.xcdatamodeld"
    let arguments = ["graph", "generate", "Random.sqlite", "-m", model, "--version", "Music 2", "--objects", "600"]
    #expect(music.run(arguments).output == "wrote 600 objects to Random.sqlite\n")
    #expect(music.run(["graph", "generate", "Again.sqlite"] + arguments.dropFirst(3)).code == .success)
    #expect(music.run("diff", "Random.sqlite", "Again.sqlite", "-m", model).code == .success)
    let other = music.run(["graph", "generate", "Other.sqlite"] + arguments.dropFirst(3) + ["--seed", "2"])
    #expect(other.code == .success)
    #expect(music.run("diff", "Random.sqlite", "Other.sqlite", "-m", model).code == .negative)
    #expect(music.run("migrate", "Random.sqlite", "-m", model, "--mappings", "Music", "--quiet").code == .success)
  }

  @Test func `a store is not generated without a model, or from a number that is none`() {
    let without = music.run("graph", "generate", "Random.sqlite")
    #expect(without.code == .usage && without.errors.contains("'graph generate' needs '--model'"))
    let wrong = music.run("graph", "generate", "Random.sqlite", "-m", "Music/Music.xcdatamodeld", "--objects", "many")
    #expect(wrong.code == .usage && wrong.errors.contains("'--objects many' is not a whole number of 0 or more"))
  }
}
