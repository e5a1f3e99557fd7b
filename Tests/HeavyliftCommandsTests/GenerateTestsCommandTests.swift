import Foundation
import Heavylift
import HeavyliftCommands
import Testing

/// `heavylift generate-tests`, as a person or a script meets it.
struct GenerateTestsCommandTests {
  private let music: MusicFixture

  init() throws { music = try MusicFixture() }

  private func generate(_ mapping: String, _ name: String, code: MigrationCode = MusicFixture.code) -> ToolFixture.Run {
    music.run(
      ["generate-tests", "Music/\(mapping).xml", "-o", "Tests/\(name).swift", "--graphs", "Graphs"], code: code)
  }

  @Test func `tests are written once, kept, and brought up to date`() throws {
    #expect(
      generate("1-2", "Music1To2Tests")
        == .init(
          code: .success,
          output: """
            wrote Graphs/graph-1.json: 8 objects
            wrote Graphs/graph-2.json: 8 objects
            wrote Tests/Music1To2Tests.swift

            """, errors: ""))
    let kept = ToolFixture.Run(
      code: .success,
      output: """
        kept Graphs/graph-1.json: nothing has changed
        kept Graphs/graph-2.json: nothing has changed
        kept Tests/Music1To2Tests.swift: nothing has changed

        """, errors: "")
    #expect(generate("1-2", "Music1To2Tests") == kept)
    // A person writes a track with artists, and the mapping changes.
    let graph = music.folder.appending("Graphs/graph-1.json")
    let text = try String(contentsOf: graph, encoding: .utf8)
    let mine = #""mine": { "title": "Mine", "json": "{\"artists\": [\"Ann\"]}" }, "plain track""#
    try music.write(text.replacing(#""plain track": "#, with: "\(mine): "), to: "Graphs/graph-1.json")
    #expect(
      generate("1-2", "Music1To2Tests").output
        == """
        kept Graphs/graph-1.json: nothing has changed
        updated Graphs/graph-2.json: 10 objects
        kept Tests/Music1To2Tests.swift: nothing has changed

        """)
    #expect(try String(contentsOf: music.folder.appending("Graphs/graph-2.json"), encoding: .utf8).contains("\"Ann\""))
  }

  @Test func `without its policy a migration is left to the test`() throws {
    let run = generate("1-2", "Music1To2Tests", code: MigrationCode())
    #expect(run.code == .success)
    #expect(run.output.contains("left Graphs/graph-2.json to the test: this tool does not have 'ArtistsFromJSON'"))
    let text = try String(contentsOf: music.folder.appending("Tests/Music1To2Tests.swift"), encoding: .utf8)
    #expect(text.contains("PolicyRegistry(ArtistsFromJSON.self)"))
    #expect(text.contains(#"mappings: [folder.appending(path: "Music/1-2.xml")]"#))
  }

  @Test func `what a test cannot read gets none, and a way out is named`() throws {
    let read = music.run(
      "generate-tests", "Music/1-2.xml", "-m", "Music/Music.xcdatamodeld/Music 1.xcdatamodel", "-m",
      "Music/Music.xcdatamodeld/Music 2.xcdatamodel")
    #expect(read.code == .failure)
    #expect(read.errors.contains("test.model-kind"))
    #expect(read.errors.contains("--model PATH.xcdatamodeld"))
  }

  @Test func `a mapping with mistakes gets no test`() throws {
    let mapping = try String(contentsOf: music.folder.appending("Music/2-3.xml"), encoding: .utf8)
    try music.write(mapping.replacing("sortName", with: "sortname"), to: "Music/2-3.xml")
    let run = generate("2-3", "Music2To3Tests")
    #expect(run.code == .negative)
    #expect(run.errors.contains("did you mean 'sortName'?"))
    #expect(!FileManager.default.fileExists(atPath: music.folder.appending("Tests").path))
  }
}
