/// Counts objects of all passes against the expected number, and decides when to report progress.
struct ProgressCount {
  private(set) var done = 0
  let total: Int
  /// The number of objects between two reports.
  let step: Int
  private var next: Int

  init(total: Int = 0) {
    self.total = max(total, 1)
    step = max(1, min(total / 100, 1_000))
    next = step
  }

  /// Counts more objects. Returns true each time progress is due to be reported.
  mutating func advance(by count: Int = 1) -> Bool {
    done += count
    guard done >= next else { return false }
    next = done - done % step + step
    return true
  }

  /// The share of objects that are done; below 1 until the end, because the work after the last object takes time, too.
  var fraction: Float { min(0.99, Float(done) / Float(total)) }
}
