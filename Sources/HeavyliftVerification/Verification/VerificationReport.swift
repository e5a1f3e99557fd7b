/// What the verifier found.
public struct VerificationReport: Hashable, Sendable {
  /// What became of the objects of one source entity: every one of them is in one of the numbers.
  public struct Conservation: Hashable, Sendable {
    /// In the source model.
    public var entityName: String
    /// All of them, those of sub-entities not counted.
    public var objects = 0
    /// At least one entity mapping took them.
    public var migrated = 0
    /// Entity mappings read the entity, and the predicate of each of them lets the objects go.
    public var filtered = 0
    /// The mapping model says that they go.
    public var removed = 0
    /// No entity mapping speaks of the entity.
    public var unmentioned = 0
  }

  /// What one entity mapping was held against.
  public struct Mapping: Hashable, Sendable {
    /// As in the mapping model, given or derived.
    public var name: String
    /// Nil for one that only declares.
    public var policyClassName: String?
    /// Source objects that the mapping takes.
    public var objects = 0
    /// Attributes and relationships that were computed again.
    public var values = 0
    /// How many values and objects are not what the mapping declares.
    public var differences = 0
    /// Properties whose expressions only a migration can evaluate, by name, with the reason.
    public var unverified: [String: String] = [:]

    /// Whether a policy may have decided otherwise than the mapping declares.
    public var isDeclarative: Bool { policyClassName == nil }
  }

  /// In the order in which they run.
  public internal(set) var mappings: [Mapping] = []
  /// In order of name.
  public internal(set) var conservation: [Conservation] = []
  /// Objects that no entity mapping makes, by entity; with policies there may be some.
  public internal(set) var unexpected: [String: Int] = [:]
  /// The first of each entity mapping and property.
  public internal(set) var examples: [VerificationDifference] = []

  /// How many values and objects are not what a mapping without a policy says.
  public var differences: Int {
    mappings.filter(\.isDeclarative).map(\.differences).reduce(0, +)
      + (hasPolicies ? 0 : unexpected.values.reduce(0, +))
  }

  /// How many are not what a mapping with a policy declares: its policy has decided otherwise, or something is wrong.
  public var decidedByPolicies: Int { mappings.filter { !$0.isDeclarative }.map(\.differences).reduce(0, +) }

  /// Whether everything is as declared.
  public var isClean: Bool { differences == 0 }

  private var hasPolicies: Bool { mappings.contains { !$0.isDeclarative } }
}
