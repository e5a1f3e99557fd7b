import Foundation

/// The cost of one variant, measured in a separate process.
struct Measurement {
  var wall: Double
  var cpu: Double
  /// The peak memory, in MiB.
  var peak: Double

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
  init(medianOf all: [Measurement]) {
    func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
    self.init(wall: median(all.map(\.wall)), cpu: median(all.map(\.cpu)), peak: median(all.map(\.peak)))
  }

  /// Runs a variant in a child process, so that its memory does not affect other variants.
  init(of variant: Variant, in folder: BenchmarkFolder) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--child", variant.rawValue, folder.url.path]
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    let output = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0, let measured = Measurement(line: String(decoding: output, as: UTF8.self))
    else { throw Failure(problem: "variant '\(variant.rawValue)' failed with status \(process.terminationStatus)") }
    self = measured
  }

  /// Runs a variant in the child process, and prints its measurement.
  static func printing(_ variant: Variant, in folder: BenchmarkFolder) throws {
    let before = cpuSeconds()
    let wall = try ContinuousClock().measure { try variant.run(in: folder) }
    let seconds = Double(wall.components.seconds) + Double(wall.components.attoseconds) / 1e18
    print(Measurement(wall: seconds, cpu: cpuSeconds() - before, peak: try peakMemory()).line)
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
struct Failure: Error, CustomStringConvertible {
  var problem: String
  var description: String { problem }
}
