/// A rule that every correct migration keeps, for any store.
public enum MigrationLaw: String, CaseIterable, Hashable, Sendable {
  /// No store that the old version allows is refused.
  case migrates = "every store migrates"
  /// Values, counts of relationships, uniqueness, and both sides of every relationship.
  case isValid = "the new store obeys the rules of its model"
  /// As the verifier computes them. What a policy decides is the policy's.
  case agrees = "every value is what the mapping says"
  /// Each was migrated, filtered by a predicate, or explicitly removed; and the counts in the report are correct.
  case conserves = "every object is accounted for"
  /// In another process, on another day, it would too.
  case repeats = "a second run gives the same store"
  /// SQL statements are only a faster path.
  case usesNoShortcut = "migrating object by object gives the same result as SQL"
  /// Byte for byte.
  case leavesSource = "the old store stays unchanged"
  /// By an error, or by cancelling, at any step.
  case survives = "stopped at any step, it leaves the old store or the new one, and the next run ends with the new one"
  /// Fused hops give the same result as separate hops.
  case chains = "migrating a store in place gives the same result as separate hops"
}
