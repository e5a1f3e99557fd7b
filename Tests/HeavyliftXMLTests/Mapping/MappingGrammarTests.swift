import Foundation
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// The grammar for editors equals the one in the library, and other validators read it the same way.
struct MappingGrammarTests {
  static let grammar = Corpus.project.appending(path: "MappingModels/mapping-model.rng")
  static let copy = Corpus.project.appending(path: "Sources/HeavyliftXML/Mapping/MappingGrammar+Text.swift")

  /// Mistakes that no grammar can detect: in expressions, in duplicates, and in parts that RELAX NG ignores.
  static let beyondGrammar: Set<String> = [
    "document-type", "expression-behind-character-references", "expression-behind-non-ascii",
    "expression-behind-references", "expression-bracket-open", "expression-comparison-as-value",
    "expression-on-the-third-line", "expression-string-open", "expression-too-few-arguments",
    "expression-unknown-operator", "fingerprint-twice", "fingerprinted-entity-twice", "five-in-expressions",
    "instruction-behind", "instruction-inside", "predicate-misspelt-operator", "predicate-open",
    "predicate-single-bar", "predicate-value-as-filter", "source-expression-malformed", "user-info-of-property-twice",
    "user-info-twice",
  ]

  /// Files that are not even well-formed XML, or are rejected before they are parsed.
  static let beforeGrammar: Set<String> = [
    "attack-billion-laughs", "attack-control-character", "attack-encoding", "attack-external-document-type",
    "attack-external-file", "attack-external-http", "attack-invalid-utf-8", "attack-many-attributes",
    "attack-nul-byte", "attack-parameter-entity", "attack-quadratic", "attack-too-deep", "blank", "empty",
    "other-binary-property-list", "other-page", "other-text", "xml-attribute-twice",
    "xml-attribute-without-value", "xml-bare-ampersand", "xml-bare-less-than", "xml-cdata-open", "xml-comment-open",
    "xml-curly-quotes", "xml-declaration-alone",
    "xml-declaration-not-first", "xml-hyphens-in-comment", "xml-quote-in-value", "xml-tag-mismatch",
    "xml-truncated", "xml-two-files", "xml-two-roots", "xml-unknown-entity", "xml-unquoted-value",
  ]

  /// True if the file refers to others, or harms a careless reader: other programs do not get such files.
  static func isHarmful(_ name: String) -> Bool { name.hasPrefix("attack-") || name == "other-xcode-mapping" }

  /// After a change of the grammar: `HEAVYLIFT_UPDATE=1 swift test --filter MappingGrammarTests`, then build.
  @Test func `the grammar in the library is the one in the folder of mapping models`() throws {
    let text = try String(contentsOf: Self.grammar, encoding: .utf8)
    let source =
      "extension MappingGrammar {\n"
      + "  /// The grammar's text, generated from `MappingModels/mapping-model.rng`. Do not edit.\n"
      + "  public static let text = #\"\"\"\n"
      + text.split(separator: "\n", omittingEmptySubsequences: false).map { $0.isEmpty ? "\n" : "    \($0)\n" }.joined()
      + "    \"\"\"#\n}\n"
    if ProcessInfo.processInfo.environment["HEAVYLIFT_UPDATE"] != nil {
      try source.write(to: Self.copy, atomically: true, encoding: .utf8)
    }
    #expect(try String(contentsOf: Self.copy, encoding: .utf8) == source)
    #expect(MappingGrammar.text == text)
  }

  @Test func `the grammar refuses every malformed file that a grammar can refuse`() {
    var (beyond, before): (Set<String>, Set<String>) = ([], [])
    for name in MalformedMappingTests.names {
      switch Self.isRefused(name) {
      case false?: beyond.insert(name)
      case nil: before.insert(name)
      case true?: break
      }
    }
    #expect(beyond == Self.beyondGrammar)
    #expect(before == Self.beforeGrammar)
  }

  @Test func `the grammar says where something is wrong`() throws {
    let text = """
      <mapping-model>
        <entity-mapping>
          <attribute name="a"/><attribute name="b" vale="1"/>
        </entity-mapping>
      </mapping-model>
      """
    let diagnostics = try MappingGrammar.validate(XMLDocument(parsing: text, file: "1-2.xml"))
    #expect(
      diagnostics.map(\.description) == [
        """
        1-2.xml:3:26: error[mapping-file.grammar]: invalid attribute vale for element attribute
          see the grammar, or read the file with MappingReader for details
        """
      ])
  }

  @Test(arguments: GrammarTool.allCases) func `other validators agree on malformed files`(tool: GrammarTool) throws {
    if tool.executable == nil { try Test.cancel("\(tool) is not installed") }
    // jing must restart after each file that is not well-formed, so it gets only well-formed ones.
    let names = MalformedMappingTests.names.filter {
      !Self.isHarmful($0) && (tool == .xmllint || !Self.beforeGrammar.contains($0))
    }
    let files = names.map { MalformedMappingTests.folder.appending(path: "\($0).xml") }
    let refused = try tool.refused(files, by: Self.grammar)
    let expected = files.filter { !Self.beyondGrammar.contains($0.deletingPathExtension().lastPathComponent) }
    #expect(refused.map(\.lastPathComponent).sorted() == expected.map(\.lastPathComponent).sorted())
  }

  @Test(arguments: GrammarTool.allCases) func `other validators agree on valid files`(tool: GrammarTool) throws {
    if tool.executable == nil { try Test.cancel("\(tool) is not installed") }
    let folder = try TemporaryFolder()
    try FileManager.default.createDirectory(at: folder.url, withIntermediateDirectories: true)
    var source = MappingSource(seed: 4)
    var files = Self.samples + Self.checkedMappings
    for index in 0..<40 {
      let file = folder.appending("\(index).xml")
      let text = index == 0 ? MappingSample.text : try MappingWriter.text(of: source.mapping())
      try Data(text.utf8).write(to: file)
      files.append(file)
    }
    #expect(try tool.refused(files, by: Self.grammar).map(\.lastPathComponent) == [])
    // The grammar file itself is not valid by the grammar: the tool does reject files.
    #expect(try tool.refused([Self.grammar], by: Self.grammar) == [Self.grammar])
  }

  @Test func `every sample is valid`() throws {
    for file in Self.checkedMappings {
      #expect(try MappingGrammar.validate(XMLDocument(contentsOf: file)).isEmpty, "\(file.lastPathComponent)")
    }
    for file in Self.samples {
      #expect(try MappingGrammar.validate(XMLDocument(contentsOf: file)).isEmpty)
      #expect(try MappingReader.read(contentsOf: file).diagnostics.isEmpty)
    }
    #expect(try MappingGrammar.validate(XMLDocument(parsing: MappingSample.text)).isEmpty)
  }

  /// The mapping files among the sample chains.
  static var samples: [URL] {
    let folder = Corpus.project.appending(path: "MappingModels")
    guard let found = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil) else { return [] }
    return found.compactMap { $0 as? URL }.filter { $0.pathExtension == "xml" }.sorted { $0.path < $1.path }
  }

  /// Files with mistakes that only their models reveal: no grammar finds them.
  static var checkedMappings: [URL] {
    MappingCheckFixtureTests.names.map { MappingCheckFixtureTests.folder.appending(path: $0) }
      + MappingCheckFixtureTests.cleanNames.map { MappingCheckFixtureTests.cleanFolder.appending(path: $0) }
  }

  /// Nil for files that no grammar is asked about.
  static func isRefused(_ name: String) -> Bool? {
    let file = MalformedMappingTests.folder.appending(path: "\(name).xml")
    guard let document = try? XMLDocument(contentsOf: file, limits: XMLLimits(maximumDepth: 16)) else { return nil }
    return (try? MappingGrammar.validate(document))?.isEmpty == false
  }
}
