import HeavyliftModel

/// One thing that a part of a mapping says: what it is called, what is compared, and how it reads.
struct MappingFact {
  var name: String
  var value: AnyHashable
  /// Nil for nothing said.
  var text: String?

  init(_ name: String, _ value: some Hashable, text: String?) {
    self.name = name
    self.value = AnyHashable(value)
    self.text = text
  }

  /// A text that is shown as it is.
  init(_ name: String, _ text: String?) { self.init(name, text, text: text) }

  /// A text that is shown in quotes.
  static func quoted(_ name: String, _ text: String?) -> MappingFact {
    MappingFact(name, text, text: text.map(\.quotedName))
  }

  static func userInfo(_ info: [String: String]) -> [MappingFact] {
    info.sorted { $0.key < $1.key }.map { .quoted("user-info.\($0.key)", $0.value) }
  }

  /// What differs between two lists of facts, in their order.
  static func changes(from old: [MappingFact], to new: [MappingFact]) -> [MappingChange] {
    let news = Dictionary(new.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let oldNames = Set(old.map(\.name))
    var pairs: [(MappingFact?, MappingFact?)] = old.map { ($0, news[$0.name]) }
    pairs += new.filter { !oldNames.contains($0.name) }.map { (nil, $0) }
    return pairs.compactMap { before, after in
      guard before?.value != after?.value else { return nil }
      // Two values that have no text of their own can read alike.
      let readAlike = before?.text == after?.text
      return MappingChange(
        parameter: before?.name ?? after?.name ?? "", old: before?.text,
        new: readAlike ? "\(after?.text ?? "none") (another value)" : after?.text)
    }
  }
}
