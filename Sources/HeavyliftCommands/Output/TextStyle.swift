/// Emphasis on a terminal, and none elsewhere.
struct TextStyle {
  let isOn: Bool

  init(_ io: CommandIO) { isOn = io.usesColor }
  init(isOn: Bool) { self.isOn = isOn }

  func bold(_ text: String) -> String { wrap(text, "1") }
  func faint(_ text: String) -> String { wrap(text, "2") }
  func red(_ text: String) -> String { wrap(text, "31") }
  func yellow(_ text: String) -> String { wrap(text, "33") }

  private func wrap(_ text: String, _ code: String) -> String { isOn ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text }
}
