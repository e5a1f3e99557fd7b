import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct InferCommandTests {
  private static let oldModel = """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note" representedClassName="Note">
        <attribute name="pages" attributeType="String"/>
        <attribute name="text" optional="YES" attributeType="String"/>
      </entity>
    </model>

    """
  private static let newModel = """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
      <entity name="Note" representedClassName="Note">
        <attribute name="author" attributeType="String"/>
        <attribute name="pages" attributeType="Integer 16"/>
        <attribute name="text" attributeType="String"/>
      </entity>
    </model>

    """

  private func refusing() throws -> ToolFixture {
    let fixture = try ToolFixture()
    try fixture.write(Self.oldModel, to: "old.xml")
    try fixture.write(Self.newModel, to: "new.xml")
    return fixture
  }

  @Test func `a mapping that can be inferred is written`() throws {
    let fixture = try ToolFixture.bank()
    #expect(
      fixture.run("infer", "Bank/Bank.xcdatamodeld", "--from", "Bank 1", "--to", "Bank 2")
        == .init(
          code: .success,
          output: """
            <?xml version="1.0" encoding="UTF-8"?>
            <mapping-model source="Bank 1" destination="Bank 2">
              <entity-mapping source="Account" destination="Account"/>
              <entity-mapping source="Card" destination="Card"/>
              <entity-mapping type="remove" source="Session"/>
            </mapping-model>

            """,
          errors: ""))
    #expect(
      fixture.run("infer", "Bank/Bank.xcdatamodeld/Bank 2.xcdatamodel", "Bank/Bank.xcdatamodeld", "--to", "Bank 1")
        == .init(
          code: .success,
          output: """
            <?xml version="1.0" encoding="UTF-8"?>
            <mapping-model source="Bank 2" destination="Bank 1">
              <entity-mapping source="Account" destination="Account"/>
              <entity-mapping source="Card" destination="Card"/>
              <entity-mapping type="add" destination="Session"/>
            </mapping-model>

            """,
          errors: ""))
    // The inferred mapping has no mistakes.
    #expect(fixture.run("infer", "Bank/Bank.xcdatamodeld", "--from", "Bank 1", "-o", "Bank/own.xml").code == .success)
    #expect(fixture.run("check", "Bank/own.xml").code == .success)
  }

  @Test func `every reason why a mapping cannot be inferred is reported, and no file is written`() throws {
    let fixture = try refusing()
    #expect(
      fixture.run("infer", "old.xml", "new.xml", "-o", "old-new.xml")
        == .init(
          code: .negative,
          output: "",
          errors: """
            new.xml:3:5: error[inference.mandatory-attribute]: attribute 'author' of entity 'Note' is new and \
            mandatory, and has no default value
              give it a default value, make it optional, or set its value in a mapping file
            new.xml:4:5: error[inference.attribute-type]: attribute 'pages' of entity 'Note' has type Integer \
            16, but its source 'pages' has type String
              write a mapping file with an expression that converts the value
            new.xml:5:5: error[inference.mandatory-attribute]: attribute 'text' of entity 'Note' has become \
            mandatory and has no default value for objects whose 'text' is empty
              give it a default value, make it optional, or set its value in a mapping file

            """))
    #expect(!fixture.exists("old-new.xml"))
    #expect(
      fixture.run("infer", "old.xml", "new.xml", "--json")
        == .init(
          code: .negative,
          output: "",
          errors: """
            {"errors":[{"severity":"error","code":"inference.mandatory-attribute","problem":"attribute 'author' of \
            entity 'Note' is new and mandatory, and has no default value","remedy":"give it a default value, make it \
            optional, or set its value in a mapping \
            file","location":{"file":"new.xml","line":3,"column":5}},{"severity":"error","code":"inference.attribute-type","problem":"attribute \
            'pages' of entity 'Note' has type Integer 16, but its source 'pages' has type String","remedy":"write a \
            mapping file with an expression that converts the \
            value","location":{"file":"new.xml","line":4,"column":5}},{"severity":"error","code":"inference.mandatory-attribute","problem":"attribute \
            'text' of entity 'Note' has become mandatory and has no default value for objects whose 'text' is \
            empty","remedy":"give it a default value, make it optional, or set its value in a mapping \
            file","location":{"file":"new.xml","line":5,"column":5}}]}

            """))
  }

  @Test func `a draft is written anyway`() throws {
    let fixture = try refusing()
    #expect(
      fixture.run("infer", "old.xml", "new.xml", "--draft")
        == .init(
          code: .negative,
          output: """
            <?xml version="1.0" encoding="UTF-8"?>
            <mapping-model source="old" destination="new">
              <entity-mapping source="Note" destination="Note">
                <!-- TODO: attribute 'pages' of entity 'Note' has type Integer 16, but its source 'pages' has type \
            String; write a mapping file with an expression that converts the value. -->
                <!-- TODO: attribute 'text' of entity 'Note' has become mandatory and has no default value for \
            objects whose 'text' is empty; give it a default value, make it optional, or set its value in a mapping \
            file. -->
                <!-- TODO: attribute 'author' of entity 'Note' is new and mandatory, and has no default value; give it \
            a default value, make it optional, or set its value in a mapping file. -->
              </entity-mapping>
            </mapping-model>

            """,
          errors: """
            new.xml:3:5: error[inference.mandatory-attribute]: attribute 'author' of entity 'Note' is new and \
            mandatory, and has no default value
              give it a default value, make it optional, or set its value in a mapping file
            new.xml:4:5: error[inference.attribute-type]: attribute 'pages' of entity 'Note' has type Integer \
            16, but its source 'pages' has type String
              write a mapping file with an expression that converts the value
            new.xml:5:5: error[inference.mandatory-attribute]: attribute 'text' of entity 'Note' has become \
            mandatory and has no default value for objects whose 'text' is empty
              give it a default value, make it optional, or set its value in a mapping file

            """))
  }

  @Test func `a draft says what to write for a relationship that leads to another entity`() throws {
    func model(_ cover: String) -> String {
      """
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
        <entity name="Album" representedClassName="Album">
          <relationship name="cover" optional="YES" maxCount="1" destinationEntity="\(cover)"/>
        </entity>
        <entity name="Painting" representedClassName="Painting"/>
        <entity name="Picture" representedClassName="Picture"/>
      </model>

      """
    }
    let fixture = try ToolFixture()
    try fixture.write(model("Painting"), to: "old.xml")
    try fixture.write(model("Picture"), to: "new.xml")
    let error = """
      new.xml:3:5: error[inference.other-destination]: relationship 'cover' of entity 'Album' leads to entity 'Picture', \
      but its source 'cover' leads to entity 'Painting': objects of entity 'Painting' do not become 'Picture' objects
        to drop the links to those objects, write '<relationship name="cover" copy="no"/>' in the entity mapping of a \
      mapping file; to keep them, write an entity mapping that creates 'Picture' objects from 'Painting' objects

      """
    #expect(fixture.run("infer", "old.xml", "new.xml") == .init(code: .negative, output: "", errors: error))
    #expect(
      fixture.run("infer", "old.xml", "new.xml", "--draft")
        == .init(
          code: .negative,
          output: """
            <?xml version="1.0" encoding="UTF-8"?>
            <mapping-model source="old" destination="new">
              <entity-mapping source="Album" destination="Album">
                <!-- TODO: relationship 'cover' of entity 'Album' leads to entity 'Picture', but its source 'cover' leads to \
            entity 'Painting': objects of entity 'Painting' do not become 'Picture' objects; to drop the links to those \
            objects, write '<relationship name="cover" copy="no"/>' in the entity mapping of a mapping file; to keep them, \
            write an entity mapping that creates 'Picture' objects from 'Painting' objects. -->
              </entity-mapping>
              <entity-mapping source="Painting" destination="Painting"/>
              <entity-mapping source="Picture" destination="Picture"/>
            </mapping-model>

            """,
          errors: error))
  }

  @Test func `JSON contains the mapping or its path, and the refusals`() throws {
    let fixture = try ToolFixture.bank()
    let versions = ["infer", "Bank/Bank.xcdatamodeld", "--from", "Bank 1", "--to", "Bank 2", "--json"]
    #expect(
      fixture.run(versions)
        == .init(
          code: .success,
          output: #"""
            {
              "output": null,
              "mapping": "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mapping-model source=\"Bank 1\" \#
            destination=\"Bank 2\">\n  <entity-mapping source=\"Account\" destination=\"Account\"/>\n  \#
            <entity-mapping source=\"Card\" destination=\"Card\"/>\n  <entity-mapping type=\"remove\" \#
            source=\"Session\"/>\n</mapping-model>\n",
              "diagnostics": []
            }

            """#,
          errors: ""))
    #expect(
      fixture.run(versions + ["-o", "Bank/own.xml"])
        == .init(
          code: .success,
          output: """
            {
              "output": "Bank/own.xml",
              "mapping": null,
              "diagnostics": []
            }

            """,
          errors: ""))
    #expect(fixture.exists("Bank/own.xml"))

    let refusing = try refusing()
    let draft = refusing.run("infer", "old.xml", "new.xml", "--draft", "--json", "-o", "own.xml")
    #expect(draft.code == .negative)
    #expect(draft.errors == "")
    #expect(draft.output.contains(#""code": "inference.attribute-type""#))
    #expect(refusing.exists("own.xml"))
  }

  @Test func `--pin records the versions, and another version is then refused`() throws {
    let fixture = try ToolFixture.bank()
    #expect(
      fixture.run(
        "infer", "Bank/Bank.xcdatamodeld", "--from", "Bank 1", "--to", "Bank 2", "--pin", "--output", "Bank/pinned.xml")
        == .init(
          code: .success,
          output: "",
          errors: ""))
    #expect(
      try fixture.text(of: "Bank/pinned.xml") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mapping-model source="Bank 1"
            destination="Bank 2"
            source-checksum="aL+z3YdX3sqVuhxWS6TF0CFQd8o9Q8Y2VOngx+P9hgg="
            destination-checksum="OO6DqLUP6nRIkGjjUy/0F4j+iShjDa9J5LOz7flv9Io=">
          <entity-mapping source="Account" destination="Account"/>
          <entity-mapping source="Card" destination="Card"/>
          <entity-mapping type="remove" source="Session"/>
          <source-entity name="Account"
              properties="SELF:12d86dc2 balance:bab9c8a2 card:1dc43b95 holder:de04c217 number:de04c217"/>
          <source-entity name="Card"
              properties="SELF:12d86dc2 account:c11ff91b expiry:611c08aa isBlocked:4a89246f number:de04c217"/>
          <source-entity name="Session" properties="SELF:12d86dc2 startedAt:c9c3ac49 token:d65a9a96"/>
          <destination-entity name="Account"
              properties="SELF:12d86dc2 balance:bab9c8a2 cards:cc961d19 holder:de04c217 number:de04c217"/>
          <destination-entity name="Card"
              properties="SELF:12d86dc2 account:ad529b2b expiresAt:c9c3ac49 isBlocked:4a89246f number:de04c217"/>
        </mapping-model>

        """)
    #expect(fixture.run("check", "Bank/pinned.xml").code == .success)
    try fixture.edit("Bank/Bank.xcdatamodeld/Bank 1.xcdatamodel/contents", ("\"token\"", "\"key\""))
    #expect(
      fixture.run("check", "Bank/pinned.xml")
        == .init(
          code: .negative,
          output: """
            Bank/pinned.xml:4:22: error[mapping.other-model]: source model 'Bank 1' is not the one that the \
            mapping was written for: property 'key' of entity 'Session' was added; property 'token' of entity 'Session' was \
            removed, perhaps renamed to 'key'
              update the mapping for this model with 'heavylift rebase', or use the model that it was written for
            Bank/pinned.xml:7:27: note[mapping.unread-property]: nothing reads 'expiry' of source entity 'Card'
              its values are not migrated

            1 error, 1 note

            """,
          errors: ""))
  }

  @Test func `invalid combinations of arguments are refused`() throws {
    let fixture = try ToolFixture.bank()
    #expect(
      fixture.run("infer", "Bank/Bank.xcdatamodeld")
        == .init(
          code: .usage,
          output: "",
          errors: """
            error[usage.missing-argument]: 'infer' needs two versions: a second model, --from or --to
              write 'infer OLD [NEW] [OPTIONS]'
            see 'heavylift infer --help'

            """))
    #expect(
      fixture.run("infer", "Bank/Bank.xcdatamodeld", "--from", "Bank 3")
        == .init(
          code: .failure,
          output: "",
          errors: """
            error[model-file.unknown-version]: 'Bank/Bank.xcdatamodeld' has no version 'Bank 3'
              available: 'Bank 1', 'Bank 2'

            """))
    #expect(
      fixture.run("infer", "Bank/Bank.xcdatamodeld", "Bank/1-2.xml")
        == .init(
          code: .failure,
          output: "",
          errors: """
            Bank/1-2.xml:2:1: error[model-file.not-a-model]: the root element is 'mapping-model', not 'model'
              pass the 'contents' file of an .xcdatamodel

            """))
    #expect(
      fixture.run("infer", "Bank/Bank.xcdatamodeld", "--from", "Bank 1", "--to", "Bank 2", "-o", "none/1-2.xml")
        == .init(
          code: .failure,
          output: "",
          errors: """
            error[file.unwritable]: file 'none/1-2.xml' cannot be written: no such file or directory
              choose a writable place with enough space; nothing was changed

            """))
  }
}
