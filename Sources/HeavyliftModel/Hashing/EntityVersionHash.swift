/// The version hash of an entity, and the reasons to doubt it.
package struct EntityVersionHash: Hashable, Sendable {
  /// The hash.
  package var hash: VersionHash
  /// A Boolean value that indicates whether a compiled file records the hash; otherwise it was computed.
  package var isStated: Bool
  /// The reasons why the computed hash may differ from Core Data's, sorted by their text; empty if the hash is certain.
  package var assumptions: [VersionHashAssumption]

  /// Creates a hash.
  package init(_ hash: VersionHash, isStated: Bool = false, assumptions: Set<VersionHashAssumption> = []) {
    self.hash = hash
    self.isStated = isStated
    self.assumptions = assumptions.sorted { $0.description < $1.description }
  }

  /// A Boolean value that indicates whether the hash may differ from Core Data's.
  package var isAssumed: Bool { !assumptions.isEmpty }
}
