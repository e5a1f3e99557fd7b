/// What holds of every migration that is right, whatever its stores hold.
public enum MigrationLaw: String, CaseIterable, Hashable, Sendable {
  /// No store that the old version allows is refused.
  case migrates = "every store migrates"
  /// Values, counts of relationships, uniqueness, and both sides of every relationship.
  case isValid = "the new store keeps the rules of its model"
  /// As the verifier computes them. What a policy decides is the policy's.
  case agrees = "every value is what the mapping says"
  /// Each was migrated, filtered by a predicate, or removed in so many words; and the counts in the report are true.
  case conserves = "every object is accounted for"
  /// In another process, on another day, it would too.
  case repeats = "a second run gives the same store"
  /// Statements are only a faster way.
  case usesNoShortcut = "objects one by one give what statements give"
  /// Byte for byte.
  case leavesSource = "the old store stays as it was"
  /// By an error, or by somebody who cancels, at any step.
  case survives = "ended at any step, it leaves the old store or the new one, and the next run ends with the new one"
  /// Hops that are read through give what hops give that are written.
  case chains = "a store that is brought to the last version in its place is what the hops give one by one"
}
