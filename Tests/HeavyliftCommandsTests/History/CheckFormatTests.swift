import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// `heavylift check --format`: findings where reviewers look.
struct CheckFormatTests {
  /// A history with a changed version and a new version that drops an attribute.
  private func fixture() throws -> GitFixture {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([HistoryFixture.remove("name", from: "Author")])
    try fixture.edit("Library.xcdatamodeld/Library.xcdatamodel/contents", "Integer 16", "Integer 64")
    return fixture
  }

  @Test func `GitHub shows findings at the changed lines`() throws {
    let run = try fixture().check("--format", "github")
    #expect(run.code == .negative)
    #expect(
      run.output.contains(
        "::error file=Library.xcdatamodeld/Library.xcdatamodel/contents,line=8,col=9,title=history.changed-version::version "
          + "'Library' is in 'v1', and has changed since, so stores of that release would not be recognized:%0A  - line 8: "
      ),
      "\(run.output)")
    #expect(
      run.output.contains("::warning file=Library.xcdatamodeld/Library 3.xcdatamodel/contents,line="), "\(run.output)")
  }

  @Test func `what GitHub would take for its own syntax is escaped`() throws {
    let fixture = try GitFixture()
    try fixture.move("Library.xcdatamodeld", to: "50%, a:b/Library.xcdatamodeld")
    try fixture.edit("50%, a:b/Library.xcdatamodeld/Library 2.xcdatamodel/contents", "Integer 32", "Integer 64")
    #expect(fixture.check("--format", "github").output.contains("::error file=50%25%2C a%3Ab/Library.xcdatamodeld/"))
  }

  @Test func `SARIF has rules, results, places and suppressions`() throws {
    let fixture = try fixture()
    try fixture.history.library.write(
      "history.inferred-loss * # a reason", to: ".heavylift-check")
    let run = fixture.check("--format", "sarif")
    let log = try #require(try JSONSerialization.jsonObject(with: Data(run.output.utf8)) as? [String: Any])
    #expect(log["version"] as? String == "2.1.0")
    let parts = try #require((log["runs"] as? [[String: Any]])?.first)
    let results = try #require(parts["results"] as? [[String: Any]])
    let driver = try #require((parts["tool"] as? [String: Any])?["driver"] as? [String: Any])
    let rules = try #require(driver["rules"] as? [[String: Any]]).map { $0["id"] as? String }
    #expect(results.count == 2)
    for result in results {
      let index = try #require(result["ruleIndex"] as? Int)
      #expect(rules[index] == result["ruleId"] as? String)
    }
    let changed = try #require(results.first { $0["ruleId"] as? String == "history.changed-version" })
    let location = try #require(
      (changed["locations"] as? [[String: Any]])?.first?["physicalLocation"] as? [String: Any])
    #expect(
      (location["artifactLocation"] as? [String: Any])?["uri"] as? String
        == "Library.xcdatamodeld/Library.xcdatamodel/contents")
    #expect((location["region"] as? [String: Any])?["startLine"] as? Int == 8)
    let accepted = try #require(results.first { $0["ruleId"] as? String == "history.inferred-loss" })
    #expect((accepted["suppressions"] as? [[String: Any]])?.first?["justification"] as? String == "a reason")
    #expect(changed["suppressions"] == nil)
  }

  @Test func `JUnit has a test for each file`() throws {
    let run = try fixture().check("--format", "junit")
    let root = try HeavyliftXML.XMLDocument(parsing: Data(run.output.utf8), file: "report.xml").root
    #expect(root.name == "testsuites")
    #expect(root["failures"] == "1")
    let cases = try #require(root.elements.first).elements
    #expect(cases.count == Int(root["tests"] ?? ""))
    let failed = try #require(cases.first { $0["name"] == "Library.xcdatamodeld/Library.xcdatamodel/contents" })
    #expect(failed.elements.first?.name == "failure")
    #expect(failed.elements.first?["type"] == "history.changed-version")
  }

  @Test func `Markdown tells what becomes of each entity, with a picture`() throws {
    let run = try fixture().check("--format", "markdown")
    #expect(run.output.hasPrefix("## Model history: errors\n"))
    #expect(
      run.output.contains(
        "| error | <code>Library.xcdatamodeld/Library.xcdatamodel/contents:8</code> | version 'Library'"))
    #expect(
      run.output.contains(
        """
        ### 'Library 2' → 'Library 3'

        Inferred, because it has no mapping file.

        ```mermaid
        flowchart LR
          subgraph old["Library 2"]
            s0["Author"]
          end
          subgraph next["Library 3"]
            d0["Author"]
          end
          s0 -->|changed| d0
        ```
        """), "\(run.output)")
    #expect(run.output.contains("| <code>Author</code> | <code>Author</code> | transform | deletes name |"))
  }

  @Test func `names are shown as they are, whatever they contain`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([
      { model in model.entities[0].name = "A|b<script>_x_" }, HistoryFixture.add("a"),
    ])
    let run = fixture.check("--format", "markdown")
    #expect(!run.output.contains("<script>"), "\(run.output)")
  }

  @Test func `a comment stays below GitHub's limit`() throws {
    let fixture = try GitFixture()
    try fixture.history.library.addVersions([
      { model in
        model.entities = (0..<2_000).map { number in
          EntityDescription(
            name: "Entity\(number)", managedObjectClassName: "E",
            attributes: [AttributeDescription(name: "name", type: .string, isOptional: false)])
        }
      }
    ])
    let run = fixture.check("--format", "markdown")
    #expect(run.output.utf16.count < 65_536)
    #expect(run.output.contains("## Model history"))
  }

  @Test func `an unknown format is a usage error with the nearest one`() throws {
    let run = try ToolFixture().run("check", ".", "--format", "sariff")
    #expect(run.code == .usage)
    #expect(run.errors.contains("error[usage.unknown-format]: there is no format 'sariff'\n  did you mean 'sarif'?"))
  }
}
