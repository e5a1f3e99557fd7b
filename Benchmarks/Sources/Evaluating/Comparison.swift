import Foundation

/// Compares the evaluator with a closure, over the same rows.
struct Comparison {
  let rows: Int
  let rounds: Int

  /// Measures both alternately, so that any disturbance affects both, and prints a line.
  func run(_ text: String, evaluated: () throws -> Int, byHand: () throws -> Int) rethrows {
    var (evaluator, closure) = (Timing(), Timing())
    for round in 0..<rounds {
      var (found, expected) = (0, 0)
      func evaluate() throws { try evaluator.measure(rows: rows) { found = try evaluated() } }
      if round.isMultiple(of: 2) { try evaluate() }
      try closure.measure(rows: rows) { expected = try byHand() }
      if !round.isMultiple(of: 2) { try evaluate() }
      precondition(found == expected, "\(text): the closure gives a different result")
    }
    print(
      String(
        format: "%7.1f +%2.0f%%  %7.1f +%2.0f%%  %5.2f", evaluator.best, evaluator.spread * 100, closure.best,
        closure.spread * 100, evaluator.best / closure.best) + "  \(text)")
  }

  static func printHead() {
    print("evaluator     by hand       ratio  (ns per row: the best round, and how far the median is above it)")
  }
}
