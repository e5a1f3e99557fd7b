import HeavyliftReports

/// JSON to write; members keep their insertion order.
indirect enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int64)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  static func count(_ value: Int) -> JSONValue { .integer(Int64(value)) }

  static func optional(_ text: String?) -> JSONValue { text.map(JSONValue.string) ?? .null }

  static func optional<Number: BinaryInteger>(_ number: Number?) -> JSONValue {
    number.map { .integer(Int64(clamping: $0)) } ?? .null
  }

  static func strings(_ texts: some Sequence<String>) -> JSONValue { .array(texts.map(JSONValue.string)) }

  /// Indented text, with one member per line.
  var indented: String {
    var text = ""
    write(to: &text, indentation: "\n")
    return text + "\n"
  }

  /// The text on one line.
  var line: String {
    var text = ""
    write(to: &text, indentation: nil)
    return text + "\n"
  }

  private func write(to text: inout String, indentation: String?) {
    switch self {
    case .null: text += "null"
    case .bool(let flag): text += flag ? "true" : "false"
    case .integer(let number): text += String(number)
    case .string(let string): text += JSONText.quoted(string)
    case .array(let elements):
      Self.writeList("[", "]", elements, to: &text, indentation) { element, text, indentation in
        element.write(to: &text, indentation: indentation)
      }
    case .object(let members):
      Self.writeList("{", "}", members, to: &text, indentation) { member, text, indentation in
        text += "\(JSONText.quoted(member.0)):\(indentation == nil ? "" : " ")"
        member.1.write(to: &text, indentation: indentation)
      }
    }
  }

  private static func writeList<Element>(
    _ open: String, _ close: String, _ elements: [Element], to text: inout String, _ indentation: String?,
    _ write: (Element, inout String, String?) -> Void
  ) {
    text += open
    for (offset, element) in elements.enumerated() {
      if offset > 0 { text += "," }
      if let indentation { text += indentation + "  " }
      write(element, &text, indentation.map { $0 + "  " })
    }
    if let indentation, !elements.isEmpty { text += indentation }
    text += close
  }
}
