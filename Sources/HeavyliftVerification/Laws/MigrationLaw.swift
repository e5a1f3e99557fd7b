/// A rule that every correct migration obeys, for any store.
public enum MigrationLaw: String, CaseIterable, Hashable, Sendable {
  /// No store that the old version allows is refused.
  case migrates = "every store migrates"
  /// Covers the rules for values, relationship counts, uniqueness, and both sides of every relationship.
  case isValid = "the new store obeys the rules of its model"
  /// Values are as the verifier computes them, except those that a policy decides.
  case agrees = "every value is what the mapping says"
  /// Each object was migrated, filtered by a predicate, or explicitly removed, and the counts in the report are
  /// correct.
  case conserves = "every object is accounted for"
  /// The result depends neither on the process nor on the time.
  case repeats = "a second run gives the same store"
  /// SQL statements make a migration faster, but do not change its result.
  case usesNoShortcut = "migrating object by object gives the same result as SQL"
  /// The old store stays the same, byte for byte.
  case leavesSource = "the old store stays unchanged"
  /// The migration is run twice: one run is stopped by an error, the other by cancelling it.
  case survives = "a run stopped at any step leaves the old store or the new one, and the next run produces the new one"
  /// Composed hops give the same result as separate hops.
  case chains = "replacing a store gives the same result as separate hops"
  /// For stages without handlers, and only if the change is possible in place.
  case needsNoCopy = "changing the store itself gives the same result as a copy"
}
