/// A command of the tool: a value created from its arguments that runs against the given streams.
///
/// ```swift
/// let inspect = InspectCommand(store: "Library.sqlite", models: ["Library.xcdatamodeld"])
/// let code = try inspect.run(CommandIO.standard)
/// ```
///
/// A program can add its own commands to the tool: `CommandLineTool.heavylift.commands.append(MyCommand.self)`.
public protocol Command: Sendable {
  static var description: CommandDescription { get }

  /// Creates the command from parsed arguments.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Runs the command and returns its exit code.
  func run(_ io: CommandIO) throws -> ExitCode
}

/// The exit code of the process.
public enum ExitCode: Int32, Hashable, Sendable {
  /// Done, with a positive result.
  case success = 0
  /// The command failed.
  case failure = 1
  /// Done, with a negative result: the check found errors, the compared items differ, or no version fits.
  case negative = 2
  /// The command line is invalid.
  case usage = 64
  /// SIGHUP ended the command, after it cleaned up.
  case hungUp = 129
  /// SIGINT ended the command, after it cleaned up.
  case interrupted = 130
  /// SIGTERM ended the command, after it cleaned up.
  case terminated = 143
  /// The reader closed the output; the code is the same as if SIGPIPE had ended the process.
  case brokenPipe = 141
}
