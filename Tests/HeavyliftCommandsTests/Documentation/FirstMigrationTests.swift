import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Follows "Write your first migration": writes its files, runs its commands, and checks their output.
struct FirstMigrationTests {
  @Test func `the page is followed to its end`() async throws {
    let folder = try TemporaryFolder()
    let page = try DocumentationPage.named("FirstMigration").document
    var commands = 0
    for block in page.codeBlocks {
      switch (block.language, block.fileName) {
      case ("console", _): commands += try run(block, in: folder)
      case ("sh", _):
        for line in block.lines { try prepare(line, in: folder) }
      case (_, let name?) where name.hasSuffix(".swift"): break
      case (_, let name?): try block.text.write(to: folder.appending(name), atomically: true, encoding: .utf8)
      default: break
      }
    }
    #expect(commands > 8)

    // The program turns the old store into the same result as the tool.
    try await FirstMigrationExamples.migrate(
      folder.appending("Before.sqlite"), models: folder.appending("Models/Bookshelf.xcdatamodeld"),
      mappings: folder.appending("Models"))
    let exports = ["Before.sqlite", "Bookshelf.sqlite"].map {
      output(of: ["graph", "export", $0, "-m", "Models/Bookshelf.xcdatamodeld"], in: folder)
    }
    #expect(exports[0] == exports[1] && exports[0].contains("Jane Austen"))
  }

  @Test func `the package on the page names products that exist`() throws {
    let page = try DocumentationPage.named("FirstMigration")
    let manifest = try String(contentsOf: Corpus.project.appending(path: "Package.swift"), encoding: .utf8)
    let text = try String(contentsOf: page.url, encoding: .utf8)
    let products = text.matches(of: /\.product\(name: "(\w+)"/).map { String($0.1) }
    #expect(Set(products) == ["Heavylift", "HeavyliftCommands", "HeavyliftTesting"])
    for product in products { #expect(manifest.contains(#".library(name: "\#(product)""#)) }
  }

  /// Runs each command of a block, and compares its output with the page.
  private func run(_ block: MarkdownDocument.CodeBlock, in folder: TemporaryFolder) throws -> Int {
    var rest = block.lines[...]
    var count = 0
    while let line = rest.popFirst() {
      let shown = rest.prefix { !$0.hasPrefix("$ ") }
      rest = rest.dropFirst(shown.count)
      let arguments = try #require(ShellWords(String(line.dropFirst(2))).arguments(of: "bookshelf"), "\(line)")
      let expected = shown.joined(separator: "\n").trimmingCharacters(in: .newlines)
      #expect(Self.comparable(output(of: arguments, in: folder)) == Self.comparable(expected), "\(line)")
      count += 1
    }
    return count
  }

  /// Runs a shell line, as far as later files need it.
  private func prepare(_ line: String, in folder: TemporaryFolder) throws {
    let words = ShellWords(line)
    if words.words.starts(with: ["mkdir", "-p"]) {
      for path in words.words.dropFirst(2) {
        try FileManager.default.createDirectory(at: folder.appending(path), withIntermediateDirectories: true)
      }
    } else if let arguments = words.arguments(of: "bookshelf") {
      #expect(output(of: arguments, in: folder).contains("was migrated"), "\(line)")
    }
  }

  private func output(of arguments: [String], in folder: TemporaryFolder) -> String {
    let output = MemorySink()
    let io = CommandIO(output: output, errors: MemorySink(), workingDirectory: folder.url)
    _ = FirstMigrationExamples.tool.run(arguments, io)
    return output.text.trimmingCharacters(in: .newlines)
  }

  /// Sizes depend on SQLite and the disk.
  private static func comparable(_ text: String) -> String { text.replacing(/\d+(\.\d)? [kMGT]B/, with: "SIZE") }
}
