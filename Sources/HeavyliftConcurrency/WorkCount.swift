/// For tests: counts how often each model is hashed and indexed, and other facts derived from it, each pair of models
/// compared, each mapping completed and checked, and each XML file and the models embedded in it read.
package final class WorkCount: Sendable {
  package enum Work: Hashable, Sendable {
    case read, hash, index, derive, compare, complete, check
  }

  /// The count that work on this task is added to.
  @TaskLocal package static var current: WorkCount?

  private let counts = Locked<[Work: [String: Int]]>([:])

  package init() {}

  /// Notes that work was done on something.
  package static func add(_ work: Work, _ thing: @autoclosure () -> String) {
    guard let current else { return }
    let thing = thing()
    current.counts.withLock { $0[work, default: [:]][thing, default: 0] += 1 }
  }

  /// How often the work was done, by the name of the thing.
  package subscript(work: Work) -> [String: Int] { counts.withLock { $0[work] ?? [:] } }
}
