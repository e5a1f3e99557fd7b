import HeavyliftMapping
import HeavyliftModel

/// The root element of a mapping file and the nodes around it.
struct MappingSurroundings {
  private(set) var markup: MappingMarkup

  /// Reads the nodes around the root element; throws if the file is not a mapping file.
  init(of document: XMLDocument, _ findings: inout MappingFindings) throws(DiagnosticList) {
    let root = document.root
    try Self.refuseOtherRoot(root)
    let before = Self.nodes(in: document.prologue, file: root.location?.file, XMLCursor())
    if let documentType = before.documentType {
      findings.report(
        "document-type", "there is a document type before the mapping model",
        "remove it: mapping files use a RELAX NG grammar, not a document type", at: documentType)
    }
    var end = XMLCursor(line: root.location?.line ?? 1, column: root.location?.column ?? 1)
    if !document.epilogue.isBlank {
      let text = Array(root.text.utf8)
      end.advance(over: text, from: 0, to: text.count)
    }
    let after = Self.nodes(in: document.epilogue, file: root.location?.file, end)
    // The root's children are handled separately.
    var shell = root
    shell.children = []
    let around = MappingChildren(of: before.nodes + [.element(shell)] + after.nodes, in: nil, &findings)
    markup = around.children.first?.markup ?? MappingMarkup()
    markup.form.followingComments = around.closingComments
  }

  private static func nodes(
    in text: String, file: String?, _ start: XMLCursor
  ) -> (nodes: [XMLNode], documentType: DiagnosticLocation?) {
    var scanner = XMLScanner(bytes: Array(text.utf8), file: file, at: start)
    // The text was already scanned as part of the whole file, so scanning it again does not fail.
    guard let found = try? scanner.surroundings() else { return ([], nil) }
    let nodes = found.nodes.filter { node in
      if case .processingInstruction(let text) = node { !text.isDeclaration } else { true }
    }
    return (nodes, found.documentType)
  }

  private static func refuseOtherRoot(_ root: XMLElement) throws(DiagnosticList) {
    if let other = OtherFile(root: root) { throw DiagnosticList([other.diagnostic(at: root.location)]) }
    guard root.localName == "mapping-model" else {
      let near = ["mapping-model"].nearest(to: String(root.localName.prefix(100)))
      throw DiagnosticList([
        Diagnostic(
          .error, code: "mapping-file.not-a-mapping",
          problem: "the root element is '\(root.name.shownInMessage)', not 'mapping-model'",
          remedy: near.map { "did you mean '\($0)'?" } ?? "pass the file whose root element is 'mapping-model'",
          location: root.location)
      ])
    }
  }
}

extension XMLText {
  /// True for the XML declaration, which looks like a processing instruction.
  fileprivate var isDeclaration: Bool {
    value.unicodeScalars.prefix { !$0.isXMLSpace }.elementsEqual("xml".unicodeScalars)
  }
}
