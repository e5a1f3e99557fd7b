import HeavyliftMapping
import HeavyliftModel

/// What was found in the files that were checked so far. Mappings for the same two models run one after the other into one
/// store.
struct CheckedPasses {
  /// What one pass leaves to another is not left out.
  static let codesOfCoverage: Set<String> = ["mapping.dropped-entity", "mapping.unfilled-entity"]

  private struct Models: Hashable {
    var source: [String: VersionHash]
    var destination: [String: VersionHash]
  }

  private var passes: [Models: [CompleteMappingModel]] = [:]
  /// The models of the mapping that is checked.
  private var current: Models?
  private var found: [(name: String, diagnostic: Diagnostic, models: Models?, pass: Int)] = []

  /// The mapping with everything that it leaves unsaid, after those for the same models.
  mutating func complete(
    _ mapping: MappingModel, from source: ManagedObjectModel, to destination: ManagedObjectModel
  ) -> CompleteMappingModel {
    let models = Models(source: source.versionHashes, destination: destination.versionHashes)
    let earlier = passes[models, default: []].flatMap(\.entityMappings)
    let complete = mapping.complete(from: source, to: destination, after: earlier)
    passes[models, default: []].append(complete)
    current = models
    return complete
  }

  /// Takes note of what was found in a file.
  mutating func note(_ diagnostics: [Diagnostic], about name: String) { note(diagnostics.map { (name, $0) }) }

  mutating func note(_ diagnostics: [(String, Diagnostic)]) {
    let pass = current.map { passes[$0, default: []].count } ?? 0
    found += diagnostics.map { ($0, $1, current, pass) }
    current = nil
  }

  /// What was found; what several passes leave out together is told at the last, which knows the others.
  var findings: [(String, Diagnostic)] {
    found.filter { finding in
      guard let models = finding.models, Self.codesOfCoverage.contains(finding.diagnostic.code) else { return true }
      return finding.pass == passes[models, default: []].count
    }.map { ($0.name, $0.diagnostic) }
  }
}
