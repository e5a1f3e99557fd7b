import HeavyliftModel

/// The diagnostics that a reader collects about a file, and its current position.
struct ModelFindings {
  private(set) var diagnostics: [Diagnostic] = []
  /// The current element and those around it, outermost first, with their names.
  private var path: [(element: String, name: String)] = []
  /// Mistakes that were already reported.
  private var told: Set<String> = []

  mutating func enter(_ element: XMLElement) { path.append((element.name, element["name"] ?? "")) }

  mutating func leave() { path.removeLast() }

  /// The current element in words: `attribute 'title' of entity 'Book'`.
  var subject: String {
    let words = path.reversed().filter { $0.element != "model" }.map { step in
      let kind = Self.kinds[step.element] ?? step.element
      guard step.name.isEmpty else { return "\(kind) '\(step.name)'" }
      let article = "aeiou".contains(kind.prefix(1)) ? "an" : "a"
      return step.element == "fetchIndexElement" ? "an element" : "\(article) \(kind) without a name"
    }
    return words.isEmpty ? "the model" : words.joined(separator: " of ")
  }

  private static let kinds = [
    "fetchedProperty": "fetched property", "fetchRequest": "fetch request", "fetchIndex": "fetch index",
    "composite": "composite type", "compositeAttribute": "composite type",
  ]

  mutating func report(
    _ severity: Diagnostic.Severity, _ code: String, _ problem: String, _ remedy: String?,
    at location: DiagnosticLocation?
  ) {
    diagnostics.append(
      Diagnostic(severity, code: "model-file.\(code)", problem: problem, remedy: remedy, location: location))
  }

  /// Reports a value that cannot be understood.
  mutating func reject(_ attribute: XMLAttribute, _ code: String, _ remedy: String) {
    report(
      .error, code, "\(subject) has invalid \(attribute.name)=\"\(attribute.value)\"", remedy,
      at: attribute.valueLocation)
  }

  mutating func noteUnknown(_ attribute: XMLAttribute, of element: XMLElement) {
    guard told.insert("\(element.name)@\(attribute.name)").inserted else { return }
    report(
      .note, "unknown-attribute", "attribute '\(attribute.name)' of element '\(element.name)' is unknown",
      "it is kept and written back", at: attribute.nameLocation)
  }

  mutating func noteUnknown(_ child: XMLElement, in element: XMLElement) {
    guard told.insert("\(element.name)/\(child.name)").inserted else { return }
    report(
      .note, "unknown-element", "element '\(child.name)' inside '\(element.name)' is unknown",
      "it is kept and written back", at: child.location)
  }

  mutating func noteRepeated(_ child: XMLElement, in element: XMLElement) {
    report(
      .warning, "repeated-element", "\(subject) has a second '\(child.name)'",
      "only the first one is read: move the contents of this one into it", at: child.location)
  }

  mutating func noteText(_ text: XMLText, in element: XMLElement) {
    guard told.insert("\(element.name)/#text").inserted else { return }
    report(
      .note, "stray-text", "there is text inside element '\(element.name)'", "it is kept and written back",
      at: text.location)
  }
}
