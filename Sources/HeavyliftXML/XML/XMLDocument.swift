public import Foundation
import HeavyliftArchive
public import HeavyliftModel

/// An XML file as a value: what stands before its root element, the root, and what follows.
///
/// ```swift
/// let document = try XMLDocument(contentsOf: file)
/// for mapping in document.root.elements(named: "entity-mapping") {
///   print(mapping["name"] ?? "", mapping.location)
/// }
/// try document.write(to: file)  // changes no byte of what was not changed
/// ```
///
/// Files are read with suspicion: nothing is fetched, a document type may not declare anything, depth and size are
/// bounded.
public struct XMLDocument: Hashable, Sendable {
  /// The declaration, document type and comments before the root, word for word.
  public var prologue: String
  public var root: XMLElement
  /// What follows the root, word for word.
  public var epilogue: String

  /// What Xcode writes at the start of a file.
  public static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n"

  /// Creates a document.
  public init(root: XMLElement, prologue: String = XMLDocument.declaration, epilogue: String = "") {
    self.prologue = prologue
    self.root = root
    self.epilogue = epilogue
  }

  /// Reads a document; `file` is what messages call the place that it came from.
  public init(parsing data: Data, file: String? = nil, limits: XMLLimits = XMLLimits()) throws(DiagnosticList) {
    guard data.count <= limits.maximumBytes else {
      throw DiagnosticList([.tooLarge(limits, location: SourceLocation(file: file, line: 1, column: 1))])
    }
    let text = try XMLEncoding.decode(data, file: file)
    try XMLWellFormedness(bytes: text.bytes, file: file, limits: limits).check()
    var scanner = XMLScanner(bytes: text.bytes, file: file)
    self = try scanner.document()
    if text.wasTranscoded { prologue = XMLEncoding.correctDeclaration(in: prologue) }
  }

  /// Reads a document from text.
  public init(parsing text: String, file: String? = nil, limits: XMLLimits = XMLLimits()) throws(DiagnosticList) {
    try self.init(parsing: Data(text.utf8), file: file, limits: limits)
  }

  /// Reads a file; messages call it `file`, or what the URL calls it.
  public init(contentsOf url: URL, file: String? = nil, limits: XMLLimits = XMLLimits()) throws(DiagnosticList) {
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
  public var text: String { prologue + root.text + epilogue }

  /// Writes the document; the file is the old one or the new one, whole, at any instant.
  public func write(to url: URL) throws(DiagnosticList) {
    try FileReplacement.write(Data(text.utf8), to: url)
  }
}

extension Diagnostic {
  /// A file that is larger than anybody writes.
  static func tooLarge(_ limits: XMLLimits, location: SourceLocation) -> Diagnostic {
    Diagnostic(
      .error, code: "xml.too-large", problem: "the file has more than \(limits.maximumBytes) bytes",
      remedy: "no model or mapping is that large: look whether this is the right file", location: location)
  }
}
