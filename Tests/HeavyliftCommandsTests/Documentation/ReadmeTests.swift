import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// The README's blocks, and the commands of the article about the tool.
struct ReadmeTests {
  private static let readme = Result { try MarkdownDocument(contentsOf: Corpus.project.appending(path: "README.md")) }

  private static func blocks(_ language: String) throws -> [MarkdownDocument.CodeBlock] {
    try readme.get().codeBlocks.filter { $0.language == language }
  }

  /// Blocks of the README and of the articles that show the tool's commands.
  private static func commandBlocks(_ language: String) throws -> [MarkdownDocument.CodeBlock] {
    let pages = try (["Tool"] + DocumentationPage.namesOfUses).map { try DocumentationPage.named($0) }
    return try blocks(language) + pages.flatMap(\.document.codeBlocks).filter { $0.language == language }
  }

  @Test func `every block has a tested kind`() throws {
    let languages = try Set(Self.readme.get().codeBlocks.map(\.language))
    #expect(languages == ["sh", "swift", "xml", "console"])
  }

  /// The files that XML blocks of the README and the DocC pages show.
  @Test func `every mapping file of the bank that is shown is the sample's`() throws {
    let sample = try String(contentsOf: Corpus.project.appending(path: "MappingModels/Bank/1-2.xml"), encoding: .utf8)
    let pages = try DocumentationPage.all().flatMap(\.document.codeBlocks).filter { $0.text.contains("\"Bank 1\"") }
    let blocks = try Self.blocks("xml") + pages
    #expect(blocks.count == 2)
    for block in blocks { #expect(block.text == sample, "\(block)") }
  }

  /// The README's examples, and those of the DocC pages.
  @Test func `every Swift example is compiled and run`() throws {
    let source = try DocumentationPage.examples()
    let blocks = try Self.blocks("swift")
    #expect(blocks.count == 1)
    let pages = try DocumentationPage.all().flatMap(\.document.codeBlocks)
      .filter { $0.language == "swift" && $0.fileName != "Package.swift" }
    for block in blocks + pages {
      // Imports are at the top of a file.
      let imports = block.lines.prefix { $0.hasPrefix("import ") }.filter { $0 != "import BookshelfMigrations" }
      let code = Array(block.lines.drop { $0.hasPrefix("import ") || $0.isEmpty })
      #expect(imports.allSatisfy { source.contains($0) }, "\(block)")
      #expect(
        !code.isEmpty && Self.occurs(code, in: source), "\(block) is in no file of examples")
    }
  }

  /// Returns true if the lines occur unchanged, all indented by the same amount.
  private static func occurs(_ code: [String], in source: [String]) -> Bool {
    source.indices.dropLast(code.count - 1).contains { start in
      let indentation = String(source[start].prefix { $0 == " " })
      return code.indices.allSatisfy { index in
        source[start + index] == (code[index].isEmpty ? "" : indentation + code[index])
      }
    }
  }

  @Test func `code that differs in a word does not occur`() {
    #expect(Self.occurs(["a {", "  b", "", "}"], in: ["x", "  a {", "    b", "", "  }"]))
    #expect(!Self.occurs(["a {", "  b", "", "}"], in: ["x", "  a {", "    c", "", "  }"]))
    #expect(!Self.occurs(["a {", "  b"], in: ["x", "  a {"]))
    #expect(!Self.occurs(["a {", "  b"], in: ["  a {", "      b"]))
  }

  @Test func `every command works`() throws {
    let fixture = try ToolFixture()
    for name in ["Sent", "Account", "before"] { try fixture.copy("Library.sqlite", to: "\(name).sqlite") }
    let seed = try DocumentationPage.named("BuildingASeedStore").document.codeBlocks.first { $0.language == "json" }
    try fixture.write(try #require(seed).text, to: "seed.json")
    try fixture.copy("Library.sqlite", to: "after.sqlite")
    try fixture.change("after.sqlite", "UPDATE ZBOOK SET ZPAGES = 9 WHERE Z_PK = 1")
    try fixture.addMappings()
    for folder in ["MyApp/Models", "MyApp/Mappings"] {
      try FileManager.default.createDirectory(
        at: fixture.folder.appending(folder), withIntermediateDirectories: true)
    }
    try fixture.copy("Library.xcdatamodeld", to: "MyApp/Models/Library.xcdatamodeld")
    try fixture.copy("ready/1-2.xml", to: "MyApp/Mappings/1-2.xml")
    try fixture.addHistory()
    for arguments in [["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "all"]] {
      try fixture.folder.git(arguments)
    }
    let lines = try Self.commandBlocks("sh").flatMap(\.lines)
    let commands = lines.map(ShellWords.init).compactMap(\.toolArguments)
    let known = Set(CommandLineTool.heavylift.commands.map { $0.description.name })
    let names = commands.map { words in
      known.first { words.starts(with: $0.split(separator: " ").map(String.init)) } ?? words.first ?? ""
    }
    #expect(Set(names) == known.union(["--help"]), "each command has a line")
    for arguments in commands {
      let run = fixture.run(arguments)
      // The Library's second version widens a number type, which is inferred and changes no object.
      let differs = arguments.first == "diff" && !arguments.contains("Sent.sqlite")
      #expect(run.code == (differs ? .negative : .success), "\(arguments): \(run)")
      // A command that writes a file prints nothing.
      let isSilent =
        arguments.first == "format" || (arguments.contains("-o") && !arguments.contains("build"))
        || arguments.contains("--quiet")
      // A migration reports its progress.
      if arguments.first == "migrate" {
        #expect(run.errors.isEmpty == isSilent && run.output.isEmpty == isSilent, "\(arguments): \(run)")
        continue
      }
      #expect(run.errors.isEmpty && run.output.isEmpty == isSilent, "\(arguments): \(run)")
    }
  }

  @Test func `every script that is named exists`() throws {
    let lines = try Self.blocks("sh").flatMap(\.lines).filter { $0.hasPrefix("Scripts/") }
    #expect(!lines.isEmpty)
    for line in lines {
      let script = try #require(ShellWords(line).words.first)
      #expect(FileManager.default.isExecutableFile(atPath: Corpus.project.appending(path: script).path), "\(script)")
    }
  }

  /// Additions that came after the version that the README asks for. Only tests may use them.
  @Test func `the library uses nothing newer than Swift 6.1`() throws {
    let readme = try String(contentsOf: Corpus.project.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains("Swift 6.1 or later. The tests of Heavylift itself need Swift 6.2"))
    let newer = /\b(UTF8Span|InlineArray|(Mutable|Output)?(Raw)?Span)\b|@concurrent|nonisolated\(nonsending\)/
    // A raw identifier has a space.
    let rawIdentifier = /(func|var|case) `[^`]*[ ][^`]*`/
    var count = 0
    for folder in ["Sources", "Plugins", "MappingModels"] {
      let files = FileManager.default.enumerator(
        at: Corpus.project.appending(path: folder), includingPropertiesForKeys: nil)
      for file in files?.compactMap({ $0 as? URL }) ?? [] where file.pathExtension == "swift" {
        count += 1
        for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
          // An expression for each line would take long.
          guard ["Span", "InlineArray", "@concurrent", "nonisolated(", " `"].contains(where: line.contains),
            !line.trimmingCharacters(in: .whitespaces).hasPrefix("///")
          else { continue }
          let found = line.firstMatch(of: newer) != nil || line.firstMatch(of: rawIdentifier) != nil
          #expect(!found, "\(file.path): \(line)")
        }
      }
    }
    #expect(count > 500)
  }

  @Test func `every linked file exists`() throws {
    let text = try String(contentsOf: Corpus.project.appending(path: "README.md"), encoding: .utf8)
    let links = text.matches(of: /\]\(([^)]+)\)/).map { String($0.1) }.filter { !$0.hasPrefix("http") }
    #expect(links.count > 3)
    for link in links {
      #expect(FileManager.default.fileExists(atPath: Corpus.project.appending(path: link).path), "\(link)")
    }
  }

  /// Commands with their output. Those that start with `swift run` run in the project's folder, the others in a folder
  /// with the Library.
  @Test func `every command writes what is shown`() throws {
    let fixture = try ToolFixture()
    var count = 0
    // `GuardingPageTests` has the repository for '--since'.
    for block in try Self.commandBlocks("console") where !block.text.contains("--since") {
      var rest = block.lines[...]
      while let line = rest.popFirst() {
        let words = ShellWords(String(line.dropFirst(2)))
        let arguments = try #require(line.hasPrefix("$ ") ? words.toolArguments : nil, "\(block): \(line)")
        var expected = rest.prefix { !$0.hasPrefix("$ ") }
        rest = rest.dropFirst(expected.count)
        // A blank line separates it from the next command.
        if !rest.isEmpty, expected.last == "" { expected.removeLast() }
        let (output, errors) = (MemorySink(), MemorySink())
        let folder = words.words.first == "swift" ? Corpus.project : fixture.folder.url
        let io = CommandIO(output: output, errors: errors, workingDirectory: folder)
        _ = CommandLineTool.heavylift.run(arguments, io)
        let written = Self.comparable(output.text + errors.text)
        #expect(written == Self.comparable(expected.joined(separator: "\n") + "\n"), "\(block): \(line)")
        count += 1
      }
    }
    #expect(count > 0)
  }

  /// The number of pages in a store depends on SQLite.
  private static func comparable(_ text: String) -> String { text.replacing(/size        \d.*B/, with: "size") }

  @Test(arguments: [
    ("a 'b c' \"d \\\" e\" f\\ g  # h", ["a", "b c", "d \" e", "f g"]), ("''", [""]), ("a#b 'c'd", ["a#b", "cd"]),
    ("'a \"b\" c'", ["a \"b\" c"]),
  ])
  func `words are split as in a shell`(line: String, words: [String]) {
    #expect(ShellWords(line).words == words)
  }
}
