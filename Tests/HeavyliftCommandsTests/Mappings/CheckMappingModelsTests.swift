import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// How `check` finds the models of a mapping.
struct CheckMappingModelsTests {
  @Test func `models are found in the only folder next to the mapping's that has any`() throws {
    let fixture = try ToolFixture.bank()
    let manager = FileManager.default
    try manager.createDirectory(at: fixture.folder.appending("project/Mappings"), withIntermediateDirectories: true)
    try manager.createDirectory(at: fixture.folder.appending("project/Models"), withIntermediateDirectories: true)
    try fixture.copy("Bank/1-2.xml", to: "project/Mappings/1-2.xml")
    try fixture.copy("Bank/Bank.xcdatamodeld", to: "project/Models/Bank.xcdatamodeld")
    let clean = ToolFixture.Run(code: .success, output: "no errors, no warnings\n", errors: "")
    #expect(fixture.run("check", "project/Mappings/1-2.xml") == clean)
    try manager.createDirectory(at: fixture.folder.appending("project/Old"), withIntermediateDirectories: true)
    try fixture.copy("Bank/Bank.xcdatamodeld", to: "project/Old/Bank.xcdatamodeld")
    #expect(fixture.run("check", "project/Mappings/1-2.xml").code == .negative)
  }

  @Test func `a tool without policies says that it cannot check those of a mapping`() throws {
    let music = try MusicFixture()
    #expect(
      music.run("check", "Music/1-2.xml", code: MigrationCode())
        == .init(
          code: .success,
          output: """
            Music/1-2.xml: note[mapping.unchecked-policy]: this tool has no policies, so it cannot know whether \
            'ArtistsFromJSON' exists
              to check policies, too, run 'check' in a tool of your own that registers them

            1 note

            """, errors: ""))
    #expect(music.run("check", "Music/1-2.xml").output == "no errors, no warnings\n")
  }

  @Test func `a later pass is refused if no file next to it is the first`() throws {
    let fixture = try ToolFixture.bank()
    let text = try String(contentsOf: fixture.folder.appending("Bank/1-2.xml"), encoding: .utf8)
    func write(_ pass: Int, to name: String) throws {
      try fixture.write(text.replacing("<mapping-model ", with: "<mapping-model pass=\"\(pass)\" "), to: name)
    }
    try FileManager.default.removeItem(at: fixture.folder.appending("Bank/1-2.xml"))
    try write(2, to: "Bank/second.xml")
    #expect(
      fixture.run("check", "Bank/second.xml").output == """
        Bank/second.xml:2:22: error[mapping.missing-pass]: 'Bank/second.xml' is pass 2 from model 'Bank 1' to \
        'Bank 2', but no file is pass 1
          add the file for pass 1, or remove 'pass' if this is the only file for these versions

        1 error

        """)
    try write(1, to: "Bank/first.xml")
    #expect(fixture.run("check", "Bank/second.xml").code == .success)
  }

  @Test func `models that are not next to the mapping are requested, and can be given`() throws {
    let fixture = try ToolFixture.bank()
    try FileManager.default.createDirectory(
      at: fixture.folder.appending("lone/deep"), withIntermediateDirectories: true)
    try fixture.copy("Bank/1-2.xml", to: "lone/deep/1-2.xml")
    #expect(
      fixture.run("check", "lone/deep/1-2.xml")
        == .init(
          code: .negative,
          output: """
            lone/deep/1-2.xml:2:24: error[mapping.no-model]: the source model 'Bank 1' of 'lone/deep/1-2.xml' is not \
            next to the mapping
              specify the models with --model

            1 error

            """,
          errors: ""))
    #expect(
      fixture.run("check", "lone/deep/1-2.xml", "-m", "Library.xcdatamodeld")
        == .init(
          code: .negative,
          output: """
            lone/deep/1-2.xml:2:24: error[mapping.no-model]: the source model 'Bank 1' of 'lone/deep/1-2.xml' is not \
            among the given models
              available: 'Library', 'Library 2'; choose one with --from, or give others with --model

            1 error

            """,
          errors: ""))
    #expect(
      fixture.run("check", "lone/deep/1-2.xml", "-m", "Bank/Bank.xcdatamodeld/Bank 1.xcdatamodel")
        == .init(
          code: .negative,
          output: """
            lone/deep/1-2.xml:2:45: error[mapping.no-model]: the destination model 'Bank 2' of 'lone/deep/1-2.xml' is \
            not among the given models
              available: 'Bank 1'; choose one with --to, or give others with --model

            1 error

            """,
          errors: ""))
    #expect(
      fixture.run(
        "check", "lone/deep/1-2.xml", "-m", "Bank/Bank.xcdatamodeld/Bank 1.xcdatamodel",
        "--model=Bank/Bank.xcdatamodeld/Bank 2.xcdatamodel")
        == .init(
          code: .success,
          output: """
            no errors, no warnings

            """,
          errors: ""))
    #expect(
      fixture.run("check", "Bank/1-2.xml", "-m", "Nowhere.xcdatamodeld")
        == .init(
          code: .failure,
          output: """
            Bank/1-2.xml: error[file.missing]: there is no file or folder 'Nowhere.xcdatamodeld'
              check the path

            1 error

            """,
          errors: ""))
    // In the parent folder, because projects keep their mappings in a separate folder.
    try fixture.copy("Bank/Bank.xcdatamodeld", to: "lone/Bank.xcdatamodeld")
    #expect(fixture.run("check", "lone/deep/1-2.xml").code == .success)
  }

  @Test func `another version than the one that the mapping names is refused`() throws {
    let fixture = try ToolFixture.bank()
    #expect(
      fixture.run("check", "Bank/1-2.xml", "--from", "Bank 2")
        == .init(
          code: .negative,
          output: """
            Bank/1-2.xml:2:24: error[mapping.other-model]: the mapping was written for source model 'Bank 1', not \
            for 'Bank 2'
              use model 'Bank 1', or a mapping for 'Bank 2'
            Bank/1-2.xml:5:46: error[expression.unknown-key]: entity 'Account' has no property 'card'
              did you mean 'cards'?
            Bank/1-2.xml:8:101: error[expression.unknown-key]: entity 'Card' has no property 'expiry'
              available: 'account', 'expiresAt', 'isBlocked', 'number'
            Bank/1-2.xml:11:41: error[mapping.unknown-entity]: entity mapping 'RemoveSession' refers to unknown \
            source entity 'Session'
              available: 'Account', 'Card'

            4 errors

            """,
          errors: ""))
    #expect(
      fixture.run("check", "Bank/1-2.xml", "--to", "Bnak 2")
        == .init(
          code: .negative,
          output: """
            Bank/1-2.xml: error[mapping.no-model]: the destination model 'Bnak 2' of 'Bank/1-2.xml' is not next to \
            the mapping
              did you mean --to 'Bank 2'?

            1 error

            """,
          errors: ""))
  }

  @Test func `only the user can choose between models with the same name, unless they are identical`() throws {
    let fixture = try ToolFixture.bank()
    try fixture.copy("Bank/Bank.xcdatamodeld", to: "Bank/Old.xcdatamodeld")
    #expect(fixture.run("check", "Bank/1-2.xml").code == .success)
    try fixture.edit("Bank/Old.xcdatamodeld/Bank 1.xcdatamodel/contents", ("\"token\"", "\"key\""))
    #expect(
      fixture.run("check", "Bank/1-2.xml")
        == .init(
          code: .negative,
          output: """
            Bank/1-2.xml: error[mapping.several-models]: several models match 'Bank 1', the source model of \
            'Bank/1-2.xml': 'Bank 1' of Bank/Bank.xcdatamodeld, 'Bank 1' of Bank/Old.xcdatamodeld
              specify one of them with --model

            1 error

            """,
          errors: ""))
    #expect(fixture.run("check", "Bank/1-2.xml", "-m", "Bank/Bank.xcdatamodeld").code == .success)
  }

  @Test func `an unreadable model next to the mapping matters only if it is needed`() throws {
    let fixture = try ToolFixture.bank()
    try fixture.write("x", to: "Bank/Broken.xcdatamodel")
    #expect(fixture.run("check", "Bank/1-2.xml").code == .success)
    try fixture.edit("Bank/1-2.xml", ("\"Bank 1\"", "\"Bank 0\""))
    #expect(
      fixture.run("check", "Bank/1-2.xml")
        == .init(
          code: .negative,
          output: """
            Bank/1-2.xml:2:24: error[mapping.no-model]: the source model 'Bank 0' of 'Bank/1-2.xml' is not next to \
            the mapping
              available: 'Bank 1', 'Bank 2'; choose one with --from, or give others with --model
            Bank/Broken.xcdatamodel:1:1: error[xml.not-xml]: the beginning of the file is not XML
              check that this is the right file

            2 errors

            """,
          errors: ""))
  }

  @Test func `an Xcode mapping that names a model that never existed runs between the models that it fits`() throws {
    let fixture = try ToolFixture()
    try fixture.addMappings()
    try fixture.edit(
      "V1toV2.xcmappingmodel/xcmapping.xml", (old: "Library 2.xcdatamodel", new: "Library 9.xcdatamodel"))
    let run = fixture.run(
      "migrate", "Library.sqlite", "--model", "Library.xcdatamodeld", "--mapping", "V1toV2.xcmappingmodel", "--to",
      "new.sqlite", "--quiet")
    #expect(run.code == .success, "\(run.errors)")
  }

  @Test func `converting a mapping whose mistakes only Xcode tolerates lists them, and fails`() throws {
    let fixture = try ToolFixture()
    try fixture.addMappings()
    // A mandatory attribute is not listed.
    try fixture.edit("V1toV2.xcmappingmodel/xcmapping.xml", (old: "Book-pages Book-title", new: "Book-pages"))
    let models = ["Library", "Library 2"].flatMap { ["--model", "Library.xcdatamodeld/\($0).xcdatamodel"] }
    let checked = fixture.run(["check", "V1toV2.xcmappingmodel"] + models)
    #expect(checked.code == .success && checked.output.contains("warning[mapping.missing-value]"), "\(checked)")
    let run = fixture.run(["convert", "V1toV2.xcmappingmodel", "--output", "1-2.xml"] + models)
    #expect(run.code == .negative)
    #expect(run.errors.contains("error[mapping.missing-value]"), "\(run.errors)")
    #expect(run.errors.contains("warning[mapping.unfinished-conversion]"), "\(run.errors)")
    #expect(fixture.exists("1-2.xml"))
    #expect(fixture.run(["check", "1-2.xml"] + models).code == .negative)
  }
}
