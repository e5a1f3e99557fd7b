import Foundation
import Heavylift
import HeavyliftVerification
import Measuring

/// One variant of the migration: a row of the table.
enum Variant: String, CaseIterable {
  case plain
  case declared
  case verified
  case changed
  case policy
  case oneHop
  case fiveHops
  case fiveHopsWritten
  case policyHop
  case fiveHopsWithPolicy
  case current
  case copy

  /// The variant's name in the table.
  var title: String {
    switch self {
    case .plain: "plain SQL, no checks"
    case .declared: "declared mapping, all checks"
    case .verified: "declared mapping, verified"
    case .changed: "one byte changed, and found"
    case .policy: "policy on Track, all checks"
    case .oneHop: "incremental, one hop"
    case .fiveHops: "five hops"
    case .fiveHopsWritten: "five hops, each written"
    case .policyHop: "incremental, policy hop"
    case .fiveHopsWithPolicy: "five hops, third with policy"
    case .current: "incremental, already current"
    case .copy: "file copy"
    }
  }

  /// True if the variant creates a store of the new version.
  var migrates: Bool { ![.copy, .verified, .changed, .current].contains(self) }

  func run(in folder: BenchmarkFolder) throws {
    let destination = folder.destination(of: self)
    switch self {
    case .plain: try PlainMigration.run(from: folder.source, to: destination, template: folder.template)
    case .declared: try migrate(folder.source, to: destination, TrackMapping.make())
    case .verified:
      let found = try Self.differences(folder.source, folder.destination(of: .declared))
      guard found.isEmpty else { throw Failure(problem: "the verifier disagrees: \(found)") }
    case .changed: try ChangedBytes.requireOne(in: folder)
    case .policy: try migrate(folder.source, to: destination, TrackMapping.make(policy: "TrackPolicy"))
    case .oneHop: try TrackMapping.chain(hops: 1).migrate(folder.source, into: destination)
    case .fiveHops: try TrackMapping.chain(hops: 5).migrate(folder.source, into: destination)
    case .fiveHopsWritten:
      try TrackMapping.chain(hops: 5).migrate(
        folder.source, into: destination, options: IncrementalMigrationOptions(composesHops: false))
    case .policyHop:
      try TrackMapping.chain(from: 3, hops: 1, policyAt: 3).migrate(folder.third, into: destination)
    case .fiveHopsWithPolicy: try TrackMapping.chain(hops: 5, policyAt: 3).migrate(folder.source, into: destination)
    case .current: try TrackMapping.chain(hops: 1).migrate(destination)
    case .copy:
      try FileManager.default.copyItem(at: folder.source, to: destination)
      let file = try FileHandle(forUpdating: destination)
      try file.synchronize()
      try file.close()
    }
  }

  /// Creates what the variant needs before the measurement.
  func prepare(in folder: BenchmarkFolder) throws {
    try folder.clear(self)
    switch self {
    case .changed: try ChangedBytes.changeOne(in: folder)
    case .policyHop where !FileManager.default.fileExists(atPath: folder.third.path):
      try TrackMapping.chain(hops: 2).migrate(folder.source, into: folder.third)
    case .current:
      try FileManager.default.copyItem(at: folder.destination(of: .plain), to: folder.destination(of: self))
    default: break
    }
  }

  /// Recomputes every value of the declared migration's store, and returns the entity, key and property of each
  /// difference.
  static func differences(_ source: URL, _ destination: URL) throws -> [String] {
    let old = try PersistentStore(url: source, models: [TrackModels.old], mode: .readOnly)
    let new = try PersistentStore(url: destination, models: [TrackModels.new], mode: .readOnly)
    let report = try StoreVerifier(source: old, destination: new, mappings: [TrackMapping.make()]).verify()
    return report.examples.map { difference in
      let object = difference.destination ?? difference.source
      return "\(object.map { "\($0.entityName)/p\($0.key)" } ?? "") \(difference.propertyName ?? "-")"
    }.sorted()
  }

  private func migrate(_ source: URL, to destination: URL, _ mapping: MappingModel) throws {
    let manager = MigrationManager(
      sourceModel: TrackModels.old, destinationModel: TrackModels.new, policies: PolicyRegistry(TrackPolicy.self))
    try manager.migrateStore(from: source, to: destination, with: mapping)
  }
}

/// The folder for all files of a run; it is deleted at the end.
struct BenchmarkFolder {
  let url: URL
  var source: URL { url.appending(path: "source.sqlite") }
  /// An empty store of the new version.
  var template: URL { url.appending(path: "template.sqlite") }

  /// A store of the third version.
  var third: URL { url.appending(path: "third.sqlite") }

  func destination(of variant: Variant) -> URL { url.appending(path: "\(variant.rawValue).sqlite") }

  /// Deletes a variant's files.
  func clear(_ variant: Variant) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: url.path)
    where name.hasPrefix("\(variant.rawValue).sqlite") {
      try FileManager.default.removeItem(at: url.appending(path: name))
    }
  }
}
