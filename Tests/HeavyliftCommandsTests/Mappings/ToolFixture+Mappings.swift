import Foundation
import Heavylift
import HeavyliftTestSupport

extension ToolFixture {
  /// A fixture with the sample `Bank` in it: two versions of a model, and a mapping between them.
  static func bank() throws -> ToolFixture {
    let fixture = try ToolFixture()
    try fixture.addSample("Bank")
    return fixture
  }

  /// Copies one of the project's sample folders.
  func addSample(_ name: String) throws {
    try FileManager.default.copyItem(
      at: Corpus.project.appending(path: "MappingModels/\(name)"), to: folder.appending(name))
  }

  /// A bundle with three versions, `Long/History.xcdatamodeld`.
  func addHistory() throws {
    var model = Self.firstModel
    var versions = [ModelBundle.Version(name: "History", model: model)]
    for number in 2...3 {
      model.entities[0].attributes.append(AttributeDescription(name: "added\(number)", type: .string))
      versions.append(ModelBundle.Version(name: "History \(number)", model: model))
    }
    try FileManager.default.createDirectory(at: folder.appending("Long"), withIntermediateDirectories: false)
    try ModelBundle(versions: versions, currentVersionName: "History 3")
      .write(to: folder.appending("Long/History.xcdatamodeld"))
  }

  /// The input of the README's commands: an earlier mapping file between the two versions of the Library, the models as
  /// they were then, and a mapping model of Xcode.
  func addMappings() throws {
    for name in ["before", "V1toV2.xcmappingmodel"] {
      try FileManager.default.createDirectory(at: folder.appending(name), withIntermediateDirectories: false)
    }
    try copy("Library.xcdatamodeld", to: "before/Library.xcdatamodeld")
    try write("<mapping-model source=\"Library\" destination=\"Library 2\"/>", to: "before/1-2.xml")
    let entities = ["Author", "Book", "Novel"].map { "  <entity-mapping source=\"\($0)\" destination=\"\($0)\"/>\n" }
    try FileManager.default.createDirectory(at: folder.appending("ready"), withIntermediateDirectories: false)
    try write(
      "<mapping-model source=\"Library\" destination=\"Library 2\">\n\(entities.joined())</mapping-model>",
      to: "ready/1-2.xml")
    // Xcode lists every property.
    let properties = [
      "Author": (["name"], ["books"]), "Book": (["pages", "title"], ["author"]),
      "Novel": (["genre", "pages", "title"], ["author"]),
    ]
    let mappings = ["Author", "Book", "Novel"].enumerated().map { number, entity in
      let (attributes, relationships) = properties[entity] ?? ([], [])
      func objects(_ kind: String, _ names: [String]) -> String {
        names.map { name in
          """
          <object type="XDDEV\(kind)MAPPING" id="\(entity)-\(name)">
            <attribute name="name" type="string">\(name)</attribute>
          </object>

          """
        }.joined()
      }
      func references(_ names: [String]) -> String { names.map { "\(entity)-\($0)" }.joined(separator: " ") }
      return """
        <object type="XDDEVENTITYMAPPING" id="z\(number + 2)">
          <attribute name="mappingnumber" type="int16">\(number)</attribute>
          <attribute name="sourcename" type="string">\(entity)</attribute>
          <attribute name="destinationname" type="string">\(entity)</attribute>
          <relationship name="attributemappings" type="0/0" idrefs="\(references(attributes))"></relationship>
          <relationship name="relationshipmappings" type="0/0" idrefs="\(references(relationships))"></relationship>
        </object>
        \(objects("ATTRIBUTE", attributes))\(objects("RELATIONSHIP", relationships))
        """
    }
    try write(
      """
      <?xml version="1.0" standalone="yes"?>
      <database>
      <object type="XDDEVMAPPINGMODEL" id="z1">
        <attribute name="sourcemodelpath" type="string">Library.xcdatamodeld/Library.xcdatamodel</attribute>
        <attribute name="destinationmodelpath" type="string">Library.xcdatamodeld/Library 2.xcdatamodel</attribute>
        <relationship name="entitymappings" type="0/0" idrefs="z2 z3 z4"></relationship>
      </object>
      \(mappings.joined())</database>
      """, to: "V1toV2.xcmappingmodel/xcmapping.xml")
  }

  func text(of name: String) throws -> String { try String(contentsOf: folder.appending(name), encoding: .utf8) }

  func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: folder.appending(name).path) }

  /// Changes a text file. Each text to replace must occur.
  func edit(_ name: String, _ edits: (old: String, new: String)...) throws {
    var text = try text(of: name)
    for edit in edits {
      precondition(text.contains(edit.old), edit.old)
      text = text.replacing(edit.old, with: edit.new)
    }
    try write(text, to: name)
  }
}
