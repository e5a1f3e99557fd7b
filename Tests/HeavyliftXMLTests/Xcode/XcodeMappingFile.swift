import Foundation
import HeavyliftArchive
import HeavyliftModel

/// Builds an `xcmapping.xml`.
struct XcodeMappingFile {
  private var objects = ""

  static let paths = [
    "sourcemodelpath": "Library/Music.xcdatamodeld/Music 1.xcdatamodel",
    "destinationmodelpath": "Library/Music.xcdatamodeld/Music 2.xcdatamodel",
  ]

  var text: String { "<?xml version=\"1.0\" standalone=\"yes\"?>\n<database>\n\(objects)</database>\n" }

  mutating func add(_ type: String, _ id: String, _ values: [String: String], _ references: [String: String]) {
    objects += "<object type=\"\(type)\" id=\"\(id)\">\n"
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      objects += "  <attribute name=\"\(name)\" type=\"string\">\(value)</attribute>\n"
    }
    for (name, ids) in references.sorted(by: { $0.key < $1.key }) {
      objects += "  <relationship name=\"\(name)\" type=\"0/0\" idrefs=\"\(ids)\"></relationship>\n"
    }
    objects += "</object>\n"
  }

  /// A keyed archive in Base64, in lines as Xcode writes it.
  static func archive(_ build: (inout Archive) throws -> KeyedArchiveWriter.Reference) rethrows -> String {
    var archive = Archive()
    let root = try build(&archive)
    return archive.writer.archive(root: root).base64EncodedString(options: .lineLength76Characters)
  }

  /// A dictionary of texts as a keyed archive.
  static func dictionary(_ entries: [String: String]) -> String {
    archive { archive in
      let references = entries.map { (archive.writer.add(.string($0.key)), archive.writer.add(.string($0.value))) }
      return archive.writer.addDictionary(references)
    }
  }

  /// The objects of an archived expression.
  struct Archive {
    var writer = KeyedArchiveWriter()

    mutating func object(_ className: String, _ fields: [String: PropertyList]) -> KeyedArchiveWriter.Reference {
      writer.addObject([className, "NSExpression", "NSObject"], fields)
    }

    mutating func variable(_ name: String) -> KeyedArchiveWriter.Reference {
      object("NSVariableExpression", ["NSVariable": writer.add(.string(name)).field])
    }

    mutating func function(
      _ selector: String, _ arguments: [KeyedArchiveWriter.Reference]
    ) -> KeyedArchiveWriter.Reference {
      let receiver = object(
        "NSConstantValueExpression",
        ["NSConstantValueClassName": writer.add(.string("_NSPredicateUtilities")).field])
      return object(
        "NSFunctionExpression",
        [
          "NSOperand": receiver.field, "NSSelectorName": writer.add(.string(selector)).field,
          "NSArguments": writer.addArray(arguments).field,
        ])
    }
  }
}
