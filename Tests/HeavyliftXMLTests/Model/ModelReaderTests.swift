import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

struct ModelReaderTests {
  private func attribute(_ text: String) throws -> AttributeDescription {
    let model = try ModelReader.read(text: "<model><entity name='E'><attribute name='a' \(text)/></entity></model>")
      .model
    return try #require(model.entities[0].attributes.first)
  }

  private func relationship(_ text: String) throws -> RelationshipDescription {
    let text = "<model><entity name='E'><relationship name='r' \(text)/></entity></model>"
    return try #require(ModelReader.read(text: text).model.entities[0].relationships.first)
  }

  @Test(arguments: [
    ("Integer 16", "0", Value.integer(0)), ("Integer 32", "0.0", .integer(0)), ("Integer 64", "NO", .integer(0)),
    ("Integer 16", "YES", .integer(1)), ("Integer 16", "-1.9", .integer(-1)), ("Integer 16", "99999", .integer(99999)),
    ("Integer 64", "9223372036854775807", .integer(.max)),
    ("Integer 64", "9223372036854775808", .string("9223372036854775808")),
    ("Integer 16", "many", .string("many")), ("Integer 16", "", .null), ("Integer 16", "nan", .string("nan")),
    ("Decimal", "12345678901234567890.123456789", .decimal(Decimal(string: "12345678901234567890.123456789") ?? 0)),
    ("Double", "0.1", .double(0.1)), ("Float", "0.1", .double(Double(Float(0.1)))), ("Double", "inf", .string("inf")),
    ("Boolean", "YES", .bool(true)), ("Boolean", "NO", .bool(false)), ("Boolean", "0", .bool(false)),
    ("Boolean", "true", .bool(true)), ("Boolean", "perhaps", .string("perhaps")), ("String", "", .string("")),
    ("String", "&quot;&quot;", .string("\"\"")), ("String", " x ", .string(" x ")), ("Date", "now", .null),
    (
      "UUID", "8A6B1A2C-0000-4000-8000-0123456789AB",
      .uuid(UUID(uuidString: "8A6B1A2C-0000-4000-8000-0123456789AB") ?? UUID())
    ),
    ("UUID", "", .null), ("UUID", "x", .string("x")), ("URI", "a b", .uri("a b")), ("Binary", "x", .string("x")),
  ])
  func `a default value is taken as Core Data takes it`(type: String, text: String, value: Value) throws {
    let read = try attribute("attributeType='\(type)' defaultValueString=\"\(text)\"")
    #expect(read.defaultValue == value)
    #expect(read.markup["defaultValueString"] == text.replacing("&quot;", with: "\""))
  }

  @Test func `bounds are numbers, dates or lengths by the type`() throws {
    let bounds = "minValueString='2' maxValueString='9' minDateTimeInterval='0' maxDateTimeInterval='1.5'"
    #expect(
      try attribute("attributeType='String' \(bounds) regularExpressionString='a*'").validation
        == AttributeValidation(minimumLength: 2, maximumLength: 9, regularExpression: "a*"))
    #expect(
      try attribute("attributeType='Decimal' \(bounds)").validation == .init(minimum: .decimal(2), maximum: .decimal(9))
    )
    #expect(try attribute("attributeType='Integer 64' \(bounds)").validation == .init(minimum: 2, maximum: 9))
    #expect(
      try attribute("attributeType='Date' \(bounds)").validation
        == .init(
          minimum: .date(Date(timeIntervalSinceReferenceDate: 0)),
          maximum: .date(Date(timeIntervalSinceReferenceDate: 1.5))))
    // Xcode keeps bounds when the type is changed to one without bounds.
    #expect(try attribute("attributeType='Boolean' \(bounds)").validation == .init())
  }

  @Test func `every attribute of an attribute is a fact`() throws {
    let read = try attribute(
      """
      optional='YES' transient='YES' attributeType='Transformable' valueTransformerName='T' customClassName='C'
      allowsExternalBinaryDataStorage='YES' preserveAfterDeletion='YES' indexed='YES' spotlightIndexingEnabled='YES'
      storedInTruthFile='YES' versionHashModifier='2' elementID='old' derived='YES' derivationExpression='now()'
      compositeName='P' allowsCloudEncryption='YES' usesScalarValueType='NO' syncable='YES'
      """)
    #expect(
      read
        == AttributeDescription(
          name: "a", type: .transformable, isTransient: true, allowsExternalBinaryDataStorage: true,
          preservesValueInHistoryOnDeletion: true, isIndexed: true, isIndexedBySpotlight: true,
          isStoredInExternalRecord: true, valueTransformerName: "T", attributeValueClassName: "C",
          derivationExpression: "now()", compositeName: "P", renamingIdentifier: "old", versionHashModifier: "2"))
    #expect(try attribute("") == AttributeDescription(name: "a", type: .undefined, isOptional: false))
  }

  @Test func `a disabled derivation counts as missing`() throws {
    #expect(try attribute("derivationExpression='now()'").derivationExpression == nil)
    #expect(try attribute("derived='NO' derivationExpression='now()'").isDerived == false)
    #expect(try attribute("derivationExpression='now()' derived='YES'").derivationExpression == "now()")
  }

  @Test func `counts say what leads where`() throws {
    #expect(try relationship("maxCount='1'").isToMany == false)
    #expect(try relationship("optional='YES' minCount='1' maxCount='1'").minCount == 1)
    #expect(try relationship("toMany='YES'").maxCount == 0)
    #expect(try relationship("toMany='YES' minCount='2' maxCount='5'").maxCount == 5)
    #expect(try relationship("toMany='NO'").isToMany == false)
    #expect(try relationship("").maxCount == 0)
  }

  @Test func `every attribute of a relationship is a fact`() throws {
    let read = try relationship(
      """
      optional='YES' transient='YES' toMany='YES' minCount='1' maxCount='4' deletionRule='No Action' ordered='YES'
      destinationEntity='D' inverseName='i' inverseEntity='D' indexed='YES' spotlightIndexingEnabled='YES'
      storedInTruthFile='YES' versionHashModifier='2' elementID='old' syncable='YES'
      """)
    #expect(
      read
        == RelationshipDescription(
          name: "r", destinationEntityName: "D", inverseName: "i", inverseEntityName: "D", isTransient: true,
          isOrdered: true, minCount: 1, maxCount: 4, deleteRule: .noAction, isIndexed: true, isIndexedBySpotlight: true,
          isStoredInExternalRecord: true, renamingIdentifier: "old", versionHashModifier: "2"))
  }

  @Test func `an index of an unknown type is read as Binary, with a warning, and written back as it was`() throws {
    let text = """
      <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
      <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0">
          <entity name="E">
              <attribute name="id" attributeType="UUID"/>
              <fetchIndex name="byId">
                  <fetchIndexElement property="id" type="UUID" order="ascending"/>
              </fetchIndex>
          </entity>
      </model>
      """
    let reading = try ModelReader.read(text: text, file: "m")
    #expect(
      reading.diagnostics.map(\.description) == [
        "m:6:52: warning[model-file.unknown-index-type]: an element of fetch index 'byId' of entity 'E' has "
          + "invalid type=\"UUID\"\n"
          + "  it is read as Binary: write Binary or RTree"
      ])
    #expect(reading.model.entities[0].fetchIndexes == [.init(name: "byId", elements: [.init(propertyName: "id")])])
    #expect(ModelWriter.text(of: reading.model) == text)
  }

  @Test func `an empty version identifier counts, as in stores`() throws {
    #expect(
      try ModelReader.read(text: "<model userDefinedModelVersionIdentifier=''/>").model.versionIdentifiers == [""])
    #expect(
      try ModelReader.read(text: "<model userDefinedModelVersionIdentifier='1,2'/>").model.versionIdentifiers == [
        "1", "2",
      ])
    #expect(try ModelReader.read(text: "<model/>").model.versionIdentifiers == [])
  }

  @Test func `places are remembered for those who check the model`() throws {
    let text = "<model>\n  <entity name='E'>\n    <attribute name='a' attributeType='String'/>\n  </entity>\n</model>"
    let model = try ModelReader.read(text: text, file: "m").model
    let attribute = model.entities[0].attributes[0]
    #expect(attribute.markup.location?.description == "m:3:5")
    #expect(attribute.markup.location(of: "attributeType")?.description == "m:3:25")
    #expect(attribute.markup.location(of: "optional")?.description == "m:3:5")
  }

  @Test func `a folder, its contents and its bundle are the same model, with the name of the folder`() throws {
    let folder = try TemporaryFolder()
    let version = folder.appending("Library.xcdatamodeld/Library 2.xcdatamodel")
    let model = ManagedObjectModel(entities: [EntityDescription(name: "Book")])
    try ModelWriter.write(model, to: version)
    for url in [version, version.appending(path: "contents"), folder.appending("Library.xcdatamodeld")] {
      let reading = try ModelReader.read(contentsOf: url)
      #expect(try reading.validModel() == model)
      #expect(reading.model.name == "Library 2")
    }
  }

  @Test func `a model with mistakes is read as far as it goes, and its mistakes are thrown together on demand`() throws
  {
    let text =
      "<model><entity name='E' isAbstract='X' shelf='1'><attribute name='a' optional='Y' attributeType='String'/></entity></model>"
    let reading = try ModelReader.read(text: text)
    #expect(reading.model.entities[0].attributes[0].type == .string)
    let error = #expect(throws: DiagnosticList.self) { try reading.validModel() }
    #expect(error?.diagnostics.map(\.code) == ["model-file.not-yes-or-no", "model-file.not-yes-or-no"])
  }

  @Test func `a missing file is reported`() {
    let error = #expect(throws: DiagnosticList.self) {
      try ModelReader.read(contentsOf: URL(filePath: "/nowhere/Library.xcdatamodel"), file: "Library.xcdatamodel")
    }
    #expect(error?.description == "error[file.missing]: there is no file 'Library.xcdatamodel'\n  check the path")
  }
}
