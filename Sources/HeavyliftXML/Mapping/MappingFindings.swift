import HeavyliftModel

/// The diagnostics that a reader collects about a mapping file, and its current position.
struct MappingFindings {
  private(set) var diagnostics: [Diagnostic] = []
  /// The current element and those around it, outermost first, in words.
  private var path: [String] = []

  /// A file with nothing but mistakes can have millions of them; no user reads more than this many.
  private static let maximum = 1000

  mutating func enter(_ subject: String) { path.append(subject) }

  mutating func leave() { path.removeLast() }

  /// The current element in words: `attribute 'title' of entity mapping 'TrackToSong'`.
  var subject: String { path.isEmpty ? "the mapping model" : path.reversed().joined(separator: " of ") }

  /// Reports a mistake. The remedy is computed only if it will be shown, because searching for similar names takes
  /// time.
  mutating func report(
    _ code: String, _ problem: String, _ remedy: @autoclosure () -> String, at location: DiagnosticLocation?
  ) {
    guard hasRoom(for: location) else { return }
    diagnostics.append(
      Diagnostic(.error, code: "mapping-file.\(code)", problem: problem, remedy: remedy(), location: location))
  }

  mutating func add(_ diagnostic: Diagnostic) {
    if hasRoom(for: diagnostic.location) { diagnostics.append(diagnostic) }
  }

  private mutating func hasRoom(for location: DiagnosticLocation?) -> Bool {
    if diagnostics.count == Self.maximum {
      diagnostics.append(
        Diagnostic(
          .error, code: "mapping-file.too-many-mistakes", problem: "the file has more mistakes than are listed",
          remedy: "check that this is the right file", location: location))
    }
    return diagnostics.count < Self.maximum
  }
}

extension MappingFindings {
  /// Reports attributes that the element does not support.
  mutating func checkAttributes(of element: XMLElement) {
    let known = MappingVocabulary.attributes[element.localName] ?? []
    for attribute in element.attributes where !known.contains(attribute.name) {
      let shown = attribute.name.shownInMessage
      if attribute.name.contains(":") || attribute.name == "xmlns" {
        report(
          "namespace", "element '\(element.localName)' has the XML namespace attribute '\(shown)'",
          "remove it: mapping files do not use namespaces", at: attribute.nameLocation)
      } else {
        report(
          "unknown-attribute", "element '\(element.localName)' cannot have attribute '\(shown)'",
          ["from", "mapping"].contains(attribute.name) && element.localName == "attribute"
            ? "only a relationship can have it; give the attribute its value with 'value'"
            : MappingVocabulary.suggestion(for: attribute.name, among: known, kind: "attribute"),
          at: attribute.nameLocation)
      }
    }
  }

  /// Reports a child that the element does not support.
  mutating func reportUnknown(_ child: XMLElement, in element: XMLElement) {
    let (name, parent) = (child.localName, element.localName)
    let parents = MappingVocabulary.parents(of: name)
    guard parents.isEmpty else {
      report(
        "misplaced-element", "element '\(name)' does not belong inside '\(parent)'",
        "put it inside \(parents.map { "'\($0)'" }.joined(separator: " or "))", at: child.location)
      return
    }
    let known = MappingVocabulary.children[parent] ?? []
    report(
      "unknown-element", "element '\(parent)' cannot contain element '\(name.shownInMessage)'",
      known.isEmpty
        ? "remove it" : MappingVocabulary.suggestion(for: name, among: known, kind: "element"), at: child.location)
  }

  /// Reports a namespace prefix, which is then ignored.
  mutating func checkPrefix(of element: XMLElement) {
    guard element.name != element.localName else { return }
    report(
      "namespace", "element '\(element.name.shownInMessage)' has a namespace prefix",
      "write '\(element.localName.shownInMessage)': mapping files do not use namespaces", at: element.location)
  }
}

extension XMLElement {
  /// The name without its namespace prefix.
  var localName: String {
    name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}

extension String {
  /// The text on one line of a message: shortened, with control characters escaped.
  var shownInMessage: String {
    let most = 60
    if utf8.count <= most, isPlainASCII { return self }
    var shown = ""
    for scalar in unicodeScalars.prefix(most) {
      switch scalar {
      case "\n": shown += "\\n"
      case "\r": shown += "\\r"
      case "\t": shown += "\\t"
      default:
        if scalar.properties.generalCategory == .control || scalar.properties.isBidiControl {
          shown += "\\u{\(String(scalar.value, radix: 16))}"
        } else {
          shown.unicodeScalars.append(scalar)
        }
      }
    }
    return unicodeScalars.count > most ? shown + "…" : shown
  }

  /// True if the text is empty or XML white space.
  var isBlank: Bool { utf8.allSatisfy(\.isXMLSpace) }
}
