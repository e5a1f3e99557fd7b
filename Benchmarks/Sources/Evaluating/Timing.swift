/// The times per row of one method, by round.
struct Timing {
  private var rounds: [Double] = []

  /// The time of the fastest round: other work on the machine can only have added to it.
  var best: Double { rounds.min() ?? .nan }
  /// The distance from the best round to the median, relative to the best.
  var spread: Double { rounds.isEmpty ? .nan : rounds.sorted()[rounds.count / 2] / best - 1 }

  mutating func measure(rows: Int, _ body: () throws -> Void) rethrows {
    let time = try ContinuousClock().measure(body)
    rounds.append((Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9) / Double(rows))
  }
}
