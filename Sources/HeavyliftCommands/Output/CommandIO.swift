public import Foundation
public import HeavyliftStore

/// Where a command reads and writes: streams and facts that a process has, and a test makes up.
public struct CommandIO {
  public var output: any ByteSink
  public var errors: any ByteSink
  /// Columns to write help in.
  public var width: Int
  /// Whether output may have colours: a terminal that reads them, and a user who has not asked for none.
  public var usesColor: Bool
  /// Whether the errors go to a terminal on which a line can be drawn anew.
  public var drawsProgress = false
  /// Tells when a command is to end before its time.
  public var interruptions: any InterruptionSource = NoInterruptions()
  /// The policies and functions that the tool has.
  public var code = MigrationCode()
  /// Tells one build of the tool from another: what a migration has begun with one, another does not go on with.
  public var revision = ""
  /// What relative paths start from.
  public var workingDirectory: URL

  /// Creates streams.
  public init(
    output: any ByteSink, errors: any ByteSink, width: Int = 80, usesColor: Bool = false, workingDirectory: URL
  ) {
    self.output = output
    self.errors = errors
    self.width = width
    self.usesColor = usesColor
    // A URL that does not say that it is a folder would lose its last part to a relative path.
    self.workingDirectory = URL(filePath: workingDirectory.path, directoryHint: .isDirectory)
  }

  /// The process's own.
  public static var standard: CommandIO {
    let environment = ProcessInfo.processInfo.environment
    let isTerminal = isatty(STDOUT_FILENO) == 1
    // https://no-color.org: set and not empty means none.
    let refusesColor = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let columns = environment["COLUMNS"].flatMap(Int.init) ?? 80
    var io = CommandIO(
      output: FileSink(.standardOutput), errors: FileSink(.standardError), width: min(max(columns, 40), 100),
      usesColor: isTerminal && !refusesColor && environment["TERM"] != "dumb",
      workingDirectory: URL(filePath: FileManager.default.currentDirectoryPath, directoryHint: .isDirectory))
    io.drawsProgress = isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
    io.interruptions = ProcessSignals()
    io.revision = executableRevision
    return io
  }

  /// The size and the age of the program that runs.
  private static var executableRevision: String {
    var status = stat()
    guard stat("/proc/self/exe", &status) == 0 else { return "" }
    return "\(status.st_size) \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
  }

  /// The file that a path on the command line names.
  public func url(_ path: String) -> URL { URL(filePath: path, relativeTo: workingDirectory).absoluteURL }

  /// Writes text to the output.
  public func write(_ text: String) throws { try Self.write(text, to: output) }

  /// Writes text to the errors.
  public func writeError(_ text: String) throws { try Self.write(text, to: errors) }

  private static func write(_ text: String, to sink: any ByteSink) throws {
    var text = text
    try text.withUTF8 { try sink.write(UnsafeRawBufferPointer($0)) }
  }
}
