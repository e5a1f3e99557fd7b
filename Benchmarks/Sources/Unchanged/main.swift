import Foundation
import Heavylift
import Measuring

// Migrates a store of 20 entities of which one changes: from a copy of the source, by writing every row, and by
// handwritten SQL that writes every row.
//
//   swift run -c release --package-path Benchmarks Unchanged [rows of each entity] [--repeat N] [--folder PATH]

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--child" {
  guard arguments.count == 3, let variant = Variant(rawValue: arguments[1]) else {
    throw Failure(problem: "a child needs a variant and a folder")
  }
  let folder = URL(filePath: arguments[2])
  try RunCost.printing { try variant.run(in: folder) }
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
  let rows = arguments.first.map { Int($0) ?? 0 } ?? 50_000
  guard rows >= 100, rounds > 0, arguments.count <= 1 else {
    throw Failure(problem: "usage: Unchanged [rows, at least 100] [--repeat N] [--folder PATH]")
  }
  try UnchangedBenchmark(rows: rows, rounds: rounds, parent: parent).run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
