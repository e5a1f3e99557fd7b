/// What a test noticed of what was done wrong on purpose.
public struct MutationReport: Hashable, Sendable, CustomStringConvertible {
  /// What was noticed, with the first message that tells of it.
  public internal(set) var killed: [String: String] = [:]
  /// What nobody noticed.
  public internal(set) var survived: [String] = []
  /// What was noticed, with messages that do not tell where it was.
  public internal(set) var misplaced: [String: String] = [:]

  /// Everything that survived first, then everything that was killed.
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
