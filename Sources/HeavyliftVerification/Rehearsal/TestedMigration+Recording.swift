public import Foundation
import HeavyliftModel
import HeavyliftStore

extension TestedMigration {
  /// Writes the contents of the migrated store as the graph to expect from now on.
  ///
  /// Properties that the existing graph leaves open stay open, and its remarks are kept: both are the user's decisions.
  ///
  /// - Throws: `Diagnostic` or `DiagnosticList` with mistakes in the existing graph, which the user must fix first.
  public func record(_ url: URL) throws {
    var recorded = graph
    if let known = try expectations(in: url) {
      let known = Dictionary(known.objects.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      for index in recorded.objects.indices {
        guard let old = known[recorded.objects[index].name] else { continue }
        recorded.objects[index].openProperties = old.openProperties
        recorded.objects[index].remark = old.remark
      }
    }
    try Data(recorded.json(model: pair.destinationModel).utf8).write(to: url)
  }

  /// Returns the existing graph, without what the model no longer has; `nil` if there is no file.
  package func expectations(in url: URL) throws -> ObjectGraph? {
    guard FileManager.default.fileExists(atPath: url.path) else { return nil }
    return try GraphUpdate.prune(url, to: pair.destinationModel).graph
  }

  /// Returns the expectations that the migrated store does not meet; objects that no expectation mentions do not count.
  package func unmet(_ expectations: ObjectGraph) -> [MigrationFailure] {
    let words = FailureWords(self)
    return GraphComparison(expected: expectations, found: graph, model: pair.destinationModel).differences
      .filter { $0.kind != .unexpected }.map { words.failure($0) }
  }

  /// Returns the object with the given name in the migrated store, for checks that no graph can express.
  ///
  /// - Throws: `Diagnostic` if there is none, or if the object's name is not derived from a source object.
  public func object(named name: String) throws -> ManagedObject {
    guard let id = origins.names.first(where: { $0.value == name })?.key else {
      throw Diagnostic(
        .error, code: "test.unknown-object", problem: "the migrated store has no object \(name.quotedName)",
        remedy: origins.names.values.suggestion(for: name, kind: "migrated object"))
    }
    return try context.fault(id.entityName, key: id.key)
  }
}
