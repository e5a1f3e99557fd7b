extension XMLText {
  /// Escapes text for use between tags.
  package static func escape(_ text: String) -> String {
    escape(text) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\r": "&#13;"
      default: nil
      }
    }
  }

  /// Escapes text for use between double quotes, as Xcode does.
  package static func escapeAttribute(_ text: String) -> String {
    escape(text) { scalar in
      switch scalar {
      case "&": "&amp;"
      case "<": "&lt;"
      case ">": "&gt;"
      case "\"": "&quot;"
      case "\n": "&#10;"
      case "\r": "&#13;"
      case "\t": "&#9;"
      default: nil
      }
    }
  }

  /// Returns an attribute with the space before it, as Xcode writes it.
  static func attribute(name: String, value: String) -> String { " \(name)=\"\(escapeAttribute(value))\"" }

  private static func escape(_ text: String, _ replacement: (Unicode.Scalar) -> String?) -> String {
    // Only ASCII characters are replaced.
    var bytes = text
    guard bytes.withUTF8({ $0.contains { replacement(Unicode.Scalar($0)) != nil } }) else { return text }
    return text.unicodeScalars.reduce(into: "") { result, scalar in
      if let replaced = replacement(scalar) { result += replaced } else { result.unicodeScalars.append(scalar) }
    }
  }
}
