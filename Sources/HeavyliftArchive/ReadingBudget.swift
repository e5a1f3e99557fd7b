/// A bound on the work that one file may cause.
///
/// The parts of an archive refer to each other, so a small file can stand for a tree that grows exponentially. What a
/// real file describes grows with its size; beyond a generous multiple of it, reading stops.
package struct ReadingBudget {
  private var remaining: Int

  /// A budget for a file of so many bytes.
  package init(byteCount: Int) { remaining = 1 << 18 + byteCount.multipliedReportingOverflow(by: 16).partialValue }

  /// Takes from the budget, in steps that are each about as dear as a dictionary's look-up.
  package mutating func spend(_ steps: Int = 1) throws(ArchiveMistake) {
    remaining -= steps
    if remaining < 0 { throw .excessive }
  }
}
