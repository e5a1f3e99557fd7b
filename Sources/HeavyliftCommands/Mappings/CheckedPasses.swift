import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// Mapping files that are checked together. If several files for the same two models all state their pass, they fill
/// one store in passes.
struct CheckedPasses {
  /// A mapping file together with its models.
  struct File {
    var name: String
    var source: MappingSource
    var models: MappedModels
  }

  private struct Pair: Hashable {
    var source: String
    var destination: String
    /// The files of the models: tests may have copies of models and mappings.
    var paths: [String?]

    init(_ models: MappedModels) {
      paths = [models.source.path, models.destination.path]
      source = models.source.model.versionChecksum
      destination = models.destination.model.versionChecksum
    }
  }

  /// The files in the order of checking: passes in the order in which they run.
  private(set) var files: [File] = []
  /// Mistakes that concern several files for the same models, by the name of the last file.
  private(set) var mistakes: [String: [Diagnostic]] = [:]
  /// Passes waiting to be checked.
  private var completes: [Pair: [CompleteMappingModel]] = [:]

  /// - Parameter neighbors: Returns all mapping files in the folder of a given file, including the file itself.
  init(_ given: [File], neighbors: (File) -> [MappingCandidate]) {
    // Skips files with mistakes: fixing the mistakes may also change the passes.
    let groups = Dictionary(grouping: given.filter { !$0.source.diagnostics.hasErrors }) { Pair($0.models) }
    var ordered: [Pair: [File]] = [:]
    for (pair, group) in groups where group.count > 1 {
      let candidates = group.map { $0.source.candidate(named: $0.name) }
      let found = MappingPasses(candidates).mistakes(
        leading: "from model \(group[0].models.source.name.quotedName) to "
          + "\(group[0].models.destination.name.quotedName)", in: "the files that are checked")
      // Only a warning if Xcode mappings are among the files: Core Data uses any mapping that fits, unless a program
      // chooses one.
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
    // A later pass needs the earlier passes, even if the user checks only this file.
    for group in groups.values {
      guard group.count == 1, let file = group.first, file.source.mappingModel.pass != nil else { continue }
      let mapping = file.source.mappingModel
      let others = neighbors(file).filter {
        $0.mappingModel?.source == mapping.source && $0.mappingModel?.destination == mapping.destination
          && $0.mappingModel?.pass != nil && $0.mappingModel != mapping
      }
      mistakes[file.name] = MappingPasses([file.source.candidate(named: file.name)] + others).mistakes(
        leading: "from model \(file.models.source.name.quotedName) to \(file.models.destination.name.quotedName)",
        in: "the mapping's folder")
    }
    completes = ordered.compactMapValues { passes in
      guard let models = passes.first?.models else { return nil }
      return passes.map(\.source.mappingModel).complete(from: models.source.model, to: models.destination.model)
    }
    files = given.map { file in
      guard !file.source.diagnostics.hasErrors, let next = ordered[Pair(file.models)]?.first else { return file }
      ordered[Pair(file.models)]?.removeFirst()
      return next
    }
  }

  /// The mapping with all defaults filled in, as one pass among the others: only the last pass implies entity mappings.
  mutating func complete(_ file: File) -> CompleteMappingModel {
    let pair = Pair(file.models)
    if let next = completes[pair]?.first, !file.source.diagnostics.hasErrors {
      completes[pair]?.removeFirst()
      return next
    }
    return file.source.mappingModel.complete(
      from: file.models.source.model, to: file.models.destination.model)
  }
}
