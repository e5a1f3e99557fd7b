import Foundation
import HeavyliftCommands

/// A tool of this package as a process of its own, which a test can hold at a line of its progress.
///
/// Progress is written by the thread that migrates. A pipe that has room for so many bytes and no more holds it before
/// the next line, for as long as nobody reads: nothing depends on how fast anybody is.
final class ToolProcess {
  /// Nothing that a test waits for takes as long.
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
  /// - Parameter heldAfter: As many bytes as it may write to its standard error; nil for all.
  init(_ tool: String, _ arguments: [String], in folder: URL, heldAfter: Int? = nil) throws {
    process.executableURL = try Self.executable(tool)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = output
    process.standardError = errors
    // The smallest pipe there is: a page, into which lines go as long as they fit whole.
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

  /// A product of this package: they lie together.
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

  /// Waits until a held process has written all that it may.
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
    // It has a handler from when a migration begins until it has heard of the first.
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
    // Its output is less than a pipe holds; what it tells meanwhile may be more.
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
        throw Failure(description: "nothing came of waiting for \(event)")
      }
      usleep(1_000)
    }
  }
}
