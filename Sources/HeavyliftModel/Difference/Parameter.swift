/// One fact about a part of a model: its name, its text, and its contribution to the version hash.
struct Parameter {
  var name: String
  /// The value to compare.
  var value: AnyHashable
  /// The text to show; nil for none.
  var text: String?
  /// The kind of value, which is also shown if two different values have the same text.
  var kind: String?
  /// The value that the version hash includes; nil for none.
  var hashed: AnyHashable?

  init(
    _ name: String, _ value: some Hashable, text: String?, kind: String? = nil, hashed: AnyHashable? = nil
  ) {
    self.name = name
    self.value = AnyHashable(value)
    self.text = text
    self.kind = kind
    self.hashed = hashed
  }

  /// A flag, shown as in a model file.
  static func flag(_ name: String, _ value: Bool, isHashed: Bool = false) -> Parameter {
    Parameter(name, value, text: value ? "YES" : "NO", hashed: isHashed ? AnyHashable(value) : nil)
  }

  /// A string. A missing string differs from an empty one, except in the version hash.
  static func text(_ name: String, _ value: String?, isHashed: Bool = false) -> Parameter {
    Parameter(
      name, value, text: value.map(\.quotedText), hashed: isHashed ? AnyHashable(Array((value ?? "").utf8)) : nil)
  }

  /// A number.
  static func number(_ name: String, _ value: Int?, isHashed: Bool = false) -> Parameter {
    // The hash includes only 32 bits of the number.
    Parameter(
      name, value, text: value.map(String.init), hashed: isHashed ? AnyHashable(Int32(clamping: value ?? 0)) : nil)
  }

  /// A value of an attribute.
  static func value(_ name: String, _ value: Value) -> Parameter {
    Parameter(name, value, text: value.shownText, kind: value.kind)
  }

  /// Returns one parameter for each key of the user info.
  static func userInfo(_ info: [String: String]) -> [Parameter] {
    info.sorted { $0.key < $1.key }.map { .text("userInfo.\($0.key.escapedText)", $0.value) }
  }

  /// Returns the differences between two lists of parameters, in their order.
  /// - Parameter changesHash: True if a difference in hashed parameters changes the version hash here.
  static func changes(from old: [Parameter], to new: [Parameter], changesHash: Bool) -> [ParameterChange] {
    let newByName = Dictionary(new.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    let oldNames = Set(old.map(\.name))
    var pairs: [(Parameter?, Parameter?)] = old.map { ($0, newByName[$0.name]) }
    pairs += new.filter { !oldNames.contains($0.name) }.map { (nil, $0) }
    return pairs.compactMap { (old: Parameter?, new: Parameter?) in
      guard old?.value != new?.value else { return nil }
      let readAlike = old?.text == new?.text
      func shown(_ parameter: Parameter?) -> String? {
        guard let parameter, let text = parameter.text else { return nil }
        return readAlike ? "\(text) (\(parameter.kind ?? "another value"))" : text
      }
      return ParameterChange(
        parameter: old?.name ?? new?.name ?? "", old: shown(old), new: shown(new),
        changesVersionHash: changesHash && old?.hashed != new?.hashed)
    }
  }
}
