import HeavyliftModel

/// What a reader found out about a mapping file beside its facts, and where in it the reader is.
struct MappingFindings {
  private(set) var diagnostics: [Diagnostic] = []
  /// The elements around the present one, outermost first, in words.
  private var path: [String] = []

  /// A file of mistakes only can have millions of them; nobody reads more than these.
  private static let maximum = 1000

  mutating func enter(_ subject: String) { path.append(subject) }

  mutating func leave() { path.removeLast() }

  /// The present element in words: `attribute 'title' of entity mapping 'TrackToSong'`.
  var subject: String { path.isEmpty ? "the mapping model" : path.reversed().joined(separator: " of ") }

  /// Tells a mistake; its remedy is made only if somebody will read it, since to look for a near name takes time.
  mutating func tell(
    _ code: String, _ problem: String, _ remedy: @autoclosure () -> String, at location: SourceLocation?
  ) {
    guard hasRoom(for: location) else { return }
    diagnostics.append(
      Diagnostic(.error, code: "mapping-file.\(code)", problem: problem, remedy: remedy(), location: location))
  }

  mutating func add(_ diagnostic: Diagnostic) {
    if hasRoom(for: diagnostic.location) { diagnostics.append(diagnostic) }
  }

  private mutating func hasRoom(for location: SourceLocation?) -> Bool {
    if diagnostics.count == Self.maximum {
      diagnostics.append(
        Diagnostic(
          .error, code: "mapping-file.too-many-mistakes", problem: "the file has more mistakes than these",
          remedy: "look whether this is the right file", location: location))
    }
    return diagnostics.count < Self.maximum
  }
}

extension MappingFindings {
  /// Tells which attributes an element should not have.
  mutating func checkAttributes(of element: XMLElement) {
    let known = MappingVocabulary.attributes[element.localName] ?? []
    for attribute in element.attributes where !known.contains(attribute.name) {
      let shown = attribute.name.shownInMessage
      if attribute.name.contains(":") || attribute.name == "xmlns" {
        tell(
          "namespace", "element '\(element.localName)' has the attribute '\(shown)' of XML namespaces",
          "remove it: a mapping file has no namespaces", at: attribute.nameLocation)
      } else {
        tell(
          "unknown-attribute", "element '\(element.localName)' has no attribute '\(shown)'",
          ["from", "mapping"].contains(attribute.name) && element.localName == "attribute"
            ? "only a relationship has it: give the attribute its value with 'value'"
            : MappingVocabulary.suggestion(for: attribute.name, among: known, kind: "attribute"),
          at: attribute.nameLocation)
      }
    }
  }

  /// Tells of a child that an element should not have.
  mutating func tellUnknown(_ child: XMLElement, in element: XMLElement) {
    let (name, parent) = (child.localName, element.localName)
    let parents = MappingVocabulary.parents(of: name)
    guard parents.isEmpty else {
      tell(
        "misplaced-element", "element '\(name)' stands inside '\(parent)'",
        "put it inside \(parents.map { "'\($0)'" }.joined(separator: " or "))", at: child.location)
      return
    }
    let known = MappingVocabulary.children[parent] ?? []
    tell(
      "unknown-element", "element '\(parent)' holds no element '\(name.shownInMessage)'",
      known.isEmpty
        ? "remove it" : MappingVocabulary.suggestion(for: name, among: known, kind: "element"), at: child.location)
  }

  /// Tells of a namespace prefix; the element is then read as if it had none.
  mutating func checkPrefix(of element: XMLElement) {
    guard element.name != element.localName else { return }
    tell(
      "namespace", "element '\(element.name.shownInMessage)' has a namespace prefix",
      "write '\(element.localName.shownInMessage)': a mapping file has no namespaces", at: element.location)
  }
}

extension XMLElement {
  /// The name without its namespace prefix.
  var localName: String {
    name.firstIndex(of: ":").map { String(name[name.index(after: $0)...]) } ?? name
  }
}

extension String {
  /// The text as one line of a message holds it: short, and without characters that would command a terminal.
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

  /// Whether there is nothing in it but what XML counts as white space.
  var isBlank: Bool { unicodeScalars.allSatisfy(\.isXMLSpace) }
}
