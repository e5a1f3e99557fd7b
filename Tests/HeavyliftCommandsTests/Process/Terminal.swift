import Foundation

/// A pseudo-terminal for a tool's standard output and error.
final class Terminal {
  private let leader: FileHandle
  private let follower: FileHandle

  /// - Parameter columns: The width; 0 for a terminal that does not know it.
  init(columns: Int) throws {
    // Swift's Glibc module has no 'posix_openpt'; these are the requests that it makes.
    let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
    var (locked, number) = (Int32(0), Int32(0))
    guard descriptor >= 0, ioctl(descriptor, 0x4004_5431 /* TIOCSPTLCK */, &locked) == 0,
      ioctl(descriptor, 0x8004_5430 /* TIOCGPTN */, &number) == 0
    else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    leader = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    let other = open("/dev/pts/\(number)", O_RDWR | O_NOCTTY)
    guard other >= 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    follower = FileHandle(fileDescriptor: other, closeOnDealloc: true)
    var size = winsize(ws_row: columns == 0 ? 0 : 40, ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard ioctl(descriptor, UInt(TIOCSWINSZ), &size) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
  }

  /// Runs a tool without colors. Returns its output, with the line endings that it wrote.
  ///
  /// - Parameter columns: The value of the environment variable `COLUMNS`.
  func run(_ tool: String, _ arguments: [String], in folder: URL, columns: String? = nil) throws -> String {
    let process = Process()
    process.executableURL = try ToolProcess.executable(tool)
    process.arguments = arguments
    process.currentDirectoryURL = folder
    var environment = ProcessInfo.processInfo.environment
    (environment["NO_COLOR"], environment["TERM"], environment["COLUMNS"]) = ("1", "xterm", columns)
    process.environment = environment
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (follower, follower)
    try process.run()
    try follower.close()
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while true {
      // Once the tool has ended, Linux reports EIO.
      let count = read(leader.fileDescriptor, &buffer, buffer.count)
      guard count > 0 else { break }
      bytes += buffer[..<count]
    }
    process.waitUntilExit()
    return String(decoding: bytes, as: UTF8.self).replacing("\r\n", with: "\n")
  }
}
