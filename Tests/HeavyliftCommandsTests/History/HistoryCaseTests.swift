import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `heavylift check --since` in repositories that are not simple.
struct HistoryCaseTests {
  private static let bundle = "Library.xcdatamodeld"
  private static let contents = "\(bundle)/Library 2.xcdatamodel/contents"

  private func changed(_ fixture: GitFixture, at start: String = "") throws {
    try fixture.edit("\(start)\(Self.contents)", "attributeType=\"Integer 32\"", "attributeType=\"Integer 64\"")
  }

  private func run(_ fixture: GitFixture, _ arguments: String...) -> ToolFixture.Run {
    fixture.history.library.run(["check"] + arguments)
  }

  // MARK: Places

  @Test(arguments: [contents, "\(bundle)/Library 2.xcdatamodel", "\(bundle)/Library.xcdatamodel", "\(bundle)/", bundle])
  func `a file of a bundle is checked with its history`(file: String) throws {
    let fixture = try GitFixture()
    try changed(fixture)
    let result = run(fixture, file, file, "--since", "v1")
    #expect(result.code == .negative)
    #expect(result.output.contains("\n1 error\n"), "\(result.output)")
  }

  @Test func `a model behind a symbolic link is compared`() throws {
    let fixture = try GitFixture()
    try fixture.move(Self.bundle, to: "Shared/\(Self.bundle)")
    try FileManager.default.createDirectory(at: fixture.folder.appending("App"), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.appending("App/\(Self.bundle)").path, withDestinationPath: "../Shared/\(Self.bundle)")
    try fixture.commit()
    try changed(fixture, at: "Shared/")
    #expect(run(fixture, "App", "--since", "HEAD").output.contains("error[history.no-new-version]"))
  }

  @Test func `a project in the folder of a workspace in a project is compared`() throws {
    let fixture = try GitFixture()
    try FileManager.default.createDirectory(
      at: fixture.folder.appending("App.xcodeproj/project.xcworkspace"), withIntermediateDirectories: true)
    try changed(fixture)
    #expect(
      run(fixture, "App.xcodeproj/project.xcworkspace", "--since", "v1").output.contains(
        "error[history.no-new-version]"))
  }

  @Test func `an app whose name ends in Test has releases`() throws {
    let fixture = try GitFixture()
    try fixture.move(Self.bundle, to: "SpeedTest/\(Self.bundle)")
    try fixture.commit()
    try changed(fixture, at: "SpeedTest/")
    #expect(run(fixture, ".", "--since", "HEAD").code == .negative)
  }

  @Test func `versions that are in no bundle are compared`() throws {
    for folder in ["Models", "."] {
      let fixture = try GitFixture()
      for name in ["Library", "Library 2"] {
        try fixture.move(
          "\(Self.bundle)/\(name).xcdatamodel",
          to: folder == "." ? "\(name).xcdatamodel" : "\(folder)/\(name).xcdatamodel")
      }
      try fixture.remove(Self.bundle)
      try fixture.commit()
      #expect(
        run(fixture, folder, "--since", "HEAD").code == .success, "\(run(fixture, folder, "--since", "HEAD").output)")
      let file = folder == "." ? "Library 2.xcdatamodel/contents" : "\(folder)/Library 2.xcdatamodel/contents"
      try fixture.edit(file, "Integer 32", "Integer 64")
      let result = run(fixture, folder, "--since", "HEAD")
      #expect(result.output.contains("error[history.changed-version]: version 'Library 2'"), "\(result.output)")
    }
  }

  @Test func `two models of the same name that moved are not taken for each other`() throws {
    let fixture = try GitFixture()
    try fixture.move(Self.bundle, to: "B/Model.xcdatamodeld")
    try ModelBundle(
      versions: [.init(name: "Model", model: ManagedObjectModel(entities: [EntityDescription(name: "Other")]))],
      currentVersionName: "Model"
    ).write(to: fixture.folder.appending("A/Model.xcdatamodeld"))
    try fixture.commit()
    try fixture.move("A/Model.xcdatamodeld", to: "Z/Model.xcdatamodeld")
    try fixture.move("B/Model.xcdatamodeld", to: "Y/Model.xcdatamodeld")
    let result = run(fixture, ".", "--since", "HEAD")
    #expect(result.output.hasSuffix("\nno errors, no warnings\n"), "\(result.output)")
  }

  // MARK: Versions

  @Test func `the hashes of versions say which is older, not the names`() throws {
    let fixture = try GitFixture()
    // The released contents get another name, and the new contents get theirs.
    try fixture.history.library.addVersions([HistoryFixture.add("note")])
    try fixture.move("\(Self.bundle)/Library 2.xcdatamodel", to: "\(Self.bundle)/Old.xcdatamodel")
    try fixture.move("\(Self.bundle)/Library 3.xcdatamodel", to: "\(Self.bundle)/Library 2.xcdatamodel")
    try fixture.edit("\(Self.bundle)/.xccurrentversion", "Library 3", "Library 2")
    let result = run(fixture, ".", "--since", "v1")
    #expect(result.code == .success, "\(result.output)")
    #expect(result.output.contains("'Old' → 'Library 2': inferred"), "\(result.output)")
  }

  @Test func `the current version of a release is its newest`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([HistoryFixture.add("note")])
    try fixture.move("\(Self.bundle)/Library 3.xcdatamodel", to: "\(Self.bundle)/Alpha.xcdatamodel")
    try fixture.edit("\(Self.bundle)/.xccurrentversion", "Library 3", "Alpha")
    try fixture.commit()
    try fixture.edit("\(Self.bundle)/.xccurrentversion", "Alpha", "Library 2")
    #expect(run(fixture, ".", "--since", "HEAD").output.contains("error[history.older-current-version]"))
  }

  @Test func `an old version that cannot be read is not blamed on a new one`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.write("<model", to: "\(Self.bundle)/Library.xcdatamodel/contents")
    try fixture.commit()
    try fixture.folder.copy("\(Self.bundle)/Library 2.xcdatamodel", to: "\(Self.bundle)/Library 3.xcdatamodel")
    try fixture.edit(
      "\(Self.bundle)/Library 3.xcdatamodel/contents", "name=\"genre\"", "name=\"genre\" elementID=\"x\"")
    let result = run(fixture, ".", "--since", "HEAD")
    #expect(!result.output.contains("error["), "\(result.output)")
    #expect(
      result.output.contains(
        "note[history.unreadable-version]: 'HEAD:Library.xcdatamodeld/Library.xcdatamodel/contents'"))
  }

  @Test func `a mapping that loses its version is an error of the change that renames it`() throws {
    let fixture = try GitFixture()
    try fixture.history.write("", from: "Library", to: "Library 2", as: "1-2.xml")
    try fixture.commit()
    try fixture.move("\(Self.bundle)/Library.xcdatamodel", to: "\(Self.bundle)/First.xcdatamodel")
    let result = run(fixture, ".", "--since", "HEAD")
    #expect(result.code == .negative && result.output.contains("1-2.xml"), "\(result.output)")
  }

  @Test func `a removed mapping file is an error, unless another one leads from its version`() throws {
    let fixture = try GitFixture()
    try fixture.history.write("", from: "Library", to: "Library 2", as: "1-2.xml")
    try fixture.commit()
    try fixture.move("1-2.xml", to: "Mappings/first.xml")
    #expect(run(fixture, ".", "--since", "HEAD").code == .success)
    try fixture.remove("Mappings/first.xml")
    let result = run(fixture, ".", "--since", "HEAD")
    #expect(
      result.output.hasPrefix(
        "./1-2.xml: error[history.removed-mapping]: the mapping './1-2.xml' of 'HEAD', which leads from 'Library' to "
          + "'Library 2', was removed: stores of 'Library' would be migrated without it\n"), "\(result.output)")
  }

  @Test func `a file that was there before does not replace another pass of its hop`() throws {
    let fixture = try GitFixture()
    for name in ["1-2 a.xml", "1-2 b.xml"] { try fixture.history.write("", from: "Library", to: "Library 2", as: name) }
    try fixture.commit()
    try fixture.remove("1-2 a.xml")
    let result = run(fixture, ".", "--since", "HEAD")
    #expect(result.output.contains("'./1-2 a.xml' of 'HEAD', which leads from 'Library'"), "\(result.output)")
    try fixture.edit("1-2 b.xml", ">", "> <!-- with what a.xml did -->")
    #expect(!run(fixture, ".", "--since", "HEAD").output.contains("removed-mapping"))
  }

  @Test(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)))
  func `a mapping model of Xcode that was removed is found by the model in it`() throws {
    let folder = Corpus.root.appending(path: "CoreDataPlus/Tests/Resources/SampleModel")
    let fixture = try GitFixture { project in
      for name in ["SampleModel.xcdatamodeld", "MappingModels/V2toV3.xcmappingmodel"] {
        let url = folder.appending(path: name)
        try FileManager.default.copyItem(at: url, to: project.appending("App/\(url.lastPathComponent)"))
      }
    }
    try fixture.remove("App/V2toV3.xcmappingmodel")
    let result = run(fixture, "App", "--since", "HEAD")
    #expect(
      result.output.contains(
        "App/V2toV3.xcmappingmodel/xcmapping.xml: error[history.removed-mapping]: the mapping "
          + "'App/V2toV3.xcmappingmodel/xcmapping.xml' of 'HEAD', which leads from 'SampleModel2' to 'SampleModel3'"),
      "\(result.output)")
  }

  @Test func `a mapping that a copy has, and the project does not, was removed`() throws {
    let fixture = try GitFixture()
    try fixture.folder.copy(Self.bundle, to: "Released/\(Self.bundle)")
    try fixture.folder.copy(Self.bundle, to: "App/\(Self.bundle)")
    try fixture.history.write("", from: "Library", to: "Library 2", as: "Released/1-2.xml")
    let result = run(fixture, "App", "--baseline", "Released")
    #expect(
      result.output.hasPrefix("App/1-2.xml: error[history.removed-mapping]: the mapping 'App/1-2.xml' of 'Released'"),
      "\(result.output)")
  }

  @Test func `a mapping to another version does not replace one, and a renamed version keeps its mapping`() throws {
    let fixture = try GitFixture([HistoryFixture.add("note")])
    try fixture.history.write("", from: "Library 2", to: "Library 3", as: "2-3.xml")
    try fixture.history.write("", from: "Library 2", to: "Library", as: "2-1.xml")
    try fixture.commit()
    try fixture.remove("2-3.xml")
    let removed = "error[history.removed-mapping]: the mapping './2-3.xml'"
    #expect(run(fixture, ".", "--since", "HEAD").output.contains(removed))
    try fixture.remove("2-1.xml")
    try fixture.move("\(Self.bundle)/Library 2.xcdatamodel", to: "\(Self.bundle)/Library 2 old.xcdatamodel")
    #expect(run(fixture, ".", "--since", "HEAD").output.contains(removed))
    // One that leads over it does.
    try fixture.git("reset", "-q", "--hard")
    try fixture.history.write("", from: "Library", to: "Library 2", as: "1-2.xml")
    try fixture.history.write("", from: "Library", to: "Library 3", as: "1-3.xml")
    try fixture.commit()
    try fixture.remove("1-2.xml")
    #expect(!run(fixture, ".", "--since", "HEAD").output.contains("removed-mapping"))
  }

  @Test func `with mapping files, the names of versions say which is older, as at run time`() throws {
    let fixture = try GitFixture([HistoryFixture.add("note")])
    try fixture.history.write("", from: "Library", to: "Library 2", as: "1-2.xml")
    try fixture.commit()
    try fixture.history.library.addVersions([HistoryFixture.add("note"), HistoryFixture.add("more")])
    try fixture.move("\(Self.bundle)/Library 3.xcdatamodel", to: "\(Self.bundle)/Library Final.xcdatamodel")
    #expect(run(fixture, ".", "--since", "HEAD").output.contains("error[migration.newer-version]"))
    try fixture.remove("1-2.xml")
    #expect(run(fixture, ".", "--since", "HEAD").output.contains("'Library Final' → 'Library 4': inferred"))
  }

  @Test func `the old contents may come back as a new version`() throws {
    let fixture = try GitFixture([HistoryFixture.add("note")])
    try fixture.folder.copy("\(Self.bundle)/Library 2.xcdatamodel", to: "\(Self.bundle)/Library 4.xcdatamodel")
    try fixture.edit("\(Self.bundle)/.xccurrentversion", "Library 3", "Library 4")
    let result = run(fixture, ".", "--since", "HEAD")
    #expect(!result.output.contains("error["), "\(result.output)")
    #expect(result.output.contains("'Library 3' → 'Library 4': inferred"), "\(result.output)")
  }

  @Test func `a model is missed although another one has the same versions`() throws {
    let fixture = try GitFixture()
    try fixture.folder.copy(Self.bundle, to: "Watch/\(Self.bundle)")
    try fixture.commit()
    try fixture.remove("Watch")
    #expect(run(fixture, ".", "--since", "HEAD").output.contains("error[history.removed-model]"))
  }

  @Test func `a renaming ID that a version has lost is a warning at its line`() throws {
    let fixture = try GitFixture()
    let contents = "\(Self.bundle)/Library 2.xcdatamodel/contents"
    try fixture.edit(contents, "<attribute name=\"genre\"", "<attribute name=\"genre\" elementID=\"kind\"")
    try fixture.commit()
    try fixture.edit(contents, " elementID=\"kind\"", "")
    let result = run(fixture, ".", "--since", "HEAD")
    #expect(
      result.output.contains(
        "warning[history.lost-renaming]: version 'Library 2' has lost the renaming ID 'kind' of '"), "\(result.output)")
    #expect(result.output.hasPrefix("./\(contents):"), "\(result.output)")
  }

  @Test func `a mapping file that leads elsewhere now, or that only tests have, is gone`() throws {
    let fixture = try GitFixture([HistoryFixture.add("note")])
    try fixture.history.write("", from: "Library", to: "Library 2", as: "map.xml")
    try fixture.commit()
    try fixture.edit(
      "map.xml", "source=\"Library\" destination=\"Library 2\"", "source=\"Library 2\" destination=\"Library 3\"")
    #expect(
      run(fixture, ".", "--since", "HEAD").output.contains("which leads from 'Library' to 'Library 2', was removed"))
    try fixture.git("reset", "-q", "--hard")
    try fixture.move("map.xml", to: "AppTests/map.xml")
    #expect(
      run(fixture, ".", "--since", "HEAD").output.contains("which leads from 'Library' to 'Library 2', was removed"))
  }

  @Test func `a mapping between versions that are not released may go with them`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([HistoryFixture.add("note"), HistoryFixture.add("more")])
    try fixture.history.write("", from: "Library 2", to: "Library 3", as: "2-3.xml")
    try fixture.history.write("", from: "Library 3", to: "Library 4", as: "3-4.xml")
    try fixture.commit()
    try fixture.history.library.addVersions([HistoryFixture.add("other")])
    for name in ["2-3.xml", "3-4.xml"] { try fixture.remove(name) }
    #expect(!run(fixture, ".", "--since", "main", "--released", "v*").output.contains("3-4.xml"))
  }

  @Test func `tests may have copies of models and mappings`() throws {
    let fixture = try GitFixture()
    try fixture.move(Self.bundle, to: "App/\(Self.bundle)")
    try fixture.history.write("", from: "Library", to: "Library 2", as: "App/1-2.xml")
    try fixture.folder.copy("App", to: "AppTests/Fixtures")
    #expect(run(fixture, ".").code == .success, "\(run(fixture, ".").output)")
    try fixture.commit()
    // The copy is not what becomes of the version.
    try fixture.remove("App/\(Self.bundle)/Library.xcdatamodel")
    #expect(run(fixture, ".", "--since", "HEAD").output.contains("error[history.removed-version]: version 'Library'"))
    // Its mapping does not migrate users' stores.
    try fixture.git("reset", "-q", "--hard")
    try fixture.edit("App/\(Self.bundle)/.xccurrentversion", "Library 2", "Library 3")
    try fixture.folder.copy("App/\(Self.bundle)/Library 2.xcdatamodel", to: "App/\(Self.bundle)/Library 3.xcdatamodel")
    try fixture.edit("App/\(Self.bundle)/Library 3.xcdatamodel/contents", "Integer 32", "String")
    try fixture.history.write("", from: "Library 2", to: "Library 3", as: "AppTests/Fixtures/2-3.xml")
    #expect(
      run(fixture, ".", "--since", "HEAD").output.contains(
        "error[inference.attribute-type]: no mapping leads from 'Library 2' to 'Library 3'"))
  }

  @Test func `another working tree in the project is not what became of a model`() throws {
    let fixture = try GitFixture()
    try fixture.git("worktree", "add", "-q", "base", "v1")
    try fixture.remove(Self.bundle)
    #expect(run(fixture, ".", "--since", "v1").output.contains("error[history.removed-model]"))
    let other = try GitFixture()
    try other.folder.copy(Self.bundle, to: "Released/\(Self.bundle)")
    try changed(other)
    try other.history.write("", from: "Library", to: "Library 2", as: "Released/1-2.xml")
    #expect(run(other, ".", "--baseline", "Released").output.contains("error[history.removed-mapping]"))
    for baseline in ["Released", "Released/\(Self.bundle)"] {
      let result = run(other, ".", "--baseline", baseline)
      #expect(result.output.contains("error[history.no-new-version]"), "\(baseline): \(result.output)")
    }
  }

  // MARK: Remedies

  @Test func `commands restore the files`() throws {
    for isMoved in [false, true] {
      let fixture = try GitFixture([HistoryFixture.add("note")])
      if isMoved { try fixture.move(Self.bundle, to: "My App/Books.xcdatamodeld") }
      let bundle = isMoved ? "My App/Books.xcdatamodeld" : Self.bundle
      try fixture.edit("\(bundle)/Library 2.xcdatamodel/contents", "Integer 32", "Integer 64")
      try fixture.remove("\(bundle)/Library.xcdatamodel")
      // The other branch goes on.
      try fixture.git("checkout", "-q", "-b", "feature")
      try fixture.commit()
      try fixture.git("checkout", "-q", "main")
      try fixture.git("rm", "-q", "-r", Self.bundle)
      try fixture.history.library.write("one", to: "readme.txt")
      try fixture.commit()
      try fixture.git("checkout", "-q", "feature")
      let commands = run(fixture, ".", "--since", "main").output.matches(of: /restore it: ([^\n]*)/).map(\.1)
      #expect(commands.count == 2)
      for command in commands {
        let shell = Process()
        (shell.executableURL, shell.arguments) = (URL(filePath: "/bin/sh"), ["-c", String(command)])
        shell.currentDirectoryURL = fixture.folder.url
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 0, "\(command)")
      }
      let result = run(fixture, ".", "--since", "main")
      #expect(result.code == .success, "\(isMoved): \(result.output)")
    }
  }

  // MARK: Inferred migrations

  @Test func `an inferred migration that deletes objects, or that may fail for links, is not silent`() throws {
    func entity(_ name: String, _ destination: String? = nil) -> EntityDescription {
      var entity = EntityDescription(name: name, attributes: [AttributeDescription(name: "title", type: .string)])
      if let destination {
        entity.relationships = [
          RelationshipDescription(name: "place", destinationEntityName: destination)
        ]
      }
      return entity
    }
    let places: (inout ManagedObjectModel) -> Void = {
      $0.entities += [entity("Item", "Shelf"), entity("Shelf"), entity("Box")]
    }
    let fixture = try GitFixture([places])
    try fixture.history.library.addVersions([places, { $0.entities.removeAll { $0.name == "Box" } }])
    #expect(
      run(fixture, ".", "--since", "HEAD").output.contains(
        "warning[history.inferred-loss]: 'Library 3' → 'Library 4' is inferred, and deletes all objects of 'Box'\n"))
    try fixture.history.library.addVersions([
      places,
      { model in
        guard let place = model.entities.firstIndex(where: { $0.name == "Item" }) else { return }
        model.entities[place].relationships[0].destinationEntityName = "Box"
      },
    ])
    let result = run(fixture, ".", "--since", "HEAD")
    #expect(
      result.output.contains(
        "error[inference.other-destination]: 'Library 3' → 'Library 4' is inferred, and fails for stores with links that "
          + "do not fit: relationship 'place' of entity 'Item' leads to entity 'Box'"), "\(result.output)")
  }

  // MARK: Direct migrations

  @Test func `of two new versions, the released one is compared, too`() throws {
    let change: (AttributeType) -> (inout ManagedObjectModel) -> Void = { type in
      { model in
        guard let place = model.entities.firstIndex(where: { $0.name == "Author" }) else { return }
        model.entities[place].attributes.append(AttributeDescription(name: "note", type: type, isOptional: true))
      }
    }
    let released = [change(.integer16)]
    let fixture = try GitFixture(released)
    let removing: (inout ManagedObjectModel) -> Void = { model in
      HistoryFixture.remove("note", from: "Author")(&model)
      HistoryFixture.add("more")(&model)
    }
    try fixture.history.library.addVersions(released + [removing, change(.string)])
    #expect(
      run(fixture, ".", "--since", "HEAD").output.contains(
        "warning[history.direct-migration]: an app that does not migrate version by version cannot migrate stores of "
          + "'Library 3' to 'Library 5': attribute 'note'"))
  }

  @Test func `a result that stores of older versions get only version by version is a warning`() throws {
    func rename(_ old: String, _ new: String, from identifier: String) -> (inout ManagedObjectModel) -> Void {
      { model in
        guard let entity = model.entities.firstIndex(where: { $0.name == "Author" }),
          let place = model.entities[entity].attributes.firstIndex(where: { $0.name == old })
        else { return }
        model.entities[entity].attributes[place].name = new
        model.entities[entity].attributes[place].renamingIdentifier = identifier
      }
    }
    let additions = [HistoryFixture.add("one"), rename("one", "two", from: "one")]
    let fixture = try GitFixture(additions)
    try fixture.history.library.addVersions(additions + [rename("two", "three", from: "two")])
    let result = run(fixture, ".", "--since", "HEAD")
    let parts = result.output.components(separatedBy: "\n\n")
    #expect(
      parts[0] == """
        ./Library.xcdatamodeld/Library 5.xcdatamodel/contents:2:1: warning[history.direct-migration]: stores of \
        'Library 3' get another result if the app does not migrate version by version, but jumps to 'Library 5': \
        attribute 'three' of entity 'Author' gets the contents of 'one' without the jump, but not with it
          if the app uses Heavylift, or stages of Core Data, accept this finding; if not, give what was renamed the \
        renaming ID that it had first, or write a mapping model from 'Library 3' to 'Library 5'
        """)
    // The first renaming ID leads from every version.
    try fixture.history.library.addVersions(additions + [rename("two", "three", from: "one")])
    #expect(!run(fixture, ".", "--since", "HEAD").output.contains("direct-migration"))
    // Mapping files are for an app that migrates version by version.
    try fixture.history.library.addVersions(additions + [rename("two", "three", from: "two")])
    try fixture.history.write("", from: "Library 4", to: "Library 5", as: "4-5.xml")
    #expect(!run(fixture, ".", "--since", "HEAD").output.contains("direct-migration"))
  }

  // MARK: Releases

  @Test func `a model that was moved after its release is compared with it`() throws {
    let fixture = try GitFixture()
    try fixture.move(Self.bundle, to: "Sources/\(Self.bundle)")
    try fixture.commit()
    try changed(fixture, at: "Sources/")
    let result = run(fixture, ".", "--since", "main", "--released", "v*")
    #expect(result.output.contains("error[history.no-new-version]: version 'Library 2' is in 'v1'"), "\(result.output)")
    try fixture.git("reset", "-q", "--hard")
    try fixture.remove("Sources/\(Self.bundle)")
    try fixture.commit()
    try ModelBundle(versions: [.init(name: "Other", model: ManagedObjectModel())], currentVersionName: nil)
      .write(to: fixture.folder.appending("Other.xcdatamodeld"))
    #expect(run(fixture, ".", "--since", "HEAD~1", "--released", "v*").output.contains("error[history.removed-model]"))
  }

  @Test func `a release of another branch counts, and one that follows does not`() throws {
    let fixture = try GitFixture()
    try fixture.git("checkout", "-q", "-b", "hotfix")
    try fixture.history.library.addVersions([HistoryFixture.add("fixed")])
    try fixture.commit()
    try fixture.git("tag", "v1.1")
    try fixture.git("checkout", "-q", "main")
    try fixture.history.library.write("one", to: "readme.txt")
    try fixture.commit()
    #expect(run(fixture, ".", "--since", "main").code == .success)
    let result = run(fixture, ".", "--since", "main", "--released", "v*")
    #expect(
      result.output.contains("error[history.removed-version]: version 'Library 3' is in 'v1.1'"), "\(result.output)")
    // An old commit is judged by the releases of its time.
    try fixture.git("merge", "-q", "--no-edit", "hotfix")
    try fixture.git("checkout", "-q", "v1")
    #expect(run(fixture, ".", "--since", "HEAD", "--released", "v*").code == .success)
  }

  @Test func `a pattern that no tag matches is an error, also with a revision`() throws {
    let result = run(try GitFixture(), ".", "--since", "main", "--released", "w*")
    #expect(result.code == .failure && result.errors.contains("error[history.no-release]: no tag matches 'w*'"))
  }

  // MARK: Repositories

  @Test(.timeLimit(.minutes(10))) func `git may complain as much as it likes`() throws {
    let fixture = try GitFixture()
    for number in 0..<1_200 {
      try fixture.history.library.write("one\ntwo\n", to: "some file with a rather long name, number \(number).txt")
    }
    try fixture.commit()
    try fixture.git("config", "core.autocrlf", "input")
    for number in 0..<1_200 {
      try fixture.history.library.write("a\r\nb\r\n", to: "some file with a rather long name, number \(number).txt")
    }
    #expect(run(fixture, ".", "--since", "HEAD").code == .success)
  }

  @Test func `the findings of a new submodule are new`() throws {
    let library = try GitFixture()
    try library.history.library.write("<model", to: "\(Self.bundle)/Library.xcdatamodel/contents")
    try library.commit()
    let app = try GitFixture()
    try app.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.folder.url.path, "Shared")
    let result = app.check()
    #expect(result.code == .negative && result.output.contains("Shared/Library.xcdatamodeld"), "\(result.output)")
  }

  @Test func `a submodule that was moved is compared, and one that was removed is a warning`() throws {
    let library = try GitFixture()
    let app = try GitFixture()
    try app.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", library.folder.url.path, "Shared")
    try app.commit()
    try app.git("mv", "Shared", "Common")
    try changed(app, at: "Common/")
    #expect(run(app, ".", "--since", "HEAD").output.contains("error[history.no-new-version]"))
    try app.git("reset", "-q", "--hard")
    try app.git("rm", "-q", "-f", "Common", "Shared", "--ignore-unmatch")
    let result = run(app, ".", "--since", "HEAD")
    #expect(
      result.output.hasPrefix(
        "Shared: warning[history.removed-submodule]: submodule 'Shared' of 'HEAD' was removed, so its models were not "
          + "compared\n"), "\(result.output)")
  }

  @Test(arguments: ["--assume-unchanged", "--skip-worktree"])
  func `a change that git ignores is found`(flag: String) throws {
    let fixture = try GitFixture()
    try changed(fixture)
    try fixture.git("update-index", flag, Self.contents)
    #expect(run(fixture, ".", "--since", "v1").output.contains("error[history.no-new-version]"))
  }

  @Test func `a shallow clone without the common commit is an error`() throws {
    let origin = try GitFixture()
    try origin.git("checkout", "-q", "-b", "feature")
    try origin.history.library.write("one", to: "readme.txt")
    try origin.commit()
    try origin.git("checkout", "-q", "main")
    try origin.history.library.addVersions([HistoryFixture.add("note")])
    try origin.commit()
    let clone = try TemporaryFolder()
    try clone.git([
      "clone", "-q", "--depth", "1", "--no-single-branch", "-b", "feature", "file://\(origin.folder.url.path)", "app",
    ])
    let result = try ToolFixture().run(["check", clone.appending("app").path, "--since", "origin/main"])
    #expect(result.code == .failure && result.errors.contains("is not in this shallow clone"), "\(result)")
  }

  @Test func `names are no commands of GitHub's workflows`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([HistoryFixture.add("note")])
    let name = "Z\n::warning title=pwn::hi"
    try fixture.move("\(Self.bundle)/Library 3.xcdatamodel", to: "\(Self.bundle)/\(name).xcdatamodel")
    try fixture.remove("\(Self.bundle)/.xccurrentversion")
    let output = fixture.check("--format", "github").output
    #expect(!output.split(separator: "\n").contains { $0.hasPrefix("::warning title=pwn") }, "\(output)")
  }

  @Test func `accepted findings may come from Windows, and a folder may end in a slash`() throws {
    let fixture = try GitFixture()
    try fixture.remove("\(Self.bundle)/Library.xcdatamodel")
    try fixture.history.library.write(
      "# accepted\r\nhistory.removed-version \(Self.bundle)\t# gone\r\n", to: ".heavylift-check")
    #expect(run(fixture, ".", "--since", "v1").code == .success)
    let library = try GitFixture()
    try library.move(Self.bundle, to: "Checkouts/\(Self.bundle)")
    try library.commit()
    try changed(library, at: "Checkouts/")
    for folder in ["Checkouts", "Checkouts/"] {
      #expect(run(library, folder, "--since", "HEAD").code == .negative, "\(folder)")
    }
  }

  @Test func `accepted findings are found from everywhere`() throws {
    let fixture = try GitFixture()
    try fixture.remove("\(Self.bundle)/Library.xcdatamodel")
    try fixture.history.library.write("history.removed-version \(Self.bundle) # gone", to: ".heavylift-check")
    for project in [".", "./", fixture.folder.url.path] {
      let result = run(fixture, project, "--since", "v1")
      #expect(result.code == .success, "\(project): \(result.output)")
    }
  }
}
