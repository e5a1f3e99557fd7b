import Foundation
import HeavyliftExpression
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

struct MappingWriterTests {
  @Test func `a mapping model that was made in code is written as the format says`() throws {
    let mapping = MappingModel(
      source: ModelReference(name: "Bank 1"), destination: ModelReference(name: "Bank \"2\""), copying: .sameName,
      entityMappings: [
        EntityMappingDescription(
          source: "Card", destination: "Card", filter: try MappingPredicate(parsing: "number!=nil&&limit<10"),
          properties: [
            .attribute("expiry", try MappingExpression(parsing: "CAST($source.expiry, 'NSDate')")),
            .relationship("holders", from: try MappingExpression(parsing: "$source.holder")),
            .relationship("bank", through: "BankToBank"), .relationship("tags"),
            PropertyMappingDescription(.attribute, name: "pin", source: .unmapped),
          ], userInfo: ["b": "'\"", "a": "x\ny"])
      ], pass: 2,
      markup: MappingMarkup(comments: [" one -- two -"]))
    #expect(
      try MappingWriter.text(of: mapping) == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- one - - two - -->
        <mapping-model source="Bank 1" destination='Bank "2"' pass="2" copy="same-name">
          <entity-mapping source="Card" destination="Card" where="number != nil AND limit &lt; 10">
            <user-info key="a" value="x&#10;y"/>
            <user-info key="b" value="'&quot;"/>
            <attribute name="expiry" value='CAST($source.expiry, "NSDate")'/>
            <relationship name="holders" from="$source.holder"/>
            <relationship name="bank" mapping="BankToBank"/>
            <relationship name="tags"/>
            <attribute name="pin" copy="no"/>
          </entity-mapping>
        </mapping-model>

        """)
  }

  @Test func `an empty mapping model is one line`() throws {
    let text = try MappingWriter.text(of: MappingModel())
    #expect(text == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<mapping-model/>\n")
    #expect(try MappingReader.read(text: text).validMappingModel() == MappingModel())
  }

  @Test func `an element of 120 columns stays on its line and one of 121 does not`() throws {
    for (count, expected) in [(75, 120), (76, 98)] {
      let name = String(repeating: "é", count: count)
      let mapping = MappingModel(entityMappings: [EntityMappingDescription(type: .add, destination: name)])
      let longest = try MappingWriter.text(of: mapping).split(separator: "\n").map(\.unicodeScalars.count).max()
      #expect(longest == expected)
    }
  }

  @Test func `all parts without a text are reported together`() throws {
    let mapping = MappingModel(
      source: ModelReference(
        name: "", checksum: "abc",
        fingerprints: [
          "A": EntityFingerprint(properties: ["a": "xyz"]), "": EntityFingerprint(properties: ["b": "00000000"]),
        ]),
      entityMappings: [
        EntityMappingDescription(
          name: " ", source: "A\u{B}", destination: "B",
          filter: MappingPredicate(.comparison(.init(.init(.object), .equal, .init(.constant(.value(.double(.nan))))))),
          properties: [
            .attribute("", MappingExpression(.constant(.value(.double(.infinity))))),
            PropertyMappingDescription(.attribute, name: "c", source: .related(from: nil, through: "AToB")),
            .relationship("d", through: ""),
          ], userInfo: ["": "\u{0}"])
      ])
    let error = #expect(throws: DiagnosticList.self) { try MappingWriter.text(of: mapping) }
    #expect(
      error?.description == """
        error[mapping-file.unwritable-character]: entity mapping ' ' has the character U+0000 in its 'value', which \
        XML cannot represent
          remove it
        error[mapping-file.unwritable-character]: entity mapping ' ' has the character U+000B in its 'source', which \
        XML cannot represent
          remove it
        error[mapping-file.unwritable-checksum]: the mapping model has a 'source-checksum' that is not a model checksum
          set the model's version checksum, or remove it
        error[mapping-file.unwritable-empty-value]: attribute '' of entity mapping ' ' has an empty 'name'
          set it, or remove it
        error[mapping-file.unwritable-empty-value]: entity mapping ' ' has an empty 'name'
          set it, or remove it
        error[mapping-file.unwritable-empty-value]: relationship 'd' of entity mapping ' ' has an empty 'mapping'
          set it, or remove it
        error[mapping-file.unwritable-empty-value]: source-entity '' has an empty 'name'
          set it, or remove it
        error[mapping-file.unwritable-empty-value]: the mapping model has an empty 'source'
          set it, or remove it
        error[mapping-file.unwritable-expression]: attribute '' of entity mapping ' ' has an expression in its 'value' \
        that cannot be written as text: a floating-point number has no literal; pass it as an argument for '%@'
          build it from parts that can be written as text
        error[mapping-file.unwritable-expression]: entity mapping ' ' has an expression in its 'where' that cannot be \
        written as text: a floating-point number has no literal; pass it as an argument for '%@'
          build it from parts that can be written as text
        error[mapping-file.unwritable-fingerprint]: source-entity 'A' has a malformed fingerprint
          give every property a name and a digest of 8 to 64 digits from 0-9 and a-f
        error[mapping-file.unwritable-relation]: attribute 'c' of entity mapping ' ' takes its value from the counterparts \
        of source objects
          only a relationship can do that; give the attribute an expression
        """)
  }

  @Test func `a file that cannot be written stays as it was`() throws {
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    let file = folder.appending("1-2.xml")
    try MappingWriter.write(MappingModel(source: ModelReference(name: "Music 1")), to: file)
    let reading = try MappingReader.read(contentsOf: file)
    #expect(reading.mappingModel.name == "1-2")
    #expect(reading.mappingModel.source.name == "Music 1")
    let before = try Data(contentsOf: file)
    #expect(throws: DiagnosticList.self) {
      try MappingWriter.write(MappingModel(source: ModelReference(name: "")), to: file)
    }
    #expect(try Data(contentsOf: file) == before)
  }
}
