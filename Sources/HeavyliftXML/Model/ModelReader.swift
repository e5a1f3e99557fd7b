import Foundation
import HeavyliftArchive
import HeavyliftModel

/// Reads the object models that Xcode writes.
///
/// ```swift
/// let reading = try ModelReader.read(contentsOf: URL(filePath: "Library.xcdatamodel"))
/// for diagnostic in reading.diagnostics { print(diagnostic) }
/// let model = try reading.validModel()
/// ```
package enum ModelReader {
  /// Reads an `.xcdatamodel` folder, its `contents` file, or the current version of an `.xcdatamodeld`.
  ///
  /// Throws if the file does not yield a model at all. Mistakes in individual values are in the reading's diagnostics.
  package static func read(contentsOf url: URL, file: String? = nil) throws(DiagnosticList) -> ModelReading {
    try read(contentsOf: url, .given, file: file)
  }

  static func read(
    contentsOf url: URL, _ origin: RegularFile.Origin, file: String?
  ) throws(DiagnosticList) -> ModelReading {
    let name = file ?? url.relativePath
    let path = url.path(percentEncoded: false)
    var isFolder: ObjCBool = false
    let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    guard exists, isFolder.boolValue else {
      var reading = try read(document: XMLDocument(contentsOf: url, origin, file: name))
      reading.model.name = modelName(of: url)
      return reading
    }
    if url.pathExtension == "xcdatamodeld" { return try ModelBundle(contentsOf: url, file: name).currentReading() }
    let contents = url.appending(path: "contents", directoryHint: .notDirectory)
    do {
      _ = try FileManager.default.attributesOfItem(atPath: contents.path(percentEncoded: false))
    } catch {
      let isMissing = SystemErrorNumber(error)?.isMissing == true
      throw DiagnosticList([
        isMissing ? noContents(in: url, name: name) : .unreadable("the folder '\(name)'", because: error)
      ])
    }
    var reading = try read(document: XMLDocument(contentsOf: contents, .found, file: "\(name)/contents"))
    reading.model.name = modelName(of: contents)
    return reading
  }

  /// Reads the text of a `contents` file, which messages call `file`.
  package static func read(text: String, file: String? = nil) throws(DiagnosticList) -> ModelReading {
    try read(document: XMLDocument(parsing: text, file: file))
  }

  /// Reads the bytes of a `contents` file, which messages call `file`.
  package static func read(data: Data, file: String? = nil) throws(DiagnosticList) -> ModelReading {
    try read(document: XMLDocument(parsing: data, file: file))
  }

  /// Reads a model from a parsed XML document.
  package static func read(document: XMLDocument) throws(DiagnosticList) -> ModelReading {
    guard document.root.name == "model" else {
      throw DiagnosticList([
        Diagnostic(
          .error, code: "model-file.not-a-model",
          problem: "the root element is '\(document.root.name)', not 'model'",
          remedy: "pass the 'contents' file of an .xcdatamodel", location: document.root.location)
      ])
    }
    var findings = ModelFindings()
    let model = ManagedObjectModel(document: document, &findings)
    return ModelReading(model: model, diagnostics: findings.diagnostics.sortedByPlace())
  }

  /// Returns `Library 2` for `Library 2.xcdatamodel/contents`.
  private static func modelName(of contents: URL) -> String? {
    let folder = contents.deletingLastPathComponent()
    return folder.pathExtension == "xcdatamodel" ? folder.deletingPathExtension().lastPathComponent : nil
  }

  private static func noContents(in folder: URL, name: String) -> Diagnostic {
    let elements = folder.appending(path: "elements").path(percentEncoded: false)
    if FileManager.default.fileExists(atPath: elements) {
      return Diagnostic(
        .error, code: "model-file.xcode-3", problem: "'\(name)' is a model in the binary format of Xcode 3",
        remedy: "open it in Xcode 4 or later and save it, which writes a 'contents' file that can be read")
    }
    return Diagnostic(
      .error, code: "model-file.no-contents", problem: "the folder '\(name)' has no file 'contents'",
      remedy: "pass an .xcdatamodel or .xcdatamodeld folder")
  }
}
