extension DateFormat.Field {
  /// The longest fraction of a second: nanoseconds.
  static let mostFractionDigits = 9

  /// Returns the parts of a format: letters are fields, quoted text and all other characters are literal.
  static func fields(of text: String) throws(EvaluationMistake) -> [Self] {
    var fields: [Self] = []
    var literal = ""
    var rest = text[...]
    while let first = rest.first {
      if first == "'" {
        literal += try quoted(&rest, in: text)
        continue
      }
      guard first.isASCII, first.isLetter else {
        literal.append(rest.removeFirst())
        continue
      }
      let run = rest.prefix { $0 == first }
      rest = rest.dropFirst(run.count)
      if !literal.isEmpty { fields.append(.literal(literal)) }
      literal = ""
      guard let field = Self(first, count: run.count) else {
        let flaw: DateFormatFlaw = known.contains(first) ? .length(String(run)) : .letter(first)
        throw .badDateFormat(text, flaw)
      }
      if fields.contains(where: { $0.part == field.part }) {
        throw .badDateFormat(text, .repeated(field.part ?? "", hasMinute: fields.contains { $0.part == "minute" }))
      }
      fields.append(field)
    }
    if !literal.isEmpty { fields.append(.literal(literal)) }
    return fields
  }

  /// Removes quoted text from the start of the rest, and returns it; two quotes are one quote.
  private static func quoted(_ rest: inout Substring, in text: String) throws(EvaluationMistake) -> String {
    rest = rest.dropFirst()
    if rest.first == "'" {
      rest = rest.dropFirst()
      return "'"
    }
    var content = ""
    while let next = rest.popFirst() {
      if next != "'" {
        content.append(next)
      } else if rest.first == "'" {
        content.append(rest.removeFirst())
      } else {
        return content
      }
    }
    throw .badDateFormat(text, .openQuote)
  }

  private static let known: Set<Character> = [
    "y", "M", "L", "d", "E", "H", "h", "k", "K", "a", "m", "s", "S", "Z", "X", "x",
  ]

  private init?(_ letter: Character, count: Int) {
    switch (letter, count) {
    case ("y", 2): self = .twoDigitYear
    case ("y", 1), ("y", 4): self = .year(digits: count)
    case ("M", 1...2), ("L", 1...2): self = .month(digits: count)
    case ("M", 3...4), ("L", 3...4): self = .monthName(isFull: count == 4, isStandalone: letter == "L")
    case ("d", 1...2): self = .day(digits: count)
    case ("E", 1...4): self = .weekday(isFull: count == 4)
    case ("H", 1...2): self = .hour(first: 0, count: 24, digits: count)
    case ("k", 1...2): self = .hour(first: 1, count: 24, digits: count)
    case ("K", 1...2): self = .hour(first: 0, count: 12, digits: count)
    case ("h", 1...2): self = .hour(first: 1, count: 12, digits: count)
    case ("a", 1...3): self = .halfDay
    case ("m", 1...2): self = .minute(digits: count)
    case ("s", 1...2): self = .second(digits: count)
    case ("S", 1...Self.mostFractionDigits): self = .fraction(digits: count)
    case ("Z", 1...3): self = .offset(.withSeconds(.basic))
    case ("x", 2): self = .offset(.basic)
    case ("Z", 5): self = .offset(.withZ(.withSeconds(.extended)))
    case ("X", 3): self = .offset(.withZ(.extended))
    case ("X", 1): self = .offset(.withZ(.short))
    case ("X", 2): self = .offset(.withZ(.basic))
    case ("x", 1): self = .offset(.short)
    case ("x", 3): self = .offset(.extended)
    default: return nil
    }
  }
}
