import Foundation
import Heavylift
import Measuring

/// Measures all variants over copies of the same store, in rounds.
struct LightweightBenchmark {
  var rows: Int
  var rounds: Int
  private let folder: URL

  /// - Parameter parent: The folder in which a folder for all files is created; it decides which file system is used.
  init(rows: Int, rounds: Int, parent: URL) {
    (self.rows, self.rounds) = (rows, rounds)
    folder = parent.appending(path: "heavylift-benchmark-\(UUID().uuidString)")
  }

  func run() throws {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = Variant.source(in: folder)
    try TrackModel.fill(source, rows: rows)
    for variant in [Variant.emptyByHand, .filledByHand, .handledByHand] {
      try PersistentStore.create(
        at: variant.metadata(in: folder), model: TrackModel.model(isNew: true, variant.addition)
      ).close()
    }
    var measurements: [Variant: [RunCost]] = [:]
    for round in 0...rounds {
      for variant in Variant.allCases {
        try variant.prepare(in: folder)
        let measurement = try RunCost(ofChild: ["--child", variant.rawValue, folder.path])
        if round > 0 { measurements[variant, default: []].append(measurement) }
        if round == 0 { try require(variant) }
      }
    }
    let medians = measurements.mapValues(RunCost.init(medianOf:))
    let size = try source.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    print("\(rows) rows, \(size >> 20) MiB; medians of \(rounds) alternating rounds")
    for addition in Addition.allCases {
      print("\n\(addition.title.padding(toLength: 31, withPad: " ", startingAt: 0))  wall s  × by hand  peak MiB")
      for variant in Variant.allCases where variant.addition == addition {
        guard let own = medians[variant], let base = medians[variant.base] else { continue }
        print(
          "  " + variant.title.padding(toLength: 28, withPad: " ", startingAt: 0),
          String(format: "%8.4f %10.2f %9.1f", own.wall, own.wall / base.wall, own.peak))
      }
    }
  }

  /// Throws if a variant's store does not have the new version and all rows.
  private func require(_ variant: Variant) throws {
    let model = TrackModel.model(isNew: true, variant.addition)
    let store = try PersistentStore(url: variant.store(in: folder), models: [model], mode: .readOnly)
    try store.close()
    let connection = PlainConnection(variant.store(in: folder).path)
    let column =
      switch variant.addition {
      case .empty: "sum(ZSORTNAME IS NULL)"
      case .filled: "sum(ZPLAYS = 0)"
      case .handled: "sum(ZSORTNAME = ZNAME)"
      }
    guard connection.number("SELECT \(column) FROM ZTRACK") == rows else {
      throw Failure(problem: "'\(variant.rawValue)' lacks rows or values")
    }
  }
}
