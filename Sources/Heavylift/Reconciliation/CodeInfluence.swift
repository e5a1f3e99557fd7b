import HeavyliftModel
import HeavyliftStore

/// The actions of policies and functions during a hop, which decide whether their authors intend missing links.
struct CodeInfluence {
  /// A policy and its entity mapping.
  struct PolicyName: Hashable {
    var policy: String
    var mapping: String
  }

  /// True if code has discarded the associations of source and destination objects.
  var hasReset = false
  /// The relationships that code has read or set, each identified by its canonical end.
  var handled: (source: Set<RelationshipEnd>, destination: Set<RelationshipEnd>) = ([], [])
  /// The indexes of the entity mappings that may lose objects and links on purpose.
  var losing: Set<Int> = []
  /// Returns the keys of the objects that policies associated with a source object, by the index of the entity mapping;
  /// mappings without such objects are not included.
  var counterparts: [Int: (Int64) throws -> [Int64]] = [:]
  /// The keys of source objects for which a policy created objects without associating them, by table.
  var unassociated: [String: KeySet] = [:]
  /// The policies that did so.
  var unassociatedPolicies: [PolicyName] = []
  /// The policies that did not call `super` to set relationships, by the index of the entity mapping.
  var notConnecting: [Int: PolicyName] = [:]
  /// The warnings about objects that were created after their relationships were set, by the index of the entity mapping.
  var late: [Int: Diagnostic] = [:]

  /// The policies that may have forgotten to set the links of these contributions.
  func unset(by contributions: [LinkContributions.Contribution]) -> [PolicyName] {
    Set(contributions.map(\.mappingIndex)).sorted().compactMap { notConnecting[$0] }
  }
}

extension [CodeInfluence.PolicyName] {
  /// The policies in a sentence: `policy 'A' of entity mapping 'X' and policy 'B' of entity mapping 'Y'`.
  var list: String {
    map { "policy \($0.policy.quotedName) of entity mapping \($0.mapping.quotedName)" }.joined(separator: " and ")
  }
}
