import Foundation
import HeavyliftCommands

/// A tool of this package as a separate process, which a test can pause at a line of its progress.
///
/// The migrating thread writes progress. A full pipe blocks it before the next line for as long as the test does not
/// read, so nothing depends on timing.
final class ToolProcess {
  /// Longer than anything a test waits for.
  private static let patience = Duration.seconds(120)

  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let process = Process()
  private let output = Pipe()
  private let errors = Pipe()
  private let room: Int

  /// Starts a tool.
  ///
  /// - Parameters:
  ///   - heldAfter: The number of bytes it may write to its standard error; nil for no limit.
  ///   - environment: Further variables.
  init(
    _ tool: String, _ arguments: [String], in folder: URL, heldAfter: Int? = nil, environment: [String: String] = [:]
  ) throws {
    process.executableURL = try Self.executable(tool)
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    // The smallest possible pipe: one page, which takes lines as long as they fit whole.
    room = Int(fcntl(errors.fileHandleForWriting.fileDescriptor, 1_031 /* F_SETPIPE_SZ */, getpagesize()))
    if let heldAfter {
      guard heldAfter < room else { throw Failure(description: "the pipe holds \(room) bytes") }
      errors.fileHandleForWriting.write(Data(repeating: UInt8(ascii: "\n"), count: room - heldAfter))
    }
    Self.stopIgnoringSignals()
    try process.run()
    try errors.fileHandleForWriting.close()
    try output.fileHandleForWriting.close()
  }

  /// A process inherits which signals are ignored. Tests that run in the background of a script ignore SIGINT, and some
  /// services ignore SIGTERM.
  private static func stopIgnoringSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] { signal(number, SIG_DFL) }
  }

  /// A product of this package; all of them are in one folder.
  static func executable(_ name: String) throws -> URL {
    let tests = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    let url = URL(filePath: tests).deletingLastPathComponent().appending(path: name)
    guard FileManager.default.isExecutableFile(atPath: url.path) else {
      throw Failure(description: "there is no '\(url.path)': 'swift build --build-tests' makes it")
    }
    return url
  }

  deinit {
    guard process.isRunning else { return }
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  var identifier: Int32 { process.processIdentifier }

  /// Waits until a paused process has written all that it may.
  func waitUntilHeld() throws {
    try wait(for: "the tool to fill the pipe") {
      var count: Int32 = 0
      guard ioctl(errors.fileHandleForReading.fileDescriptor, UInt(FIONREAD), &count) == 0 else {
        throw Failure(description: "FIONREAD: \(errno)")
      }
      return Int(count) == room
    }
  }

  /// Sends a signal that the tool watches for, and waits until it has taken note of it.
  func interrupt(_ signal: Int32) throws {
    // It has a handler from the start of a migration until the first signal.
    try wait(for: "the tool to watch for signal \(signal)") { try catches(signal) }
    kill(identifier, signal)
    try wait(for: "the tool to hear signal \(signal)") { try !catches(signal) }
  }

  private func catches(_ signal: Int32) throws -> Bool {
    let status = try String(contentsOfFile: "/proc/\(identifier)/status", encoding: .utf8)
    guard let caught = status.firstMatch(of: /SigCgt:\s*([0-9a-f]+)/).flatMap({ UInt64($0.output.1, radix: 16) })
    else { throw Failure(description: status) }
    return caught & 1 << (signal - 1) != 0
  }

  /// Reads what the tool writes, and waits until it has ended: its code, or the signal that has ended it as a negative
  /// number.
  func end() throws -> (code: Int32, output: String, errors: String) {
    // Its output fits in a pipe; its progress may not.
    let told = errors.fileHandleForReading.readDataToEndOfFile()
    let written = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    let status = process.terminationStatus
    return (
      process.terminationReason == .uncaughtSignal ? -status : status, String(decoding: written, as: UTF8.self),
      String(decoding: told.drop { $0 == UInt8(ascii: "\n") }, as: UTF8.self)
    )
  }

  private func wait(for event: String, _ isThere: () throws -> Bool) throws {
    let start = ContinuousClock.now
    while try !isThere() {
      guard process.isRunning else { throw Failure(description: "the tool ended while a test waited for \(event)") }
      guard ContinuousClock.now - start < Self.patience else {
        throw Failure(description: "timed out waiting for \(event)")
      }
      usleep(1_000)
    }
  }
}
