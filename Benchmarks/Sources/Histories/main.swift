import Foundation
import Heavylift
import Measuring

// Plans and migrates a random history of a model, composed and hop by hop, and finds out that a store is current.
//
//   swift run -c release --package-path Benchmarks Histories [VERSIONS [ENTITIES [ROWS [SEED [FILLED]]]]]
//     [--repeat N] [--only VARIANT]

var arguments = Array(CommandLine.arguments.dropFirst())

/// Removes an option with its value, and returns the value.
@MainActor func value(of option: String) throws -> String? {
  guard let place = arguments.firstIndex(of: option) else { return nil }
  guard arguments.count > place + 1 else { throw Failure(problem: "'\(option)' needs a value") }
  defer { arguments.removeSubrange(place...(place + 1)) }
  return arguments[place + 1]
}

let child = try value(of: "--child")
let folder = try value(of: "--folder").map { URL(filePath: $0) }
let rounds = try value(of: "--repeat").map { Int($0) ?? 0 } ?? 3
let only = try value(of: "--only")
let numbers = arguments.compactMap { Int($0) }
guard numbers.count == arguments.count, numbers.count <= 5, numbers.allSatisfy({ $0 > 0 }), numbers.first != 1,
  rounds > 0
else {
  print("usage: Histories [VERSIONS [ENTITIES [ROWS [SEED [FILLED]]]]] [--repeat N] [--only VARIANT]")
  exit(64)
}
@MainActor func number(_ place: Int, or other: Int) -> Int { numbers.indices.contains(place) ? numbers[place] : other }
let entities = number(1, or: 20)
let benchmark = HistoryBenchmark(
  versions: number(0, or: 60), entities: entities, rows: number(2, or: 10), seed: UInt64(number(3, or: 1)),
  filled: min(number(4, or: entities), entities))
if let child, let folder {
  guard let variant = Variant(rawValue: child) else { throw Failure(problem: "there is no variant '\(child)'") }
  try benchmark.measure(variant, in: folder)
} else {
  try benchmark.run(rounds: rounds, only: only, arguments: arguments)
}
