/// The conditions under which another thread reads an entity mapping's source rows while its policy runs.
package struct PrefetchOptions: Sendable {
  /// The minimum number of source objects that makes it worthwhile to start a thread.
  package var leastObjects = 2_000
  /// The maximum number of rows in a page. With few rows, the threads wait for each other more often than they work in
  /// parallel.
  package var pageSize = 2_048

  package init() {}
}
