import Foundation
import HeavyliftModel
import HeavyliftTestSupport
import Testing

@testable import HeavyliftXML

struct ModelWriterTests {
  static let library = """
    <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="22757" \
    systemVersion="23E224" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="">
        <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="class">
            <attribute name="name" optional="YES" attributeType="String"/>
            <relationship name="books" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Book" inverseName="author" inverseEntity="Book"/>
            <userInfo>
                <entry key="a" value="1"/>
                <entry key="c" value="3"/>
            </userInfo>
        </entity>
        <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">
            <attribute name="pages" optional="YES" attributeType="Integer 16" defaultValueString="0.0" usesScalarValueType="YES"/>
            <attribute name="title" attributeType="String"/>
            <relationship name="author" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="Author" inverseName="books" inverseEntity="Author"/>
            <fetchIndex name="byTitle">
                <fetchIndexElement property="title" type="Binary" order="ascending"/>
            </fetchIndex>
            <uniquenessConstraints>
                <uniquenessConstraint>
                    <constraint value="title"/>
                </uniquenessConstraint>
            </uniquenessConstraints>
        </entity>
        <configuration name="Cloud">
            <memberEntity name="Author"/>
            <memberEntity name="Book"/>
        </configuration>
        <elements>
            <element name="Author" positionX="-63" positionY="-18" width="128" height="73"/>
            <element name="Book" positionX="9" positionY="0" width="128" height="88"/>
        </elements>
    </model>
    """

  /// The lines that a change removes and adds.
  private func lines(_ change: (inout ManagedObjectModel) -> Void) throws -> [String] {
    var model = try ModelReader.read(text: Self.library).model
    change(&model)
    let written = ModelWriter.text(of: model)
    #expect(try ModelReader.read(text: written).model == model)
    let old = Self.library.split(separator: "\n", omittingEmptySubsequences: false)
    let new = written.split(separator: "\n", omittingEmptySubsequences: false)
    return new.difference(from: old).map { change in
      switch change {
      case .remove(let offset, let line, _): "\(offset + 1)-\(line)"
      case .insert(let offset, let line, _): "\(offset + 1)+\(line)"
      }
    }
  }

  @Test func `no change, no line`() throws {
    #expect(try lines { _ in } == [])
    // Setting the same value again changes nothing.
    #expect(try lines { $0.entities[1].attributes[0].defaultValue = 0 } == [])
  }

  @Test func `a renamed attribute is one line`() throws {
    let changed = try lines { model in
      model.entities[1].attributes[0].name = "pageCount"
      model.entities[1].attributes[0].renamingIdentifier = "pages"
    }
    #expect(
      changed == [
        #"12-        <attribute name="pages" optional="YES" attributeType="Integer 16" defaultValueString="0.0" usesScalarValueType="YES"/>"#,
        #"12+        <attribute name="pageCount" optional="YES" attributeType="Integer 16" defaultValueString="0.0" usesScalarValueType="YES" elementID="pages"/>"#,
      ])
  }

  @Test func `a changed default, type and flag change their attributes alone`() throws {
    let changed = try lines { model in
      model.entities[1].attributes[0].defaultValue = 7
      model.entities[1].attributes[1].type = .date
      model.entities[1].attributes[1].isTransient = true
      model.entities[1].attributes[1].isOptional = true
    }
    #expect(
      changed == [
        #"13-        <attribute name="title" attributeType="String"/>"#,
        #"12-        <attribute name="pages" optional="YES" attributeType="Integer 16" defaultValueString="0.0" usesScalarValueType="YES"/>"#,
        #"12+        <attribute name="pages" optional="YES" attributeType="Integer 16" defaultValueString="7" usesScalarValueType="YES"/>"#,
        #"13+        <attribute name="title" optional="YES" transient="YES" attributeType="Date" usesScalarValueType="NO"/>"#,
      ])
  }

  @Test func `a new entity is written whole, sorted by name`() throws {
    let changed = try lines { model in
      model.entities.append(
        EntityDescription(
          name: "bindery", managedObjectClassName: "Bindery",
          attributes: [
            AttributeDescription(
              name: "since", type: .date, defaultValue: .date(Date(timeIntervalSinceReferenceDate: 0)))
          ],
          relationships: [
            RelationshipDescription(name: "owner", destinationEntityName: "Author", maxCount: 1, deleteRule: .deny)
          ], userInfo: ["b": "2", "a": "\"1\""]))
    }
    #expect(
      changed == [
        #"11+    <entity name="bindery" representedClassName="Bindery" syncable="YES">"#,
        #"12+        <attribute name="since" optional="YES" attributeType="Date" defaultDateTimeInterval="0" usesScalarValueType="NO"/>"#,
        #"13+        <relationship name="owner" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="Author"/>"#,
        #"14+        <userInfo>"#,
        #"15+            <entry key="a" value="&quot;1&quot;"/>"#,
        #"16+            <entry key="b" value="2"/>"#,
        #"17+        </userInfo>"#,
        #"18+    </entity>"#,
      ])
  }

  @Test func `new attributes are sorted by name, before the relationships`() throws {
    let changed = try lines { model in
      model.entities[1].attributes += ["a", "q", "z"].map { AttributeDescription(name: $0, type: .boolean) }
    }
    #expect(
      changed == [
        #"12+        <attribute name="a" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>"#,
        #"14+        <attribute name="q" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>"#,
        #"16+        <attribute name="z" optional="YES" attributeType="Boolean" usesScalarValueType="YES"/>"#,
      ])
  }

  @Test func `a removed relationship is one line`() throws {
    let changed = try lines { $0.entities[0].relationships = [] }
    #expect(changed.count == 1)
    #expect(changed[0].hasPrefix(#"5-        <relationship name="books""#))
  }

  @Test func `an entity without anything left ends itself`() throws {
    let changed = try lines { model in
      model.entities[0].relationships = []
      model.entities[0].attributes = []
      model.entities[0].userInfo = [:]
    }
    #expect(
      changed.last
        == #"3+    <entity name="Author" representedClassName="Author" syncable="YES" codeGenerationType="class"/>"#)
    #expect(changed.count == 9)
  }

  @Test func `a new uniqueness constraint is three lines`() throws {
    let changed = try lines { $0.entities[1].uniquenessConstraints.append(.init(["pages", "author"])) }
    #expect(
      changed == [
        #"22+            <uniquenessConstraint>"#,
        #"23+                <constraint value="pages"/>"#,
        #"24+                <constraint value="author"/>"#,
        #"25+            </uniquenessConstraint>"#,
      ])
  }

  @Test func `the first uniqueness constraint is between the properties and the user info`() throws {
    let changed = try lines { $0.entities[0].uniquenessConstraints = [.init(["name"])] }
    #expect(
      changed == [
        #"6+        <uniquenessConstraints>"#,
        #"7+            <uniquenessConstraint>"#,
        #"8+                <constraint value="name"/>"#,
        #"9+            </uniquenessConstraint>"#,
        #"10+        </uniquenessConstraints>"#,
      ])
  }

  @Test func `the last uniqueness constraint goes with its list`() throws {
    #expect(try lines { $0.entities[1].uniquenessConstraints = [] }.count == 5)
  }

  @Test func `user info changes entry by entry`() throws {
    let changed = try lines { $0.entities[0].userInfo = ["a": "one", "b": "2"] }
    #expect(
      changed == [
        #"8-            <entry key="c" value="3"/>"#,
        #"7-            <entry key="a" value="1"/>"#,
        #"7+            <entry key="a" value="one"/>"#,
        #"8+            <entry key="b" value="2"/>"#,
      ])
  }

  @Test func `indexes keep the order that they are given`() throws {
    let changed = try lines { model in
      model.entities[1].fetchIndexes.insert(
        FetchIndexDescription(
          name: "byPages", elements: [.init(propertyName: "pages", isAscending: false)],
          partialIndexPredicate: "pages > 0"), at: 0)
      model.entities[1].fetchIndexes[1].elements.append(.init(propertyName: nil, expression: "lowercase:(title)"))
    }
    #expect(
      changed == [
        #"15+        <fetchIndex name="byPages" partialIndexPredicate="pages &gt; 0">"#,
        #"16+            <fetchIndexElement property="pages" type="Binary" order="descending"/>"#,
        #"17+        </fetchIndex>"#,
        #"20+            <fetchIndexElement expression="lowercase:(title)" type="Binary" order="ascending"/>"#,
      ])
  }

  @Test func `boxes and members follow their entities`() throws {
    let renamed = try lines { model in
      model.entities[1].name = "Work"
      model.configurations[0].entityNames = ["Author", "Work"]
    }
    #expect(
      renamed == [
        #"30-        <element name="Book" positionX="9" positionY="0" width="128" height="88"/>"#,
        #"26-        <memberEntity name="Book"/>"#,
        #"11-    <entity name="Book" representedClassName="Book" syncable="YES" codeGenerationType="class">"#,
        #"11+    <entity name="Work" representedClassName="Book" syncable="YES" codeGenerationType="class">"#,
        #"26+        <memberEntity name="Work"/>"#,
        #"30+        <element name="Work" positionX="9" positionY="0" width="128" height="88"/>"#,
      ])
    let removed = try lines { model in
      model.entities = model.entities.dropLast()
      model.configurations[0].entityNames = ["Author"]
    }
    #expect(removed.count == 15)
    #expect(removed.allSatisfy { $0.contains("-") && !$0.contains("Author\" pos") })
  }

  @Test func `a line in a file with its own layout is laid out as the others`() throws {
    let text = "<model>\r\n\t<entity name='A'>\r\n\t\t<attribute name='x'/>\r\n\t</entity>\r\n</model>\r\n"
    var model = try ModelReader.read(text: text).model
    model.entities[0].attributes.append(AttributeDescription(name: "y", type: .string, isOptional: false))
    model.entities.append(EntityDescription(name: "B", attributes: [AttributeDescription(name: "z", type: .string)]))
    #expect(
      ModelWriter.text(of: model)
        == "<model>\r\n\t<entity name='A'>\r\n\t\t<attribute name='x'/>\r\n\t\t<attribute name=\"y\" attributeType=\"String\"/>"
        + "\r\n\t</entity>\r\n\t<entity name=\"B\" syncable=\"YES\">\r\n\t\t<attribute name=\"z\" optional=\"YES\""
        + " attributeType=\"String\"/>\r\n\t</entity>\r\n</model>\r\n")
  }

  @Test func `a line in a file without lines starts none`() throws {
    var model = try ModelReader.read(text: "<model><entity name='A'><attribute name='x'/></entity></model>").model
    model.entities[0].attributes.append(AttributeDescription(name: "y", type: .string, isOptional: false))
    #expect(
      ModelWriter.text(of: model)
        == "<model><entity name='A'><attribute name='x'/><attribute name=\"y\" attributeType=\"String\"/></entity></model>"
    )
  }

  @Test func `a description moved to another entity keeps its form`() throws {
    let changed = try lines { model in
      var moved = model.entities[1].attributes[0]
      moved.name = "volumes"
      model.entities[0].attributes.append(moved)
    }
    #expect(
      changed == [
        #"5+        <attribute name="volumes" optional="YES" attributeType="Integer 16" defaultValueString="0.0" usesScalarValueType="YES"/>"#
      ])
  }

  @Test func `a model made in code looks as if Xcode had made it`() throws {
    let model = ManagedObjectModel(
      versionIdentifiers: ["1"],
      entities: [
        EntityDescription(
          name: "Book", managedObjectClassName: "Book", isAbstract: true, superentityName: "Thing",
          attributes: [
            AttributeDescription(name: "upper", type: .string, derivationExpression: "uppercase:(title)"),
            AttributeDescription(
              name: "title", type: .string, isOptional: false,
              validation: AttributeValidation(minimumLength: 1, maximumLength: 9, regularExpression: "<.*>")),
            AttributeDescription(name: "price", type: .decimal, defaultValue: .decimal(9.5)),
          ],
          fetchedProperties: [
            FetchedPropertyDescription(
              name: "all",
              fetchRequest: FetchRequestDescription(name: "fetchedPropertyFetchRequest", entityName: "Book"))
          ],
          compoundIndexes: [["title", "price"]], renamingIdentifier: "Work", versionHashModifier: "2")
      ],
      composites: [CompositeDescription(name: "Point", elements: [AttributeDescription(name: "x", type: .double)])],
      configurations: [ConfigurationDescription(name: "Local", entityNames: ["b", "A"])],
      fetchRequestTemplates: [
        FetchRequestDescription(
          name: "Some", entityName: "Book", predicateString: "title == \"a\" && 1 < 2", fetchLimit: 3)
      ])
    #expect(
      ModelWriter.text(of: model) == """
        <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
        <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" minimumToolsVersion="Automatic" sourceLanguage="Swift" userDefinedModelVersionIdentifier="1">
            <entity name="Book" representedClassName="Book" isAbstract="YES" parentEntity="Thing" versionHashModifier="2" elementID="Work" syncable="YES">
                <attribute name="price" optional="YES" attributeType="Decimal" defaultValueString="9.5"/>
                <attribute name="title" attributeType="String" minValueString="1" maxValueString="9" regularExpressionString="&lt;.*&gt;"/>
                <attribute name="upper" optional="YES" attributeType="String" derived="YES" derivationExpression="uppercase:(title)"/>
                <fetchedProperty name="all" optional="YES">
                    <fetchRequest name="fetchedPropertyFetchRequest" entity="Book"/>
                </fetchedProperty>
                <compoundIndexes>
                    <compoundIndex>
                        <index value="title"/>
                        <index value="price"/>
                    </compoundIndex>
                </compoundIndexes>
            </entity>
            <composite name="Point">
                <attribute name="x" optional="YES" attributeType="Double" usesScalarValueType="YES"/>
            </composite>
            <fetchRequest name="Some" entity="Book" predicateString="title == &quot;a&quot; &amp;&amp; 1 &lt; 2" fetchLimit="3"/>
            <configuration name="Local">
                <memberEntity name="A"/>
                <memberEntity name="b"/>
            </configuration>
        </model>
        """)
  }

  @Test func `a character that XML cannot hold is refused before the file is touched`() throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("contents")
    try "old".write(to: file, atomically: true, encoding: .utf8)
    let model = ManagedObjectModel(entities: [EntityDescription(name: "A", userInfo: ["k": "\u{1}"])])
    let error = #expect(throws: DiagnosticList.self) { try ModelWriter.write(model, to: file) }
    #expect(
      error?.description == """
        error[model-file.unwritable-character]: the model contains the character U+0001, which XML cannot represent
          remove it from the names, defaults and user info; '\(file.relativePath)' is unchanged
        """)
    #expect(try String(contentsOf: file, encoding: .utf8) == "old")
  }
}
