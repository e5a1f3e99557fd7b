import Foundation
import Heavylift

/// Freezes versions: decides which models and stores to write, and writes them only if there is no obstacle.
struct SchemaFreeze {
  /// One version after it was frozen.
  struct Result {
    var name: String
    var checksum: String
    /// False if the version was frozen already.
    var isNew: Bool
    /// The path of the store; `nil` if none was asked for.
    var store: String?
    /// The number of objects in a new store; `nil` if the store existed.
    var objectCount: Int?
  }

  private(set) var frozen: FrozenVersions
  private(set) var results: [Result] = []
  private(set) var diagnostics: [Diagnostic] = []

  init(_ versions: [ModelBundle.Version], in frozen: FrozenVersions, replaces: Bool) {
    self.frozen = frozen
    for version in versions { add(version, replaces: replaces) }
  }

  private mutating func add(_ version: ModelBundle.Version, replaces: Bool) {
    let mistakes =
      Self.unlistableName(of: version) + version.model.check().filter { $0.severity == .error }
      + Self.statedHashes(of: version)
    guard mistakes.isEmpty else { return diagnostics += mistakes }
    let form: FrozenForm
    do {
      form = try FrozenForm(version)
    } catch {
      return diagnostics += error.diagnostics
    }
    diagnostics += form.diagnostics
    guard !form.diagnostics.hasErrors else { return }
    var result = Result(name: version.name, checksum: version.model.versionChecksum, isNew: true)
    if let known = frozen.model(named: version.name) {
      let drift = VersionDrift(of: version.name, from: known, to: form.model)
      result.isNew = !drift.isEmpty
      if !result.isNew, !replaces, let recorded = frozen.checksums.checksums[version.name], recorded != result.checksum
      {
        diagnostics.append(frozen.disagreement(about: version.name, known))
        return
      }
      if result.isNew, !replaces {
        diagnostics.append(
          Diagnostic(
            .error, code: "schema.already-frozen",
            problem: "version \(version.name.quotedName) is frozen already, and has changed since: "
              + drift.facts.joined(separator: "; "),
            remedy: "undo the change, freeze it as a new version, or replace the frozen one with --replace"))
        return
      }
    }
    let twins = frozen.bundle.versions.filter {
      $0.name != version.name && $0.model.versionChecksum == version.model.versionChecksum
    }
    if let twin = twins.first {
      diagnostics.append(
        Diagnostic(
          .warning, code: "schema.same-checksum",
          problem: "versions \(version.name.quotedName) and \(twin.name.quotedName) have the same checksum: a store "
            + "does not show which of them it has",
          remedy: "freeze only one of them, or give an entity of one a version hash modifier"))
    }
    // An unchanged version is kept as it is, with its layout; only a missing checksum is added.
    let model = result.isNew ? version.model : frozen.model(named: version.name) ?? version.model
    frozen.freeze(ModelBundle.Version(name: version.name, model: model))
    results.append(result)
  }

  /// A name that would damage the file of the checksums, such as one with a line break.
  private static func unlistableName(of version: ModelBundle.Version) -> [Diagnostic] {
    guard !ChecksumFile.canList(version.name) else { return [] }
    return [
      Diagnostic(
        .error, code: "schema.impossible-version-name",
        problem: "the file of the checksums cannot contain a version named \(version.name.quotedName)",
        remedy: "freeze it under a name that has no line breaks and does not begin with a space: use --as")
    ]
  }

  /// Hashes that a compiled file or a store records, and that a model file cannot state.
  private static func statedHashes(of version: ModelBundle.Version) -> [Diagnostic] {
    let computed = version.model.entityVersionHashes(ignoringStated: true)
    let different = version.model.versionHashes.filter { computed[$0.key]?.hash != $0.value }.keys.sorted()
    guard !different.isEmpty else { return [] }
    return [
      Diagnostic(
        .error, code: "schema.other-hashes",
        problem:
          "version \(version.name.quotedName) records version hashes that do not follow from its model, and that "
          + "a model file cannot state: those of \(different.map { "entity \($0.quotedName)" }.joined(separator: ", "))",
        remedy: "keep the compiled model or the store instead of a frozen one")
    ]
  }

  /// Writes the models, the checksums and the stores. Writes nothing if an existing store is of another version.
  mutating func write(stores: Bool, _ io: CommandIO) throws {
    if stores { try checkStores(io) }
    try frozen.write()
    guard stores else { return }
    for index in results.indices {
      let name = results[index].name
      guard let model = frozen.model(named: name) else { continue }
      let path = frozen.storePath(ofVersion: name)
      results[index].store = path
      guard !FileManager.default.fileExists(atPath: io.url(path).path) else { continue }
      let (count, notes) = try FrozenStore.create(at: io.url(path), model: model)
      results[index].objectCount = count
      diagnostics += notes.map {
        Diagnostic(.note, code: "schema.store-note", problem: "store \(path.quotedName): \($0)")
      }
    }
  }

  /// Collects the mistakes of all existing stores.
  private func checkStores(_ io: CommandIO) throws {
    var mistakes: [Diagnostic] = []
    for result in results {
      let path = frozen.storePath(ofVersion: result.name)
      guard let model = frozen.model(named: result.name), FileManager.default.fileExists(atPath: io.url(path).path)
      else { continue }
      do {
        try FrozenStore.check(io.url(path), shownAs: path, version: result.name, model: model)
      } catch {
        mistakes += ErrorReport(error).diagnostics
      }
    }
    guard mistakes.isEmpty else { throw DiagnosticList(mistakes) }
  }
}
