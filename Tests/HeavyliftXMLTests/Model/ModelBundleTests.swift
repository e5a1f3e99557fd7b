import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

struct ModelBundleTests {
  private func model(_ name: String) -> ManagedObjectModel {
    ManagedObjectModel(name: name, entities: [EntityDescription(name: "Book")])
  }

  @Test func `a bundle that was written is read again, in the order in which a person counts`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Library.xcdatamodeld")
    let names = ["Library 10", "Library", "Library 2"]
    let bundle = ModelBundle(
      versions: names.map { .init(name: $0, model: model($0)) }, currentVersionName: "Library 2")
    try bundle.write(to: url)
    let read = try ModelBundle(contentsOf: url)
    #expect(read.versions.map(\.name) == ["Library", "Library 2", "Library 10"])
    #expect(read.versions.map(\.model.name) == ["Library", "Library 2", "Library 10"])
    #expect(read.currentVersionName == "Library 2")
    #expect(read.currentVersion?.model == model("x"))
    #expect(read.diagnostics == [])
    #expect(
      try String(contentsOf: url.appending(path: ".xccurrentversion"), encoding: .utf8) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>_XCCurrentVersionName</key>
        \t<string>Library 2.xcdatamodel</string>
        </dict>
        </plist>

        """)
    #expect(try ModelReader.read(contentsOf: url).model.name == "Library 2")
  }

  @Test func `a single version needs no choice`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Library.xcdatamodeld")
    try ModelBundle(versions: [.init(name: "Library", model: model("Library"))], currentVersionName: "Library")
      .write(to: url)
    #expect(try FileManager.default.contentsOfDirectory(atPath: url.path) == ["Library.xcdatamodel"])
    #expect(try ModelBundle(contentsOf: url).currentVersionName == "Library")
  }

  @Test func `unknown files in a bundle are not touched`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("Library.xcdatamodeld")
    var bundle = ModelBundle(
      versions: ["A", "B"].map { .init(name: $0, model: model($0)) }, currentVersionName: "B")
    try bundle.write(to: url)
    try "x".write(to: url.appending(path: "A.xcdatamodel/layout"), atomically: true, encoding: .utf8)
    bundle.versions.removeLast()
    bundle.currentVersionName = "A"
    try bundle.write(to: url)
    #expect(FileManager.default.fileExists(atPath: url.appending(path: "A.xcdatamodel/layout").path))
    #expect(try ModelBundle(contentsOf: url).versions.map(\.name) == ["A", "B"])
  }

  @Test func `a name with every awkward character survives`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("L.xcdatamodeld")
    let name = "Bücher & <Mehr> #1 %20"
    try ModelBundle(versions: [name, "B"].map { .init(name: $0, model: model($0)) }, currentVersionName: name)
      .write(to: url)
    let read = try ModelBundle(contentsOf: url)
    #expect(read.currentVersionName == name)
    #expect(read.currentVersion?.model.name == name)
  }

  @Test(arguments: [
    (
      ["../evil"], "../evil", "version '../evil' cannot be the name of a folder",
      "choose a name that is not empty, '.' or '..', and contains no '/'"
    ),
    (
      ["A/B"], "A/B", "version 'A/B' cannot be the name of a folder",
      "choose a name that is not empty, '.' or '..', and contains no '/'"
    ),
    (
      [""], "", "version '' cannot be the name of a folder",
      "choose a name that is not empty, '.' or '..', and contains no '/'"
    ),
    (["A", "A"], "A", "two versions are named 'A'", "rename one of them"),
    (["Library", "Library 2"], "Libary", "the current version 'Libary' does not exist", "did you mean 'Library'?"),
  ])
  func `a bundle that cannot be written is refused before anything is`(
    names: [String], current: String, problem: String, remedy: String
  ) throws {
    let folder = try TemporaryFolder()
    let bundle = ModelBundle(versions: names.map { .init(name: $0, model: model($0)) }, currentVersionName: current)
    let error = #expect(throws: DiagnosticList.self) { try bundle.write(to: folder.appending("L.xcdatamodeld")) }
    #expect(error?.description == "error[model-file.unwritable-bundle]: \(problem)\n  \(remedy)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == [])
  }

  @Test func `a missing bundle and a file in its place are different errors`() throws {
    let folder = try TemporaryFolder()
    let url = folder.appending("L.xcdatamodeld")
    let missing = #expect(throws: DiagnosticList.self) { try ModelBundle(contentsOf: url, file: "L") }
    #expect(missing?.description == "error[file.missing]: there is no folder 'L'\n  pass an .xcdatamodeld folder")
    try "x".write(to: url, atomically: true, encoding: .utf8)
    let file = #expect(throws: DiagnosticList.self) { try ModelBundle(contentsOf: url, file: "L") }
    #expect(
      file?.description == "error[file.not-a-folder]: 'L' is not a folder\n  pass an .xcdatamodeld folder"
    )
  }

  @Test(
    .enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment)),
    arguments: Corpus.files(endingWith: ".xcdatamodeld").map(Corpus.name))
  func `writing a bundle back changes no byte of any file`(name: String) throws {
    let source = Corpus.root.appending(path: name)
    let folder = try TemporaryFolder()
    let copy = folder.appending("Copy.xcdatamodeld")
    try FileManager.default.copyItem(at: source, to: copy)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: copy.path)
    let bundle = try ModelBundle(contentsOf: copy)
    try bundle.write(to: copy)
    let files = try #require(FileManager.default.subpaths(atPath: source.path)).sorted()
    #expect(FileManager.default.subpaths(atPath: copy.path)?.sorted() == files)
    for file in files {
      let path = source.appending(path: file).path
      #expect(
        FileManager.default.contents(atPath: path)
          == FileManager.default.contents(atPath: copy.appending(path: file).path))
    }
  }
}
