import Foundation
import HeavyliftArchive
import HeavyliftModel

/// Reads the mapping models that Xcode writes.
///
/// ```swift
/// let reading = try XcodeMappingReader.read(contentsOf: URL(filePath: "V2toV3.xcmappingmodel"))
/// for diagnostic in reading.diagnostics { print(diagnostic) }
/// let complete = try reading.validMappingModel().complete(from: version2, to: version3)
/// ```
///
/// The mapping means what Xcode's compiler makes of it: only listed properties are mapped, and a listed property
/// without a value is copied by name.
package enum XcodeMappingReader {
  /// Reads an `.xcmappingmodel` folder, or the `xcmapping.xml` inside one.
  ///
  /// Throws if the file does not yield a mapping model at all. Other mistakes are in the reading's diagnostics.
  package static func read(contentsOf url: URL, file: String? = nil) throws(DiagnosticList) -> XcodeMappingReading {
    try read(contentsOf: url, .given, file: file)
  }

  static func read(
    contentsOf url: URL, _ origin: RegularFile.Origin, file: String?
  ) throws(DiagnosticList) -> XcodeMappingReading {
    let name = file ?? url.relativePath
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: url.path(percentEncoded: false), isDirectory: &isFolder)
    guard exists, isFolder.boolValue else {
      var reading = try read(document: XMLDocument(contentsOf: url, origin, file: name))
      reading.mappingModel.name = mappingName(of: url.deletingLastPathComponent())
      return reading
    }
    let contents = url.appending(path: "xcmapping.xml", directoryHint: .notDirectory)
    guard FileManager.default.fileExists(atPath: contents.path(percentEncoded: false)) else {
      throw DiagnosticList([
        Diagnostic(
          .error, code: "mapping-file.no-contents", problem: "the folder '\(name)' has no file 'xcmapping.xml'",
          remedy: "pass an .xcmappingmodel folder")
      ])
    }
    var reading = try read(document: XMLDocument(contentsOf: contents, .found, file: "\(name)/xcmapping.xml"))
    reading.mappingModel.name = mappingName(of: url)
    return reading
  }

  /// Reads the text of an `xcmapping.xml`; `file` is its name in messages.
  package static func read(text: String, file: String? = nil) throws(DiagnosticList) -> XcodeMappingReading {
    try read(document: XMLDocument(parsing: text, file: file))
  }

  /// Reads the bytes of an `xcmapping.xml`; `file` is its name in messages.
  package static func read(data: Data, file: String? = nil) throws(DiagnosticList) -> XcodeMappingReading {
    try read(document: XMLDocument(parsing: data, file: file))
  }

  /// Reads a mapping model from a parsed XML document.
  package static func read(document: XMLDocument) throws(DiagnosticList) -> XcodeMappingReading {
    guard document.root.name == "database" else {
      throw DiagnosticList([
        Diagnostic(
          .error, code: "mapping-file.not-an-xcode-mapping",
          problem: "the root element is '\(document.root.name)', not 'database'",
          remedy: document.root.name == "mapping-model"
            ? "this is already a mapping file: read it as one" : "pass the 'xcmapping.xml' file of an .xcmappingmodel",
          location: document.root.location)
      ])
    }
    return try XcodeMappingModelReader.read(document.root)
  }

  /// Returns `V2toV3` for `V2toV3.xcmappingmodel`.
  private static func mappingName(of folder: URL) -> String? {
    folder.pathExtension == "xcmappingmodel" ? folder.deletingPathExtension().lastPathComponent : nil
  }
}
