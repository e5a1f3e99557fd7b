import HeavyliftModel

/// The deliberate mistakes that a test detected or missed.
public struct MutationReport: Hashable, Sendable, CustomStringConvertible {
  /// Detected mutations, each with the first message about it.
  public internal(set) var killed: [String: String] = [:]
  /// Mutations that change the result, but that no check detected.
  public internal(set) var survived: [String] = []
  /// Detected mutations whose messages do not name the place of the mistake.
  public internal(set) var misplaced: [String: String] = [:]
  /// Mutations that change nothing, each with what the graph lacks: `a Pet with species 'cat' and a born`.
  ///
  /// They prove nothing: the mapping could be wrong in these places, and the test would not fail.
  public internal(set) var uncovered: [String: String] = [:]
  /// Mutations that change nothing, and were excluded by name.
  public internal(set) var excluded: [String] = []
  /// The names of excluded mutations that need no exclusion, each with the reason.
  public internal(set) var uselessExclusions: [String: String] = [:]

  /// The counts. If a mutation was not detected, they are followed by the failures.
  public var description: String { ([counts] + failures).joined(separator: "\n") }

  /// The numbers of mutations, in one line.
  public var counts: String {
    let all = killed.count + survived.count + misplaced.count + uncovered.count + excluded.count
    var parts = [
      all.counted(as: "mutation"), "\(killed.count) killed", "\(survived.count) survived",
      "\(misplaced.count) misplaced", "\(uncovered.count) not covered",
    ]
    if !excluded.isEmpty { parts.append("\(excluded.count) excluded") }
    return parts.joined(separator: ", ")
  }

  /// A message for each kind of failure, with the mutations and what to do about them; empty if all mutations were
  /// detected or excluded.
  public var failures: [String] {
    func list(_ items: [String: String]) -> [String] {
      items.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
    }
    func message(_ title: String, _ lines: [String], _ remedy: String) -> String? {
      lines.isEmpty ? nil : ([title] + lines.map { "  \($0)" } + ["  " + remedy]).joined(separator: "\n")
    }
    return [
      message(
        "survived: these mistakes change the result, but nothing detects them", survived.sorted(),
        "expect the values that they change"),
      message(
        "misplaced: the messages about these mistakes do not name their places", list(misplaced),
        "name the property in single quotes"),
      message(
        "not covered: the graph has no object that these mistakes affect; it lacks", list(uncovered),
        "add such objects to the graph; if none can exist, exclude the mistake by name: "
          + "excluding: [\"\(uncovered.keys.min() ?? "")\"]"),
      message(
        "excluded without need", list(uselessExclusions), "remove these names from 'excluding'"),
    ].compactMap(\.self)
  }
}
