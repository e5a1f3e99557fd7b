import Foundation
import Heavylift
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

/// Checks that DocC pages show real output.
struct PageTests {
  @Test func `every block has a tested kind`() throws {
    let kinds: Set = ["swift", "xml", "json"]
    for page in try DocumentationPage.all() {
      // Only these pages have commands: one is followed to its end, the other is checked with the README.
      var kinds =
        (["FirstMigration", "Tool"] + DocumentationPage.namesOfUses).contains(page.name)
        ? kinds.union(["sh", "console"]) : kinds
      // A drawing, and a message that a test of the page compares.
      if ["HowAMigrationRuns", "MigratingASchema"].contains(page.name) { kinds.insert("text") }
      // `GuardingPageTests` follows this one.
      if page.name == "GuardingAProject" { kinds.formUnion(["sh", "console", "text", "yaml"]) }
      for block in page.document.codeBlocks { #expect(kinds.contains(block.language), "\(page): \(block)") }
    }
  }

  @Test func `every piece of XML can be read`() throws {
    var count = 0
    for page in try DocumentationPage.all() {
      for block in page.document.codeBlocks where block.language == "xml" {
        let root = try XMLDocument(parsing: block.text, file: page.description).root.name
        switch root {
        case "mapping-model": #expect(try MappingReader.read(text: block.text).diagnostics == [], "\(page): \(block)")
        case "entity-mapping":
          let whole = "<mapping-model>\(block.text)</mapping-model>"
          #expect(try MappingReader.read(text: whole).diagnostics == [], "\(page): \(block)")
        case "model": #expect(try ModelReader.read(text: block.text).validModel().check() == [], "\(page): \(block)")
        // The list of a bundle's versions, which is written and used where the page is followed.
        default: #expect(root == "plist" && block.fileName != nil, "\(page): \(block)")
        }
        count += 1
      }
    }
    #expect(count > 4)
  }

  @Test func `every graph is valid`() throws {
    let bundle = try ModelBundle(contentsOf: Corpus.project.appending(path: "MappingModels/Music/Music.xcdatamodeld"))
    let model = try #require(bundle.versions.first { $0.name == "Music 2" }).model
    let blocks = try DocumentationPage.all().flatMap(\.document.codeBlocks).filter {
      $0.language == "json" && $0.fileName == nil
    }
    #expect(!blocks.isEmpty)
    for block in blocks { _ = try ObjectGraph(json: block.text, model: model) }
  }

  @Test func `every page is on the landing page`() throws {
    let landing = try String(contentsOf: DocumentationPage.named("Heavylift").url, encoding: .utf8)
    for page in try DocumentationPage.all() where page.name != "Heavylift" {
      // A page named after its target is the module's page.
      let isModule = page.url.deletingLastPathComponent().lastPathComponent == "\(page.name).docc"
      let forms = isModule ? ["``/\(page.name)``"] : ["(\(page.name).md)", "/\(page.name).md)"]
      #expect(forms.contains { landing.contains($0) }, "\(page)")
    }
  }

  @Test func `every link to a page works on a Git host`() throws {
    var count = 0
    for page in try DocumentationPage.all() {
      let text = try String(contentsOf: page.url, encoding: .utf8)
      // Scripts/documentation turns paths into DocC's own links, which only DocC can follow.
      #expect(text.firstMatch(of: /[<(]doc:/) == nil, "\(page): write the path, as in '[Limits](Limits.md)'")
      for match in text.matches(of: /\]\(([^)#\s]+\.md)(#[^)\s]+)?\)/) {
        let target = page.url.deletingLastPathComponent().appending(path: String(match.1)).standardizedFileURL
        guard let linked = try? String(contentsOf: target, encoding: .utf8) else {
          Issue.record("\(page): there is no \(match.1)")
          continue
        }
        count += 1
        guard let anchor = match.2 else { continue }
        let anchors = linked.matches(of: /(?m)^#+ (.+)$/).map {
          "#" + $0.1.lowercased().filter { $0.isLetter || $0.isNumber || " -_".contains($0) }.replacing(" ", with: "-")
        }
        #expect(anchors.contains(String(anchor)), "\(page): \(match.1) has no heading for \(anchor)")
      }
    }
    #expect(count > 90)
  }

  /// Rows whose last cell names tests: `SomeTests`: a sentence; `OtherTests`: another.
  @Test func `every test that a guarantee names exists`() throws {
    let files = FileManager.default.enumerator(
      at: Corpus.project.appending(path: "Tests"), includingPropertiesForKeys: nil)
    let sources = Dictionary(
      (files?.compactMap { $0 as? URL } ?? []).filter { $0.pathExtension == "swift" }
        .map { ($0.deletingPathExtension().lastPathComponent, $0) }, uniquingKeysWith: { first, _ in first })
    let readme = try MarkdownDocument(contentsOf: Corpus.project.appending(path: "README.md"))
    let rows = try readme.tableRows + DocumentationPage.named("Guarantees").document.tableRows
    var count = 0
    for row in rows {
      guard let cell = row.last, cell.hasPrefix("`"), cell.contains("Tests`: ") else { continue }
      for part in cell.split(separator: "; `") {
        let named = try #require(part.wholeMatch(of: /`?(\w+)`: (.+)/), "\(cell)")
        let source = try #require(sources[String(named.1)], "Tests has no file \(named.1)")
        let text = try String(contentsOf: source, encoding: .utf8)
        #expect(text.contains("func `\(named.2)`("), "\(named.1) has no test '\(named.2)'")
        count += 1
      }
    }
    #expect(count > 30)
  }

  @Test func `every code of a failed migration is listed, with its number`() throws {
    let rows = try DocumentationPage.named("WhenAMigrationFails").document.tableRows
    let codes = rows.compactMap { MarkdownDocument.code(in: $0[0]) }
    let sources = ["HeavyliftMapping/Finding", "Heavylift/Incremental"].flatMap { folder in
      let url = Corpus.project.appending(path: "Sources/\(folder)")
      let names = (try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []
      return names.compactMap { try? String(contentsOf: url.appending(path: $0), encoding: .utf8) }
    }
    let found = Set(sources.flatMap { $0.matches(of: /"(mapping\.[a-z-]+)"/).map { String($0.1) } })
    let known =
      MigrationError.Kind.allCases.map { "migration.\($0.rawValue)" }
      + HopError.Code.allCases.map { "migration.\($0.rawValue)" } + found
    #expect(Set(codes) == Set(known) && codes.count == known.count)
    for kind in MigrationError.Kind.allCases {
      let row = rows.first { $0[0] == "`migration.\(kind.rawValue)`" }
      #expect(row?[1] == "\(kind.number)", "\(kind)")
    }
  }

  @Test func `every code is listed, with its severity`() throws {
    let sources = try SourceCodes()
    let unknown = sources.prefixingFiles.symmetricDifference(SourceCodes.namingFiles).sorted()
    #expect(unknown == [], "add these files to `SourceCodes.namings`, or remove them from it")
    let rows = try DocumentationPage.named("Codes").document.tableRows.filter {
      MarkdownDocument.code(in: $0[0]) != nil
    }
    let codes = rows.compactMap { MarkdownDocument.code(in: $0[0]) }
    #expect(codes == codes.sorted(), "sort the rows of Codes.md by code")
    let known = Set(sources.severities.keys)
    #expect(known.subtracting(codes).sorted() == [], "add a row to Codes.md for each of these codes")
    #expect(Set(codes).subtracting(known).sorted() == [], "remove the rows of these codes from Codes.md")
    #expect(codes.count == Set(codes).count, "a code has two rows in Codes.md")
    for (code, row) in zip(codes, rows) {
      // "error; warning in an Xcode mapping" names two.
      let listed = Set(row[1].split(separator: "; ").map { String($0.prefix { $0.isLetter }) })
      let found = sources.severities[code] ?? listed
      #expect(listed == found, "write '\(found.sorted().joined(separator: "; "))' in the row of '\(code)' in Codes.md")
    }
  }

  @Test func `every element and attribute of a mapping file is listed`() throws {
    let grammar = try String(
      contentsOf: Corpus.project.appending(path: "MappingModels/mapping-model.rng"), encoding: .utf8)
    // The contents of each definition: attributes, and the parts of other definitions that are not elements.
    let parts = Dictionary(
      grammar.matches(of: /(?s)<define name="([a-z-]+)">(.*?)<\/define>/).map { (String($0.1), String($0.2)) },
      uniquingKeysWith: { first, _ in first })
    func attributes(_ name: String) -> Set<String> {
      let text = parts[name] ?? ""
      let others = text.matches(of: /<ref name="([a-z-]+)"\/>/).map { String($0.1) }
        .filter { parts[$0]?.contains("<element") == false }
      return others.reduce(into: Set(text.matches(of: /<attribute name="([a-z-]+)"/).map { String($0.1) })) {
        $0.formUnion(attributes($1))
      }
    }
    let elements = grammar.matches(of: /<element name="([a-z-]+)">/).map { String($0.1) }
    #expect(elements.count == 8)
    let words = { (cell: String) in cell.matches(of: /`([a-z-]+)(="no")?`/).map { String($0.1) } }
    let rows = try DocumentationPage.named("Formats").document.tableRows
    for element in elements {
      let row = try #require(rows.first { $0.count == 3 && words($0[0]).contains(element) }, "\(element)")
      #expect(Set(words(row[2])) == attributes(element), "\(element)")
    }
  }
}
