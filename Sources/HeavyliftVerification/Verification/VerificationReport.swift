/// The findings of the verifier.
public struct VerificationReport: Hashable, Sendable {
  /// The fate of the objects of one source entity: each object is in one of the counts.
  public struct Conservation: Hashable, Sendable {
    /// In the source model.
    public var entityName: String
    /// The number of objects, without those of sub-entities.
    public var objects = 0
    /// At least one entity mapping took them.
    public var migrated = 0
    /// Entity mappings read the entity, but their predicates exclude the objects.
    public var filtered = 0
    /// The mapping model removes them.
    public var removed = 0
    /// No entity mapping mentions the entity.
    public var unmentioned = 0
  }

  /// The result for one entity mapping.
  public struct Mapping: Hashable, Sendable {
    /// As in the mapping model, given or derived.
    public var name: String
    /// `nil` for one that only declares.
    public var policyClassName: String?
    /// Source objects that the mapping takes.
    public var objects = 0
    /// Attributes and relationships that were computed again.
    public var values = 0
    /// How many values and objects are not what the mapping declares.
    public var differences = 0
    /// Properties whose expressions only a migration can evaluate, by name, with the reason.
    public var unverified: [String: String] = [:]

    /// True if a policy may deviate from what the mapping declares.
    public var isDeclarative: Bool { policyClassName == nil }
  }

  /// In the order in which they run.
  public internal(set) var mappings: [Mapping] = []
  /// In order of name.
  public internal(set) var conservation: [Conservation] = []
  /// Objects that no entity mapping creates, by entity; policies may create some.
  public internal(set) var unexpected: [String: Int] = [:]
  /// The first of each entity mapping and property.
  public internal(set) var examples: [VerificationDifference] = []

  /// The number of values and objects that differ from a mapping without a policy.
  public var differences: Int {
    mappings.filter(\.isDeclarative).map(\.differences).reduce(0, +)
      + (hasPolicies ? 0 : unexpected.values.reduce(0, +))
  }

  /// The number that differ from a mapping with a policy: its policy decided otherwise, or something is wrong.
  public var decidedByPolicies: Int { mappings.filter { !$0.isDeclarative }.map(\.differences).reduce(0, +) }

  /// True if everything is as declared.
  public var isClean: Bool { differences == 0 }

  private var hasPolicies: Bool { mappings.contains { !$0.isDeclarative } }
}
