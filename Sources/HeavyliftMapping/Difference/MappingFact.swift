import HeavyliftModel

/// A fact about a part of a mapping: the fact's name, the value to compare, and the text to show.
struct MappingFact {
  var name: String
  var value: AnyHashable
  /// The value as text; nil if unset.
  var text: String?

  init(_ name: String, _ value: some Hashable, text: String?) {
    self.name = name
    self.value = AnyHashable(value)
    self.text = text
  }

  /// Creates a fact with plain text.
  init(_ name: String, _ text: String?) { self.init(name, text, text: text) }

  /// Creates a fact with quoted text.
  static func quoted(_ name: String, _ text: String?) -> MappingFact {
    MappingFact(name, text, text: text.map(\.quotedName))
  }

  static func userInfo(_ info: [String: String]) -> [MappingFact] {
    info.sorted { $0.key < $1.key }.map { .quoted("user-info.\($0.key)", $0.value) }
  }

  /// Returns the differences between two lists of facts, in order.
  static func changes(from old: [MappingFact], to new: [MappingFact]) -> [MappingChange] {
    let news = Dictionary(new.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let oldNames = Set(old.map(\.name))
    var pairs: [(MappingFact?, MappingFact?)] = old.map { ($0, news[$0.name]) }
    pairs += new.filter { !oldNames.contains($0.name) }.map { (nil, $0) }
    return pairs.compactMap { before, after in
      guard before?.value != after?.value else { return nil }
      // Different values can have the same text.
      let readAlike = before?.text == after?.text
      return MappingChange(
        parameter: before?.name ?? after?.name ?? "", old: before?.text,
        new: readAlike ? "\(after?.text ?? "none") (another value)" : after?.text)
    }
  }
}
