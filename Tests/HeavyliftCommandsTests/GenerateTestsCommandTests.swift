import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

/// `heavylift generate-tests`, as a user or a script runs it.
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
    // The user adds a track with artists, and the mapping changes.
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

  @Test func `expectations are not replaced in silence`() throws {
    #expect(generate("1-2", "Music1To2Tests").code == .success)
    let graph = music.folder.appending("Graphs/graph-2.json")
    let text = try String(contentsOf: graph, encoding: .utf8)
    let title = try #require(text.firstMatch(of: /"title": "[^"]*"/)?.output)
    try music.write(text.replacing(title, with: #""title": "as I expect it""#), to: "Graphs/graph-2.json")
    let run = generate("1-2", "Music1To2Tests")
    #expect(run.output.contains("updated Graphs/graph-2.json: 8 objects\n  it expected something else before:\n"))
    #expect(run.output.contains(#"expected "as I expect it""#))
    #expect(try String(contentsOf: graph, encoding: .utf8) == text)
    // A graph that cannot be read is not replaced at all.
    let broken = String(text.dropLast(3))
    try music.write(broken, to: "Graphs/graph-2.json")
    let refused = generate("1-2", "Music1To2Tests")
    #expect(refused.code == .negative)
    #expect(refused.output.contains("did not write Graphs/graph-2.json: what it expects cannot be read"))
    #expect(try String(contentsOf: graph, encoding: .utf8) == broken)
  }

  @Test func `without its policy, a migration is recorded by the test`() throws {
    let run = generate("1-2", "Music1To2Tests", code: MigrationCode())
    #expect(run.code == .success)
    #expect(
      run.output.contains(
        "left Graphs/graph-2.json for the test to write: this tool does not have policy 'ArtistsFromJSON'"))
    let text = try String(contentsOf: music.folder.appending("Tests/Music1To2Tests.swift"), encoding: .utf8)
    #expect(text.contains("PolicyRegistry(ArtistsFromJSON.self)"))
    #expect(text.contains(#"mappings: [folder.appending(path: "Music/1-2.xml")]"#))
  }

  @Test func `models and mappings may be of any kind, and the test reads them`() throws {
    let fixture = try ToolFixture()
    try fixture.addMappings()
    // Only authors are migrated, without their books.
    try fixture.edit(
      "V1toV2.xcmappingmodel/xcmapping.xml", (old: "z2 z3 z4", new: "z2"),
      (old: "idrefs=\"Author-books\"", new: "idrefs=\"\""))
    let models = ["Library.xcdatamodel", "Library 2.xcdatamodel"].map { "Library.xcdatamodeld/\($0)" }
    let run = fixture.run([
      "generate-tests", "V1toV2.xcmappingmodel", "-m", models[0], "-m", models[1], "-o", "Tests/LibraryTests.swift",
    ])
    #expect(
      run
        == .init(
          code: .success,
          output: """
            wrote Tests/graph-Library.json: 12 objects
            wrote Tests/graph-Library 2.json: 4 objects
            wrote Tests/LibraryTests.swift

            """, errors: ""))
    let text = try fixture.text(of: "Tests/LibraryTests.swift")
    #expect(
      text.contains(
        """
            try MigrationPair(
              models: folder.appending(path: "\(models[0])"),
              from: "Library",
              destinationModels: folder.appending(path: "\(models[1])"),
              to: "Library 2",
              mappings: [folder.appending(path: "V1toV2.xcmappingmodel")])
        """), "\(text)")
    let folder = fixture.folder.url
    let pair = try MigrationPair(
      models: folder.appending(path: models[0]), from: "Library", destinationModels: folder.appending(path: models[1]),
      to: "Library 2", mappings: [folder.appending(path: "V1toV2.xcmappingmodel")])
    let graph = try ObjectGraph(
      contentsOf: fixture.folder.appending("Tests/graph-Library.json"), model: pair.sourceModel)
    let expected = try ObjectGraph(
      contentsOf: fixture.folder.appending("Tests/graph-Library 2.json"), model: pair.destinationModel)
    #expect(try pair.migrate(graph).failures(expecting: expected) == [])
  }

  @Test(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
  func `models that exist only inside a mapping model are requested`() throws {
    let mapping = Corpus.root.appending(
      path: "CoreDataPlus/Tests/Resources/SampleModel/MappingModels/V2toV3.xcmappingmodel")
    try FileManager.default.copyItem(at: mapping, to: music.folder.appending("V2toV3.xcmappingmodel"))
    #expect(
      music.run("generate-tests", "V2toV3.xcmappingmodel").errors == """
        error[test.embedded-model]: model 'SampleModel2' is only inside 'V2toV3.xcmappingmodel', where tests cannot \
        read it
          specify the current models: --model PATH.xcdatamodeld

        """)
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
