import HeavyliftModel

/// Reads the child elements that have no description of their own: user info and lists of names.
struct StatedChildren {
  var userInfo: [String: String] = [:]
  var uniquenessConstraints: [EntityDescription.UniquenessConstraint] = []
  var compoundIndexes: [[String]] = []
  private var seen: Set<String> = []

  /// Reads the children that an entity can have.
  mutating func read(
    _ child: XMLElement, in element: XMLElement, _ findings: inout ModelFindings
  ) -> Markup.Child? {
    switch child.name {
    case "uniquenessConstraints":
      guard isFirst(child, in: element, &findings) else { return .verbatim(child.text) }
      for constraint in Self.items(of: child, named: "uniquenessConstraint", &findings) {
        let names = Self.values(of: constraint, named: "constraint", &findings)
        uniquenessConstraints.append(.init(names, markup: Markup(location: constraint.location)))
      }
    case "compoundIndexes":
      guard isFirst(child, in: element, &findings) else { return .verbatim(child.text) }
      for index in Self.items(of: child, named: "compoundIndex", &findings) {
        compoundIndexes.append(Self.values(of: index, named: "index", &findings))
      }
    default: return readUserInfo(child, in: element, &findings)
    }
    return .stated(element: child.name, key: "", text: child.text)
  }

  /// Reads the user info that every element can have.
  mutating func readUserInfo(
    _ child: XMLElement, in element: XMLElement, _ findings: inout ModelFindings
  ) -> Markup.Child? {
    guard child.name == "userInfo" else { return nil }
    guard isFirst(child, in: element, &findings) else { return .verbatim(child.text) }
    for entry in Self.items(of: child, named: "entry", &findings) {
      // Xcode allows an empty key, so only a missing one is an error.
      let key = entry["key"] ?? findings.required("key", of: entry)
      userInfo[key] = entry["value"] ?? ""
    }
    return .stated(element: child.name, key: "", text: child.text)
  }

  private mutating func isFirst(_ child: XMLElement, in element: XMLElement, _ findings: inout ModelFindings) -> Bool {
    if seen.insert(child.name).inserted { return true }
    findings.noteRepeated(child, in: element)
    return false
  }

  private static func values(
    of element: XMLElement, named name: String, _ findings: inout ModelFindings
  ) -> [String] {
    var values: [String] = []
    for item in items(of: element, named: name, &findings) { values.append(findings.required("value", of: item)) }
    return values
  }

  private static func items(
    of element: XMLElement, named name: String, _ findings: inout ModelFindings
  ) -> [XMLElement] {
    for child in element.elements where child.name != name { findings.noteUnknown(child, in: element) }
    return element.elements(named: name)
  }
}
