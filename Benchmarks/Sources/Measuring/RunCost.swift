import Foundation

/// The cost of one variant, measured in a separate process.
public struct RunCost {
  public var wall: Double
  public var cpu: Double
  /// The peak memory, in MiB.
  public var peak: Double

  private var line: String { "\(wall) \(cpu) \(peak)" }

  private init(wall: Double, cpu: Double, peak: Double) {
    self.wall = wall
    self.cpu = cpu
    self.peak = peak
  }

  private init?(line: String) {
    let numbers = line.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
    guard numbers.count == 3 else { return nil }
    self.init(wall: numbers[0], cpu: numbers[1], peak: numbers[2])
  }

  /// Creates the median of several measurements, column by column.
  public init(medianOf all: [RunCost]) {
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    self.init(wall: median(all.map(\.wall)), cpu: median(all.map(\.cpu)), peak: median(all.map(\.peak)))
  }

  /// Runs this program in a child process with arguments, so that its memory does not affect other measurements. The
  /// child must call `printing`.
  public init(ofChild arguments: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0, let measured = RunCost(line: String(decoding: output, as: UTF8.self))
    else { throw Failure(problem: "child \(arguments) failed with status \(process.terminationStatus)") }
    self = measured
  }

  /// Measures what the child process does, and prints the measurement.
  public static func printing(_ body: () throws -> Void) throws {
    let before = cpuSeconds()
    let wall = try ContinuousClock().measure { try body() }
    let seconds = Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18
    print(RunCost(wall: seconds, cpu: cpuSeconds() - before, peak: try peakMemory()).line)
  }

  private static func cpuSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Reads the peak of this program alone: `getrusage` may report that of the parent, from before the child executed
  /// this program.
  private static func peakMemory() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    guard let kibibytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap({ Double($0) }) else {
      throw Failure(problem: "the system does not report the peak memory")
    }
    return kibibytes / 1024
  }
}

/// The reason why there is no measurement.
public struct Failure: Error, CustomStringConvertible {
  public var problem: String
  public var description: String { problem }

  public init(problem: String) { self.problem = problem }
}
