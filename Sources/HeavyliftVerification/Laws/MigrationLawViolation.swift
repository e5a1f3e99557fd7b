import HeavyliftModel

/// A law that a mapping breaks, and the smallest store found that shows it.
public struct MigrationLawViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// The broken law.
  public var law: MigrationLaw
  /// The seed of the store that revealed the violation.
  public var seed: UInt64
  /// The versions: `'Music 1' → 'Music 2'`.
  public var title: String
  /// The problems, each with its object, property and line of the mapping.
  public var mistakes: [String]
  /// The contents of the store, reduced to what is needed.
  public var graph: ObjectGraph
  /// The same graph as the text of a file.
  public var graphText: String

  /// The maximum number of problems in the message.
  static let told = 5

  /// The law, the problems, the store, and how to reproduce it.
  public var description: String {
    var lines = ["\(title), seed \(seed): a law is broken: \(law.rawValue)"]
    lines += mistakes.prefix(Self.told).map(Self.indented)
    if mistakes.count > Self.told { lines.append("  and \((mistakes.count - Self.told).grouped) more") }
    lines.append("  the smallest store that shows it:")
    lines.append(Self.indented(Self.indented(graphText.trimmed)))
    lines.append("  to run only this seed, set HEAVYLIFT_SEED=\(seed)")
    return lines.joined(separator: "\n")
  }

  private static func indented(_ text: String) -> String {
    text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "" : "  \($0)" }
      .joined(separator: "\n")
  }
}

extension String {
  fileprivate var trimmed: String { last == "\n" ? String(dropLast()) : self }
}
