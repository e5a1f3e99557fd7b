import HeavyliftMapping

/// Lays out the elements of a mapping file.
struct MappingLayout {
  private(set) var text = ""

  private static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
  private static let width = 120

  /// Writes a whole file.
  mutating func write(file root: MappingTag) {
    text = Self.declaration
    write(root, level: 0, isFirst: true)
    for comment in root.markup.form.followingComments { line(Self.comment(comment), level: 0) }
  }

  private mutating func write(_ tag: MappingTag, level: Int, isFirst: Bool) {
    let before = Self.linesBefore(tag.markup)
    for index in 0...before.count {
      // Nothing starts with a blank line, neither the file nor the contents of an element.
      if tag.markup.form.blankLines.contains(index), !(isFirst && index == 0) { text += "\n" }
      if index < before.count { line(before[index], level: level) }
    }
    indent(level)
    let isEmpty = tag.children.isEmpty && tag.markup.closingComments.isEmpty
    text += startTag(tag, level: level, end: isEmpty ? "/>" : ">")
    if !isEmpty { writeContent(of: tag, level: level) }
    for comment in tag.markup.form.trailingComments { text += " " + Self.comment(comment) }
    text += "\n"
  }

  /// The comments and processing instructions before an element, in order.
  private static func linesBefore(_ markup: MappingMarkup) -> [String] {
    var lines: [String] = []
    for index in 0...markup.comments.count {
      for instruction in markup.form.instructions where min(instruction.position, markup.comments.count) == index {
        lines.append("<?\(instruction.text)?>")
      }
      if index < markup.comments.count { lines.append(comment(markup.comments[index])) }
    }
    return lines
  }

  private mutating func writeContent(of tag: MappingTag, level: Int) {
    text += "\n"
    for (index, child) in tag.children.enumerated() { write(child, level: level + 1, isFirst: index == 0) }
    for (index, comment) in tag.markup.closingComments.enumerated() {
      let isFirst = index == 0 && tag.children.isEmpty
      if tag.markup.form.closingBlankLines.contains(index), !isFirst { text += "\n" }
      line(Self.comment(comment), level: level + 1)
    }
    indent(level)
    text += "</\(tag.name)>"
  }

  /// The start tag on one line. If that is too long, every attribute except the first gets its own line.
  private func startTag(_ tag: MappingTag, level: Int, end: String) -> String {
    let attributes = tag.attributes.map { MappingAttributeText.attribute($0.name, $0.value) }
    let short = (["<\(tag.name)"] + attributes).joined(separator: " ") + end
    if level * 2 + short.unicodeScalars.count <= Self.width { return short }
    let start = "<\(tag.name)" + (attributes.first.map { " \($0)" } ?? "")
    let separator = "\n" + String(repeating: " ", count: level * 2 + 4)
    return ([start] + attributes.dropFirst()).joined(separator: separator) + end
  }

  private mutating func indent(_ level: Int) { text += String(repeating: " ", count: level * 2) }

  private mutating func line(_ content: String, level: Int) {
    indent(level)
    text += content + "\n"
  }

  /// Returns a comment. XML forbids two hyphens in a row, or one at the end (XML 1.0 §2.5). Comments from files have
  /// none of these; in comments made in code, a space is added. A carriage return becomes a line feed, as it would when
  /// read back.
  private static func comment(_ content: String) -> String {
    var written = String.UnicodeScalarView()
    let lines = content.replacing("\r\n", with: "\n").replacing("\r", with: "\n")
    for scalar in lines.unicodeScalars {
      if scalar == "-", written.last == "-" { written.append(" ") }
      written.append(scalar.isAllowedInXML ? scalar : "\u{FFFD}")
    }
    if written.last == "-" { written.append(" ") }
    return "<!--\(String(written))-->"
  }
}

/// Attributes in a form that is easy to read in a mapping file.
enum MappingAttributeText {
  /// Quotes the value with double quotes, or with single ones if that avoids references.
  static func attribute(_ name: String, _ value: String) -> String {
    let quote: Unicode.Scalar =
      value.unicodeScalars.contains("\"") && !value.unicodeScalars.contains("'") ? "'" : "\""
    return "\(name)=\(quote)\(escape(value, quote: quote))\(quote)"
  }

  /// Does not escape `>`: it appears in half of all filters, where a reference would only hurt readability.
  private static func escape(_ value: String, quote: Unicode.Scalar) -> String {
    var text = String.UnicodeScalarView()
    for scalar in value.unicodeScalars {
      switch scalar {
      case "&": text.append(contentsOf: "&amp;".unicodeScalars)
      case "<": text.append(contentsOf: "&lt;".unicodeScalars)
      case quote: text.append(contentsOf: "&quot;".unicodeScalars)
      case "\n": text.append(contentsOf: "&#10;".unicodeScalars)
      case "\r": text.append(contentsOf: "&#13;".unicodeScalars)
      case "\t": text.append(contentsOf: "&#9;".unicodeScalars)
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}
