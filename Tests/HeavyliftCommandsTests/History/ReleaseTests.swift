import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `heavylift check --released`: releases on several branches, and their order.
struct ReleaseTests {
  private static let bundle = "Library.xcdatamodeld"
  private static var integer: (inout ManagedObjectModel) -> Void { note(.integer32) }
  private static var text: (inout ManagedObjectModel) -> Void { note(.string) }

  /// Gives the attribute `note` of `Author` a type.
  private static func note(_ type: AttributeType) -> (inout ManagedObjectModel) -> Void {
    { model in
      guard let place = model.entities.firstIndex(where: { $0.name == "Author" }) else { return }
      model.entities[place].attributes.removeAll { $0.name == "note" }
      model.entities[place].attributes.append(AttributeDescription(name: "note", type: type, isOptional: true))
    }
  }

  private func run(_ fixture: GitFixture, _ arguments: String...) -> ToolFixture.Run {
    fixture.history.library.run(["check", "."] + arguments)
  }

  /// Releases the versions with these changes from a branch that starts at the current commit.
  private func release(
    _ tag: String, _ fixture: GitFixture, _ changes: [(inout ManagedObjectModel) -> Void]
  ) throws {
    try fixture.git("checkout", "-q", "-b", "release/\(tag)")
    try fixture.history.library.addVersions(changes)
    try fixture.history.library.write(tag, to: "version.txt")
    try fixture.commit()
    try fixture.git("tag", tag)
    try fixture.git("checkout", "-q", "main")
  }

  @Test func `users have the baseline's current version if any release has it`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([Self.text])
    try fixture.commit()
    try release("v2", fixture, [Self.text])
    try fixture.history.library.addVersions([Self.text, Self.integer])
    let result = run(fixture, "--since", "main", "--released", "v*")
    #expect(
      result.output.contains("error[inference.attribute-type]: no mapping leads from 'Library 3' to 'Library 4'"),
      "\(result.output)")
    try fixture.history.library.addVersions([Self.text, HistoryFixture.add("more")])
    #expect(run(fixture, "--since", "main", "--released", "v*").code == .success)
  }

  @Test func `a released version of another branch needs a migration, too`() throws {
    let fixture = try GitFixture()
    try release("v1.1", fixture, [Self.text])
    try fixture.git("checkout", "-q", "release/v1.1", "--", Self.bundle)
    try fixture.move("\(Self.bundle)/Library 3.xcdatamodel", to: "\(Self.bundle)/Library 2b.xcdatamodel")
    let fix = try fixture.history.text("\(Self.bundle)/Library 2b.xcdatamodel/contents")
    try fixture.history.library.addVersions([Self.integer])
    try FileManager.default.createDirectory(
      at: fixture.folder.appending("\(Self.bundle)/Library 2b.xcdatamodel"), withIntermediateDirectories: true)
    try fixture.history.library.write(fix, to: "\(Self.bundle)/Library 2b.xcdatamodel/contents")
    let result = run(fixture, "--since", "main", "--released", "v*")
    #expect(
      result.output.contains("error[inference.attribute-type]: no mapping leads from 'Library 2b' to 'Library 3'"),
      "\(result.output)")
  }

  @Test func `a release is compared with the one before it`() throws {
    let fixture = try GitFixture()
    try fixture.edit("\(Self.bundle)/Library 2.xcdatamodel/contents", "Integer 32", "Integer 64")
    try fixture.commit()
    try fixture.git("tag", "v2")
    let result = run(fixture, "--released", "v*")
    #expect(
      result.output.contains("error[history.no-new-version]: version 'Library 2' is in 'v1', and has changed since"),
      "\(result.output)")
    // Later, it is too late to blame a change for it.
    try fixture.history.library.write("one", to: "readme.txt")
    try fixture.commit()
    let later = run(fixture, "--since", "main", "--released", "v*")
    #expect(later.code == .success && later.output.contains("not listed: 1 error"), "\(later.output)")
    // Another layout is no change.
    try fixture.edit("\(Self.bundle)/Library 2.xcdatamodel/contents", "Integer 64", "Integer 32")
    try fixture.edit("\(Self.bundle)/Library.xcdatamodel/contents", "<entity ", "<entity  ")
    try fixture.commit()
    try fixture.edit(
      "\(Self.bundle)/Library.xcdatamodel/contents", "attributeType=\"String\"", "attributeType=\"Binary\"")
    #expect(
      run(fixture, "--since", "main", "--released", "v1").output.contains(
        "error[history.changed-version]: version 'Library' is in 'v1'"))
  }

  @Test func `a release from a branch that starts at the checked commit shows what is released`() throws {
    let fixture = try GitFixture()
    try fixture.git("tag", "-d", "v1")
    try release("v2", fixture, [Self.text])
    try fixture.edit("\(Self.bundle)/Library 2.xcdatamodel/contents", "Integer 32", "Integer 64")
    let result = run(fixture, "--since", "main", "--released", "v*")
    #expect(
      result.output.contains("version 'Library 2' is in 'v2'") && !result.output.contains("Library 3"),
      "\(result.output)")
  }

  @Test func `tags that the other branch got later do not count`() throws {
    let fixture = try GitFixture()
    try fixture.git("checkout", "-q", "-b", "feature")
    try fixture.history.library.write("one", to: "readme.txt")
    try fixture.commit()
    try fixture.git("checkout", "-q", "main")
    try fixture.history.library.addVersions([Self.text])
    try fixture.commit()
    try fixture.git("tag", "v2")
    try fixture.git("checkout", "-q", "feature")
    #expect(run(fixture, "--since", "main", "--released", "v*").code == .success)
  }

  @Test func `a version of a hotfix is also found where the model was before it was moved`() throws {
    let fixture = try GitFixture()
    try release("v1.1", fixture, [Self.text])
    try fixture.move(Self.bundle, to: "App/\(Self.bundle)")
    try fixture.commit()
    try fixture.git("tag", "v2")
    let result = run(fixture, "--since", "main", "--released", "v*")
    #expect(
      result.output.hasPrefix(
        "./App/Library.xcdatamodeld: error[history.removed-version]: version 'Library 3' is in 'v1.1', and was removed"),
      "\(result.output)")
  }

  @Test func `a version that was prepared can become the current one`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([Self.text])
    try fixture.edit("\(Self.bundle)/.xccurrentversion", "Library 3", "Library 2")
    #expect(run(fixture, "--since", "main").output.contains("warning[history.not-current]"))
    try fixture.commit()
    try fixture.edit("\(Self.bundle)/.xccurrentversion", "Library 2", "Library 3")
    let result = run(fixture, "--since", "main")
    #expect(
      result.code == .success && result.output.contains("'Library 2' → 'Library 3': inferred"), "\(result.output)")
  }

  @Test func `releases, not names, say which version is older`() throws {
    let fixture = try GitFixture()
    func rename(_ name: String, _ other: String) throws {
      try fixture.move("\(Self.bundle)/\(name).xcdatamodel", to: "\(Self.bundle)/\(other).xcdatamodel")
      try fixture.edit("\(Self.bundle)/.xccurrentversion", name, other)
    }
    try rename("Library 2", "Library_v2")
    try fixture.commit()
    try fixture.git("tag", "-f", "v1")
    try fixture.history.library.addVersions([Self.text])
    try fixture.move("\(Self.bundle)/Library 2.xcdatamodel", to: "\(Self.bundle)/Library_v2.xcdatamodel")
    try fixture.commit()
    try fixture.git("tag", "v2")
    try fixture.git("checkout", "-q", "-b", "feature")
    try fixture.history.library.write("one", to: "readme.txt")
    try fixture.commit()
    try fixture.edit("\(Self.bundle)/.xccurrentversion", "Library 3", "Library_v2")
    let result = run(fixture, "--since", "main", "--released", "v*")
    #expect(
      result.output.contains(
        "error[history.older-current-version]: the current version is 'Library_v2', but 'v2' has 'Library 3'"),
      "\(result.output)")
  }

  @Test func `a release that was cut from the other branch later is not missed`() throws {
    let fixture = try GitFixture()
    try fixture.git("checkout", "-q", "-b", "feature")
    try fixture.history.library.write("one", to: "readme.txt")
    try fixture.commit()
    try fixture.git("checkout", "-q", "main")
    try fixture.history.library.addVersions([Self.text])
    try fixture.commit()
    try release("v2", fixture, [Self.text])
    try fixture.git("checkout", "-q", "feature")
    let result = run(fixture, "--since", "main", "--released", "v*")
    #expect(result.code == .success && !result.output.contains("not listed"), "\(result.output)")
    // It shows that older versions are released, also in another layout.
    try fixture.git("tag", "-d", "v1")
    try fixture.git("checkout", "-q", "release/v2")
    try fixture.edit("\(Self.bundle)/Library 2.xcdatamodel/contents", "<entity ", "<entity  ")
    try fixture.commit()
    try fixture.git("tag", "-f", "v2")
    try fixture.git("checkout", "-q", "feature")
    try fixture.edit("\(Self.bundle)/Library 2.xcdatamodel/contents", "Integer 32", "Integer 64")
    #expect(run(fixture, "--since", "main", "--released", "v*").output.contains("version 'Library 2' is in 'v2'"))
  }

  @Test func `a model that a release already has at the new place is not missed at the old one`() throws {
    let fixture = try GitFixture()
    try fixture.git("checkout", "-q", "-b", "feature")
    try fixture.move(Self.bundle, to: "Sources/\(Self.bundle)")
    try fixture.commit()
    try fixture.git("tag", "v1.1-beta")
    try fixture.history.library.write("one", to: "readme.txt")
    try fixture.commit()
    let result = run(fixture, "--since", "main", "--released", "v*")
    #expect(result.code == .success, "\(result.output)")
  }

  @Test func `what a change did not touch is counted`() throws {
    let fixture = try GitFixture([Self.text])
    try fixture.history.library.addVersions([
      Self.text,
      { model in
        HistoryFixture.remove("note", from: "Author")(&model)
        HistoryFixture.add("more")(&model)
      },
    ])
    #expect(run(fixture, "--since", "main", "--released", "v*").output.contains("warning["))
    try fixture.commit()
    try fixture.history.library.write("one", to: "readme.txt")
    let result = run(fixture, "--since", "main", "--released", "v*")
    #expect(!result.output.contains("warning["), "\(result.output)")
  }

  @Test func `a mistake after a release is found when it is committed, too`() throws {
    let fixture = try GitFixture()
    try fixture.git("checkout", "-q", "-b", "develop")
    try fixture.history.library.addVersions([Self.text])
    try fixture.commit()
    try fixture.git("tag", "v2")
    let contents = "\(Self.bundle)/Library 3.xcdatamodel/contents"
    try fixture.edit(contents, "Integer 32", "Integer 64")
    try fixture.commit()
    #expect(run(fixture, "--since", "main", "--released", "v*").output.contains("version 'Library 3' is in 'v2'"))
    try fixture.git("reset", "-q", "--hard", "v2")
    try fixture.edit("\(Self.bundle)/.xccurrentversion", "Library 3", "Library 2")
    try fixture.commit()
    #expect(
      run(fixture, "--since", "main", "--released", "v*").output.contains("error[history.older-current-version]"))
  }

  @Test func `a hotfix that a merge loses is found in the merge`() throws {
    let fixture = try GitFixture()
    try release("v1.1", fixture, [Self.text])
    try fixture.history.library.write("one", to: "readme.txt")
    try fixture.commit()
    try fixture.git("checkout", "-q", "-b", "merge")
    try fixture.git("merge", "-q", "-s", "ours", "-m", "merge", "v1.1")
    #expect(
      run(fixture, "--since", "main", "--released", "v*").output.contains(
        "error[history.removed-version]: version 'Library 3' is in 'v1.1'"))
  }

  @Test func `a version that was moved and saved again is still released`() throws {
    let fixture = try GitFixture()
    try fixture.move(Self.bundle, to: "Core/\(Self.bundle)")
    for name in ["Library", "Library 2"] {
      try fixture.edit("Core/\(Self.bundle)/\(name).xcdatamodel/contents", "<entity ", "<entity  ")
    }
    try fixture.commit()
    try fixture.edit("Core/\(Self.bundle)/Library 2.xcdatamodel/contents", "Integer 32", "Integer 64")
    #expect(run(fixture, "--since", "main", "--released", "v*").output.contains("error[history.no-new-version]"))
    try fixture.remove("Core/\(Self.bundle)/Library 2.xcdatamodel")
    #expect(run(fixture, "--since", "main", "--released", "v*").output.contains("error[history.removed-version]"))
  }

  @Test func `new versions are reviewed in a release, too`() throws {
    let fixture = try GitFixture([Self.text])
    try fixture.history.library.addVersions([Self.text, Self.integer])
    try fixture.commit()
    try fixture.git("tag", "v2")
    #expect(
      run(fixture, "--released", "v*").output.contains(
        "error[inference.attribute-type]: no mapping leads from 'Library 3' to 'Library 4'"))
  }

  @Test func `a model that a release had elsewhere is compared with the baseline first`() throws {
    let fixture = try GitFixture()
    try release("v1.1", fixture, [])
    try fixture.history.library.addVersions([Self.text])
    try fixture.move(Self.bundle, to: "Models/Data.xcdatamodeld")
    try fixture.commit()
    try fixture.git("tag", "v2")
    #expect(run(fixture, "--since", "main", "--released", "v*").code == .success)
    try fixture.edit("Models/Data.xcdatamodeld/.xccurrentversion", "Library 3", "Library 2")
    #expect(
      run(fixture, "--since", "main", "--released", "v*").output.contains("error[history.older-current-version]"))
  }

  @Test func `the only version of a release is its current one`() throws {
    let fixture = try GitFixture()
    try fixture.remove("\(Self.bundle)/Library 2.xcdatamodel")
    try fixture.remove("\(Self.bundle)/.xccurrentversion")
    try fixture.commit()
    try fixture.git("tag", "-f", "v1")
    try release("v1.1", fixture, [])
    try fixture.history.library.addVersions([Self.text])
    try fixture.remove("\(Self.bundle)/Library 2.xcdatamodel")
    #expect(
      run(fixture, "--since", "main", "--released", "v*").output.contains("'Library' → 'Library 3'"))
  }

  @Test func `an older version that was current once is not the one to copy`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([Self.text])
    try fixture.commit()
    try fixture.git("tag", "v2")
    try fixture.edit("\(Self.bundle)/Library 2.xcdatamodel/contents", "Integer 32", "Integer 64")
    #expect(
      run(fixture, "--since", "main", "--released", "v*").output.contains(
        "error[history.changed-version]: version 'Library 2' is in '"))
  }

  @Test func `a submodule that was removed before the baseline is counted`() throws {
    let library = try GitFixture()
    let app = try GitFixture()
    try app.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.folder.url.path, "Shared")
    try app.commit()
    try app.git("tag", "-f", "v1")
    try app.git("rm", "-q", "-f", "Shared")
    #expect(run(app, "--since", "main", "--released", "v*").output.contains("warning[history.removed-submodule]"))
    try app.commit()
    let result = run(app, "--since", "main", "--released", "v*")
    #expect(
      !result.output.contains("removed-submodule") && result.output.contains("not listed: 1 warning"),
      "\(result.output)"
    )
  }

  @Test func `a submodule is compared with the commits that releases name`() throws {
    let library = try GitFixture()
    let app = try GitFixture()
    try app.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.folder.url.path, "Shared")
    try app.commit()
    try app.git("tag", "-f", "v1")
    // A new version, which is not released.
    let contents = "Shared/\(Self.bundle)/Library 3.xcdatamodel/contents"
    try app.folder.copy(
      "Shared/\(Self.bundle)/Library 2.xcdatamodel", to: "Shared/\(Self.bundle)/Library 3.xcdatamodel")
    try app.edit(contents, "Integer 32", "Integer 64")
    try app.git("-C", "Shared", "add", "-A")
    try app.git("-C", "Shared", "commit", "-q", "-m", "new")
    try app.commit()
    try app.edit(contents, "Integer 64", "String")
    let result = run(app, "--since", "main", "--released", "v*")
    #expect(!result.output.contains("history.no-new-version"), "\(result.output)")
    try app.edit("Shared/\(Self.bundle)/Library 2.xcdatamodel/contents", "Integer 32", "Integer 64")
    #expect(
      run(app, "--since", "main", "--released", "v*").output.contains(
        "error[history.changed-version]: version 'Library 2' is in 'v1'"))
  }
}
