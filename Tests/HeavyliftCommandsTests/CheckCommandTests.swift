import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct CheckCommandTests {
  private static let faulty = """
    <?xml version="1.0" encoding="UTF-8"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Book"><attribute name="pages" attributeType="Integer 16" defaultValueString="many"/>
        <relationship name="author" toMany="YES" destinationEntity="Autor"/></entity>
      <entity name="Author"/>
    </model>
    """

  @Test func `a model without mistakes is confirmed`() throws {
    #expect(
      try ToolFixture().run("check", "Library.xcdatamodeld")
        == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
  }

  @Test func `all mistakes are reported together, with location, code and remedy`() throws {
    let fixture = try ToolFixture()
    try fixture.write(Self.faulty, to: "contents")
    #expect(
      fixture.run("check", "Library.xcdatamodeld", "contents")
        == .init(
          code: .negative,
          output: """
            contents:3:74: error[model.default-type]: attribute 'pages' of entity 'Book' has type Integer 16, but its \
            default is a string, which cannot be converted
              write a default of type Integer 16, or none
            contents:4:5: warning[model.missing-inverse]: relationship 'author' of entity 'Book' has no inverse
              add a relationship that leads back from entity 'Autor'
            contents:4:46: error[model.unknown-destination]: relationship 'author' of entity 'Book' leads to entity \
            'Autor', which the model does not have
              did you mean 'Author'?

            2 errors, 1 warning

            """, errors: ""))
  }

  @Test func `every version of a bundle is checked`() throws {
    let fixture = try ToolFixture()
    try fixture.write(Self.faulty, to: "Library.xcdatamodeld/Library.xcdatamodel/contents")
    let run = fixture.run("check", "Library.xcdatamodeld")
    #expect(run.code == .negative)
    #expect(run.output.hasPrefix("Library.xcdatamodeld/Library.xcdatamodel/contents:3:74: error[model.default-type]:"))
    #expect(run.output.hasSuffix("\n\n2 errors, 1 warning\n"))
  }

  @Test func `JSON contains the same findings`() throws {
    struct Findings: Decodable {
      struct Finding: Decodable {
        struct Location: Decodable {
          var file: String
          var line: Int
          var column: Int
        }
        var source: String
        var code: String
        var location: Location?
      }
      var diagnostics: [Finding]
      var errors: Int
      var warnings: Int
      var notes: Int
    }
    let fixture = try ToolFixture()
    try fixture.write(Self.faulty, to: "contents")
    let run = fixture.run("check", "--json", "contents")
    let findings = try JSONDecoder().decode(Findings.self, from: Data(run.output.utf8))
    #expect(
      findings.diagnostics.map { "\($0.source) \($0.code) \($0.location?.line ?? 0):\($0.location?.column ?? 0)" } == [
        "contents model.default-type 3:74", "contents model.missing-inverse 4:5",
        "contents model.unknown-destination 4:46",
      ])
    #expect((findings.errors, findings.warnings, findings.notes) == (2, 1, 0))
    #expect(run.code == .negative)
  }

  @Test func `a missing model fails, and the others are still checked`() throws {
    let fixture = try ToolFixture()
    #expect(
      fixture.run("check", "Nowhere.xcdatamodeld", "Library.sqlite", "Library.xcdatamodeld")
        == .init(
          code: .failure,
          output: """
            Nowhere.xcdatamodeld: error[file.missing]: there is no file or folder 'Nowhere.xcdatamodeld'
              check the path
            Library.sqlite: error[model-file.is-a-store]: 'Library.sqlite' is an SQLite database, not a model
              pass an .xcdatamodeld, an .xcdatamodel, a contents file, a .momd or a .mom

            2 errors

            """, errors: ""))
  }

  /// The file is not a model, or is damaged: the check fails.
  @Test(arguments: [
    "Library.sqlite", "folder", "text", "empty", "half", "cut.mom", "none.xcdatamodeld", "none.xcdatamodel",
    "none.momd",
    "file.xcdatamodeld", "file.mom", "mapping.xml",
  ])
  func `a file that is not a model is an error of the check`(name: String) throws {
    let fixture = try ToolFixture()
    for folder in ["folder", "none.xcdatamodeld", "none.xcdatamodel", "none.momd"] {
      try FileManager.default.createDirectory(at: fixture.folder.appending(folder), withIntermediateDirectories: false)
    }
    for (file, text) in [
      ("text", "hello"), ("empty", ""), ("half", "<model><entity"), ("cut.mom", "bplist00"),
      ("file.xcdatamodeld", "hello"), ("file.mom", "hello"), ("mapping.xml", "<mapping-model/>"),
    ] {
      try fixture.write(text, to: file)
    }
    let run = fixture.run("check", name)
    #expect(run.code == .negative && run.output.hasSuffix("\n\n1 error\n") && run.errors == "", "\(run)")
  }

  @Test(
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
    arguments: Corpus.isPresent
      ? (Corpus.files(endingWith: ".xcdatamodeld") + Corpus.files(endingWith: ".mom")).map(Corpus.name) : [])
  func `models of real programs have no errors`(name: String) throws {
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: Corpus.root)
    #expect(CommandLineTool.heavylift.run(["check", name], io) == .success, "\(output.text)")
    #expect(errors.text == "")
  }
}
