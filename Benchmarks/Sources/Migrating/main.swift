import Foundation
import Heavylift
import Measuring

// Migrates a store of tracks in one run: declared, with a policy, by chains of hops, and by handwritten SQL.
//
//   swift run -c release --package-path Benchmarks Migrating [tracks] [--repeat N] [--only VARIANT]

var arguments = Array(CommandLine.arguments.dropFirst())
if arguments.first == "--child" {
  guard arguments.count == 3, let variant = Variant(rawValue: arguments[1]) else {
    throw Failure(problem: "a child needs a variant and a folder")
  }
  let folder = BenchmarkFolder(url: URL(filePath: arguments[2]))
  try RunCost.printing { try variant.run(in: folder) }
  exit(0)
}
var rounds = 5
if let place = arguments.firstIndex(of: "--repeat") {
  guard arguments.count > place + 1, let number = Int(arguments[place + 1]), number > 0 else {
    throw Failure(problem: "'--repeat' needs a number above 0")
  }
  rounds = number
  arguments.removeSubrange(place...(place + 1))
}
var only: String?
if let place = arguments.firstIndex(of: "--only") {
  guard arguments.count > place + 1 else { throw Failure(problem: "'--only' needs a part of a variant's name") }
  only = arguments[place + 1]
  arguments.removeSubrange(place...(place + 1))
}
let tracks = arguments.first.map { Int($0) ?? 0 } ?? 100_000
guard tracks >= 100, arguments.count <= 1 else {
  print("usage: Migrating [tracks, at least 100] [--repeat N] [--only VARIANT]")
  exit(64)
}

do {
  try MigratingBenchmark(tracks: tracks, rounds: rounds, only: only).run()
} catch {
  FileHandle.standardError.write(Data("\(error)\n".utf8))
  exit(1)
}
