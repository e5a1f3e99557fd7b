import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct FormatCommandTests {
  private static let untidy = """
    <?xml version="1.0"?>
    <mapping-model destination="Bank 2" source="Bank 1"><!-- kept -->


    <entity-mapping destination="Card" source="Card" where = 'number!=nil'/></mapping-model>
    """
  private static let mistaken = """
    <?xml version="1.0" encoding="UTF-8"?>
    <mapping-model source="Bank 1" destination="Bank 2">
      <entity-maping source="Account"/>
      <entity-mapping source="Card" destination="Card" where="number =="/>
    </mapping-model>

    """
  private static let damaged = """
    <?xml version="1.0" encoding="UTF-8"?>
    <mapping-model source="Bank 1" destination="Bank 2">
      <entity-mapping source="Card" destination="Card">
    </mapping-model>

    """

  private func fixture() throws -> ToolFixture {
    let fixture = try ToolFixture.bank()
    for (name, text) in [("untidy", Self.untidy), ("mistaken", Self.mistaken), ("damaged", Self.damaged)] {
      try fixture.write(text, to: "\(name).xml")
    }
    return fixture
  }

  @Test func `files that are not canonical are listed, and nothing is written`() throws {
    let fixture = try fixture()
    let before = try fixture.files()
    #expect(
      fixture.run("format", "--check", "untidy.xml", "Bank/1-2.xml")
        == .init(
          code: .negative,
          output: """
            untidy.xml is not in canonical form

            """,
          errors: ""))
    #expect(
      fixture.run("format", "--check", "--json", "untidy.xml")
        == .init(
          code: .negative,
          output: """
            {
              "notCanonical": [
                "untidy.xml"
              ]
            }

            """,
          errors: ""))
    #expect(
      fixture.run("format", "--check", "Bank/1-2.xml")
        == .init(
          code: .success,
          output: "",
          errors: ""))
    #expect(try fixture.files() == before)
  }

  @Test func `files are rewritten in place, and comments are kept`() throws {
    let fixture = try fixture()
    let before = try fixture.files("Bank")
    #expect(
      fixture.run("format", "untidy.xml", "Bank/1-2.xml")
        == .init(
          code: .success,
          output: """
            untidy.xml

            """,
          errors: ""))
    #expect(
      try fixture.text(of: "untidy.xml") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mapping-model source="Bank 1" destination="Bank 2">
          <!-- kept -->

          <entity-mapping source="Card" destination="Card" where="number != nil"/>
        </mapping-model>

        """)
    // A canonical file is not even rewritten.
    #expect(try fixture.files("Bank") == before)
    #expect(
      fixture.run("format", "--json", "untidy.xml")
        == .init(
          code: .success,
          output: """
            {
              "rewritten": []
            }

            """,
          errors: ""))
  }

  @Test func `files with mistakes are left unchanged, and the others are rewritten`() throws {
    let fixture = try fixture()
    #expect(
      fixture.run("format", "mistaken.xml", "untidy.xml", "damaged.xml", "nowhere.xml", "Bank")
        == .init(
          code: .failure,
          output: """
            untidy.xml

            """,
          errors: """
            damaged.xml:4:17: error[xml.tag-mismatch]: element 'entity-mapping' on line 3 is closed by \
            '</mapping-model>'
              write '</entity-mapping>' before it, or correct the name of the end tag
            mistaken.xml:3:3: error[mapping-file.unknown-element]: element 'mapping-model' cannot contain element \
            'entity-maping'
              did you mean 'entity-mapping'?
            mistaken.xml:4:68: error[expression.expected-expression]: the text ends where an expression is expected
              expected a constant, a key, a variable, a function, '(' or '{'
            error[file.is-folder]: 'Bank' is a folder
              name the file inside it
            error[file.missing]: there is no file 'nowhere.xml'
              check the path

            """))
    #expect(try fixture.text(of: "mistaken.xml") == Self.mistaken)
    #expect(try fixture.text(of: "damaged.xml") == Self.damaged)
    #expect(try fixture.text(of: "untidy.xml") != Self.untidy)
    #expect(
      fixture.run("format", "--check", "--json", "mistaken.xml")
        == .init(
          code: .failure,
          output: """
            {
              "notCanonical": []
            }

            """,
          errors: """
            {"errors":[{"severity":"error","code":"mapping-file.unknown-element","problem":"element \
            'mapping-model' cannot contain element 'entity-maping'","remedy":"did you mean \
            'entity-mapping'?","location":{"file":"mistaken.xml","line":3,"column":3}},{"severity":"error","code":"expression.expected-expression","problem":"the text ends where an expression is expected","remedy":"expected a constant, a key, a variable, a function, '(' or '{'","location":{"file":"mistaken.xml","line":4,"column":68}}]}

            """))
    #expect(
      fixture.run("format")
        == .init(
          code: .usage,
          output: "",
          errors: """
            error[usage.missing-argument]: 'format' needs FILE: a mapping file
              write 'format FILE… [OPTIONS]'
            see 'heavylift format --help'

            """))
  }

  @Test func `a file in another encoding is rewritten in UTF-8`() throws {
    let fixture = try fixture()
    let text = Self.untidy.replacing("<?xml version=\"1.0\"?>", with: "<?xml version=\"1.0\" encoding=\"UTF-16\"?>")
    try #require(text.data(using: .utf16)).write(to: fixture.folder.appending("untidy.xml"))
    #expect(fixture.run("format", "untidy.xml") == .init(code: .success, output: "untidy.xml\n", errors: ""))
    #expect(try fixture.text(of: "untidy.xml").hasPrefix("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mapping-model "))
  }

  @Test func `a link remains a link, and its target is rewritten`() throws {
    let fixture = try fixture()
    try FileManager.default.createSymbolicLink(
      atPath: fixture.folder.appending("link.xml").path, withDestinationPath: "untidy.xml")
    #expect(fixture.run("format", "link.xml") == .init(code: .success, output: "link.xml\n", errors: ""))
    #expect(
      try FileManager.default.destinationOfSymbolicLink(atPath: fixture.folder.appending("link.xml").path)
        == "untidy.xml")
    #expect(try fixture.text(of: "untidy.xml") != Self.untidy)
  }
}
