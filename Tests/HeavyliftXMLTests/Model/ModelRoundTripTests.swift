import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftXML

struct ModelRoundTripTests {
  static let head = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

  /// Models as some version of Xcode wrote them, and as people edited them by hand.
  static let unusual: [String] = [
    "<model/>", "<model></model>", "<model>\n</model>\n", "<model\n>\n\n</model >",
    "<!-- c --><model><!-- d --></model><!-- e -->\n",
    "<model><entity name='A'/><entity name='B'></entity></model>",
    "<model>\r\n\t<entity name=\"A\">\r\n\t\t<attribute name=\"x\" attributeType=\"String\"/>\r\n\t</entity>\r\n</model>\r\n",
    // Redundant values in an unusual order.
    """
    <model userDefinedModelVersionIdentifier="" documentVersion="1.0" name="" type="com.apple.IDECoreDataModeler.DataModel">
        <entity syncable="NO" name="A" isAbstract="NO" elementID="" versionHashModifier="" parentEntity="" representedClassName="">
            <attribute attributeType="Integer 16" optional="NO" transient="NO" name="x" defaultValueString="0.0" indexed="NO" derived="NO"/>
            <attribute name="y" optional="YES" attributeType="Integer 64" minValueString="" maxValueString="1.0" defaultValueString="NO"/>
            <attribute name="z" attributeType="String" defaultValueString="&quot;&quot;" minValueString="1.0" renamingIdentifier="w"/>
            <attribute name="d" attributeType="Date" defaultDateTimeInterval="362848762.79173" defaultValueString="now"/>
            <attribute name="o" attributeType="ObjectID" defaultValueString=""/>
            <attribute name="e" derived="NO" derivationExpression="now()" attributeType="Date"/>
            <attribute name="f" derived="YES" attributeType="Float" defaultValueString="0.10"/>
            <attribute name="t" transient="YES" optional="true"/>
            <relationship name="r" minCount="0" maxCount="0" toMany="YES" ordered="NO"/>
            <relationship name="s" toMany="NO" deletionRule="No Action" inverseName=""/>
        </entity>
    </model>
    """,
    // Attributes from various versions of Xcode.
    """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22222" \
    usedWithCloudKit="false" userDefinedModelVersionIdentifier="">
        <entity name="A" representedClassName=".A" syncable="YES" codeGenerationType="category">
            <attribute name="home" optional="YES" attributeType="Composite" compositeName="Address"/>
            <attribute name="title" optional="YES" attributeType="String" spotlightIndexingEnabled="YES" \
    storedInTruthFile="YES" versionHashModifier="2" elementID="name">
                <userInfo>
                    <entry key="a" value="1"/>
                    <entry key="" value="line&#10;line"/>
                    <entry key="b"/>
                </userInfo>
            </attribute>
            <attribute name="up" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()" usesScalarValueType="NO"/>
            <relationship name="b" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="A" indexed="YES"/>
            <fetchedProperty name="f" optional="YES" syncable="YES">
                <fetchRequest name="fetchedPropertyFetchRequest" entity="A" predicateString="title == &quot;x&quot; &amp;&amp; 1 &lt; 2"/>
                <userInfo/>
            </fetchedProperty>
            <fetchIndex name="i" partialIndexPredicate="title != nil">
                <fetchIndexElement property="title" type="Binary" order="descending"/>
                <fetchIndexElement expression="lowercase:(title)" expressionType="String" type="RTree" order="ascending"/>
            </fetchIndex>
            <compoundIndexes>
                <compoundIndex>
                    <index value="title"/>
                    <index value="up"/>
                </compoundIndex>
            </compoundIndexes>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="title"/>
                </uniquenessConstraint>
                <uniquenessConstraint/>
            </uniquenessConstraints>
            <userInfo/>
        </entity>
        <composite name="Address">
            <attribute name="city" optional="YES" attributeType="String"/>
        </composite>
        <compositeAttribute name="Point"/>
        <fetchRequest name="All" entity="A" fetchLimit="5" resultType="2" includeSubentities="YES" \
    includePropertyValues="NO" includesPendingChanges="YES" returnObjectsAsFaults="YES" returnDistinctResults="NO"/>
        <configuration name="Cloud" usedWithCloudKit="YES">
            <memberEntity name="A"/>
            <memberEntity name="A"/>
        </configuration>
        <configuration name="Empty"/>
        <elements>
            <element name="A" positionX="-63.5" positionY="-18" width="128" height="58"/>
            <element name="Gone" positionX="0" positionY="0" width="128" height="58"/>
        </elements>
    </model>
    """,
    // Mistakes and unknown parts, everywhere.
    """
    <m:model xmlns:m="urn:m"/>
    """,
    """
    <model colour="blue">words<shelf a='1'><b/>x &amp; y</shelf>
      <entity><attribute attributeType="Sting" optional="MAYBE"/><!-- c -->
        <attribute name="twice"/><attribute name="twice" transient="YES"/><![CDATA[ <x> ]]>
        <userInfo extra="1"><!-- c --><entry key="a" value="1" x=""/><other/></userInfo><userInfo><entry key="b" value=""/></userInfo>
        <uniquenessConstraints><uniquenessConstraint x="1"><constraint value="a"/><c/></uniquenessConstraint></uniquenessConstraints>
        <uniquenessConstraints/><fetchIndex/><fetchedProperty><fetchRequest/><fetchRequest/></fetchedProperty>
      </entity>
      <entity name="A"/><configuration/><entity name="A" isAbstract="YES"/><?pi x?><elements/><elements x="1"/>
    </model>
    """,
  ]

  @Test(arguments: unusual) func `reading and writing changes no byte`(text: String) throws {
    guard !text.hasPrefix("<m:") else { return }
    let text = Self.head + text
    let model = try ModelReader.read(text: text).model
    #expect(ModelWriter.text(of: model) == text)
  }

  @Test(arguments: unusual) func `a changed entity changes nothing else`(text: String) throws {
    guard text.contains("<entity name=\"A\""), !text.contains("Sting") else { return }
    var model = try ModelReader.read(text: text).model
    model.entities[0].renamingIdentifier = "Old"
    let written = ModelWriter.text(of: model)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let changed = written.split(separator: "\n", omittingEmptySubsequences: false).difference(from: lines)
    #expect(changed.insertions.count == 1)
    #expect(changed.removals.count == 1)
    #expect(try ModelReader.read(text: written).model == model)
  }

  @Test func `a UTF-16 model is written as UTF-8 and says so`() throws {
    let text =
      "<?xml version=\"1.0\" encoding=\"UTF-16\" standalone=\"yes\"?>\n<model>\n    <entity name=\"Bücher\"/>\n</model>"
    let data = Data([0xFF, 0xFE] + text.utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] })
    let model = try ModelReader.read(data: data).model
    #expect(ModelWriter.text(of: model) == text.replacing("UTF-16", with: "UTF-8"))
  }

  @Test(arguments: Seeds.some(of: 0..<150)) func `a model made in code is the same after writing and reading`(
    seed: UInt64
  ) throws {
    var source = ModelSource(seed: seed)
    let model = source.model()
    let text = ModelWriter.text(of: model)
    let reading = try ModelReader.read(text: text)
    #expect(reading.diagnostics == [], "seed \(seed)")
    #expect(differences(reading.model, model) == [], "seed \(seed)")
    #expect(ModelWriter.text(of: reading.model) == text, "seed \(seed)")
  }

  @Test(arguments: Seeds.some(of: 0..<60)) func `a model that was changed is the same after writing and reading`(
    seed: UInt64
  ) throws {
    var source = ModelSource(seed: seed)
    var model = try ModelReader.read(text: ModelWriter.text(of: source.model())).model
    for _ in 0..<4 {
      source.change(&model)
      let text = ModelWriter.text(of: model)
      let reading = try ModelReader.read(text: text)
      #expect(differences(reading.model, model) == [], "seed \(seed)")
      #expect(ModelWriter.text(of: reading.model) == text, "seed \(seed)")
      model = reading.model
    }
  }

  @Test(arguments: Seeds.some(of: 0..<400)) func `whatever can be read is written back byte for byte`(seed: UInt64)
    throws
  {
    var source = ModelSource(seed: seed)
    var text = ModelWriter.text(of: source.model())
    for _ in 0..<Int.random(in: 1...12, using: &source.generator) { source.damage(&text) }
    guard let model = try? ModelReader.read(text: text).model else { return }
    #expect(ModelWriter.text(of: model) == text, "seed \(seed)")
    // Unreadable parts do not prevent a change.
    var changed = model
    source.change(&changed)
    #expect(throws: Never.self, "seed \(seed)") { try ModelReader.read(text: ModelWriter.text(of: changed)) }
  }
}

/// The differences between two models, in lines short enough to read in a failed test.
private func differences(_ left: ManagedObjectModel, _ right: ManagedObjectModel) -> [String] {
  guard left != right else { return [] }
  let lines = [left, right].map {
    ModelWriter.text(of: $0.forgettingMarkup).split(separator: "\n", omittingEmptySubsequences: false)
  }
  let found = lines[1].difference(from: lines[0]).map { change in
    switch change {
    case .remove(_, let line, _): "- \(line)"
    case .insert(_, let line, _): "+ \(line)"
    }
  }
  guard found.isEmpty else { return found }
  var dumps = ["", ""]
  dump(left.forgettingMarkup, to: &dumps[0])
  dump(right.forgettingMarkup, to: &dumps[1])
  let facts = dumps.map { $0.split(separator: "\n") }
  return ["differences that are not written:"] + facts[1].difference(from: facts[0]).map { "\($0)" }
}
