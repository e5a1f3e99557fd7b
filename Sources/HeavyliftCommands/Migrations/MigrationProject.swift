import Foundation
import Heavylift

/// What a migration is made of, found and read.
struct MigrationProject {
  let input: MigrationInput
  let store: URL
  let destination: URL?
  let target: ManagedObjectModel
  let execution: MappingHopExecution
  let manager: IncrementalMigrationManager
  let options: IncrementalMigrationOptions
  private let candidates: ModelCandidates
  private let folder: MappingFolder?
  private let folderPath: String
  private let code: MigrationCode

  init(_ input: MigrationInput, _ io: CommandIO) throws {
    self.input = input
    store = io.url(input.store)
    destination = input.destination.map(io.url)
    guard try GivenFile(input.store, store).kind == .database else {
      throw Diagnostic(
        .error, code: "store.not-a-database", problem: "'\(input.store)' is no SQLite database",
        remedy: "give the store's file, and its models with --model")
    }
    candidates = try Self.candidates(input, io)
    folderPath = input.mappings ?? Self.folder(beside: candidates.sources.map(\.path), io)
    do {
      folder = try MappingFolder(contentsOf: io.url(folderPath), file: folderPath.isEmpty ? "." : folderPath)
    } catch {
      // That there is none matters only if somebody has named it.
      if input.mappings != nil { throw error }
      folder = nil
    }
    target = try Self.target(input, candidates)
    code = io.code
    execution = io.code.execution
    manager = IncrementalMigrationManager(
      models: candidates.models, mappings: folder?.search ?? MappingSearch([]),
      infersMissingMappings: input.infersMissing, execution: execution)
    options = IncrementalMigrationOptions(backup: input.backup.map(io.url), revision: io.revision)
  }

  func plan() throws -> IncrementalMigrationPlan { try manager.plan(for: store, to: target, options: options) }

  // MARK: Finding

  private static func candidates(_ input: MigrationInput, _ io: CommandIO) throws -> ModelCandidates {
    if !input.models.isEmpty { return try ModelCandidates(input.models, io) }
    let places = [input.mappings.map { ($0 as NSString).appendingPathComponent("x") }, input.store].compactMap(\.self)
    let found = places.lazy.map { MappingCandidates.paths(beside: $0, io) }.first { !$0.isEmpty } ?? []
    guard !found.isEmpty else {
      throw Diagnostic(
        .error, code: "migration.no-models",
        problem: "no models are given for store '\(input.store)', and none lie beside it",
        remedy: "give them with --model, the oldest version first")
    }
    return try ModelCandidates(found, io)
  }

  /// The folder in which the first model lies that has mapping files beside it, or else the first.
  private static func folder(beside models: [String], _ io: CommandIO) -> String {
    let folders = models.map { path in
      (path.hasSuffix("/") ? String(path.dropLast()) : path as String) as NSString
    }.map(\.deletingLastPathComponent)
    let found = folders.first { folder in
      let names = (try? FileManager.default.contentsOfDirectory(atPath: io.url(folder).path)) ?? []
      return names.contains { ["xml", "xcmappingmodel", "cdm"].contains(($0 as NSString).pathExtension) }
    }
    return found ?? folders.first ?? ""
  }

  /// The version that is wanted. Where a bundle says which one is current, programs open no newer one.
  private static func target(_ input: MigrationInput, _ candidates: ModelCandidates) throws -> ManagedObjectModel {
    let versions = candidates.sources.flatMap(\.versions)
    guard let name = input.version else {
      if let last = candidates.sources.last,
        let current = last.versions.first(where: { $0.name == last.currentVersionName })
      {
        return current.model
      }
      guard let last = versions.last else {
        throw Diagnostic(
          .error, code: "migration.no-models", problem: "the models that are given have no version",
          remedy: "give others with --model")
      }
      return last.model
    }
    let named = versions.filter { $0.name == name }
    guard let first = named.first else {
      throw Diagnostic(
        .error, code: "model-file.unknown-version", problem: "no model has a version '\(name)'",
        remedy: versions.map(\.name).suggestion(for: name, kind: "version"))
    }
    guard named.allSatisfy({ $0.model.versionHashes == first.model.versionHashes }) else {
      throw Diagnostic(
        .error, code: "model-file.several-versions", problem: "several models have a version '\(name)'",
        remedy: "give with --model only the one that is meant")
    }
    return first.model
  }

  // MARK: Checking

  /// What is wrong with the mapping files that a plan needs, and what may surprise.
  func findings(_ plan: IncrementalMigrationPlan) -> FindingList {
    var findings = FindingList()
    for hop in plan.hops {
      for (place, mapping) in hop.mappings.enumerated() {
        var path = "the inferred mapping"
        var file: String?
        var found: [Diagnostic] = []
        if case .files(let names) = hop.origin, place < names.count {
          path = folderPath.isEmpty ? names[place] : "\(folderPath)/\(names[place])"
          let candidate = folder?.candidates.first { $0.file == names[place] }
          file = candidate?.kind == .compiled ? nil : path
          found = candidate?.diagnostics ?? []
        }
        let complete = mapping.complete(from: hop.sourceModel, to: hop.destinationModel)
        found += complete.check(code.checkEnvironment(for: mapping, file: file, isComplete: true))
        findings.add(found.filter { $0.severity != .note }, about: path)
      }
    }
    if code.isEmpty, findings.diagnostics.contains(where: { Self.codesOfCode.contains($0.code) }) {
      findings.add([Self.noCode], about: "this tool")
    }
    return findings
  }

  private static let codesOfCode: Set<String> = ["mapping.unknown-policy", "expression.unknown-function"]

  private static let noCode = Diagnostic(
    .note, code: "migration.no-code", problem: "no policies and no functions of yours are built into this tool",
    remedy: "build a tool of your own that has them, in about ten lines: see 'A tool of your own' in the README")
}
