/// The conditions under which a second thread reads source rows: ahead of a policy, or for a survey.
package struct PrefetchOptions: Sendable {
  /// The minimum number of source objects that makes it worthwhile to read ahead of a policy.
  package var leastObjects = 2_000
  /// The maximum number of rows in a page. With few rows, the threads wait for each other more often than they work in
  /// parallel.
  package var pageSize = 2_048
  /// The minimum number of rows that makes it worthwhile to survey a table with two threads.
  package var leastSurveyedRows = 20_000

  package init() {}
}
