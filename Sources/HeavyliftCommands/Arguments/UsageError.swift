public import HeavyliftModel

/// An invalid command line.
public struct UsageError: Error, Hashable, Sendable {
  /// The problem and its remedy.
  public var diagnostic: Diagnostic
  /// The command that the user called; `nil` if unknown.
  public var commandName: String?

  /// Creates an error.
  public init(_ code: String, problem: String, remedy: String? = nil, commandName: String?) {
    diagnostic = Diagnostic(.error, code: "usage.\(code)", problem: problem, remedy: remedy)
    self.commandName = commandName
  }
}

extension UsageError {
  static func unknownCommand(_ name: String, known: [String]) -> UsageError {
    UsageError(
      "unknown-command", problem: "there is no command '\(name.shown)'",
      remedy: known.suggestion(for: name, kind: "command"), commandName: nil)
  }

  /// An unknown second word after a known first one: only the second words are compared.
  static func unknownCommand(_ word: String, after first: String, known: [String]) -> UsageError {
    let near = known.map { $0.dropFirst(first.count + 1) }.map(String.init).nearest(to: word)
    return UsageError(
      "unknown-command", problem: "there is no command '\("\(first) \(word)".shown)'",
      remedy: near.map { "did you mean '\(first) \($0)'?" } ?? known.suggestion(for: "", kind: "command"),
      commandName: nil)
  }

  static func missingCommand(known: [String]) -> UsageError {
    UsageError(
      "missing-command", problem: "no command was given",
      remedy: "available: \(known.map { "'\($0)'" }.joined(separator: ", "))", commandName: nil)
  }

  static func unknownOption(_ spelling: String, command: CommandDescription) -> UsageError {
    let known = command.options.map { "--\($0.name)" }
    return UsageError(
      "unknown-option", problem: "'\(command.name)' has no option '\(spelling.shown)'",
      remedy: known.nearest(to: spelling).map { "did you mean '\($0)'?" }
        ?? "available: \(known.map { "'\($0)'" }.joined(separator: ", "))",
      commandName: command.name)
  }

  static func singleDash(
    _ option: CommandDescription.Option, spelt spelling: String, command: CommandDescription
  ) -> UsageError {
    UsageError(
      "unknown-option", problem: "'\(command.name)' has no option '\(spelling)'",
      remedy: "write '--\(option.name)', with two dashes", commandName: command.name)
  }

  static func missingValue(
    _ option: CommandDescription.Option, spelt spelling: String, command: CommandDescription
  ) -> UsageError {
    let value = option.valueName ?? "VALUE"
    return UsageError(
      "missing-value", problem: "option '\(spelling)' of '\(command.name)' needs a value",
      remedy: "write '--\(option.name) \(value)', or '--\(option.name)=\(value)' if the value begins with a dash",
      commandName: command.name)
  }

  static func unexpectedValue(_ option: CommandDescription.Option, command: CommandDescription) -> UsageError {
    UsageError(
      "unexpected-value", problem: "option '--\(option.name)' of '\(command.name)' takes no value",
      remedy: "write '--\(option.name)'", commandName: command.name)
  }

  static func repeatedOption(_ option: CommandDescription.Option, command: CommandDescription) -> UsageError {
    UsageError(
      "repeated-option", problem: "option '--\(option.name)' of '\(command.name)' was given more than once",
      remedy: "pass it only once", commandName: command.name)
  }

  static func missingArgument(_ argument: CommandDescription.Argument, command: CommandDescription) -> UsageError {
    let help = argument.help.hasSuffix(".") ? argument.help.dropLast() : argument.help[...]
    return UsageError(
      "missing-argument",
      problem: "'\(command.name)' needs \(argument.name): \(help.prefix(1).lowercased())\(help.dropFirst())",
      remedy: "write '\(command.usage)'", commandName: command.name)
  }

  static func unexpectedArgument(_ value: String, command: CommandDescription) -> UsageError {
    UsageError(
      "unexpected-argument", problem: "unexpected argument '\(value.shown)' for '\(command.name)'",
      remedy: "write '\(command.usage)'; quote a path with spaces", commandName: command.name)
  }
}
