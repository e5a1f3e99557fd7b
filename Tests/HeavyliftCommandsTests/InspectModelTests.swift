import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct InspectModelTests {
  @Test func `a model shows how a store of each of its versions is recognized`() throws {
    let run = try ToolFixture().run("inspect", "Library.xcdatamodeld")
    let (first, second) = (ToolFixture.firstModel.versionHashes, ToolFixture.secondModel.versionHashes)
    let (one, two) = (ToolFixture.firstModel, ToolFixture.secondModel)
    #expect(
      run
        == .init(
          code: .success,
          output: """
            'Library' of Library.xcdatamodeld
              checksum        \(one.versionChecksum)
              digest          \(one.versionHashesDigest)

            3 entities
              number  entity   table    attributes  relationships  version hash
                   1  Author   ZAUTHOR           1              1  \(try #require(first["Author"]))
                   2  Book     ZBOOK             2              1  \(try #require(first["Book"]))
                   3    Novel  ZBOOK             1              0  \(try #require(first["Novel"]))

            'Library 2' of Library.xcdatamodeld, the current version
              checksum        \(two.versionChecksum)
              digest          \(two.versionHashesDigest)

            3 entities
              number  entity   table    attributes  relationships  version hash
                   1  Author   ZAUTHOR           1              1  \(try #require(second["Author"]))
                   2  Book     ZBOOK             2              1  \(try #require(second["Book"]))
                   3    Novel  ZBOOK             1              0  \(try #require(second["Novel"]))

            """, errors: ""))
  }

  @Test func `a folder shows every model in it`() throws {
    let fixture = try ToolFixture()
    try ModelWriter.write(ToolFixture.firstModel, to: fixture.folder.appending("Other.xcdatamodel"))
    let models = ["Library.xcdatamodeld", "Other.xcdatamodel"].map { fixture.run("inspect", "./\($0)").output }
    #expect(
      fixture.run("inspect", ".") == .init(code: .success, output: models.joined(separator: "\n"), errors: ""))
    let json = fixture.run("inspect", ".", "--json")
    #expect(json.output.hasPrefix("{\n  \"models\": [\n    {\n      \"path\": \"./Library.xcdatamodeld\""), "\(json)")
    #expect(json.output.contains("\"path\": \"./Other.xcdatamodel\""))
  }

  @Test func `a hash that can only be assumed says why`() throws {
    let fixture = try ToolFixture()
    var model = ToolFixture.firstModel
    model.entities[1].attributes[0].type = .objectID
    try ModelWriter.write(model, to: fixture.folder.appending("Priced.xcdatamodel"))
    let run = fixture.run("inspect", "Priced.xcdatamodel", "--json")
    #expect(run.code == .success)
    let reason = #""assumed": [\#n            "attribute 'pages' has type Object ID"\#n          ]"#
    // The entity, and the one that inherits from it.
    #expect(run.output.ranges(of: reason).count == 2, "\(run.output)")
    let text = fixture.run("inspect", "Priced.xcdatamodel").output
    #expect(
      text.hasSuffix(
        """
          the hash of 'Book' is assumed, because attribute 'pages' has type Object ID
          the hash of 'Novel' is assumed, because attribute 'pages' has type Object ID

        """), "\(text)")
  }

  @Test func `a missing model is reported as a model`() throws {
    let run = try ToolFixture().run("inspect", "Gone.xcdatamodel")
    #expect(
      run
        == .init(
          code: .failure, output: "",
          errors: """
            error[file.missing]: there is no file or folder 'Gone.xcdatamodel'
              check the path

            """))
  }
}
