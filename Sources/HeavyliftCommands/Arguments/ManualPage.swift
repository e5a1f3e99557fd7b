import HeavyliftModel

/// A page of the manual, in the language of man(7).
struct ManualPage {
  let text: String

  /// The page of the whole tool.
  ///
  /// - Parameter date: The date of the version, such as `2026-12-01`.
  init(_ tool: CommandLineTool, date: String) {
    var page = Page(tool.name, tool, date)
    page.section("NAME")
    page.add("\(tool.name.escaped) \\- \(tool.abstract.lowercasedStart.escaped)")
    page.section("SYNOPSIS")
    page.add("\\fB\(tool.name.escaped)\\fR \\fICOMMAND\\fR \\fR…\\fR")
    page.section("COMMANDS")
    for command in tool.commands.map({ $0.description }) {
      page.item("\\fB\(Self.name(command, tool).escaped)\\fR(1)", "\(command.abstract).")
    }
    page.section("EXIT STATUS")
    for (code, meaning) in CommandLineTool.exitCodes { page.item("\\fB\(code)\\fR", meaning) }
    text = page.text
  }

  /// The page of a command.
  init(_ command: CommandDescription, of tool: CommandLineTool, date: String) {
    let name = Self.name(command, tool)
    var page = Page(name, tool, date)
    page.section("NAME")
    page.add("\(name.escaped) \\- \(command.abstract.lowercasedStart.escaped)")
    page.section("SYNOPSIS")
    page.add(
      "\\fB\(tool.name.escaped) \(command.name.escaped)\\fR \(command.usage.dropFirst(command.name.count + 1).escaped)")
    if let discussion = command.discussion {
      page.section("DESCRIPTION")
      for paragraph in discussion.split(separator: "\n\n") { page.paragraph(String(paragraph)) }
    }
    if !command.arguments.isEmpty {
      page.section("ARGUMENTS")
      for argument in command.arguments { page.item("\\fI\(argument.name.escaped)\\fR", argument.help) }
    }
    page.section("OPTIONS")
    for option in command.options {
      let short = option.shortName.map { "\\fB\("-\($0)".escaped)\\fR, " } ?? ""
      let value = option.valueName.map { " \\fI\($0.escaped)\\fR" } ?? ""
      page.item("\(short)\\fB\("--\(option.name)".escaped)\\fR\(value)", option.help)
    }
    if !command.examples.isEmpty {
      page.section("EXAMPLES")
      for example in command.examples {
        page.item("\\fB\("\(tool.name) \(example.commandLine)".escaped)\\fR", example.explanation)
      }
    }
    page.section("SEE ALSO")
    page.add("\\fB\(tool.name.escaped)\\fR(1)")
    text = page.text
  }

  /// The name of a command's page: `heavylift-schema-freeze`.
  static func name(_ command: CommandDescription, _ tool: CommandLineTool) -> String {
    "\(tool.name) \(command.name)".replacing(" ", with: "-")
  }

  private struct Page {
    private(set) var text: String

    init(_ name: String, _ tool: CommandLineTool, _ date: String) {
      text = ".TH \"\(name.uppercased().escaped)\" 1 \"\(date)\" \"\(tool.name) \(tool.version)\" \"User Commands\"\n"
      text += ".nh\n.ad l\n"
    }

    mutating func section(_ title: String) { text += ".SH \(title)\n" }

    /// Adds a line that is already escaped.
    mutating func add(_ line: String) { text += "\(line)\n" }

    mutating func paragraph(_ words: String) {
      if !text.hasSuffix(".SH DESCRIPTION\n") { text += ".PP\n" }
      add(words.split(separator: "\n").joined(separator: " ").escaped)
    }

    mutating func item(_ term: String, _ words: String) { text += ".TP\n\(term)\n\(words.escaped)\n" }
  }
}

extension StringProtocol {
  /// Text in which nothing is a command of roff.
  fileprivate var escaped: String {
    let text = String(self).replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("'", with: "\\(aq")
    return text.hasPrefix(".") ? "\\&\(text)" : text
  }

  /// The text without a capital letter at its start, except for a name such as 'Core Data'.
  fileprivate var lowercasedStart: String { prefix(1).lowercased() + dropFirst() }
}
