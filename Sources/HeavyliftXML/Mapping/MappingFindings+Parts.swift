import HeavyliftMapping
import HeavyliftModel

extension MappingFindings {
  mutating func copying(of element: XMLElement) -> ConservativeCopy? {
    word("copy", of: element, ConservativeCopy.allCases.map { ($0.rawValue, $0) })
  }

  /// Returns the number of the file's pass, if several files migrate one pair of versions.
  mutating func pass(of element: XMLElement) -> Int? {
    guard let value = text("pass", of: element) else { return nil }
    if let pass = MappingPass.number(value) { return pass }
    report(
      "malformed-pass", "\(subject) has invalid pass=\"\(value.shownInMessage)\"",
      "write a positive whole number, or remove 'pass' if this is the only file for its versions",
      at: element.attribute(named: "pass")?.valueLocation)
    return nil
  }

  /// Returns the source of a property's value.
  mutating func source(
    of element: XMLElement, _ kind: PropertyMappingDescription.Kind
  ) -> PropertyMappingDescription.Source {
    checkExclusion(in: element)
    let isUnmapped = copiesNot(element)
    let value = expression("value", of: element)
    guard kind == .relationship else {
      return isUnmapped ? .unmapped : value.map { .expression($0) } ?? .automatic
    }
    let from = expression("from", of: element)
    let mapping = text("mapping", of: element)
    if isUnmapped { return .unmapped }
    if let value { return .expression(value) }
    return from == nil && mapping == nil ? .automatic : .related(from: from, through: mapping)
  }

  /// Returns true for `copy="no"`, the only value of `copy` that a property accepts.
  private mutating func copiesNot(_ element: XMLElement) -> Bool {
    guard let value = text("copy", of: element) else { return false }
    if value == "no" { return true }
    report(
      "unknown-copy", "\(subject) has invalid copy=\"\(value.shownInMessage)\"",
      "write copy=\"no\" to leave the property unmapped, or remove 'copy'",
      at: element.attribute(named: "copy")?.valueLocation)
    return false
  }

  /// Reports attributes that contradict each other.
  private mutating func checkExclusion(in element: XMLElement) {
    let known = MappingVocabulary.attributes[element.localName] ?? []
    let pairs = [("value", "from"), ("value", "mapping"), ("value", "copy"), ("from", "copy"), ("mapping", "copy")]
    for (first, second) in pairs where known.contains(first) && known.contains(second) {
      guard element.attribute(named: first) != nil, let other = element.attribute(named: second) else { continue }
      report(
        "contradiction", "\(subject) has both '\(first)' and '\(second)'",
        second == "copy"
          ? "remove '\(first)' to leave the property unmapped; otherwise remove 'copy'"
          : "keep 'value' for an expression that yields destination objects, "
            + "or '\(second)' for the counterparts of source objects",
        at: other.nameLocation)
      // Reporting one contradiction is enough.
      return
    }
  }

  mutating func readUserInfo(
    _ child: MappingChildren.Child, into userInfo: inout [String: String], _ markup: inout MappingMarkup
  ) {
    let element = child.element
    checkAttributes(of: element)
    let form = self.markup(ofEmpty: child)
    // Both may be empty: Xcode has written user info with an empty key.
    let (key, value) = (element["key"], element["value"])
    if key == nil { reportMissing("key", of: element) }
    if value == nil { reportMissing("value", of: element) }
    guard let key, let value else { return }
    guard userInfo[key] == nil else {
      return report(
        "repeated-key", "\(subject) has a second user info entry '\(key.shownInMessage)'", "keep one of the two",
        at: element.attribute(named: "key")?.valueLocation)
    }
    userInfo[key] = value
    markup.form.parts[.userInfo(key)] = form
  }

  /// Returns the markup of an element that may contain only comments; reports anything else in it.
  mutating func markup(ofEmpty child: MappingChildren.Child) -> MappingMarkup {
    let content = MappingChildren(of: child.element.children, in: child.element.localName, &self)
    for inner in content.children { reportUnknown(inner.element, in: child.element) }
    var markup = child.markup
    markup.close(with: content)
    return markup
  }

  mutating func report(_ mistakes: [FingerprintText.Mistake], in attribute: XMLAttribute) {
    guard !mistakes.isEmpty else { return }
    let places = attribute.valuePlaces
    for mistake in mistakes {
      switch mistake {
      case .malformed(let word, let offset):
        report(
          "malformed-fingerprint", "\(subject) has malformed fingerprint '\(word.shownInMessage)'",
          "write it as 'property:digits', with 8 to 64 digits from 0-9 and a-f, or remove the element",
          at: places?.location(ofScalarAt: offset))
      case .repeated(let name, let offset):
        report(
          "repeated-fingerprint", "\(subject) has a second fingerprint for '\(name.shownInMessage)'",
          "keep one of the two", at: places?.location(ofScalarAt: offset))
      }
    }
  }
}
