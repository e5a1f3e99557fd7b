public import Foundation
public import Heavylift
import HeavyliftModel
public import HeavyliftReports

/// The streams and environment of a command, from a process or a test.
public struct CommandIO {
  public var output: any ByteSink
  public var errors: any ByteSink
  /// The width of help texts and of the progress line, in columns.
  public var width: Int
  /// The width of the terminal that `output` goes to, which text is wrapped to. `nil` if it goes elsewhere, such as to a
  /// file or a pipe: then lines are as long as their text.
  public var outputWidth: Int?
  /// The width of the terminal that `errors` goes to, which messages are wrapped to; `nil` if it goes elsewhere.
  public var errorWidth: Int?
  /// True if output may use colors: the terminal supports them and the user has not disabled them.
  public var usesColor: Bool
  /// True if errors go to a terminal that can redraw a line.
  public var drawsProgress = false
  /// The source of requests to end a command early.
  package var interruptions: any InterruptionSource = NoInterruptions()
  /// The policies and functions registered in the tool.
  public var code = MigrationCode()
  /// Identifies a build of the tool: another build does not continue a migration that this build started.
  public var revision = ""
  /// The folder that relative paths start from.
  public var workingDirectory: URL

  /// Creates the streams and environment of a command.
  public init(
    output: any ByteSink, errors: any ByteSink, width: Int = 80, usesColor: Bool = false, workingDirectory: URL
  ) {
    self.output = output
    self.errors = errors
    self.width = width
    self.usesColor = usesColor
    self.workingDirectory = workingDirectory
  }

  /// The streams of the process.
  public static var standard: CommandIO {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = isatty(STDOUT_FILENO) == 1
    // https://no-color.org: if `NO_COLOR` is set and not empty, there is no color.
    let refusesColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let columns = environment["COLUMNS"].flatMap(Int.init).flatMap { $0 > 0 ? $0 : nil } ?? terminalColumns ?? 80
    var io = CommandIO(
      output: FileSink(.standardOutput), errors: FileSink(.standardError), width: min(max(columns, 40), 100),
      usesColor: isTerminal && !refusesColor && environment["TERM"] != "dumb",
      workingDirectory: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    if isTerminal { io.outputWidth = max(columns, 20) }
    if isatty(STDERR_FILENO) == 1 { io.errorWidth = max(columns, 20) }
    io.drawsProgress = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    io.interruptions = ProcessSignals()
    io.revision = executableRevision
    return io
  }

  /// The width of the terminal; nil if none is connected, or if it does not tell.
  private static var terminalColumns: Int? {
    var size = winsize()
    let isKnown = [STDERR_FILENO, STDOUT_FILENO].contains { ioctl($0, UInt(TIOCGWINSZ), &size) == 0 && size.ws_col > 0 }
    return isKnown ? Int(size.ws_col) : nil
  }

  /// The size and modification time of the running executable.
  private static var executableRevision: String {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "" }
    return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// The file URL for a path on the command line.
  public func url(_ path: String) -> URL { directory.url(path) }

  /// The folder that relative paths start from.
  var directory: WorkingDirectory { WorkingDirectory(workingDirectory) }

  /// Writes text to standard output.
  public func write(_ text: String) throws { try Self.write(text, to: output) }

  /// Writes text to standard error.
  public func writeError(_ text: String) throws { try Self.write(text, to: errors) }

  /// Writes lines for people to standard output, wrapped to the width of a terminal.
  func write(lines: [String]) throws { try write(Self.text(lines, width: outputWidth)) }

  /// Writes lines for people to standard error, wrapped to the width of a terminal.
  func writeError(lines: [String]) throws { try writeError(Self.text(lines, width: errorWidth)) }

  private static func text(_ lines: [String], width: Int?) -> String {
    let text = lines.joined(separator: "\n")
    return (width.map { WrappedText.fit(text, width: $0) } ?? text) + "\n"
  }

  private static func write(_ text: String, to sink: any ByteSink) throws {
    var text = text
    try text.withUTF8 { try sink.write(UnsafeRawBufferPointer($0)) }
  }
}
