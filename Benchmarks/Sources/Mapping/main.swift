import Foundation
import Heavylift

// Reads, checks and explains mapping files of growing size, and writes them back.
//
//   swift run -c release --package-path Benchmarks Mapping [properties of an entity] [rounds] [entities]…

let arguments = CommandLine.arguments.dropFirst().compactMap { Int($0) }
let properties = max(arguments.first ?? 20, 4)
let rounds = max(arguments.dropFirst().first ?? 5, 1)
let sizes = arguments.count > 2 ? Array(arguments.dropFirst(2)) : [250, 500, 1_000]

let titles = ["read", "check", "explain", "write"]

/// Returns the CPU time of this process. Unlike wall time, it is the same on a busy machine.
func processorSeconds() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// Returns the CPU seconds of each step, in the order of the titles.
func measure(_ mapping: LargeMapping) throws -> [Double] {
  var seconds: [Double] = []
  func time<Result>(_ body: () throws -> Result) rethrows -> Result {
    let start = processorSeconds()
    let result = try body()
    seconds.append(processorSeconds() - start)
    return result
  }
  let file = FileManager.default.temporaryDirectory.appending(path: "heavylift-\(UUID().uuidString).xml")
  try mapping.text.write(to: file, atomically: true, encoding: .utf8)
  defer { try? FileManager.default.removeItem(at: file) }
  let read = try time { try MappingModel(contentsOf: file) }
  let diagnostics = time { read.check(from: mapping.source, to: mapping.destination) }
  precondition(diagnostics.isEmpty, "\(diagnostics[0])")
  let explanation = time { read.explanation(from: mapping.source, to: mapping.destination) }
  precondition(!explanation.isEmpty)
  let written = try time { try MappingWriter.text(of: read) }
  precondition(!written.isEmpty)
  return seconds
}

func column(_ text: String, _ width: Int) -> String { String(repeating: " ", count: max(0, width - text.count)) + text }

print("entities with \(properties) properties; CPU milliseconds, best of \(rounds) rounds")
print(column("entities", 8) + column("kB", 8) + (titles + ["sum", "per entity"]).map { column($0, 11) }.joined())
for size in sizes where size > 0 {
  let mapping = LargeMapping(entities: size, properties: properties)
  var best: [Double] = []
  for _ in 0..<rounds {
    let seconds = try measure(mapping)
    if best.isEmpty || seconds.reduce(0, +) < best.reduce(0, +) { best = seconds }
  }
  let sum = best.reduce(0, +)
  let times =
    (best + [sum]).map { String(format: "%.0f", $0 * 1_000) } + [String(format: "%.3f", sum * 1_000 / Double(size))]
  print(
    column("\(size)", 8) + column("\(mapping.text.utf8.count / 1_000)", 8) + times.map { column($0, 11) }.joined())
}
