import CLibXML2
public import Foundation
public import HeavyliftModel

/// The RELAX NG grammar of mapping files, for completion in editors and as a cross-check of the reader.
///
/// ```swift
/// let data = try Data(contentsOf: file)
/// for diagnostic in try MappingGrammar.validate(data) { print(diagnostic) }
/// ```
///
/// The grammar is less strict than the reader: it does not parse expressions and does not detect duplicate keys.
/// Anything that it rejects, the reader rejects too, with clearer messages. A file may refer to the grammar before
/// its root element:
///
/// ```xml
/// <?xml-model href="../mapping-model.rng" type="application/xml"
///   schematypens="http://relaxng.org/ns/structure/1.0"?>
/// ```
public enum MappingGrammar {
  /// Returns the grammar's complaints about a mapping file, in libxml2's words; empty if it is valid.
  ///
  /// - Parameters:
  ///   - data: The file's contents.
  ///   - file: The file's name, for messages.
  /// - Throws: `DiagnosticList` if it is not XML, or if libxml2 cannot process it at all.
  public static func validate(_ data: Data, file: String? = nil) throws(DiagnosticList) -> [Diagnostic] {
    try validate(XMLDocument(parsing: data, file: file, limits: MappingReader.limits))
  }

  package static func validate(_ document: XMLDocument) throws(DiagnosticList) -> [Diagnostic] {
    xmlInitParser()  // runs once per process
    let tree = try Tree(document)
    let schema = try Schema(text)
    return try schema.validate(tree).diagnostics(in: document)
  }
}

/// A document as a libxml2 tree.
private final class Tree {
  let pointer: xmlDocPtr

  init(_ document: XMLDocument) throws(DiagnosticList) {
    let bytes = Array(document.text.utf8)
    try XMLWellFormedness(bytes: bytes, file: document.root.location?.file, limits: MappingReader.limits).check()
    let options = XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue | XML_PARSE_NOWARNING.rawValue
    let tree = bytes.withUnsafeBytes { buffer in
      xmlReadMemory(
        buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(buffer.count), nil, "UTF-8", Int32(options))
    }
    guard let tree else { throw DiagnosticList([.noMemoryForGrammar]) }
    pointer = tree
  }

  deinit { xmlFreeDoc(pointer) }
}

/// A compiled grammar.
private final class Schema {
  private let pointer: xmlRelaxNGPtr

  init(_ text: String) throws(DiagnosticList) {
    let bytes = Array(text.utf8)
    let schema = bytes.withUnsafeBytes { buffer -> xmlRelaxNGPtr? in
      let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
      guard let context = xmlRelaxNGNewMemParserCtxt(start, Int32(buffer.count)) else { return nil }
      defer { xmlRelaxNGFreeParserCtxt(context) }
      return xmlRelaxNGParse(context)
    }
    guard let schema else { throw DiagnosticList([.noMemoryForGrammar]) }
    pointer = schema
  }

  deinit { xmlRelaxNGFree(pointer) }

  func validate(_ tree: Tree) throws(DiagnosticList) -> GrammarWitness {
    let witness = GrammarWitness()
    guard let context = xmlRelaxNGNewValidCtxt(pointer) else { throw DiagnosticList([.noMemoryForGrammar]) }
    defer { xmlRelaxNGFreeValidCtxt(context) }
    xmlRelaxNGSetValidStructuredErrors(
      context,
      { witness, error in
        guard let witness, let error else { return }
        Unmanaged<GrammarWitness>.fromOpaque(witness).takeUnretainedValue().hear(error.pointee)
      }, Unmanaged.passUnretained(witness).toOpaque())
    let result = xmlRelaxNGValidateDoc(context, tree.pointer)
    withExtendedLifetime(witness) {}
    guard result >= 0 else { throw DiagnosticList([.noMemoryForGrammar]) }
    witness.number(tree.pointer)
    if result > 0, witness.complaints.isEmpty {
      witness.complaints.append((nil, "the file does not follow the grammar"))
    }
    return witness
  }
}

/// Collects libxml2's complaints about one document.
private final class GrammarWitness {
  /// The node of each complaint, and libxml2's message.
  var complaints: [(node: UnsafeMutableRawPointer?, text: String)] = []
  /// The index of each reported element, in document order.
  private var numbers: [UnsafeMutableRawPointer: Int] = [:]

  /// A damaged file can cause a complaint about every element; no user reads more than this many.
  private static let maximum = 50

  func hear(_ error: xmlError) {
    guard complaints.count < Self.maximum else { return }
    let text = error.message.map { String(cString: $0) } ?? "the file does not follow the grammar"
    complaints.append((error.node, text.split(whereSeparator: \.isNewline).first.map(String.init) ?? text))
  }

  /// Numbers the reported elements; must be called while the tree exists.
  func number(_ tree: xmlDocPtr) {
    let wanted = Set(complaints.compactMap(\.node))
    guard !wanted.isEmpty else { return }
    var count = 0
    var node = xmlDocGetRootElement(tree)
    while let current = node {
      if current.pointee.type == XML_ELEMENT_NODE {
        if wanted.contains(current) { numbers[current] = count }
        count += 1
      }
      node = current.next
    }
  }

  func diagnostics(in document: XMLDocument) -> [Diagnostic] {
    let wanted = Set(numbers.values)
    var locations: [Int: DiagnosticLocation] = [:]
    var count = 0
    document.root.forEachElement { element in
      if wanted.contains(count) { locations[count] = element.location }
      count += 1
    }
    return complaints.map { complaint in
      let number = complaint.node.flatMap { numbers[$0] }
      return Diagnostic(
        .error, code: "mapping-file.grammar",
        problem: complaint.text.prefix(1).lowercased() + complaint.text.dropFirst(),
        remedy: "see the grammar, or read the file with MappingReader for details",
        location: number.flatMap { locations[$0] })
    }.sortedByPlace()
  }
}

extension xmlNodePtr {
  /// The next node in document order.
  fileprivate var next: xmlNodePtr? {
    if pointee.type == XML_ELEMENT_NODE, let child = pointee.children { return child }
    var node = self
    while true {
      if let next = node.pointee.next { return next }
      guard let parent = node.pointee.parent, parent.pointee.type == XML_ELEMENT_NODE else { return nil }
      node = parent
    }
  }
}

extension XMLElement {
  /// Visits the element and its descendants in document order.
  fileprivate func forEachElement(_ visit: (XMLElement) -> Void) {
    visit(self)
    for child in children { child.element?.forEachElement(visit) }
  }
}

extension Diagnostic {
  fileprivate static var noMemoryForGrammar: Diagnostic {
    Diagnostic(.error, code: "xml.no-memory", problem: "not enough memory to check the file against its grammar")
  }
}
