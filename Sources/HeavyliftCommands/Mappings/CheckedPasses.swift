import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// Mapping files that are checked together. Those for the same two models are passes into one store if each says so.
struct CheckedPasses {
  /// Objects that one pass ignores may be another pass's.
  static let codesOfCoverage: Set<String> = ["mapping.dropped-entity", "mapping.unfilled-entity"]

  /// A mapping file whose models were found.
  struct File {
    var name: String
    var source: MappingSource
    var models: MappedModels
  }

  private struct Pair: Hashable {
    var source: [String: VersionHash]
    var destination: [String: VersionHash]

    init(_ models: MappedModels) {
      source = models.source.model.versionHashes
      destination = models.destination.model.versionHashes
    }
  }

  /// In the order in which they are checked: files that are passes in the order in which they run.
  private(set) var files: [File] = []
  /// What is wrong with files for the same models, by the name of the last of them.
  private(set) var mistakes: [String: [Diagnostic]] = [:]
  private var passes: [Pair: [CompleteMappingModel]] = [:]
  private let counts: [Pair: Int]

  init(_ given: [File]) {
    // A file with mistakes of its own may say something else once they are fixed.
    let groups = Dictionary(grouping: given.filter { !$0.source.diagnostics.hasErrors }) { Pair($0.models) }
    var ordered: [Pair: [File]] = [:]
    for (pair, group) in groups where group.count > 1 {
      let candidates = group.map { $0.source.candidate(named: $0.name) }
      let found = MappingPasses(candidates).mistakes(
        leading: "from model \(group[0].models.source.name.quotedName) to "
          + "\(group[0].models.destination.name.quotedName)", in: "the files that are checked")
      // Core Data takes any one of several, and a program may choose.
      let isWritten = group.allSatisfy { $0.source.kind == .mappingFile }
      if !found.isEmpty, let last = group.last {
        mistakes[last.name] = found.map { diagnostic in
          var diagnostic = diagnostic
          if !isWritten { diagnostic.severity = .warning }
          return diagnostic
        }
        continue
      }
      ordered[pair] = group.sorted { ($0.source.mappingModel.pass ?? 0) < ($1.source.mappingModel.pass ?? 0) }
    }
    counts = ordered.mapValues(\.count)
    files = given.map { file in
      guard !file.source.diagnostics.hasErrors, let next = ordered[Pair(file.models)]?.first else { return file }
      ordered[Pair(file.models)]?.removeFirst()
      return next
    }
  }

  /// The mapping with everything that it leaves unsaid, after the passes before it.
  mutating func complete(_ file: File) -> CompleteMappingModel {
    let pair = Pair(file.models)
    let (source, destination) = (file.models.source.model, file.models.destination.model)
    guard counts[pair] != nil, !file.source.diagnostics.hasErrors else {
      return file.source.mappingModel.complete(from: source, to: destination)
    }
    let earlier = passes[pair, default: []].flatMap(\.entityMappings)
    let complete = file.source.mappingModel.complete(from: source, to: destination, after: earlier)
    passes[pair, default: []].append(complete)
    return complete
  }

  /// Whether passes are still to come: what is not covered yet is reported for the last pass, which knows the others.
  func isFollowed(_ file: File) -> Bool {
    let pair = Pair(file.models)
    return counts[pair].map { passes[pair, default: []].count < $0 } ?? false
  }
}
