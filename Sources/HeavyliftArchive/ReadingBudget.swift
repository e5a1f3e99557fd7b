/// A limit on the work that one file may cause.
///
/// The parts of an archive refer to each other, so a small file can represent a tree that grows exponentially. The tree
/// in a real file is proportional to the file's size, so reading stops at a generous multiple of that size.
package struct ReadingBudget {
  private var remaining: Int

  /// Creates a budget for a file of this size.
  package init(byteCount: Int) { remaining = 1 << 18 + byteCount.multipliedReportingOverflow(by: 16).partialValue }

  /// Spends some of the budget; a step costs about as much as a dictionary lookup.
  package mutating func spend(_ steps: Int = 1) throws(ArchiveMistake) {
    remaining -= steps
    if remaining < 0 { throw .excessive }
  }
}
