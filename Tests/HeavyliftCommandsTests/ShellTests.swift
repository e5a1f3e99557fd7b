import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Completions and the manual, in the real programs that read them, as far as they are installed.
struct ShellTests {
  private static func path(_ program: String) -> String? {
    ["/usr/bin", "/bin", "/usr/local/bin"].map { "\($0)/\(program)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  /// Runs a program, and returns everything that it writes.
  private func run(_ program: String, _ arguments: String...) throws -> String {
    let process = Process()
    process.executableURL = URL(filePath: try #require(Self.path(program)))
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(["LC_ALL": "C.UTF-8", "MANWIDTH": "80"]) { $1 }
    let output = Pipe()
    (process.standardOutput, process.standardError) = (output, output)
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    return String(decoding: data, as: UTF8.self)
  }

  private func script(_ shell: String) throws -> (folder: TemporaryFolder, path: String) {
    let fixture = try ToolFixture()
    let run = fixture.run("--completion", shell)
    #expect(run.code == .success && run.errors == "")
    try fixture.write(run.output, to: "completion")
    return (fixture.folder, fixture.folder.appending("completion").path)
  }

  // MARK: Completions

  @Test(
    .enabled(if: path("bash") != nil),
    arguments: [
      ("heavylift che", "check"), ("heavylift schema fr", "freeze"), ("heavylift check App --st", "--stages --strict"),
      ("heavylift schema freeze --sto", "--store"), ("heavylift migrate Store.sqlite --in-", "--in-place"),
      ("heavylift help sch", "schema"),
    ])
  func `bash completes`(line: String, completions: String) throws {
    let (folder, path) = try script("bash")
    let words = line.split(separator: " ").joined(separator: "' '")
    let count = line.split(separator: " ").count - 1
    let output = try run(
      "bash", "-c",
      "source '\(path)' && COMP_WORDS=('\(words)') COMP_CWORD=\(count) && _heavylift && echo \"${COMPREPLY[@]}\"")
    let known = output.split(whereSeparator: \.isWhitespace).map(String.init)
    for completion in completions.split(separator: " ") { #expect(known.contains(String(completion)), "\(output)") }
    #expect(known.count <= completions.split(separator: " ").count + 1, "\(output)")
    withExtendedLifetime(folder) {}
  }

  @Test(
    .enabled(if: path("fish") != nil),
    arguments: [
      ("heavylift che", "check"), ("heavylift schema fr", "freeze"), ("heavylift check App --sin", "--since"),
      ("heavylift migrate Store.sqlite --in-", "--in-place"),
    ])
  func `fish completes`(line: String, completion: String) throws {
    let (folder, path) = try script("fish")
    let output = try run("fish", "--no-config", "-c", "source '\(path)'; complete -C '\(line)'")
    #expect(output.split(separator: "\n").contains { $0.hasPrefix("\(completion)\t") }, "\(output)")
    withExtendedLifetime(folder) {}
  }

  @Test(.enabled(if: path("zsh") != nil))
  func `zsh reads its script, in which every command has its options`() throws {
    let (folder, path) = try script("zsh")
    #expect(try run("zsh", "-f", "-n", path) == "")
    let text = try String(contentsOfFile: path, encoding: .utf8)
    for command in CommandLineTool.heavylift.commands.map({ $0.description }) {
      #expect(text.contains("    '\(command.name)') specs=("))
    }
    let output = try run(
      "zsh", "-f", "-c",
      """
      compdef() { :; }; _describe() { print -lr -- $commands; }; _arguments() { print -lr -- $@; }; _files() { :; }
      source '\(path)'
      words=(heavylift schema ''); CURRENT=3; _heavylift
      words=(heavylift check App ''); CURRENT=4; _heavylift
      """)
    #expect(output.contains("freeze:") && output.contains("--since["), "\(output)")
    withExtendedLifetime(folder) {}
  }

  @Test func `an unknown shell is a usage error`() throws {
    let run = try ToolFixture().run("--completion", "tcsh")
    #expect(run.code == .usage)
    #expect(
      run.errors.contains("error[usage.unknown-shell]: '--completion' needs the name of a shell"), "\(run.errors)")
  }

  // MARK: Manual

  private func manual() throws -> (fixture: ToolFixture, pages: [String]) {
    let fixture = try ToolFixture()
    #expect(fixture.run("--manual", "man", "2026-11-30") == .init(code: .success, output: "", errors: ""))
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.appending("man").path).sorted()
    return (fixture, names.map { fixture.folder.appending("man/\($0)").path })
  }

  @Test func `there is a page for the tool and for each command`() throws {
    let (fixture, pages) = try manual()
    #expect(pages.count == CommandLineTool.heavylift.commands.count + 1)
    let names = pages.map { ($0 as NSString).lastPathComponent }
    #expect(names.contains("heavylift.1") && names.contains("heavylift-schema-freeze.1"))
    withExtendedLifetime(fixture) {}
  }

  @Test(.enabled(if: path("mandoc") != nil)) func `mandoc finds nothing wrong with the pages`() throws {
    let (fixture, pages) = try manual()
    for page in pages {
      let output = try run("mandoc", "-Tlint", "-Wwarning", page)
      #expect(output == "", "\(output)")
    }
    withExtendedLifetime(fixture) {}
  }

  @Test(.enabled(if: path("man") != nil && path("groff") != nil)) func `man shows the pages without warnings`() throws {
    let (fixture, pages) = try manual()
    let page = try #require(pages.first { $0.hasSuffix("heavylift-check.1") })
    let output = try run("man", "--warnings", "-P", "cat", "-l", page)
    #expect(output.contains("--since") && output.contains("EXAMPLES"), "\(output)")
    #expect(!output.contains("warning:"), "\(output)")
    withExtendedLifetime(fixture) {}
  }
}
