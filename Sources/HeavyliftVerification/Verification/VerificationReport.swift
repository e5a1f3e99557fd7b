import HeavyliftModel
import HeavyliftReports

/// The findings of the verifier: what it compared, and the differences.
public struct VerificationReport: Hashable, Sendable {
  /// The fate of the objects of one source entity: each object is counted in exactly one category.
  public struct Conservation: Hashable, Sendable {
    /// The entity's name in the source model.
    public var entityName: String
    /// The number of objects, without those of sub-entities.
    public var objects = 0
    /// Objects taken by at least one entity mapping that creates objects.
    public var migrated = 0
    /// Objects excluded by the predicates of the entity mappings that read their entity.
    public var filtered = 0
    /// Objects that the mapping model removes.
    public var removed = 0
    /// Objects whose entity no entity mapping mentions.
    public var unmentioned = 0
  }

  /// The result for one entity mapping.
  public struct Mapping: Hashable, Sendable {
    /// The name in the mapping model, given or derived.
    public var name: String
    /// The policy's class; `nil` if the mapping has no policy.
    public var policyClassName: String?
    /// Source objects that the mapping takes.
    public var objects = 0
    /// Attributes and relationships that were computed again.
    public var values = 0
    /// The number of values and objects that are not what the mapping declares.
    public var differences = 0
    /// The part of `differences` that concerns values from source objects which policies changed or deleted before they
    /// were migrated.
    public var fromChangedObjects = 0
    /// Properties whose expressions only a migration can evaluate, by name, with the reason.
    public var unverified: [String: String] = [:]

    /// True if no policy can deviate from what the mapping declares.
    public var isDeclarative: Bool { policyClassName == nil }
  }

  /// The results of the entity mappings, in the order in which they run.
  public internal(set) var mappings: [Mapping] = []
  /// The fate of the source's objects, sorted by entity name.
  public internal(set) var conservation: [Conservation] = []
  /// Objects that no entity mapping creates, by entity; policies may create some.
  public internal(set) var unexpected: [String: Int] = [:]
  /// Damage to the structure of the new store, sorted by kind, including damage that the old store has, too.
  package internal(set) var damage: [StructuralDamage] = []
  /// The part of `damage` that the old store has, too, and that a correct migration can carry over.
  package internal(set) var inheritedDamage: [StructuralDamage.Kind: Int] = [:]
  /// The source entities with objects that policies changed or deleted, sorted by name.
  public internal(set) var changedEntities: [String] = []
  /// False if objects and values were not compared, because the new store has keys that cannot be read.
  public internal(set) var hasComparedValues = true
  /// The contents of the stores besides objects.
  package internal(set) var otherContents = OtherContents()
  /// The interval between the objects whose values were compared: 1 for all.
  public internal(set) var stride = 1
  /// The maximum number of examples of each entity mapping and property.
  public internal(set) var examplesPerProperty = 0
  /// The first differences of each entity mapping and property.
  public internal(set) var examples: [VerificationDifference] = []

  /// The number of damaged rows and links of the new store that the old store does not account for.
  ///
  /// Each is a difference, even if there are policies: no policy may damage a store.
  public var addedDamage: Int { damage.map(\.count).reduce(0, +) - inheritedDamage.values.reduce(0, +) }

  /// The number of values and objects that differ from what a mapping without a policy declares, unless they come from
  /// source objects that policies have changed; of damaged rows and
  /// links, and of differences in other contents.
  public var differences: Int {
    mappings.filter(\.isDeclarative).map { $0.differences - $0.fromChangedObjects }.reduce(0, +)
      + (hasPolicies ? 0 : unexpected.values.reduce(0, +)) + addedDamage + otherContents.differences.count
  }

  /// The number of values and objects that differ from what a mapping with a policy declares, or that come from source
  /// objects which a policy changed: the policy decided otherwise, or something is wrong.
  public var decidedByPolicies: Int {
    mappings.map { $0.isDeclarative ? $0.fromChangedObjects : $0.differences }.reduce(0, +)
  }

  /// True if everything is as declared.
  public var isClean: Bool { differences == 0 }

  private var hasPolicies: Bool { mappings.contains { !$0.isDeclarative } }
}

extension VerificationReport: CustomStringConvertible {
  /// A line for each entity mapping; ``examples`` has the first differences.
  public var description: String {
    mappings.map { mapping in
      "\(mapping.name): \(mapping.objects.counted(as: "object")), \(mapping.values.counted(as: "value")), "
        + mapping.differences.counted(as: "difference")
    }.joined(separator: "\n")
  }
}
