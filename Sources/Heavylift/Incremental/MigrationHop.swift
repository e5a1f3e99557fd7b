public import Foundation
import HeavyliftConcurrency
import HeavyliftMapping
public import HeavyliftModel
import HeavyliftStore
import HeavyliftXML
import HeavyliftEngine

/// A step from one version to another, with one or more mapping models that run one after another.
public struct MigrationHop: Hashable, Sendable {
  /// The origin of the mapping models.
  public enum Origin: Hashable, Codable, Sendable {
    /// They were read from mapping files with these names.
    case files([String])
    /// They were inferred from the difference between the models, because there is no mapping file.
    case inferred
    /// They were inferred for a stage.
    case stage(MigrationHistory.Stage, StagePart)
  }

  /// The part of a stage that a hop carries out.
  public enum StagePart: Hashable, Codable, Sendable {
    /// The whole stage.
    case whole
    /// The step to the intermediate model, which has the properties of both versions, and the handlers.
    case expansion
    /// The step from the intermediate model to the stage's destination.
    case contraction
  }

  /// The source version.
  public var sourceModel: ManagedObjectModel { didSet { onceCompleted = Once() } }
  /// The destination version.
  public var destinationModel: ManagedObjectModel { didSet { onceCompleted = Once() } }
  /// The mapping models in the order in which they run; each finishes all its passes before the next one starts.
  public var mappings: [MappingModel] { didSet { onceCompleted = Once() } }
  /// The origin of the mapping models.
  public var origin: Origin
  /// Everything the hop skips, if it was inferred across several versions.
  public var jump: MigrationJump?
  /// The hops that this one replaces, because its result is theirs; empty if it replaces none.
  public internal(set) var parts: [MigrationHop] = []
  /// The hops that this one replaces, or the hop itself.
  package var steps: [MigrationHop] { parts.isEmpty ? [self] : parts }
  /// Warnings and errors about the hop, if they have been collected.
  package internal(set) var knownFindings: [Diagnostic]?
  /// The stage that does not run because there are mapping files for its versions.
  public internal(set) var overriddenStage: MigrationHistory.Stage?
  /// The intermediate model of the hop's stage, if the hop leads to one.
  package internal(set) var intermediate: IntermediateModel?
  /// The hops that complete the stage.
  var continuation: [MigrationHop] = []
  private var onceCompleted = Once<[CompleteMappingModel]>()

  /// Creates a hop.
  public init(
    sourceModel: ManagedObjectModel, destinationModel: ManagedObjectModel, mappings: [MappingModel],
    origin: Origin = .files([]), jump: MigrationJump? = nil
  ) {
    self.jump = jump
    self.sourceModel = sourceModel
    self.destinationModel = destinationModel
    self.mappings = mappings
    self.origin = origin
  }

  /// The mapping models with all defaults filled in. They are completed once, and checked once: a plan hands its hops on to
  /// the migration.
  package var completedMappings: [CompleteMappingModel] {
    onceCompleted { mappings.complete(from: sourceModel, to: destinationModel) }
  }

  /// The warnings and errors about the mapping models.
  var findings: [Diagnostic] { completedMappings.flatMap { $0.check() }.filter { $0.severity != .note } }

  /// The versions in words: `'Music 1' → 'Music 2'`.
  public var title: String { "'\(sourceModel.title)' → '\(destinationModel.title)'" }

  /// The origin of the mappings, in words.
  public var reason: String {
    switch origin {
    case .inferred where jump != nil: "a jump over \((jump?.skippedVersions ?? []).quotedList), inferred"
    case .inferred where !parts.isEmpty: "inferred, through \(between)"
    case .inferred: "inferred, because it has no mapping file"
    case .files(let names) where !parts.isEmpty:
      "by \(names.quotedList)\(parts.contains { $0.origin == .inferred } ? ", the rest inferred" : ""), through \(between)"
    case .files(let names):
      (names.isEmpty
        ? "by a mapping that was given"
        : names.count > 1 ? "by \(names.quotedList), one after the other" : "by \(names.quotedList)")
        + (overriddenStage.map { ", which replaces \($0.title)" } ?? "")
    case .stage(let stage, let part):
      "\(part.prefix)\(stage.title)" + (handlers.isEmpty ? "" : " (\(handlers.map(\.title).joined(separator: ", ")))")
    }
  }

  /// The titles of the versions between source and destination that the parts go through.
  public var versionsBetween: [String] { parts.dropLast().map(\.destinationModel.title) }

  /// The versions in between, in words.
  private var between: String {
    versionsBetween.count <= 3
      ? versionsBetween.quotedList
      : "\(versionsBetween.count) versions"
  }

  /// The stage that the hop carries out, or a part of it.
  public var stage: MigrationHistory.Stage? {
    if case .stage(let stage, _) = origin { stage } else { nil }
  }

  /// The handlers that the hop runs, in order.
  public var handlers: [MigrationHistory.Handler] {
    guard case .stage(let stage, let part) = origin, part != .contraction else { return [] }
    return stage.handlers
  }

  /// A digest of everything that determines what the hop does, except for policies, and for default values that differ in
  /// each process, because the next process could not continue this one's work.
  var digest: String {
    var parts = [sourceModel, destinationModel].map { ModelWriter.text(of: $0.withoutVaryingDefaults) }
    parts += [sourceModel, destinationModel].map(\.stageIdentity)
    // A mapping model that cannot be written as XML was created in code. Its description is used instead.
    parts += mappings.map(withoutVaryingDefaults).map { mapping in
      let explicit = mapping.writingOutRemovals(from: sourceModel, to: destinationModel)
      return (try? MappingWriter.text(of: explicit)) ?? "\(explicit)"
    }
    parts += mappings.compactMap(\.succession?.text)
    if case .stage(let stage, let part) = origin {
      parts += [stage.title, "\(part)", stage.revision] + stage.handlers.map(\.title)
    }
    return parts.joined(separator: "\u{0}").digestText
  }

  /// Returns a mapping without the properties whose values come from default values that differ in each process.
  private func withoutVaryingDefaults(_ mapping: MappingModel) -> MappingModel {
    if case .files = origin { return mapping }
    var mapping = mapping
    for index in mapping.entityMappings.indices {
      let entity = mapping.entityMappings[index].destinationEntityName
      let names = entity.flatMap { destinationModel.varyingDefaults[$0] } ?? []
      mapping.entityMappings[index].propertyMappings.removeAll { names.contains($0.name) }
    }
    return mapping
  }
}

extension MigrationHop {
  /// Calls a function with a temporary, empty store of the source version: for planning a hop whose store does not exist
  /// yet.
  ///
  /// - Parameter configurations: The store contains the first of these that the source version has, or else all entities.
  func withEmptySource<Result>(_ configurations: [String?], _ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "heavylift-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = folder.appending(path: "empty.sqlite")
    var options = PersistentStore.CreationOptions()
    options.configuration = configurations.compactMap(\.self).first { name in
      sourceModel.configurations.contains { $0.name == name }
    }
    try PersistentStore.create(at: store, model: sourceModel, options: options).close()
    return try body(store)
  }
}

extension MigrationHop {
  /// Returns the place in a part's mapping file that computes the value of a property, which that file may call otherwise.
  func place(of place: HopError.Place) -> DiagnosticLocation? {
    guard !parts.isEmpty, let property = place.property else { return nil }
    let mapping = mappings.flatMap(\.entityMappings).first { $0.name == place.mapping }
    return mapping?.propertyMapping(named: property)?.markup.location(of: "value")
  }
}

extension MigrationHop.Origin {
  /// The origin of a hop that replaces others.
  init(of parts: [MigrationHop]) {
    let names = parts.flatMap { part -> [String] in if case .files(let names) = part.origin { names } else { [] } }
    self = parts.allSatisfy { $0.origin == .inferred } ? .inferred : .files(names)
  }
}

extension MigrationHop.StagePart {
  fileprivate var prefix: String {
    switch self {
    case .whole: "by "
    case .expansion: "first part of "
    case .contraction: "last part of "
    }
  }
}

extension String {
  /// The SHA-256 hash of the string's UTF-8 bytes, in hexadecimal.
  var digestText: String { Data(utf8).digestText }
}

extension Data {
  /// The SHA-256 hash, in hexadecimal.
  var digestText: String {
    SHA2.digest(.sha256, of: self).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}

/// The consequences of inferring a hop across intermediate versions.
///
/// A jump is only taken if `IncrementalMigrationManager` was created with `allowsJumps: true`, or the tool was run with
/// `--allow-jumps`.
public struct MigrationJump: Hashable, Sendable {
  /// The names of the versions that the migration skips.
  public var skippedVersions: [String]
  /// The reasons why the hops that the jump replaces cannot be inferred.
  public var reasons: [Diagnostic]
  /// Mapping files between the skipped versions, which do not run.
  public var skippedFiles: [String]
  /// Stages with code between the skipped versions, and their handlers, which do not run.
  public var skippedStages: [String] = []
  /// Each difference between the jump and the same migration done version by version, in words.
  public var differences: [String]

  /// The lines as list items, for printing below a sentence.
  package var summary: String {
    let most = 12
    let rest = lines.count > most ? "\n    - and \(lines.count - most) more" : ""
    let shown = lines.isEmpty ? ["nothing that a store records is lost"] : Array(lines.prefix(most))
    return shown.map { "\n    - \($0)" }.joined() + rest
  }

  /// Everything that the jump skips, one line each.
  public var lines: [String] {
    reasons.map { "a skipped hop cannot be inferred: \($0.problem)" }
      + skippedFiles.map { "mapping file \($0.quotedName) does not run" }
      + skippedStages.map { "\($0) does not run" } + differences
  }
}

/// A finished hop, with the stores before and after it.
///
/// If a stage's handlers run before the hop, they have changed the source; if some run after it, they have not changed the
/// destination yet.
///
/// ```swift
/// manager.hopHandler = { finished in
///   let models = (finished.hop.sourceModel, finished.hop.destinationModel)
///   let old = try PersistentStore(url: finished.source, models: [models.0], mode: .readOnly)
///   let new = try PersistentStore(url: finished.destination, models: [models.1], mode: .readOnly)
///   defer { (try? old.close(), try? new.close()) }
///   let report = try StoreVerifier(source: old, destination: new, mappings: finished.hop.mappings).verify()
///   print(finished.hop.title, report.isClean)
/// }
/// ```
public struct FinishedHop {
  /// The hop, with its versions and mappings.
  public var hop: MigrationHop
  /// The hop's position in the chain, starting at 1.
  public var number: Int
  /// The store before the hop. Do not write to it.
  public var source: URL
  /// The store after the hop. Do not write to it.
  public var destination: URL
  /// The provenance database of this hop alone; `nil` if the execution writes none.
  public var provenance: URL?
  /// The source entities some of whose objects policies changed or deleted before they were migrated, sorted by name.
  /// `source` does not show these changes.
  public var changedEntities: [String] = []
}
