import HeavyliftModel

/// One attribute of an element in a model file: how to read it and how to write it.
///
/// Each kind of element has one table of rules, in Xcode's order of attributes.
struct AttributeRule<Description>: Sendable {
  var name: String
  /// Reads the attribute into the description. Rules run in the table's order, not the file's, so that a rule can rely
  /// on those above it.
  var read: @Sendable (inout Description, XMLAttribute, inout ModelFindings) -> Void
  /// Returns the attribute's canonical text; nil omits it.
  var write: @Sendable (Description) -> String?
}

/// The rules for the attributes of one kind of element, in Xcode's order.
struct AttributeRules<Description>: RandomAccessCollection, ExpressibleByArrayLiteral, Sendable {
  private let rules: [AttributeRule<Description>]
  /// The place of each rule, by the attribute's name.
  let places: [String: Int]

  init(arrayLiteral rules: AttributeRule<Description>...) {
    self.rules = rules
    places = Dictionary(uniqueKeysWithValues: zip(rules.map(\.name), rules.indices))
  }

  var startIndex: Int { rules.startIndex }
  var endIndex: Int { rules.endIndex }

  subscript(place: Int) -> AttributeRule<Description> { rules[place] }
}

extension AttributeRule {
  /// A string that is always present.
  static func text(_ name: String, _ path: WritableKeyPath<Description, String> & Sendable) -> AttributeRule {
    AttributeRule(
      name: name,
      read: {
        $0[keyPath: path] = $1.value; _ = $2
      }, write: { $0[keyPath: path] })
  }

  /// An optional string; an empty one means the same as a missing one.
  static func text(_ name: String, _ path: WritableKeyPath<Description, String?> & Sendable) -> AttributeRule {
    AttributeRule(
      name: name,
      read: { description, attribute, _ in
        description[keyPath: path] = attribute.value.isEmpty ? nil : attribute.value
      },
      write: { $0[keyPath: path].flatMap { $0.isEmpty ? nil : $0 } })
  }

  /// A flag: `YES`, or missing for `NO`.
  static func flag(_ name: String, _ path: WritableKeyPath<Description, Bool> & Sendable) -> AttributeRule {
    AttributeRule(
      name: name,
      read: { description, attribute, findings in
        if let flag = attribute.flag(&findings) { description[keyPath: path] = flag }
      },
      write: { $0[keyPath: path] ? "YES" : nil })
  }

  /// A flag: `YES` or `NO`; missing for the default.
  static func flag(
    _ name: String, _ path: WritableKeyPath<Description, Bool> & Sendable, otherwise absent: Bool
  ) -> AttributeRule {
    AttributeRule(
      name: name, read: flag(name, path).read,
      write: { $0[keyPath: path] == absent ? nil : $0[keyPath: path] ? "YES" : "NO" })
  }

  /// An integer of at least 0; missing for 0.
  static func count(_ name: String, _ path: WritableKeyPath<Description, Int> & Sendable) -> AttributeRule {
    AttributeRule(
      name: name,
      read: { description, attribute, findings in
        if let count = attribute.count(&findings) { description[keyPath: path] = count }
      },
      write: { $0[keyPath: path] == 0 ? nil : String($0[keyPath: path]) })
  }

  /// An attribute that only Xcode uses: kept as written, with a default for models made in code.
  static func kept(
    _ name: String, _ write: @escaping @Sendable (Description) -> String? = { _ in nil }
  ) -> AttributeRule {
    AttributeRule(name: name, read: { _, _, _ in }, write: write)
  }
}

extension XMLAttribute {
  /// Returns true or false for `YES` or `NO`; also accepts other spellings, because Xcode writes `false`, too.
  func flag(_ findings: inout ModelFindings) -> Bool? {
    switch value.uppercased() {
    case "YES", "TRUE", "1": return true
    case "NO", "FALSE", "0": return false
    default:
      findings.reject(self, "not-yes-or-no", "write YES or NO")
      return nil
    }
  }

  /// Returns the value as an integer of at least 0.
  func count(_ findings: inout ModelFindings) -> Int? {
    if let count = Int(value), count >= 0 { return count }
    findings.reject(self, "not-a-number", "write a whole number, 0 or more")
    return nil
  }
}
