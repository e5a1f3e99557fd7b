import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Migrates stores hop by hop and with a squashed mapping, and compares the results.
struct SquashProof {
  /// The comparison of the results for one store.
  struct Result {
    let store: String
    /// The differences between the new stores; `nil` if there are not two of them.
    var difference: StoreDifference?
    /// Differences between the losses, in words.
    var losses: [String] = []
    /// The errors that prevented a new store.
    var errors: (hops: String?, squashed: String?) = (nil, nil)

    var isSame: Bool { difference?.isEmpty == true && losses.isEmpty }
  }

  private let part: MigrationSquash.Part
  private let mapping: MappingModel
  private let history: BundleHistory
  private let code: MigrationCode

  init(_ part: MigrationSquash.Part, _ mapping: MappingModel, _ history: BundleHistory, _ code: MigrationCode) {
    (self.part, self.mapping, self.history, self.code) = (part, mapping, history, code)
  }

  /// - Throws: `Diagnostic` if the store does not have the first version.
  func compare(_ path: String, _ io: CommandIO) throws -> Result {
    let store = io.url(path)
    let hops = try history.manager(code, io)
    let squashed = IncrementalMigrationManager(
      models: [part.sourceModel, part.destinationModel],
      mappings: MappingSearch([MappingCandidate(file: "the squashed mapping", mappingModel: mapping)]),
      code: code)
    let version = try hops.plan(for: store, to: part.destinationModel).version
    guard version.isSameVersion(as: part.sourceModel) else {
      throw Diagnostic(
        .error, code: "squash.other-version",
        problem:
          "store '\(path)' has version '\(version.title)', and the mapping starts at '\(part.sourceModel.title)'",
        remedy: "pass a store of '\(part.sourceModel.title)', or squash with --from '\(version.title)'")
    }
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    var result = Result(store: path)
    var (one, other): (IncrementalMigrationReport?, IncrementalMigrationReport?)
    let targets = (folder.appending(path: "hops.sqlite"), folder.appending(path: "squashed.sqlite"))
    do {
      // Hop by hop, because composed hops would be the squashed mapping again.
      one = try hops.migrate(
        store, into: targets.0, to: part.destinationModel,
        options: IncrementalMigrationOptions(composesHops: false))
    } catch { result.errors.hops = Self.text(error) }
    do {
      other = try squashed.migrate(store, into: targets.1, to: part.destinationModel)
    } catch { result.errors.squashed = Self.text(error) }
    guard let one, let other else { return result }
    result.losses = differences(one, other)
    let (first, second) = try (
      PersistentStore(url: targets.0, models: [part.destinationModel], mode: .readOnly),
      PersistentStore(url: targets.1, models: [part.destinationModel], mode: .readOnly)
    )
    defer {
      try? first.close()
      try? second.close()
    }
    result.difference = try StoreDifference(from: first, to: second)
    return result
  }

  private static func text(_ error: any Error) -> String {
    ErrorReport(error).diagnostics.map(\.problem).joined(separator: "; ")
  }

  /// Data of the store that one of the migrations loses, and the other does not.
  private func differences(_ hops: IncrementalMigrationReport, _ squashed: IncrementalMigrationReport) -> [String] {
    struct Place: Hashable {
      var entity: String
      var property: String?
      var unit: MigrationLoss.Unit
    }
    var (most, own) = ([Place: Int](), [Place: Int]())
    for (number, hop) in hops.hops.enumerated() {
      for loss in hop.report?.losses ?? [] {
        guard let count = loss.count, let origin = part.origin(of: loss, ofHop: number) else { continue }
        most[Place(entity: origin.entity, property: origin.property, unit: loss.unit), default: 0] += count
      }
    }
    for loss in squashed.hops.flatMap({ $0.report?.losses ?? [] }) {
      own[Place(entity: loss.entity, property: loss.property, unit: loss.unit), default: 0] += loss.count ?? 0
    }
    let places = Set(most.keys).union(own.keys).sorted {
      ($0.entity, $0.property ?? "", $0.unit.rawValue) < ($1.entity, $1.property ?? "", $1.unit.rawValue)
    }
    // If an object is removed, its values are not lost on their own.
    return places.filter { own[$0] != nil || !mapping.removes($0.entity) }.compactMap { place in
      let counts = (most[place, default: 0], own[place, default: 0])
      guard counts.0 != counts.1 else { return nil }
      let thing = place.property.map { "'\($0)' of entity '\(place.entity)'" } ?? "entity '\(place.entity)'"
      return "the hops lose \(counts.0.grouped) \(place.unit.rawValue) of \(thing), and the squashed mapping "
        + counts.1.grouped
    }
  }
}

extension MappingModel {
  /// True if the file removes an entity by name.
  fileprivate func removes(_ entity: String) -> Bool {
    entityMappings.contains { $0.sourceEntityName == entity && $0.destinationEntityName == nil }
  }
}

extension SquashProof.Result {
  func lines(_ style: TextStyle) -> [String] {
    switch (errors.hops, errors.squashed) {
    case (let one?, let other?):
      return ["\(store): proves nothing, because it cannot be migrated, hop by hop: \(one); squashed: \(other)"]
    case (let error?, nil):
      return ["\(store): the squashed mapping accepts it, but hop by hop, the migration fails: \(error)"]
    case (nil, let error?):
      return ["\(store): hop by hop, it can be migrated, but not with the squashed mapping: \(error)"]
    case (nil, nil): break
    }
    guard let difference, !isSame else {
      let objects = difference?.entities.reduce(0) { $0 + $1.same } ?? 0
      return ["\(store): the same \(objects.counted("object")), hop by hop and squashed"]
    }
    let text = StoreDifferenceText(difference, "hop by hop", "squashed", nil, style)
    return ["\(store): hop by hop and squashed give different results"]
      + (difference.isEmpty ? [] : text.lines.map { $0.isEmpty ? "" : "  \($0)" }) + losses.map { "  \($0)" }
  }

  var json: JSONValue {
    .object([
      ("store", .string(store)), ("same", .bool(isSame)),
      ("difference", difference.map { DiffCommand.json($0, "hop by hop", "squashed", nil) } ?? .null),
      ("losses", .strings(losses)), ("errorOfHops", .optional(errors.hops)),
      ("errorOfSquashed", .optional(errors.squashed)),
    ])
  }
}
