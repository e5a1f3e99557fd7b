import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftStore

/// Pairs that lead from one version to the next, and so from any version to the last.
///
/// ```swift
/// let chain = MigrationChain([music1To2, music2To3])
/// let mistakes = try chain.mistakes(in: graph2, from: 1)
/// ```
public struct MigrationChain {
  /// The pairs; each starts at the version where the previous one ends.
  public var pairs: [MigrationPair]

  /// Creates a chain.
  public init(_ pairs: [MigrationPair]) { self.pairs = pairs }

  /// Migrates a store to the last version as a program would, with the incremental manager, and returns the
  /// differences from the result of running the pairs one by one.
  ///
  /// - Parameters:
  ///   - graph: The contents of the store.
  ///   - place: The index of the pair whose source version the graph has.
  public func mistakes(in graph: ObjectGraph, from place: Int) throws -> [String] {
    let rest = pairs[place...]
    guard let first = rest.first, let last = rest.last else { return [] }
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var options = PersistentStore.CreationOptions()
    options.identifier = UUID().uuidString
    let (inPlace, start) = (folder.appending(path: "whole.sqlite"), folder.appending(path: "hop-0.sqlite"))
    for url in [inPlace, start] { try graph.build(at: url, model: first.sourceModel, options: options) }
    var store = start
    for (number, pair) in rest.enumerated() {
      let next = folder.appending(path: "hop-\(number + 1).sqlite")
      _ = try pair.carryOut(from: store, to: next)
      store = next
    }
    _ = try manager.migrate(inPlace)
    let (expected, found) = (try read(store, last), try read(inPlace, last))
    return GraphComparison(expected: expected, found: found, model: last.destinationModel).differences.map(Self.words)
  }

  private static func words(_ difference: GraphDifference) -> String {
    let object = "object \(difference.object.quotedName) of \(difference.entityName.quotedName)"
    func names(_ names: [String]) -> String { names.isEmpty ? "nothing" : names.quotedList }
    return switch difference.kind {
    case .missing: "\(object) exists only if the hops run separately"
    case .unexpected: "\(object) does not exist if the hops run separately"
    case .value(let name, let expected, let found):
      "\(object): \(name.quotedName) is \(JSONText.value(found)), but \(JSONText.value(expected)) if the hops run separately"
    case .targets(let name, let expected, let found):
      "\(object): \(name.quotedName) leads to \(names(found)), but to \(names(expected)) if the hops run separately"
    }
  }

  private func read(_ url: URL, _ pair: MigrationPair) throws -> ObjectGraph {
    let store = try PersistentStore(url: url, models: [pair.destinationModel], mode: .readOnly)
    defer { try? store.close() }
    return try ObjectGraph(store)
  }

  /// The manager that finds a store's version and runs all pairs from there.
  var manager: IncrementalMigrationManager {
    let candidates = pairs.enumerated().flatMap { number, pair in
      pair.mappings.enumerated().map { stage, mapping -> MappingCandidate in
        var mapping = mapping
        if pair.mappings.count > 1 { mapping.pass = stage + 1 }
        return MappingCandidate(
          file: "\(number).\(stage)", mappingModel: mapping,
          carriedModels: [.source: pair.sourceModel, .destination: pair.destinationModel])
      }
    }
    let code = MigrationCode { [pairs] manager, hop in
      guard let pair = pairs.first(where: { $0.stages == nil && $0.destinationModel == hop.destinationModel }) else {
        return
      }
      manager.policies = pair.policies
      manager.functions = pair.functions
    }
    let parts = pairs.compactMap { pair in pair.stages.map { (manager: $0, edges: pair.edges) } }
    guard !parts.isEmpty else {
      return IncrementalMigrationManager(
        models: versions, mappings: MappingSearch(candidates), code: code)
    }
    return IncrementalMigrationManager(
      stages: .joining(parts, versions: versions), mappings: MappingSearch(candidates), code: code)
  }

  /// All versions, oldest first, with those that stages lead through.
  private var versions: [ManagedObjectModel] {
    (pairs.first.map { [$0.sourceModel] } ?? [])
      + pairs.flatMap { pair -> [ManagedObjectModel] in
        guard let versions = pair.stages?.history.versions else { return [pair.destinationModel] }
        return pair.edges.map { versions[$0.destination] }
      }
  }
}
