import HeavyliftModel

/// A description that is one element of a model file.
protocol ModelElement {
  /// The rules for the element's attributes, in Xcode's order.
  static var rules: AttributeRules<Self> { get }
  /// The description of an element without attributes.
  static var blank: Self { get }
  /// True if an element without a name has no meaning.
  static var needsName: Bool { get }
  var markup: Markup { get set }

  /// Reports attributes that contradict each other.
  func reportContradictions(in element: XMLElement, _ findings: inout ModelFindings)
}

extension ModelElement {
  static var needsName: Bool { true }

  func reportContradictions(in element: XMLElement, _ findings: inout ModelFindings) {}

  /// Reads an element's attributes and remembers its markup; `child` reads a child element and returns what to remember
  /// of it, or nil for an unknown element.
  init(
    reading element: XMLElement, _ findings: inout ModelFindings,
    child: (XMLElement, inout ModelFindings) -> Markup.Child? = { _, _ in nil }
  ) {
    findings.enter(element)
    defer { findings.leave() }
    self.init(attributesOf: element, &findings)
    if Self.needsName { _ = findings.required("name", of: element) }
    reportContradictions(in: element, &findings)
    markup = Markup(of: element, &findings, child: child)
  }

  /// Reads an element's attributes.
  init(attributesOf element: XMLElement, _ findings: inout ModelFindings) {
    self = Self.blank
    let rules = Self.rules
    var known: [(rule: Int, attribute: Int)] = []
    for (index, attribute) in element.attributes.enumerated() {
      if let rule = rules.places[attribute.name] {
        known.append((rule, index))
      } else {
        findings.noteUnknown(attribute, of: element)
      }
    }
    for (rule, attribute) in known.sorted(by: { $0.rule < $1.rule }) {
      rules[rule].read(&self, element.attributes[attribute], &findings)
    }
  }

  /// Returns the description as it was read, from the remembered attributes, to detect later changes.
  static func remembered(by markup: Markup) -> Self {
    let attributes = markup.attributes.map { XMLAttribute(name: $0.name, value: $0.value) }
    var findings = ModelFindings()
    return Self(attributesOf: XMLElement("", attributes: attributes), &findings)
  }

  /// The description's name in its file; nil if it did not come from a file.
  var rememberedName: String? { markup.isEmpty ? nil : markup["name"] ?? "" }
}

extension Markup {
  /// True if the element was not read from a file.
  var isEmpty: Bool { attributes.isEmpty && children.isEmpty && location == nil }

  /// Remembers an element; `child` reads a child element and returns what to remember of it, or nil for an unknown one.
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
