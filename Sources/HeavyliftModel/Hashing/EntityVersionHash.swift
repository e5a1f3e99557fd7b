/// The version hash of one entity of a model, and how far it can be trusted.
public struct EntityVersionHash: Hashable, Sendable {
  public var hash: VersionHash
  /// Whether a compiled file states the hash; otherwise it was computed.
  public var isStated: Bool
  /// Why the computed hash may not be Core Data's, in order of their wording; none if it is certain.
  public var assumptions: [VersionHashAssumption]

  /// Creates a hash.
  public init(_ hash: VersionHash, isStated: Bool = false, assumptions: Set<VersionHashAssumption> = []) {
    self.hash = hash
    self.isStated = isStated
    self.assumptions = assumptions.sorted { $0.description < $1.description }
  }

  /// Whether the hash may differ from Core Data's.
  public var isAssumed: Bool { !assumptions.isEmpty }
}
