import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Follows "Guard an Xcode project in CI": makes its changes, runs its commands, and compares their output.
struct GuardingPageTests {
  private let page: MarkdownDocument
  private let fixture: GitFixture

  init() throws {
    page = try DocumentationPage.named("GuardingAProject").document
    fixture = try GitFixture { folder in
      let samples = Corpus.project.appending(path: "MappingModels/Music")
      for name in ["Music.xcdatamodeld", "1-2.xml", "2-3.xml"] {
        try FileManager.default.copyItem(at: samples.appending(path: name), to: folder.appending("App/\(name)"))
      }
    }
    try fixture.git("update-ref", "refs/remotes/origin/main", "main")
  }

  private var consoles: [MarkdownDocument.CodeBlock] { page.codeBlocks.filter { $0.language == "console" } }

  private func compare(_ block: MarkdownDocument.CodeBlock) throws {
    let arguments = try #require(ShellWords(String(block.lines[0].dropFirst(2))).arguments(of: "heavylift"))
    let run = fixture.history.library.run(arguments)
    let shown = block.lines.dropFirst().joined(separator: "\n")
    let output = run.output.trimmingCharacters(in: .newlines)
    #expect(Self.comparable(output) == Self.comparable(shown))
  }

  /// The name of a commit depends on the time.
  private static func comparable(_ text: String) -> String { text.replacing(/\([0-9a-f]{7}\)/, with: "(COMMIT)") }

  @Test func `the page shows what is printed about a changed version and a renamed attribute`() throws {
    #expect(consoles.count == 2)
    let bundle = "App/Music.xcdatamodeld"
    try fixture.edit(
      "\(bundle)/Music 3.xcdatamodel/contents", "name=\"year\" optional=\"YES\" attributeType=\"Integer 16\"",
      "name=\"year\" optional=\"YES\" attributeType=\"Integer 32\"")
    try compare(consoles[0])

    try fixture.git("checkout", "-q", bundle)
    try fixture.folder.copy("\(bundle)/Music 3.xcdatamodel", to: "\(bundle)/Music 4.xcdatamodel")
    try fixture.edit("\(bundle)/Music 4.xcdatamodel/contents", "name=\"duration\"", "name=\"length\"")
    try fixture.edit("\(bundle)/.xccurrentversion", "Music 3", "Music 4")
    try compare(consoles[1])
    // The README begins with it.
    let readme = try MarkdownDocument(contentsOf: Corpus.project.appending(path: "README.md"))
    #expect(readme.codeBlocks.first?.text == consoles[1].text)
  }

  @Test func `its other commands run`() throws {
    try fixture.git("tag", "v3")
    let commands = page.codeBlocks.filter { $0.language == "sh" }.flatMap(\.lines)
    #expect(commands.count == 3)
    for command in commands.sorted(by: { !$0.contains("--baseline") && $1.contains("--baseline") }) {
      if command.contains("--baseline"), !fixture.history.exists("Released") {
        try fixture.folder.copy("App", to: "Released")
      }
      let run = fixture.history.library.run(try #require(ShellWords(command).arguments(of: "heavylift"), "\(command)"))
      #expect(run.code == .success && run.errors == "", "\(command): \(run.output)\(run.errors)")
    }
    try fixture.remove("Released")
    let workflow = try #require(page.codeBlocks.first { $0.language == "yaml" })
    let line = try #require(workflow.lines.first { $0.contains("- run: ") }).replacing("- run: ", with: "")
      .replacing("\"origin/$GITHUB_BASE_REF\"", with: "origin/main")
    #expect(fixture.history.library.run(try #require(ShellWords(line).arguments(of: "heavylift"))).code == .success)
  }

  @Test func `its accepted findings can be read`() throws {
    let block = try #require(page.codeBlocks.first { $0.language == "text" })
    try fixture.remove("App/Music.xcdatamodeld/Music 1.xcdatamodel")
    try fixture.remove("App/1-2.xml")
    try fixture.history.library.write(block.text, to: ".heavylift-check")
    let run = fixture.history.library.run("check", ".", "--since", "origin/main")
    #expect(run.code == .success, "\(run.output)")
    #expect(run.output.contains("1 finding accepted in .heavylift-check"))
  }
}
