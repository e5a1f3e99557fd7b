/// Emphasis and the width of lines on a terminal; neither elsewhere.
struct TextStyle {
  let isOn: Bool
  /// The number of columns of a line; `nil` for lines of any length.
  let width: Int?

  init(_ io: CommandIO) { self.init(isOn: io.usesColor, width: io.outputWidth) }
  init(isOn: Bool, width: Int? = nil) { (self.isOn, self.width) = (isOn, width) }

  func bold(_ text: String) -> String { wrap(text, "1") }
  func faint(_ text: String) -> String { wrap(text, "2") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func yellow(_ text: String) -> String { wrap(text, "33") }

  private func wrap(_ text: String, _ code: String) -> String { isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}
