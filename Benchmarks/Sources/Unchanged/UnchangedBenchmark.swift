import Foundation
import Heavylift
import Measuring

/// Measures all variants over the same store, in rounds.
struct UnchangedBenchmark {
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
    try LargeModel.fill(source, rows: rows)
    try PersistentStore.create(at: Variant.template(in: folder), model: LargeModel.model(isNew: true)).close()
    let plan = try MigrationManager(
      sourceModel: LargeModel.model(isNew: false), destinationModel: LargeModel.model(isNew: true)
    ).plan(from: source, with: [LargeModel.mapping()])
    let kept = plan.steps.count { $0.rows == .kept }
    guard kept == LargeModel.entities - 1 else { throw Failure(problem: "only \(kept) tables are kept") }
    var measurements: [Variant: [RunCost]] = [:]
    for round in 0...rounds {
      for variant in Variant.allCases {
        try variant.prepare(in: folder)
        let measurement = try RunCost(ofChild: ["--child", variant.rawValue, folder.path])
        if round > 0 { measurements[variant, default: []].append(measurement) }
      }
      if round == 0 { for variant in [Variant.copied, .fresh, .inPlace] { try require(variant) } }
    }
    let medians = measurements.mapValues(RunCost.init(medianOf:))
    let size = try source.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0
    print("\(LargeModel.entities) entities of \(rows) rows, \(size >> 20) MiB; medians of \(rounds) alternating rounds")
    print("                                 wall s  × plain   CPU s  peak MiB")
    for variant in Variant.allCases {
      guard let own = medians[variant], let plain = medians[.plain] else { continue }
      print(
        variant.title.padding(toLength: 30, withPad: " ", startingAt: 0),
        String(format: "%8.3f %8.2f %7.2f %9.1f", own.wall, own.wall / plain.wall, own.cpu, own.peak))
    }
  }

  /// Throws if a variant's store has other rows than the one that plain SQL wrote.
  private func require(_ variant: Variant) throws {
    let connection = PlainConnection(Variant.plain.destination(in: folder).path)
    connection.attach(variant.destination(in: folder).path, as: "other")
    for place in 0..<LargeModel.entities {
      let table = "Z\(LargeModel.name(place).uppercased())"
      let columns =
        "Z_PK, Z_ENT, Z_OPT, ZCOUNT, ZOWNER, ZADDED, ZRATING, ZNAME, ZNOTE" + (place == 0 ? ", ZSORTNAME" : "")
      let rows = ["main", "other"].map { "SELECT \(columns) FROM \($0).\(table)" }
      let different =
        connection.number("SELECT count(*) FROM (\(rows[0]) EXCEPT \(rows[1]))")
        + connection.number("SELECT count(*) FROM (\(rows[1]) EXCEPT \(rows[0]))")
      guard different == 0 else { throw Failure(problem: "'\(variant.rawValue)' has other rows in \(table)") }
    }
  }
}
