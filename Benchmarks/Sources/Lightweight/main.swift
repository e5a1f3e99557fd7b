import Foundation
import Heavylift
import Measuring

// Adds one attribute to an entity: in place, with a copy of the store, by a handler of a stage, and with `ALTER TABLE` by
// hand.
//
//   swift run -c release --package-path Benchmarks Lightweight [rows] [--repeat N] [--folder PATH]

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--child" {
  guard arguments.count == 3, let variant = Variant(rawValue: arguments[1]) else {
    throw Failure(problem: "a child needs a variant and a folder")
  }
  let folder = URL(filePath: arguments[2])
  let models = (TrackModel.model(isNew: false, variant.addition), TrackModel.model(isNew: true, variant.addition))
  try RunCost.printing { try variant.run(in: folder, models) }
  exit(0)
}

/// Removes an option from the arguments and returns its value.
@MainActor
func value(of option: String) throws -> String? {
  guard let place = arguments.firstIndex(of: option) else { return nil }
  guard arguments.count > place + 1 else { throw Failure(problem: "'\(option)' needs a value") }
  defer { arguments.removeSubrange(place...(place + 1)) }
  return arguments[place + 1]
}

do {
  let rounds = try value(of: "--repeat").map { Int($0) ?? 0 } ?? 5
  let parent = try value(of: "--folder").map { URL(filePath: $0) } ?? FileManager.default.temporaryDirectory
  let rows = arguments.first.map { Int($0) ?? 0 } ?? 1_000_000
  guard rows >= 100, rounds > 0, arguments.count <= 1 else {
    throw Failure(problem: "usage: Lightweight [rows, at least 100] [--repeat N] [--folder PATH]")
  }
  try LightweightBenchmark(rows: rows, rounds: rounds, parent: parent).run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
