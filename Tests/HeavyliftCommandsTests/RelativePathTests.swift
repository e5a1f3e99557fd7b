import Foundation
import Heavylift
import HeavyliftCommands
import Testing

/// Paths typed relative to the current folder.
struct RelativePathTests {
  private let fixture: ToolFixture

  init() throws {
    fixture = try ToolFixture()
    try FileManager.default.createDirectory(
      at: fixture.folder.appending("Mappings/deep"), withIntermediateDirectories: true)
    for name in ["Mappings/1-2.xml", "Mappings/deep/1-2.xml", "1-2.xml", "m"] {
      try fixture.write(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <mapping-model source="Library" destination="Library 2"/>

        """, to: name)
    }
  }

  private func run(_ arguments: [String], in folder: String) -> ToolFixture.Run {
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: fixture.folder.appending(folder))
    let code = CommandLineTool.heavylift.run(arguments, io)
    return ToolFixture.Run(code: code, output: output.text, errors: errors.text)
  }

  @Test(arguments: [
    ("", "1-2.xml"), ("", "./1-2.xml"), ("", "Mappings/1-2.xml"), ("", "./Mappings/1-2.xml"), ("Mappings", "1-2.xml"),
    ("Mappings", "./1-2.xml"), ("Mappings", "../1-2.xml"), ("Mappings", "../Mappings/1-2.xml"),
    ("Mappings/deep", "../1-2.xml"),
  ])
  func `models are found next to a mapping or one folder up`(folder: String, file: String) {
    let run = run(["check", file], in: folder)
    #expect(run.code == .success && run.errors == "" && !run.output.contains("no-model"), "\(run.output)\(run.errors)")
  }

  @Test func `models two folders up are not looked for`() {
    #expect(run(["check", "1-2.xml"], in: "Mappings/deep").code == .negative)
  }

  @Test(arguments: [
    ("", "Library.sqlite", "Mappings"), ("", "./Library.sqlite", "./Mappings"), ("Mappings", "../Library.sqlite", "."),
    ("Mappings", "../Library.sqlite", "./"), ("Mappings", "../Library.sqlite", "../Mappings/"),
  ])
  func `a plan finds models from a folder of one character`(folder: String, store: String, mappings: String) {
    let run = run(["plan", store, "--mappings", mappings], in: folder)
    #expect(run.code == .success, "\(run.output)\(run.errors)")
  }

  @Test(arguments: ["/", ".", "a", "a/", "./", "..", "", "//", "a//"])
  func `a path of one character has a folder, too`(path: String) throws {
    let run = run(["evaluate", "FUNCTION('\(path)', 'stringByDeletingLastPathComponent')"], in: "")
    #expect(run == .init(code: .success, output: path.hasPrefix("/") ? "\"/\"\n" : "\"\"\n", errors: ""))
  }

  @Test func `a misspelled model name is reported if a plan finds no path`() throws {
    for name in ["Mappings/1-2.xml", "Mappings/deep/1-2.xml"] {
      try fixture.write("<mapping-model source=\"Libary\" destination=\"Library 2\"/>", to: name)
    }
    let run = run(["plan", "Library.sqlite", "--mappings", "Mappings"], in: "")
    #expect(run.code == .negative)
    #expect(
      run.errors == """
        Mappings/1-2.xml:1:24: error[mapping.unknown-version]: the mapping's source is 'Libary', but no version of the \
        model has that name
          did you mean 'Library'?

        1 error

        """)
    #expect(!run.errors.contains("--infer"))
  }

  @Test func `a file for unknown versions that fits an inferred hop is a warning`() throws {
    func file(_ entity: String) -> String {
      "<mapping-model source=\"Shelf\" destination=\"Shelves\"><entity-mapping source=\"\(entity)\" "
        + "destination=\"\(entity)\"/></mapping-model>"
    }
    try fixture.write(file("Book"), to: "Mappings/1-2.xml")
    try fixture.write(file("Shelf"), to: "Mappings/other.xml")
    let run = run(["plan", "Library.sqlite", "--mappings", "Mappings", "--infer"], in: "")
    #expect(run.code == .success)
    #expect(
      run.output.contains(
        """
        warning[mapping.unknown-version]: mapping file '1-2.xml' leads from 'Shelf' to 'Shelves', which are no versions \
        of the model, so it is not used; but the entities and properties in it fit
          if it is for this model, correct 'source' and 'destination' of 'mapping-model'
        """), "\(run.output)")
    #expect(!run.output.contains("other.xml"))
  }
}
