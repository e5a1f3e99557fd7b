import HeavyliftModel

/// One attribute of an element of a model file: how it becomes a fact, and how the fact is written.
///
/// Reading and writing stand side by side in one table an element, in Xcode's order of attributes.
struct AttributeRule<Description>: Sendable {
  var name: String
  /// Takes the fact from the attribute. Runs in the table's order, not the file's, so that a rule may rely on those
  /// above it.
  var read: @Sendable (inout Description, XMLAttribute, inout ModelFindings) -> Void
  /// The attribute's canonical text; nil leaves it out.
  var write: @Sendable (Description) -> String?
}

extension AttributeRule {
  /// A text that is always there.
  static func text(_ name: String, _ path: WritableKeyPath<Description, String> & Sendable) -> AttributeRule {
    AttributeRule(
      name: name,
      read: {
        $0[keyPath: path] = $1.value; _ = $2
      }, write: { $0[keyPath: path] })
  }

  /// A text that may be missing; an empty one says no more than a missing one.
  static func text(_ name: String, _ path: WritableKeyPath<Description, String?> & Sendable) -> AttributeRule {
    AttributeRule(
      name: name,
      read: { description, attribute, _ in
        description[keyPath: path] = attribute.value.isEmpty ? nil : attribute.value
      },
      write: { $0[keyPath: path].flatMap { $0.isEmpty ? nil : $0 } })
  }

  /// YES, or nothing for NO.
  static func flag(_ name: String, _ path: WritableKeyPath<Description, Bool> & Sendable) -> AttributeRule {
    AttributeRule(
      name: name,
      read: { description, attribute, findings in
        if let flag = attribute.flag(&findings) { description[keyPath: path] = flag }
      },
      write: { $0[keyPath: path] ? "YES" : nil })
  }

  /// YES or NO, or nothing for what is meant without it.
  static func flag(
    _ name: String, _ path: WritableKeyPath<Description, Bool> & Sendable, otherwise absent: Bool
  ) -> AttributeRule {
    AttributeRule(
      name: name, read: flag(name, path).read,
      write: { $0[keyPath: path] == absent ? nil : $0[keyPath: path] ? "YES" : "NO" })
  }

  /// A whole number from 0, or nothing for 0.
  static func count(_ name: String, _ path: WritableKeyPath<Description, Int> & Sendable) -> AttributeRule {
    AttributeRule(
      name: name,
      read: { description, attribute, findings in
        if let count = attribute.count(&findings) { description[keyPath: path] = count }
      },
      write: { $0[keyPath: path] == 0 ? nil : String($0[keyPath: path]) })
  }

  /// An attribute that means something to Xcode alone: remembered as written, and given to what was made here.
  static func kept(
    _ name: String, _ write: @escaping @Sendable (Description) -> String? = { _ in nil }
  ) -> AttributeRule {
    AttributeRule(name: name, read: { _, _, _ in }, write: write)
  }
}

extension XMLAttribute {
  /// YES or NO; Xcode writes `false` too.
  func flag(_ findings: inout ModelFindings) -> Bool? {
    switch value.uppercased() {
    case "YES", "TRUE", "1": return true
    case "NO", "FALSE", "0": return false
    default:
      findings.reject(self, "not-yes-or-no", "write YES or NO")
      return nil
    }
  }

  /// A whole number from 0.
  func count(_ findings: inout ModelFindings) -> Int? {
    if let count = Int(value), count >= 0 { return count }
    findings.reject(self, "not-a-number", "write a whole number, 0 or more")
    return nil
  }
}
