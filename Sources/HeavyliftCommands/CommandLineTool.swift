import Foundation
public import Heavylift
import HeavyliftModel

/// A command-line tool made of commands: finds the command, runs it, and reports errors.
///
/// ```swift
/// var tool = CommandLineTool.heavylift
/// tool.name = "library-tool"
/// exit(tool.run(Array(CommandLine.arguments.dropFirst()), .standard).rawValue)
/// ```
public struct CommandLineTool {
  public var name: String
  public var version: String
  /// A summary in one line, without a period.
  public var abstract: String
  public var commands: [any Command.Type]
  /// The policies and functions that mappings can use.
  public var code: MigrationCode

  /// Creates a tool.
  public init(
    name: String, version: String, abstract: String, commands: [any Command.Type], code: MigrationCode = MigrationCode()
  ) {
    self.name = name
    self.version = version
    self.abstract = abstract
    self.commands = commands
    self.code = code
  }

  /// The tool with all commands of this package.
  public static var heavylift: CommandLineTool {
    CommandLineTool(
      name: "heavylift", version: "0.1.0",
      abstract: "Migrates Core Data stores, and inspects stores, object models and mappings",
      commands: [
        MigrateCommand.self, PlanCommand.self, FinishCleanupCommand.self, VerifyCommand.self, InspectCommand.self,
        DumpCommand.self, DiffCommand.self, CheckCommand.self, ExplainCommand.self, InferCommand.self,
        ConvertCommand.self, RebaseCommand.self, SquashCommand.self, PruneCommand.self, FormatCommand.self,
        EvaluateCommand.self,
        GraphCommand.self,
        GenerateTestsCommand.self, FreezeSchemaCommand.self, CheckSchemaCommand.self, NewVersionCommand.self,
        ClassesFromModelCommand.self,
      ])
  }

  /// Runs the command that the arguments name. The arguments do not include the tool's own name.
  public func run(_ arguments: [String], _ io: CommandIO) -> ExitCode {
    let words = arguments.prefix { $0 != "--" }
    let asksForJSON =
      words.contains("--json") || words.contains("--format=json")
      || zip(words, words.dropFirst()).contains { $0 == "--format" && $1 == "json" }
    do {
      return try dispatch(arguments, io)
    } catch let error as POSIXError where error.code == .EPIPE {
      return .brokenPipe
    } catch {
      let report = ErrorReport(error)
      do {
        try report.write(to: io, toolName: name, asJSON: asksForJSON)
      } catch {
        // The error cannot be reported, either; the exit code is all that remains.
      }
      return report.exitCode
    }
  }

  private func dispatch(_ arguments: [String], _ io: CommandIO) throws -> ExitCode {
    var rest = arguments[...]
    let names = commands.map { $0.description.name }
    guard var word = rest.popFirst() else { throw UsageError.missingCommand(known: names) }
    if word == "--version" {
      try io.write("\(name) \(version)\n")
      return .success
    }
    if word == "--completion" {
      guard let name = rest.popFirst(), let shell = CompletionScript.Shell(rawValue: name) else {
        throw UsageError(
          "unknown-shell", problem: "'--completion' needs the name of a shell",
          remedy: "available: \(CompletionScript.Shell.allCases.map(\.rawValue).quotedList)", commandName: nil)
      }
      try io.write(CompletionScript(self, for: shell).text)
      return .success
    }
    if word == "--manual" {
      guard let folder = rest.popFirst() else {
        throw UsageError(
          "missing-value", problem: "'--manual' needs a folder", remedy: "write '--manual FOLDER'", commandName: nil)
      }
      try writeManual(to: folder, date: rest.popFirst() ?? "", io)
      return .success
    }
    let asksForHelp = word == "help"
    if ["help", "--help", "-h"].contains(word) {
      guard asksForHelp, let topic = rest.popFirst() else {
        try io.write(help(width: io.width))
        return .success
      }
      word = topic
    }
    // The name of a command can have two words: `schema freeze`.
    let group = commands.filter { $0.description.name.hasPrefix("\(word) ") }
    if !group.isEmpty {
      let second = rest.popFirst()
      if second.map(["--help", "-h"].contains) ?? asksForHelp {
        try io.write(Self.list(group, width: io.width) + "\n")
        return .success
      }
      let known = group.map { $0.description.name }
      guard let second else { throw UsageError.missingCommand(known: known) }
      guard known.contains("\(word) \(second)") else {
        throw UsageError.unknownCommand(second, after: word, known: known)
      }
      word += " \(second)"
    }
    guard let command = commands.first(where: { $0.description.name == word }) else {
      throw word.hasPrefix("-")
        ? UsageError(
          "unknown-option", problem: "there is no option '\(word.shown)' before a command",
          remedy: "write the command first: '\(name) COMMAND \(word.shown)'", commandName: nil)
        : UsageError.unknownCommand(word, known: names)
    }
    var parser = ArgumentParser(command.description)
    let parsed = try parser.parse(asksForHelp ? ["--help"] : Array(rest))
    if parsed.has("help") {
      try io.write(command.description.help(toolName: name, width: io.width))
      return .success
    }
    var io = io
    io.code = code
    return try command.init(parsed).run(io)
  }

  private func writeManual(to folder: String, date: String, _ io: CommandIO) throws {
    let url = io.url(folder)
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    func write(_ page: ManualPage, _ name: String) throws {
      try Data(page.text.utf8).write(to: url.appending(path: "\(name).1"), options: .atomic)
    }
    try write(ManualPage(self, date: date), name)
    for command in commands.map({ $0.description }) {
      try write(ManualPage(command, of: self, date: date), ManualPage.name(command, self))
    }
  }

  private static func list(_ commands: [any Command.Type], width: Int) -> String {
    HelpText.section("Commands", commands.map { ($0.description.name, "\($0.description.abstract).") }, width: width)
  }

  static let exitCodes: [(String, String)] = [
    ("0", "Done."), ("1", "Failed; the reason is on standard error."),
    ("2", "Done, with a negative result: errors were found, the two inputs differ, or no version fits."),
    ("64", "The command line was not understood."),
    ("130", "Migration ended by Control-C (143: SIGTERM, 129: SIGHUP); the store is unchanged."),
  ]

  private func help(width: Int) -> String {
    let list = Self.list(commands, width: width)
    let options = HelpText.section(
      "Options",
      [
        ("--help, -h", "Show this help."), ("--version", "Show the tool's version."),
        ("--completion SHELL", "Write a script that completes commands and options in bash, zsh or fish."),
        ("--manual FOLDER", "Write the pages of the manual into a folder."),
      ], width: width)
    let codes = HelpText.section("Exit codes", Self.exitCodes, width: width)
    return "\(abstract).\n\nUsage: \(name) COMMAND …\n\n\(list)\n\n\(options)\n\n\(codes)\n\n"
      + "For help with a command, run '\(name) COMMAND --help'.\n"
  }
}
