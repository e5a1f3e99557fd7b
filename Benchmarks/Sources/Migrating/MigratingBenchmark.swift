import Foundation
import Heavylift
import Measuring

/// Measures all variants over the same store, in rounds.
struct MigratingBenchmark {
  var tracks: Int
  var rounds: Int
  /// The variants to measure; always includes plain SQL, the baseline.
  private let variants: [Variant]
  private let folder = BenchmarkFolder(
    url: FileManager.default.temporaryDirectory.appending(path: "heavylift-benchmark-\(UUID().uuidString)"))

  init(tracks: Int, rounds: Int, only: String?) {
    self.tracks = tracks
    self.rounds = rounds
    var chosen = Set(
      Variant.allCases.filter { variant in
        variant == .plain || only.map { variant.rawValue.lowercased().contains($0.lowercased()) } ?? true
      })
    if chosen.contains(.verified) { chosen.insert(.changed) }
    // The verifier needs the declared mapping's store.
    variants = Variant.allCases.filter {
      chosen.contains($0) || $0 == .declared && !chosen.isDisjoint(with: [.verified, .changed])
    }
  }

  /// Creates the stores, measures, compares, and prints the table.
  func run() throws {
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder.url) }
    var generator = TrackGenerator(tracks: tracks)
    try generator.fill(folder.source)
    try PersistentStore.create(at: folder.template, model: TrackModels.new).close()

    // A declared mapping that runs object by object would be a different measurement.
    let plan = try MigrationManager(sourceModel: TrackModels.old, destinationModel: TrackModels.new).plan(
      from: folder.source, with: [TrackMapping.make()])
    for step in plan.steps where step.rows == .objects || step.relationships == .objects {
      throw Failure(problem: "entity mapping '\(step.name)' does not run in SQL:\n\(plan)")
    }

    // Alternates the variants, so that a slow phase of the machine affects all of them. The first round warms up and
    // is compared.
    var measurements: [Variant: [RunCost]] = [:]
    for round in 0...rounds {
      for variant in variants {
        try variant.prepare(in: folder)
        let measurement = try RunCost(ofChild: ["--child", variant.rawValue, folder.url.path])
        if round > 0 { measurements[variant, default: []].append(measurement) }
      }
      guard round == 0 else { continue }
      for variant in variants where variant.migrates && variant != .plain {
        try ContentComparison.require(variant, in: folder)
      }
      if variants.contains(.changed) { try ChangedBytes.requireEach(in: folder) }
    }

    let medians = measurements.mapValues(RunCost.init(medianOf:))
    print("\(tracks) tracks, medians of \(rounds) alternating rounds, one process each; all stores are the same")
    print("                                 wall s  × plain   CPU s  peak MiB  × declared")
    for variant in variants {
      guard let own = medians[variant], let plain = medians[.plain] else { continue }
      print(
        variant.title.padding(toLength: 30, withPad: " ", startingAt: 0),
        String(format: "%8.3f %8.2f %7.2f %9.1f", own.wall, own.wall / plain.wall, own.cpu, own.peak),
        medians[.declared].map { String(format: "%11.2f", own.wall / $0.wall) } ?? "")
    }
  }
}
