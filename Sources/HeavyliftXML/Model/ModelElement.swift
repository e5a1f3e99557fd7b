import HeavyliftModel

/// A description that stands in a model file as one element.
protocol ModelElement {
  /// Its attributes in Xcode's order.
  static var rules: [AttributeRule<Self>] { get }
  /// What an element without attributes means.
  static var blank: Self { get }
  /// Whether it means nothing without a name.
  static var needsName: Bool { get }
  var markup: Markup { get set }

  /// Tells what the attributes say against each other.
  func tellContradictions(in element: XMLElement, _ findings: inout ModelFindings)
}

extension ModelElement {
  static var needsName: Bool { true }

  func tellContradictions(in element: XMLElement, _ findings: inout ModelFindings) {}

  /// Takes the facts from an element's attributes and remembers it; `child` says what an element inside it became, nil
  /// for what is not known.
  init(
    reading element: XMLElement, _ findings: inout ModelFindings,
    child: (XMLElement, inout ModelFindings) -> Markup.Child? = { _, _ in nil }
  ) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    for attribute in element.attributes where !Self.rules.contains(where: { $0.name == attribute.name }) {
      findings.noteUnknown(attribute, of: element)
    }
    if Self.needsName { _ = findings.required("name", of: element) }
    tellContradictions(in: element, &findings)
    markup = Markup(of: element, &findings, child: child)
  }

  /// Takes the facts from an element's attributes.
  init(attributesOf element: XMLElement, _ findings: inout ModelFindings) {
    self = Self.blank
    for rule in Self.rules {
      if let attribute = element.attribute(named: rule.name) { rule.read(&self, attribute, &findings) }
    }
  }

  /// The description as its remembered attributes state it, to tell what was changed since.
  static func remembered(by markup: Markup) -> Self {
    let attributes = markup.attributes.map { XMLAttribute(name: $0.name, value: $0.value) }
    var findings = ModelFindings()
    return Self(attributesOf: XMLElement("", attributes: attributes), &findings)
  }

  /// The name under which the description stood in its file; nil if it never stood in one.
  var rememberedName: String? { markup.isEmpty ? nil : markup["name"] ?? "" }
}

extension Markup {
  /// Whether there was no file.
  var isEmpty: Bool { attributes.isEmpty && children.isEmpty && location == nil }

  /// Remembers an element; `child` says what an element inside it became, nil for what is not known.
  init(
    of element: XMLElement, _ findings: inout ModelFindings,
    child: (XMLElement, inout ModelFindings) -> Child?
  ) {
    self.init(
      attributes: element.attributes.map {
        Attribute(name: $0.name, value: $0.value, location: $0.nameLocation, written: $0.written)
      },
      form: Form(startTagEnd: element.startTagEnd, endTag: element.endTag), location: element.location)
    for node in element.children {
      switch node {
      case .element(let inner):
        if let child = child(inner, &findings) {
          children.append(child)
        } else {
          findings.noteUnknown(inner, in: element)
          children.append(.verbatim(inner.text))
        }
      case .text(let text):
        if !node.isBlank { findings.noteText(text, in: element) }
        children.append(.verbatim(node.text))
      case .comment, .processingInstruction:
        children.append(.verbatim(node.text))
      }
    }
  }
}

extension XMLNode {
  /// The node as text.
  var text: String {
    var text = ""
    write(to: &text)
    return text
  }
}
