import HeavyliftModel

extension CommandDescription {
  /// The usage without the names of the options, short enough for an error: `inspect STORE [OPTIONS]`.
  var usage: String { ([name] + positionalParts + ["[OPTIONS]"]).joined(separator: " ") }

  private var positionalParts: [String] {
    arguments.map { argument in
      let name = argument.isRepeatable ? "\(argument.name)…" : argument.name
      return argument.isOptional ? "[\(name)]" : name
    }
  }

  private var usageParts: [String] {
    let alternatives = Set(arguments.compactMap(\.alternative))
    let named = options.filter { $0.name != "help" && !alternatives.contains($0.name) }.map { option in
      "[--\(option.name)\(option.valueName.map { " \($0)" } ?? "")]\(option.isRepeatable ? "…" : "")"
    }
    return [name] + positionalParts + named
  }

  /// The full help of the command.
  func help(toolName: String, width: Int) -> String {
    // Keep an option and its value on one line.
    let parts = usageParts.map { $0.replacing(" ", with: "\u{A0}") }.joined(separator: " ")
    let usage = HelpText.wrapped("Usage: \(toolName) \(parts)", width: width - 8, indentation: 7)
      .replacing("\u{A0}", with: " ")
    var sections = ["\(abstract).\n\n\(usage)"]
    if !arguments.isEmpty {
      sections.append(HelpText.section("Arguments", arguments.map { ($0.name, $0.help) }, width: width))
    }
    let shown = options.map { option in
      let short = option.shortName.map { "-\($0), " } ?? "    "
      return ("\(short)--\(option.name)\(option.valueName.map { " \($0)" } ?? "")", option.help)
    }
    sections.append(HelpText.section("Options", shown, width: width))
    if let discussion { sections.append(HelpText.wrapped(discussion, width: width)) }
    if !examples.isEmpty {
      let lines = examples.map { "  \(toolName) \($0.commandLine)\n      \($0.explanation)" }
      sections.append("Examples:\n" + lines.joined(separator: "\n"))
    }
    return sections.joined(separator: "\n\n") + "\n"
  }
}

/// The layout of help texts.
enum HelpText {
  /// A column of terms, with explanations next to them.
  static func section(_ title: String, _ rows: [(term: String, meaning: String)], width: Int) -> String {
    let column = min(30, (rows.map(\.term.count).max() ?? 0) + 4)
    let lines = rows.map { row in
      let meaning = wrapped(row.meaning, width: max(30, width - column), indentation: column)
      let term = "  \(row.term)"
      guard term.count + 2 <= column else { return "\(term)\n\(String(repeating: " ", count: column))\(meaning)" }
      return term + String(repeating: " ", count: column - term.count) + meaning
    }
    return "\(title):\n" + lines.joined(separator: "\n")
  }

  /// Wraps lines between words; keeps existing line breaks.
  static func wrapped(_ text: String, width: Int, indentation: Int = 0) -> String {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
      .flatMap { WrappedText(String($0), width: width).lines }
    return lines.joined(separator: "\n" + String(repeating: " ", count: indentation))
  }
}
