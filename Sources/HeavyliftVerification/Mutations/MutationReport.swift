/// The deliberate mistakes that a test detected or missed.
public struct MutationReport: Hashable, Sendable, CustomStringConvertible {
  /// Detected mutations, each with the first message about it.
  public internal(set) var killed: [String: String] = [:]
  /// Mutations that no check detected.
  public internal(set) var survived: [String] = []
  /// Detected mutations whose messages do not name the place of the mistake.
  public internal(set) var misplaced: [String: String] = [:]

  /// The counts, followed by the mutations that survived, those whose messages do not name the place of the mistake,
  /// and those detected.
  public var description: String {
    let lines =
      survived.map { "survived  \($0)" } + misplaced.keys.sorted().map { "misplaced \($0): \(misplaced[$0] ?? "")" }
      + killed.keys.sorted().map { "killed    \($0)" }
    let all = killed.count + survived.count + misplaced.count
    return
      (["\(all) mutations, \(killed.count) killed, \(survived.count) survived, \(misplaced.count) misplaced"] + lines)
      .joined(separator: "\n")
  }
}
