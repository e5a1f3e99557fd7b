import Foundation
import Heavylift
import SampleLibrary

// Dumps stores of growing size, each in a separate process, and prints the time and the peak memory.
//
//   swift run -c release --package-path Benchmarks Dumping [objects …]

final class CountingSink: ByteSink {
  private(set) var count = 0
  func write(_ bytes: UnsafeRawBufferPointer) { count += bytes.count }
}

/// Returns the peak memory of this process, in MiB.
func peakMemory() throws -> Double {
  let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
  let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
  return (line?.split(separator: " ").dropFirst().first.flatMap { Double($0) } ?? 0) / 1024
}

func dump(_ path: String) throws {
  let store = try PersistentStore(url: URL(filePath: path), models: [SampleBook.model], mode: .readOnly)
  let sink = CountingSink()
  var total = 0
  let time = try ContinuousClock().measure { total = try StoreDump(store).write(to: sink).total }
  let seconds = Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18
  print(
    String(
      format: "%9d objects  %8.1f MB of JSON  %7.2f s  %9.0f objects/s  peak %5.1f MiB", total,
      Double(sink.count) / 1e6, seconds, Double(total) / seconds, try peakMemory()))
}

if CommandLine.arguments.count == 3, CommandLine.arguments[1] == "--store" {
  try dump(CommandLine.arguments[2])
} else {
  let sizes = CommandLine.arguments.dropFirst().compactMap(Int.init)
  for size in sizes.isEmpty ? [10_000, 100_000, 1_000_000] : sizes {
    let url = FileManager.default.temporaryDirectory.appending(path: "heavylift-\(UUID().uuidString).sqlite")
    try PersistentStore.create(at: url, model: SampleBook.model).close()
    PlainSQLite.insert(SampleBook.make(size), authors: max(1, size / 100), into: url)
    let process = Process()
    process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = ["--store", url.path]
    try process.run()
    process.waitUntilExit()
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
  }
}
