/// A law that a mapping breaks, and the smallest store that was found on which it does.
public struct MigrationLawViolation: Error, Hashable, Sendable, CustomStringConvertible {
  /// What holds of every right migration, and not of this one.
  public var law: MigrationLaw
  /// Of the store that showed it.
  public var seed: UInt64
  /// The versions: `'Music 1' → 'Music 2'`.
  public var title: String
  /// What is wrong, each with its place: object, property, line of the mapping.
  public var mistakes: [String]
  /// What the store held, with everything taken out that does not matter.
  public var graph: ObjectGraph
  /// The same as it is written in a file.
  public var graphText: String

  /// More than that nobody reads.
  static let told = 5

  /// The law, what is wrong, the store, and how to see it again.
  public var description: String {
    var lines = ["\(title), seed \(seed): a law is broken: \(law.rawValue)"]
    lines += mistakes.prefix(Self.told).map(Self.indented)
    if mistakes.count > Self.told { lines.append("  and \(mistakes.count - Self.told) more") }
    lines.append("  the smallest store that shows it:")
    lines.append(Self.indented(Self.indented(graphText.trimmed)))
    lines.append("  HEAVYLIFT_SEED=\(seed) runs it alone")
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
