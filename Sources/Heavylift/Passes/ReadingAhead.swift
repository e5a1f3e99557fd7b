/// When the source objects of an entity mapping are read by another thread while its policy runs.
package struct ReadingAhead: Sendable {
  /// How many objects of the source entity there must be: for a few a thread is not worth its beginning.
  package var leastObjects = 2_000
  /// How many rows are read together: with few, threads wait for each other more often than they work side by side.
  package var pageSize = 2_048

  package init() {}
}
