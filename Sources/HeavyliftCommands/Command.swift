/// Something that the tool does: a value made of its arguments, which runs against streams that it is given.
///
/// ```swift
/// let inspect = InspectCommand(store: "Library.sqlite", models: ["Library.xcdatamodeld"])
/// let code = try inspect.run(CommandIO.standard)
/// ```
///
/// A program can add commands of its own to the tool's: `CommandLineTool.heavylift.commands.append(MyCommand.self)`.
public protocol Command: Sendable {
  static var description: CommandDescription { get }

  /// Takes what was given on the command line.
  init(_ arguments: ParsedArguments) throws(UsageError)

  /// Does it, and says how it went.
  func run(_ io: CommandIO) throws -> ExitCode
}

/// How a command ended, as the process tells it to whoever started it.
public enum ExitCode: Int32, Hashable, Sendable {
  /// Done, and what was asked holds.
  case success = 0
  /// It could not be done.
  case failure = 1
  /// Done, and the answer is no: the check found errors, the two differ, no version fits.
  case negative = 2
  /// The command line was not understood.
  case usage = 64
  /// It was ended by SIGHUP, and has tidied up.
  case hungUp = 129
  /// It was ended by SIGINT, and has tidied up.
  case interrupted = 130
  /// It was ended by SIGTERM, and has tidied up.
  case terminated = 143
  /// Whoever read the output has had enough of it; as if SIGPIPE had ended the process.
  case brokenPipe = 141
}
