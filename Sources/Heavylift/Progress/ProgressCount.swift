/// Counts objects of all passes against how many are expected, and says when it is time to tell somebody.
struct ProgressCount {
  private(set) var done = 0
  let total: Int
  private let step: Int
  private var next: Int

  init(total: Int = 0) {
    self.total = max(total, 1)
    step = max(1, min(total / 100, 1_000))
    next = step
  }

  /// Counts one more; true once in a while.
  mutating func advance() -> Bool {
    done += 1
    guard done >= next else { return false }
    next += step
    return true
  }

  /// Never 1 before the end: what comes after the last object takes its time, too.
  var fraction: Float { min(0.99, Float(done) / Float(total)) }
}
