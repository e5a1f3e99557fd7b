package import Foundation
import HeavyliftArchive
package import HeavyliftModel

/// An XML file as a value: its root element and the text around it.
///
/// ```swift
/// let document = try XMLDocument(contentsOf: file)
/// for mapping in document.root.elements(named: "entity-mapping") {
///   print(mapping["name"] ?? "", mapping.location)
/// }
/// try document.write(to: file)  // unchanged parts stay the same, byte for byte
/// ```
///
/// Files are not trusted: nothing is fetched, a document type may not contain declarations, and depth and size are
/// limited.
package struct XMLDocument: Hashable, Sendable {
  /// The declaration, document type and comments before the root, word for word.
  package var prologue: String
  package var root: XMLElement
  /// The text after the root, word for word.
  package var epilogue: String

  /// The start of every file that Xcode writes.
  package static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

  /// Creates a document.
  package init(root: XMLElement, prologue: String = XMLDocument.declaration, epilogue: String = "") {
    self.prologue = prologue
    self.root = root
    self.epilogue = epilogue
  }

  /// Reads a document; messages call it `file`.
  package init(parsing data: Data, file: String? = nil, limits: XMLLimits = XMLLimits()) throws(DiagnosticList) {
    guard data.count <= limits.maximumBytes else {
      throw DiagnosticList([.tooLarge(limits, location: DiagnosticLocation(file: file, line: 1, column: 1))])
    }
    let text = try XMLEncoding.decode(data, file: file)
    try XMLWellFormedness(bytes: text.bytes, file: file, limits: limits).check()
    var scanner = XMLScanner(bytes: text.bytes, file: file)
    self = try scanner.document()
    if text.wasTranscoded { prologue = XMLEncoding.correctDeclaration(in: prologue) }
  }

  /// Reads a document from text.
  package init(parsing text: String, file: String? = nil, limits: XMLLimits = XMLLimits()) throws(DiagnosticList) {
    try self.init(parsing: Data(text.utf8), file: file, limits: limits)
  }

  /// Reads a file. Messages call it `file`, or use its path if `file` is nil.
  package init(contentsOf url: URL, file: String? = nil, limits: XMLLimits = XMLLimits()) throws(DiagnosticList) {
    try self.init(contentsOf: url, .given, file: file, limits: limits)
  }

  init(
    contentsOf url: URL, _ origin: RegularFile.Origin, file: String? = nil, limits: XMLLimits = XMLLimits()
  ) throws(DiagnosticList) {
    let name = file ?? url.relativePath
    let data = try FileReading.data(of: url, origin, file: name, limits: limits)
    try self.init(parsing: data, file: name, limits: limits)
  }

  /// The document as text.
  package var text: String { prologue + root.text + epilogue }

  /// Writes the document atomically: at any moment the file is either the whole old one or the whole new one.
  package func write(to url: URL) throws(DiagnosticList) {
    try FileReplacement.write(Data(text.utf8), to: url)
  }
}

extension Diagnostic {
  /// Returns the error for a file that is larger than any real model or mapping.
  static func tooLarge(_ limits: XMLLimits, location: DiagnosticLocation) -> Diagnostic {
    Diagnostic(
      .error, code: "xml.too-large", problem: "the file has more than \(limits.maximumBytes) bytes",
      remedy: "no model or mapping is that large: check that this is the right file", location: location)
  }
}
