/// The times of one method, round by round, for a row.
struct Timing {
  private var rounds: [Double] = []

  /// The least of all rounds: whatever else the machine did can only have added to it.
  var best: Double { rounds.min() ?? .nan }
  /// How far the middle round lies above the best, as a part of it.
  var spread: Double { rounds.isEmpty ? .nan : rounds.sorted()[rounds.count / 2] / best - 1 }

  mutating func measure(rows: Int, _ body: () throws -> Void) rethrows {
    let time = try ContinuousClock().measure(body)
    rounds.append((Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9) / Double(rows))
  }
}
