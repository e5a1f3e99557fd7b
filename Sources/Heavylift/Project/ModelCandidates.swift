import Foundation
package import HeavyliftMapping
package import HeavyliftModel
import HeavyliftStore
package import HeavyliftXML

/// The models that may contain a store's version, each with its location.
package struct ModelCandidates {
  package private(set) var sources: [ModelSource]
  /// The folder that the user gave; `nil` if only models were given, or if the models were found next to a store.
  package let folder: ProjectFolder?
  /// False if the user named each of the models.
  private let wereFound: Bool
  /// The mistakes of models that were found, and skipped.
  package let skipped: [Diagnostic]
  /// Possible reasons why no model fits.
  private var explanations: [Diagnostic] {
    guard let passedOver = folder?.passedOver, !passedOver.isEmpty else { return skipped }
    return skipped + [
      Diagnostic(
        .note, code: "model-file.passed-over",
        problem: "compiled models were not read, because there are source models: \(passedOver.quotedPaths)",
        remedy: "if one of them is the store's, specify it with --model")
    ]
  }
  /// Other models that were found, once the store's model is known.
  package private(set) var others: [ModelSource] = []
  /// Models that were found and have nothing that the store's model does not have.
  package private(set) var copies: [ModelSource] = []

  /// Reads every model at the paths, and those in the folder among them.
  package init(_ paths: [String], _ directory: WorkingDirectory) throws {
    try self.init(ModelPaths(paths, directory), directory)
  }

  /// Reads every model at the paths. Throws for a given file with mistakes, because its models may be wrong.
  package init(_ paths: ModelPaths, _ directory: WorkingDirectory) throws {
    (folder, wereFound) = (paths.folder, paths.given.isEmpty && !paths.found.isEmpty)
    let found = Self.readable(paths.found, directory)
    guard !wereFound else {
      (sources, skipped) = found
      return
    }
    let sources = try paths.given.map { try Self.source($0, directory) }
    (self.sources, skipped) = (sources, [])
    (copies, others) = found.sources.partitioned { other in sources.contains { other.isPart(of: $0) } }
  }

  private static func readable(_ paths: [String], _ directory: WorkingDirectory) -> (
    sources: [ModelSource], skipped: [Diagnostic]
  ) {
    var (sources, skipped) = ([ModelSource](), [Diagnostic]())
    for path in paths {
      do {
        sources.append(try source(path, directory))
      } catch {
        skipped += [Diagnostic](of: error)
      }
    }
    return (sources, skipped)
  }

  private static func source(_ path: String, _ directory: WorkingDirectory) throws -> ModelSource {
    let source = try ModelSource(path: path, url: directory.url(path))
    _ = try source.validVersions()
    return source
  }

  /// Returns the model that fits a store, and names the skipped models if none does.
  package func model(of file: StoreFile) throws -> StoreVersion.Fit {
    do {
      return try file.model(among: models, preferring: current)
    } catch let diagnostic as Diagnostic where !explanations.isEmpty {
      throw DiagnosticList([diagnostic] + explanations)
    }
  }

  package var models: [ManagedObjectModel] { sources.flatMap { $0.versions.map(\.model) } }

  /// True if the user named the models, and their numbers say that the newest was named first.
  package var areNewestFirst: Bool {
    guard !wereFound, sources.count > 1 else { return false }
    let names = sources.map { $0.path.withoutFolderAndExtension }
    return Set(sources.map(\.path.unnumbered)).count == 1
      && zip(names, names.dropFirst()).allSatisfy { $1.precedesAsCounted($0) }
  }

  /// Newer versions of the last bundle, judging by their numbers, that are not its current one.
  package var newerThanCurrent: [String] {
    guard let last = sources.last, let current, let name = last.currentVersionName else { return [] }
    return last.versions.filter { $0.name.isLaterVersion(than: name) && !$0.model.isSameVersion(as: current) }
      .map(\.name)
  }

  /// The version that a program built with the last of these models uses; `nil` if its bundle names none.
  package var current: ManagedObjectModel? {
    guard let last = sources.last else { return nil }
    return last.versions.first { $0.name == last.currentVersionName }?.model
  }

  /// The location of the model that fits a store, and of models with the same version hashes.
  package func places(of fit: StoreVersion.Fit) -> String {
    let place = place(of: fit.model)
    let others = fit.twins.map { self.place(of: $0) }.filter { $0 != place }
    return others.isEmpty ? place : "\(place), the same version as \(others.joined(separator: ", "))"
  }

  /// The location of a model, such as `'Library 2' of Library.xcdatamodeld`; for a model that is not among the
  /// candidates, only its name.
  package func place(of model: ManagedObjectModel) -> String {
    for source in sources {
      for version in source.versions where version.model.name == model.name && version.model == model {
        let file = source.path.hasSuffix("/") ? String(source.path.dropLast()) : source.path
        return source.versions.count > 1 ? "'\(version.name)' of \(file)" : "'\(version.name)' (\(file))"
      }
    }
    return "'\(model.name ?? "unnamed")'"
  }
}

// MARK: The model of a store

extension ModelCandidates {
  /// Returns the model of a store to migrate, with all its versions, if the models were found: there may be several.
  ///
  /// The versions of a model may be in several bundles if mappings lead from one to the next. Throws if it is not certain
  /// which models they are: a migration to the version of another model would remove everything.
  package func ofStore(
    _ path: String, mappings: @autoclosure () -> [MappingCandidate], _ directory: WorkingDirectory
  ) throws -> ModelCandidates {
    guard wereFound else { return self }
    let place = folder.map { "in '\($0.path)'" } ?? "next to store '\(path)'"
    guard skipped.isEmpty else {
      let doubt = Diagnostic(
        .error, code: "migration.unreadable-models",
        problem: "a model \(place) has mistakes, and it may be the one of store '\(path)'",
        remedy: "correct it, or specify the store's model with --model")
      throw DiagnosticList([doubt] + skipped)
    }
    let file: StoreFile
    do {
      file = try StoreFile(url: directory.url(path), mode: .readOnly)
    } catch let diagnostic as Diagnostic where diagnostic.code == "store.unfinished-change" && sources.count == 1 {
      // A migration in place can roll it back, and there is nothing to choose.
      return self
    }
    defer { try? file.close() }
    let fit = try model(of: file)
    let possible = sources.filter { source in
      fit.evidence == .modelCache
        ? source.hasEntities(of: [fit.model])
        : source.versions.contains { ([fit.model] + fit.twins).contains($0.model) }
    }
    guard
      let chosen = possible.first(where: { source in possible.allSatisfy { $0.isPart(of: source) } }) ?? possible.first
    else {
      let missing = Diagnostic(
        .error, code: "migration.no-models",
        problem: "no model \(place) has the version of store '\(path)'",
        remedy: "specify the store's model with --model")
      throw DiagnosticList([missing] + explanations)
    }
    var candidates = self
    if sources.count > 1 { candidates.sources = chain(of: chosen, mappings()) }
    let chain = candidates.sources
    (candidates.copies, candidates.others) = sources.filter { other in !chain.contains { $0.path == other.path } }
      .partitioned { other in chain.contains { other.isPart(of: $0) } }
    let known = candidates.models + [fit.model]
    let similar = candidates.others.filter { $0.hasEntities(of: known) }
    // They may have the store's next versions: nothing says which bundles belong together, and in which order.
    guard similar.isEmpty else {
      let alone = folder.map { "specify the store's model too: --model '\($0.given)' --model '\(chosen.path)'" }
      throw Diagnostic(
        .error, code: "migration.several-models",
        problem: "'\(chosen.path)' has the version of store '\(path)', but there are other models "
          + "\(place) with entities of the same names: \(similar.map(\.path).quotedPaths)",
        remedy: "if they are versions of one model, specify each of them with --model, oldest first; if not, "
          + (alone ?? "specify the store's model alone: --model '\(chosen.path)'"))
    }
    return candidates
  }

  /// Returns the models that contain the versions of the chosen one, in the order in which mappings lead through them.
  private func chain(of chosen: ModelSource, _ mappings: [MappingCandidate]) -> [ModelSource] {
    var chain = sources.filter { $0.path == chosen.path || $0.isLooseVersion(beside: chosen) }
    let joining = mappings.filter { mapping in !sources.contains { mapping.mayBeFor($0.versions) } }
    func next(_ leads: (MappingCandidate, ModelSource) -> Bool) -> ModelSource? {
      sources.first { source in
        !chain.contains { source.isPart(of: $0) } && joining.contains { leads($0, source) }
      }
    }
    while true {
      let versions = chain.flatMap(\.versions)
      if let successor = next({ $0.leads(from: versions, to: $1.versions) }) {
        chain.append(successor)
      } else if let predecessor = next({ $0.leads(from: $1.versions, to: versions) }) {
        chain.insert(predecessor, at: 0)
      } else {
        return chain
      }
    }
  }
}

extension ModelSource {
  /// True if the other model has all versions of this one, so that it does not matter which of them is used.
  fileprivate func isPart(of other: ModelSource) -> Bool {
    versions.allSatisfy { version in other.versions.contains { $0.model == version.model } }
      && (versions.count < other.versions.count || currentVersionName == other.currentVersionName)
  }

  /// True if a version has an entity that one of the models has, too, perhaps under another name.
  fileprivate func hasEntities(of models: [ManagedObjectModel]) -> Bool {
    !versions.map(\.model).entityNames.isDisjoint(with: models.entityNames)
  }

  /// True for a version outside a bundle whose name differs from the other's only in its number.
  fileprivate func isLooseVersion(beside other: ModelSource) -> Bool {
    guard isLoose, other.isLoose else { return false }
    return path.deletingLastPathComponent == other.path.deletingLastPathComponent
      && path.unnumbered == other.path.unnumbered
  }

  private var isLoose: Bool { ["xcdatamodel", "mom"].contains((path as NSString).pathExtension.lowercased()) }
}

extension [ManagedObjectModel] {
  fileprivate var entityNames: Set<String> {
    Set(flatMap { $0.entities.flatMap { [$0.name] + ($0.renamingIdentifier.map { [$0] } ?? []) } })
  }
}

extension ModelVersions {
  /// Newer versions than the current one, judging by their numbers. Reads only these.
  package func newerThanCurrent() throws -> [String] {
    guard let current = versions.first(where: { $0.name == currentVersionName }) else { return [] }
    return try versions.filter {
      try $0.name.isLaterVersion(than: current.name) && !$0.model().isSameVersion(as: current.model())
    }.map(\.name)
  }
}

extension String {
  /// True for the name of a version with the same name but a larger number: `Library 3`, for `Library 2`.
  fileprivate func isLaterVersion(than other: String) -> Bool {
    unnumbered == other.unnumbered && other.precedesAsCounted(self)
  }

  fileprivate var withoutFolderAndExtension: String {
    ((self as NSString).lastPathComponent as NSString).deletingPathExtension
  }

  /// The name of a file, without its extension and the number of a version: `Library` for `Library 2.mom`.
  fileprivate var unnumbered: String {
    let name = withoutFolderAndExtension
    let end = name.lastIndex { !($0.isNumber || " ._-".contains($0)) }
    return end.map { String(name[...$0]) } ?? ""
  }
}

extension Sequence {
  /// Returns the elements that meet a condition, and the others.
  fileprivate func partitioned(_ condition: (Element) -> Bool) -> (meeting: [Element], others: [Element]) {
    (filter(condition), filter { !condition($0) })
  }
}
