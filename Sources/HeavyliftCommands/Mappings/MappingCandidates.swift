import Foundation
import Heavylift
import HeavyliftMapping
import HeavyliftModel
import HeavyliftXML

/// The models that may contain a mapping's source and destination.
struct MappingCandidates {
  /// One version of a model.
  private struct Candidate {
    var path: String
    var version: ModelSource.Version
    /// The bundle's name: `Library` for versions inside `Library.xcdatamodeld`; `nil` for a version outside a bundle.
    var bundleName: String?
    /// True for the current version of its bundle.
    var isCurrent: Bool
  }

  private let mapping: MappingSource
  private var versions: [Candidate] = []
  /// Errors for unreadable models next to the mapping, or in a project's folder. They are reported only if the readable
  /// models do not include the wanted one.
  private var failures: [Diagnostic] = []
  private let wereGiven: Bool

  /// Reads the given models, or else those next to the mapping's file.
  ///
  /// - Parameter others: The paths of models next to the mapping's file to ignore.
  init(
    for mapping: MappingSource, given paths: [String], besides others: [String] = [], _ sources: ModelSources
  ) throws {
    let io = sources.io
    self.mapping = mapping
    wereGiven = !paths.isEmpty
    let project = try sources.folder(paths)
    let excluded = Set(others.map { io.url($0).standardizedFileURL.path })
    let found = ModelPaths.models(beside: mapping.path, io.directory).filter {
      !excluded.contains(io.url($0).standardizedFileURL.path)
    }
    let named = wereGiven ? paths.filter { $0 != project?.given } : found
    for path in named.isEmpty ? project?.models ?? [] : named {
      do {
        let source = try sources.source(path)
        let bundleName = Self.bundleName(io.url(path))
        versions += try source.validVersions().map {
          Candidate(
            path: path, version: $0, bundleName: bundleName, isCurrent: $0.name == source.currentVersionName)
        }
      } catch {
        if wereGiven && !named.isEmpty { throw error }
        failures += ErrorReport(error).diagnostics
      }
    }
  }

  private static func bundleName(_ url: URL) -> String? {
    [url, url.deletingLastPathComponent(), url.deletingLastPathComponent().deletingLastPathComponent()]
      .first { ["xcdatamodeld", "momd"].contains($0.pathExtension) }?.deletingPathExtension().lastPathComponent
  }

  // MARK: Choosing

  /// Returns the model of one side of the mapping.
  func side(_ side: MappingSide, named name: String?) throws -> MappedModels.Side {
    if let name { return try one(of: versions.filter { $0.version.name == name }, side, meant: name) }
    let isSource = side == .source
    let reference = isSource ? mapping.mappingModel.source : mapping.mappingModel.destination
    if let checksum = reference.checksum {
      let exact = versions.filter { $0.version.model.versionChecksum == checksum }
      if !exact.isEmpty { return try one(of: exact, side, meant: checksum) }
    }
    let stated = isSource ? mapping.statedHashes.source : mapping.statedHashes.destination
    if !stated.isEmpty {
      let exact = versions.filter { candidate in
        let hashes = candidate.version.model.versionHashes
        return stated.allSatisfy { hashes[$0.key] == $0.value }
      }
      if !exact.isEmpty { return try one(of: exact, side, meant: "these version hashes") }
    }
    if let name = reference.name {
      let named = versions.filter { $0.version.name == name }
      if !named.isEmpty { return try one(of: named, side, meant: name) }
    }
    if let embedded = embedded(side) {
      if let same = versions.first(where: { $0.version.model.versionHashes == embedded.versionHashes }) {
        return MappedModels.Side(name: same.version.name, model: same.version.model, path: same.path)
      }
      let mapped = mapping.candidate(named: mapping.path).mappedHashes(side)
      let fitting = versions.filter { candidate in
        let hashes = candidate.version.model.versionHashes
        return !mapped.isEmpty && mapped.allSatisfy { hashes[$0.key] == $0.value }
      }
      if fitting.count == 1 { return try one(of: fitting, side, meant: reference.name) }
      return MappedModels.Side(name: embedded.name ?? reference.name ?? side.rawValue, model: embedded, path: nil)
    }
    return try one(of: [], side, meant: reference.name)
  }

  private func embedded(_ side: MappingSide) -> ManagedObjectModel? {
    side == .source ? mapping.embeddedModels.source : mapping.embeddedModels.destination
  }

  /// Returns the only candidate that fits. Equal models count as one, even if they come from different files.
  private func one(of found: [Candidate], _ side: MappingSide, meant: String?) throws -> MappedModels.Side {
    let found = areSame(found) ? found : narrowed(found, side)
    guard let first = found.first else { throw DiagnosticList([missing(side, meant)] + (meant == nil ? [] : failures)) }
    guard areSame(found) else {
      // Versions with the same hashes count as one, represented by the current version, or else by the newest.
      let hashes = first.version.model.versionHashes
      if found.allSatisfy({ $0.version.model.versionHashes == hashes }),
        let newest = found.last(where: \.isCurrent) ?? found.last
      {
        return MappedModels.Side(name: newest.version.name, model: newest.version.model, path: newest.path)
      }
      throw Diagnostic(
        .error, code: "mapping.several-models",
        problem: "several models match '\(meant ?? first.version.name)', the \(side.rawValue) model of "
          + "'\(mapping.path)': "
          + found.map { "'\($0.version.name)' of \($0.path)" }.joined(separator: ", "),
        remedy: "specify one of them with --model")
    }
    return MappedModels.Side(name: first.version.name, model: first.version.model, path: first.path)
  }

  private func areSame(_ found: [Candidate]) -> Bool { found.allSatisfy { $0.version.model == found[0].version.model } }

  /// Selects among versions with the same name in different bundles. An Xcode mapping records the bundle's path and
  /// contains the model.
  private func narrowed(_ found: [Candidate], _ side: MappingSide) -> [Candidate] {
    var found = found
    let path = side == .source ? mapping.modelPaths.source : mapping.modelPaths.destination
    if let path, let bundleName = Self.bundleName(URL(filePath: path)) {
      let there = found.filter { $0.bundleName == bundleName }
      if !there.isEmpty { found = there }
    }
    // Models with equal checksums may differ in facts that no hash covers, such as default values and class names.
    let name = side == .source ? mapping.mappingModel.source.name : mapping.mappingModel.destination.name
    let named = found.filter { $0.version.name == name }
    if !named.isEmpty { found = named }
    guard !areSame(found), let hashes = embedded(side)?.versionHashes else { return found }
    let same = found.filter { $0.version.model.versionHashes == hashes }
    return same.isEmpty ? found : same
  }

  private func statesHashes(_ side: MappingSide) -> Bool {
    !(side == .source ? mapping.statedHashes.source : mapping.statedHashes.destination).isEmpty
  }

  private func missing(_ side: MappingSide, _ meant: String?) -> Diagnostic {
    let option = side == .source ? "--from" : "--to"
    let names = versions.map(\.version.name)
    let looked = wereGiven ? "among the given models" : "next to the mapping"
    let problem =
      meant.map { "the \(side.rawValue) model '\($0)' of '\(mapping.path)' is not \(looked)" }
      ?? (statesHashes(side) && !names.isEmpty
        ? "\(wereGiven ? "none of the given models" : "no model next to the mapping") has the version hashes of the "
          + "\(side.rawValue) model that '\(mapping.path)' was compiled for"
        : nil)
      ?? "'\(mapping.path)' does not say what its \(side.rawValue) model is"
    // The user may have given a file name instead of a version's name.
    let base = meant.map { name in
      let last = (name as NSString).lastPathComponent as NSString
      return ["xcdatamodel", "xcdatamodeld", "mom", "momd"].contains(last.pathExtension)
        ? last.deletingPathExtension : last as String
    }
    let reference = side == .source ? mapping.mappingModel.source : mapping.mappingModel.destination
    let isWritten = meant != nil && meant == reference.name
    let remedy =
      names.isEmpty
      ? "specify the models with --model"
      : base.flatMap { names.nearestVersion(to: $0) }.map {
        isWritten
          ? "if you mean '\($0)', correct the name, or use \(option) '\($0)'" : "did you mean \(option) '\($0)'?"
      }
        ?? "available: \(names.map { "'\($0)'" }.joined(separator: ", ")); choose one with \(option), "
        + "or give others with --model"
    return Diagnostic(
      .error, code: "mapping.no-model", problem: problem, remedy: remedy,
      location: isWritten ? mapping.mappingModel.markup.location(of: side.rawValue) : nil)
  }
}
