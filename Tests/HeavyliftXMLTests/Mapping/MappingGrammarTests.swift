import Foundation
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// The grammar that people's editors use and the one inside the library are one, and other validators read it alike.
struct MappingGrammarTests {
  static let grammar = Corpus.project.appending(path: "MappingModels/mapping-model.rng")
  static let copy = Corpus.project.appending(path: "Sources/HeavyliftXML/Mapping/MappingGrammar+Text.swift")

  /// To take over a change of the grammar: `HEAVYLIFT_UPDATE=1 swift test --filter MappingGrammarTests`, then build.
  @Test func `the grammar in the library is the one in the folder of mapping models`() throws {
    let text = try String(contentsOf: Self.grammar, encoding: .utf8)
    let source =
      "extension MappingGrammar {\n"
      + "  /// The grammar's text, the same as in `MappingModels/mapping-model.rng`: made from it, not to be edited.\n"
      + "  public static let text = #\"\"\"\n"
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
      + "    \"\"\"#\n}\n"
    if ProcessInfo.processInfo.environment["HEAVYLIFT_UPDATE"] != nil {
      try source.write(to: Self.copy, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.copy, encoding: .utf8) == source)
    #expect(MappingGrammar.text == text)
  }
}
