import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `heavylift check --since`: the rules of a model's history.
struct HistoryCheckTests {
  private static let contents = "Library.xcdatamodeld/Library 2.xcdatamodel/contents"

  @Test func `a history without changes is confirmed in two lines`() throws {
    let run = try GitFixture().check()
    #expect(run.code == .success)
    #expect(run.errors == "")
    #expect(
      run.output.wholeMatch(of: /compared with 'v1' \([0-9a-f]{7}\)\nno errors, no warnings\n/) != nil, "\(run.output)")
  }

  // MARK: Released versions

  @Test func `a changed current version needs a new one`() throws {
    let fixture = try GitFixture()
    try fixture.edit(Self.contents, "attributeType=\"Integer 32\"", "attributeType=\"Integer 64\"")
    let run = fixture.check()
    #expect(run.code == .negative)
    #expect(
      run.output.hasPrefix(
        "./Library.xcdatamodeld/Library 2.xcdatamodel/contents:8:9: error[history.no-new-version]: version 'Library 2' is in "
          + "'v1', and has changed since, so stores of that release would not be recognized:\n"
          + "  - line 8: entity 'Book', attribute 'pages': attributeType: Integer 32 → Integer 64\n"), "\(run.output)")
    #expect(run.output.contains("git checkout v1 -- ':/Library.xcdatamodeld/Library 2.xcdatamodel'\n"))
  }

  @Test func `an older version that changed is an error, and so is one that changed together with a new version`()
    throws
  {
    let fixture = try GitFixture()
    try fixture.edit(
      "Library.xcdatamodeld/Library.xcdatamodel/contents", "<attribute name=\"genre\"", "<attribute name=\"kind\"")
    #expect(fixture.check().output.contains("error[history.changed-version]: version 'Library' is in 'v1'"))
    let other = try GitFixture()
    try other.history.library.addVersions([HistoryFixture.add("note")])
    try other.edit(Self.contents, "attributeType=\"Integer 32\"", "attributeType=\"Integer 64\"")
    #expect(other.check().output.contains("error[history.changed-version]: version 'Library 2' is in 'v1'"))
  }

  @Test func `a mapping file that refers to a changed version is named`() throws {
    let fixture = try GitFixture()
    try fixture.history.write("", from: "Library", to: "Library 2", as: "1-2.xml")
    try fixture.edit(Self.contents, "attributeType=\"Integer 32\"", "attributeType=\"Integer 64\"")
    #expect(fixture.check().output.contains("\n  './1-2.xml' refers to it\n"))
  }

  @Test func `a removed version and a removed model are errors`() throws {
    let fixture = try GitFixture()
    try fixture.remove("Library.xcdatamodeld/Library.xcdatamodel")
    #expect(
      fixture.check().output.hasPrefix(
        "./Library.xcdatamodeld: error[history.removed-version]: version 'Library' is in 'v1', and was removed"))
    try fixture.remove("Library.xcdatamodeld")
    try ModelBundle(versions: [.init(name: "Other", model: ManagedObjectModel())], currentVersionName: nil)
      .write(to: fixture.folder.appending("Other.xcdatamodeld"))
    #expect(
      fixture.check().output.contains("error[history.removed-model]: the model './Library.xcdatamodeld' is in 'v1'"))
  }

  @Test func `a version or model that only has another name or place, or another layout, is sound`() throws {
    let fixture = try GitFixture()
    try fixture.move("Library.xcdatamodeld/Library.xcdatamodel", to: "Library.xcdatamodeld/Library 1.xcdatamodel")
    try fixture.edit(Self.contents, "<entity name=\"Book\"", "\n  <entity   name=\"Book\"")
    #expect(fixture.check().code == .success)
    try fixture.move("Library.xcdatamodeld", to: "Sources/Shop.xcdatamodeld")
    let run = fixture.check()
    #expect(run.code == .success, "\(run.output)")
  }

  @Test func `a version that moved to another model is a warning`() throws {
    let fixture = try GitFixture()
    try fixture.move("Library.xcdatamodeld/Library.xcdatamodel", to: "Old.xcdatamodeld/Library.xcdatamodel")
    #expect(fixture.check().output.contains("warning[history.moved-version]: version 'Library' of 'v1' is now in"))
  }

  @Test func `models of tests and libraries have no releases`() throws {
    let fixture = try GitFixture()
    for folder in ["AppTests", "Pods/Database"] {
      try fixture.folder.copy("Library.xcdatamodeld", to: "\(folder)/Library.xcdatamodeld")
    }
    try fixture.commit()
    try fixture.git("tag", "-f", "v1")
    for folder in ["AppTests", "Pods/Database"] {
      try fixture.edit("\(folder)/\(Self.contents)", "Integer 32", "Integer 64")
    }
    let run = fixture.check()
    #expect(run.code == .success, "\(run.output)")
  }

  // MARK: New versions

  @Test func `a new version and its hop are reported`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([HistoryFixture.add("note")])
    let run = fixture.check()
    #expect(run.code == .success)
    #expect(
      run.output.hasSuffix(
        """
        ./Library.xcdatamodeld: new 'Library 3'
        'Library 2' → 'Library 3': inferred, because it has no mapping file
        no errors, no warnings

        """), "\(run.output)")
  }

  @Test func `a hop that cannot be inferred is an error at the property's line`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([
      { model in
        model.entities[0].attributes.append(AttributeDescription(name: "born", type: .date, isOptional: false))
      }
    ])
    let run = fixture.check()
    #expect(run.code == .negative)
    #expect(
      run.output.hasPrefix(
        "./Library.xcdatamodeld/Library 3.xcdatamodel/contents:4:9: error[inference.mandatory-attribute]: no mapping leads "
          + "from 'Library 2' to 'Library 3', and none can be inferred: attribute 'born' of entity 'Author' is new"),
      "\(run.output)")
  }

  @Test func `what an inferred hop deletes, and what it may have overlooked, are warnings`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([HistoryFixture.remove("name", from: "Author")])
    #expect(
      fixture.check().output.contains(
        "warning[history.inferred-loss]: 'Library 2' → 'Library 3' is inferred, and deletes the values of 'Author.name'"
      ))
    let other = try GitFixture()
    try other.history.library.addVersions([HistoryFixture.replace("name", with: "fullName", in: "Author")])
    let run = other.check()
    #expect(
      run.output.hasPrefix(
        "./Library.xcdatamodeld/Library 3.xcdatamodel/contents:4:9: warning[mapping.possible-renaming]: 'Library 2' → "
          + "'Library 3' is inferred: attribute 'name' of entity 'Author' is gone, and 'fullName' is new and has no value. Was "
          + "it renamed?\n  if it was, write 'name' as the renaming ID of 'fullName' in Xcode's inspector; "),
      "\(run.output)")
    #expect(!run.output.contains("history.inferred-loss"))
    #expect(run.code == .success)
    #expect(other.check("--strict").code == .negative)
  }

  @Test func `a mapping file that covers the hop answers these questions`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([HistoryFixture.remove("name", from: "Author")])
    try fixture.history.write(
      "<entity-mapping source=\"Author\" destination=\"Author\"><drop name=\"name\"/></entity-mapping>",
      from: "Library 2", to: "Library 3", as: "2-3.xml")
    let run = fixture.check()
    #expect(run.output.contains("'Library 2' → 'Library 3': by './2-3.xml'\nno errors, no warnings\n"), "\(run.output)")
  }

  @Test func `more than one new version is a warning, and so is one that is not current`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([HistoryFixture.add("note"), HistoryFixture.add("born")])
    #expect(
      fixture.check().output.contains("warning[history.several-new-versions]: 'Library 3' and 'Library 4' are new"))
    try fixture.edit("Library.xcdatamodeld/.xccurrentversion", "Library 4", "Library 2")
    #expect(
      fixture.check().output.contains(
        "warning[history.not-current]: version 'Library 4' is new, but 'Library 2' is the current one"))
  }

  @Test func `a current version that is older than the released one is an error`() throws {
    let fixture = try GitFixture()
    try fixture.edit("Library.xcdatamodeld/.xccurrentversion", "Library 2", "Library")
    #expect(fixture.check().output.contains("error[history.older-current-version]: the current version is 'Library'"))
  }

  @Test func `a hop that no test names is a warning if others are tested`() throws {
    let fixture = try GitFixture()
    let test = "AppTests/MigrationTests.swift"
    try FileManager.default.createDirectory(at: fixture.folder.appending("AppTests"), withIntermediateDirectories: true)
    try fixture.history.library.addVersions([HistoryFixture.add("note")])
    try fixture.history.library.write("pair(\"Library\", \"Library 2\")", to: test)
    #expect(
      fixture.check().output.contains("warning[history.untested-hop]: no test mentions the migration 'Library 2' → "))
    try fixture.history.library.write("pair(\"Library\", \"Library 2\") + pair(\"Library 2\", \"Library 3\")", to: test)
    #expect(!fixture.check().output.contains("untested"))
  }

  // MARK: Releases

  @Test func `only versions of tags that match are released`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([HistoryFixture.add("note")])
    try fixture.commit()
    try fixture.edit(
      "Library.xcdatamodeld/Library 3.xcdatamodel/contents", "<attribute name=\"note\"", "<attribute name=\"remark\"")
    let run = { (arguments: [String]) in fixture.history.library.run(["check", "."] + arguments) }
    #expect(
      run(["--since", "main"]).output.contains("error[history.no-new-version]: version 'Library 3' is in 'main'"))
    for arguments in [["--since", "main", "--released", "v*"], ["--released", "v*"]] {
      let result = run(arguments)
      #expect(result.code == .success, "\(result.output)")
    }
    try fixture.commit()
    try fixture.git("tag", "v2")
    try fixture.edit(
      "Library.xcdatamodeld/Library 3.xcdatamodel/contents", "<attribute name=\"remark\"", "<attribute name=\"note\"")
    #expect(run(["--released", "v*"]).output.contains("error[history.no-new-version]: version 'Library 3' is in 'v2'"))
    #expect(run(["--released", "x*"]).errors.contains("error[history.no-release]: no tag matches 'x*'"))
  }

  @Test func `what the branch to merge into has beyond the common commit is not blamed on this one`() throws {
    let fixture = try GitFixture()
    try fixture.git("checkout", "-q", "-b", "feature")
    try fixture.history.library.addVersions([HistoryFixture.add("note")])
    try fixture.commit()
    try fixture.git("checkout", "-q", "main")
    try fixture.history.library.write("text", to: "readme.txt")
    try fixture.history.library.addVersions([HistoryFixture.add("other")])
    try fixture.commit()
    try fixture.git("checkout", "-q", "feature")
    let run = fixture.history.library.run(["check", ".", "--since", "main"])
    #expect(run.code == .success, "\(run.output)")
  }

  @Test func `findings about files that have not changed are counted`() throws {
    let fixture = try GitFixture()
    try fixture.edit(
      "Library.xcdatamodeld/Library.xcdatamodel/contents", "inverseName=\"author\" inverseEntity=\"Book\"", "")
    try fixture.commit()
    try fixture.git("tag", "-f", "v1")
    let whole = fixture.history.library.run("check", ".")
    #expect(whole.output.contains("warning[model."))
    let run = fixture.check()
    #expect(!run.output.contains("warning[model."))
    #expect(run.output.contains("not listed: "), "\(run.output)")
  }

  @Test func `a revision that does not exist, and a folder without a repository, are errors with a remedy`() throws {
    let fixture = try GitFixture()
    #expect(
      fixture.history.library.run("check", ".", "--since", "nowhere")
        == .init(
          code: .failure, output: "",
          errors: """
            error[history.unknown-revision]: the repository has no revision 'nowhere'
              check the name, or fetch it first

            """))
    let run = try ToolFixture().run("check", ".", "--since", "main")
    #expect(run.code == .failure)
    #expect(run.errors.hasPrefix("error[history.no-repository]: '.' is not in a git repository that can be read: "))
    #expect(run.errors.hasSuffix("--baseline PATH\n"))
  }

  // MARK: Other repositories

  @Test func `a model in a submodule is compared with the commit that the revision names`() throws {
    let library = try GitFixture()
    let app = try GitFixture()
    try app.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.folder.url.path, "Shared")
    try app.commit()
    try app.git("tag", "-f", "v1")
    #expect(app.check().code == .success)
    try app.edit("Shared/\(Self.contents)", "Integer 32", "Integer 64")
    #expect(
      app.check().output.hasPrefix("./Shared/Library.xcdatamodeld/Library 2.xcdatamodel/contents:8:9: error[history."))
  }

  @Test func `a version that a sparse checkout leaves out was not removed`() throws {
    let fixture = try GitFixture()
    try fixture.git("sparse-checkout", "set", "--no-cone", "/*", "!/Library.xcdatamodeld/Library.xcdatamodel")
    #expect(!fixture.history.exists("Library.xcdatamodeld/Library.xcdatamodel"))
    let run = fixture.check()
    #expect(run.code == .success, "\(run.output)")
  }

  @Test func `without git, a copy of the project or its compiled model is the baseline`() throws {
    let fixture = try ToolFixture()
    try fixture.folder.copy("Library.xcdatamodeld", to: "Released/Library.xcdatamodeld")
    try FileManager.default.createDirectory(at: fixture.folder.appending("App"), withIntermediateDirectories: true)
    try FileManager.default.moveItem(
      at: fixture.folder.appending("Library.xcdatamodeld"), to: fixture.folder.appending("App/Library.xcdatamodeld"))
    for baseline in ["Released", "Released/Library.xcdatamodeld"] {
      let run = fixture.run("check", "App", "--baseline", baseline)
      #expect(run == .init(code: .success, output: "compared with '\(baseline)'\nno errors, no warnings\n", errors: ""))
    }
    let contents = fixture.folder.appending("App/\(Self.contents)")
    let text = try String(contentsOf: contents, encoding: .utf8)
    try text.replacing("Integer 32", with: "Integer 64").write(to: contents, atomically: true, encoding: .utf8)
    for baseline in ["Released", "Released/Library.xcdatamodeld"] {
      let run = fixture.run("check", "App", "--baseline", baseline)
      #expect(
        run.output.contains("error[history.no-new-version]: version 'Library 2' is in '\(baseline)'"), "\(run.output)")
    }
    #expect(fixture.run("check", "App", "--baseline", "Released", "--since", "main").code == .usage)
  }
}
