import Foundation
import HeavyliftModel
import HeavyliftStore
import HeavyliftXML

/// The models that may contain a store's version, each with its location.
struct ModelCandidates {
  private(set) var sources: [ModelSource]
  /// The folder in which the models were found; `nil` if they were given.
  let folder: ProjectFolder?
  /// The mistakes of models in the folder, which were skipped.
  let skipped: [Diagnostic]
  /// Other models in the folder, once the store's model is known.
  private(set) var others: [ModelSource] = []

  /// Reads every model at the paths, or below the folder that is the only path. Throws for a given file with mistakes,
  /// because its models may be wrong.
  init(_ paths: [String], _ io: CommandIO) throws {
    guard let folder = try Self.folder(paths, io) else {
      sources = try paths.map { try Self.source($0, io) }
      (folder, skipped) = (nil, [])
      return
    }
    var (sources, skipped) = ([ModelSource](), [Diagnostic]())
    for path in folder.models {
      do {
        sources.append(try Self.source(path, io))
      } catch {
        skipped += ErrorReport(error).diagnostics
      }
    }
    (self.folder, self.sources, self.skipped) = (folder, sources, skipped)
  }

  /// Returns the folder with models that is the only path; `nil` if the paths are those of models.
  static func folder(_ paths: [String], _ io: CommandIO) throws -> ProjectFolder? {
    for path in paths {
      guard let folder = try ProjectFolder(path, io) else { continue }
      if paths.count == 1 { return folder }
      throw Diagnostic(
        .error, code: "model-file.not-a-model", problem: "the folder '\(path)' is not a model",
        remedy: "specify it alone, or the models in it that you mean: \(folder.models.quotedList)")
    }
    return nil
  }

  private static func source(_ path: String, _ io: CommandIO) throws -> ModelSource {
    let source = try ModelSource(path: path, url: io.url(path))
    _ = try source.validVersions()
    return source
  }

  /// Returns the model that fits a store, and names the skipped models if none does.
  func model(of file: StoreFile) throws -> StoreVersion.Fit {
    do {
      return try file.model(among: models, preferring: current)
    } catch let diagnostic as Diagnostic where !skipped.isEmpty {
      throw DiagnosticList([diagnostic] + skipped)
    }
  }

  /// Returns the model of a store to migrate, with all its versions, from a folder that may have several models.
  ///
  /// Throws if it is not certain which one that is: a migration to the version of another model would remove everything.
  func ofStore(_ path: String, _ io: CommandIO) throws -> ModelCandidates {
    guard let folder else { return self }
    guard skipped.isEmpty else {
      let doubt = Diagnostic(
        .error, code: "migration.unreadable-models",
        problem: "a model in '\(folder.path)' has mistakes, and it may be the one of store '\(path)'",
        remedy: "correct it, or specify the store's model with --model")
      throw DiagnosticList([doubt] + skipped)
    }
    let file = try StoreFile(url: io.url(path), mode: .readOnly)
    defer { try? file.close() }
    let fit = try file.model(among: models)
    let fitting = [fit.model] + fit.twins
    guard fit.evidence != .modelCache,
      let chosen = sources.first(where: { $0.versions.contains { fitting.contains($0.model) } })
    else {
      throw Diagnostic(
        .error, code: "migration.no-models", problem: "no model in '\(folder.path)' has the version of store '\(path)'",
        remedy: "specify the store's model with --model")
    }
    let names = Set(fit.model.entities.map(\.name))
    let different = sources.filter { !chosen.isCopy($0) }
    let similar = different.filter { other in
      other.versions.contains { !names.isDisjoint(with: $0.model.entities.map(\.name)) }
    }
    // They may have the store's next versions: nothing says which bundles belong together, and in which order.
    guard similar.isEmpty else {
      throw Diagnostic(
        .error, code: "migration.several-models",
        problem: "'\(chosen.path)' has the version of store '\(path)', but there are other models in '\(folder.path)' "
          + "with entities of the same names: \(similar.map(\.path).quotedList)",
        remedy: "if they are versions of one model, specify each of them with --model, oldest first; "
          + "if not, specify the store's model alone")
    }
    var candidates = self
    (candidates.sources, candidates.others) = ([chosen], different)
    return candidates
  }

  var models: [ManagedObjectModel] { sources.flatMap { $0.versions.map(\.model) } }

  /// The version that a program built with the last of these models uses; `nil` if its bundle names none.
  var current: ManagedObjectModel? {
    guard let last = sources.last else { return nil }
    return last.versions.first { $0.name == last.currentVersionName }?.model
  }

  /// The location of the model that fits a store, and of models with the same version hashes.
  func places(of fit: StoreVersion.Fit) -> String {
    let place = place(of: fit.model)
    let others = fit.twins.map { self.place(of: $0) }.filter { $0 != place }
    return others.isEmpty ? place : "\(place), the same version as \(others.joined(separator: ", "))"
  }

  /// The location of a model, such as `'Library 2' of Library.xcdatamodeld`; for a model that is not among the
  /// candidates, only its name.
  func place(of model: ManagedObjectModel) -> String {
    for source in sources {
      for version in source.versions where version.model.name == model.name && version.model == model {
        let file = source.path.hasSuffix("/") ? String(source.path.dropLast()) : source.path
        return source.versions.count > 1 ? "'\(version.name)' of \(file)" : "'\(version.name)' (\(file))"
      }
    }
    return "'\(model.name ?? "unnamed")'"
  }
}

extension ModelSource {
  /// True if the other models are the same, so that it does not matter which of them are used.
  fileprivate func isCopy(_ other: ModelSource) -> Bool {
    versions.map(\.model) == other.versions.map(\.model) && currentVersionName == other.currentVersionName
  }
}
