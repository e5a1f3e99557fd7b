import Heavylift
import HeavyliftCommands
import Testing

struct UsageTests {
  @Test(arguments: [
    (
      [],
      "error[usage.missing-command]: no command was given\n  available: 'migrate', 'plan', 'finish-cleanup', 'verify', "
        + "'inspect', 'dump', 'diff', 'check', 'explain', 'infer', 'convert', 'rebase', 'squash', 'prune', 'format', "
        + "'evaluate', 'graph', 'generate-tests', 'schema freeze', 'schema check', 'schema new-version', 'schema from-model'",
      ""
    ),
    (
      ["schema"],
      "error[usage.missing-command]: no command was given\n  available: 'schema freeze', 'schema check', "
        + "'schema new-version', 'schema from-model'", ""
    ),
    (
      ["schema", "freze", "x"],
      "error[usage.unknown-command]: there is no command 'schema freze'\n  did you mean 'schema freeze'?", ""
    ),
    (
      ["schema", "thaw"],
      "error[usage.unknown-command]: there is no command 'schema thaw'\n"
        + "  available: 'schema check', 'schema freeze', 'schema from-model', 'schema new-version'", ""
    ),
    (["inspct", "x"], "error[usage.unknown-command]: there is no command 'inspct'\n  did you mean 'inspect'?", ""),
    (
      ["frobnicate"],
      "error[usage.unknown-command]: there is no command 'frobnicate'\n"
        + "  available: 'check', 'convert', 'diff', 'dump', 'evaluate', 'explain', 'finish-cleanup', "
        + "'format', 'generate-tests', 'graph', 'infer', 'inspect' and 10 more",
      ""
    ),
    (
      ["--hashes", "inspect"],
      "error[usage.unknown-option]: there is no option '--hashes' before a command\n"
        + "  write the command first: 'heavylift COMMAND --hashes'", ""
    ),
    (
      ["inspect"],
      "error[usage.missing-argument]: 'inspect' needs STORE: the store's file, a model, or a folder that contains models\n"
        + "  write 'inspect STORE [OPTIONS]'", " inspect"
    ),
    (
      ["inspect", "a", "b c"],
      "error[usage.unexpected-argument]: unexpected argument 'b c' for 'inspect'\n"
        + "  write 'inspect STORE [OPTIONS]'; quote a path with spaces", " inspect"
    ),
    (
      ["inspect", "a", "--modle", "b"],
      "error[usage.unknown-option]: 'inspect' has no option '--modle'\n  did you mean '--model'?", " inspect"
    ),
    (
      ["check", "a", "-z"],
      "error[usage.unknown-option]: 'check' has no option '-z'\n  available: '--model', '--from', '--to', '--stages', '--strict', "
        + "'--since', '--released', '--baseline', '--format', '--json', '--help'", " check"
    ),
    (
      ["inspect", "a", "--model"],
      "error[usage.missing-value]: option '--model' of 'inspect' needs a value\n"
        + "  write '--model PATH', or '--model=PATH' if the value begins with a dash", " inspect"
    ),
    (
      ["inspect", "a", "-m", "--hashes"],
      "error[usage.missing-value]: option '-m' of 'inspect' needs a value\n"
        + "  write '--model PATH', or '--model=PATH' if the value begins with a dash", " inspect"
    ),
    (
      ["inspect", "a", "-model", "b"],
      "error[usage.unknown-option]: 'inspect' has no option '-model'\n  write '--model', with two dashes", " inspect"
    ),
    (
      ["dump", "a", "-output=b"],
      "error[usage.unknown-option]: 'dump' has no option '-output'\n  write '--output', with two dashes", " dump"
    ),
    (
      ["inspect", "a", "--model="],
      "error[usage.missing-value]: option '--model' of 'inspect' needs a value\n"
        + "  write '--model PATH', or '--model=PATH' if the value begins with a dash", " inspect"
    ),
    (
      ["inspect", "a", "--hashes=yes"],
      "error[usage.unexpected-value]: option '--hashes' of 'inspect' takes no value\n  write '--hashes'", " inspect"
    ),
    (
      ["dump", "a", "-o", "x", "--output=y"],
      "error[usage.repeated-option]: option '--output' of 'dump' was given more than once\n"
        + "  pass it only once", " dump"
    ),
    (
      ["dump", "\u{1B}[2J", "\u{1B}[2J"],
      "error[usage.unexpected-argument]: unexpected argument '\\u{1b}[2J' for 'dump'\n"
        + "  write 'dump STORE [OPTIONS]'; "
        + "quote a path with spaces", " dump"
    ),
  ])
  func `an invalid command line gets a remedy`(
    arguments: [String], errors: String, help: String
  ) throws {
    #expect(
      try ToolFixture().run(arguments)
        == .init(code: .usage, output: "", errors: "\(errors)\nsee 'heavylift\(help) --help'\n"))
  }

  @Test func `a usage error is a line of JSON with --json`() throws {
    #expect(
      try ToolFixture().run("inspect", "--json")
        == .init(
          code: .usage, output: "",
          errors: #"{"errors":[{"severity":"error","code":"usage.missing-argument","problem":"'inspect' needs STORE: "#
            + #"the store's file, a model, or a folder that contains models","remedy":"write 'inspect STORE [OPTIONS]'","#
            + #""location":null}]}"# + "\n"))
  }

  @Test func `options may come before, between and after arguments`() throws {
    let fixture = try ToolFixture()
    let expected = fixture.run("inspect", "Library.sqlite", "--model", "Library.xcdatamodeld", "--hashes")
    #expect(expected.code == .success)
    for arguments in [
      ["--hashes", "--model", "Library.xcdatamodeld", "Library.sqlite"],
      ["-m", "Library.xcdatamodeld", "Library.sqlite", "--hashes"],
      ["--hashes", "--model=Library.xcdatamodeld", "--", "Library.sqlite"],
    ] {
      #expect(fixture.run(["inspect"] + arguments) == expected, "\(arguments)")
    }
  }

  @Test func `after two dashes, everything is an argument`() throws {
    #expect(
      try ToolFixture().run("inspect", "--", "--json")
        == .init(
          code: .failure, output: "",
          errors: "error[store.not-found]: store 'FOLDER/--json' does not exist\n  check the path\n"
        ))
  }

  @Test func `the version is one line`() throws {
    let tool = CommandLineTool.heavylift
    #expect(try ToolFixture().run("--version").output == "heavylift \(tool.version)\n")
  }

  @Test(arguments: CommandLineTool.heavylift.commands.map { $0.description })
  func `every command has help with examples, and every example is understood`(
    description: CommandDescription
  ) throws {
    let fixture = try ToolFixture()
    // A name can have two words.
    let name = description.name.split(separator: " ").map(String.init)
    let help = fixture.run(name + ["--help"])
    #expect(help.code == .success)
    #expect(help == fixture.run(["help"] + name))
    #expect(help == fixture.run(name + ["-h", "one", "two", "three", "four"]))
    #expect(help.output.hasPrefix("\(description.abstract).\n\nUsage: heavylift \(description.name) "))
    #expect(help.output.split(separator: "\n").allSatisfy { $0.count <= 100 })
    #expect(!description.examples.isEmpty)
    for example in description.examples {
      #expect(help.output.contains("heavylift \(example.commandLine)"))
      let words = words(of: example.commandLine)
      #expect(fixture.run(words).code != .usage, "\(example.commandLine)")
    }
  }

  @Test(arguments: [["schema", "--help"], ["schema", "-h"], ["help", "schema"]])
  func `the first word of a name has help that lists its commands`(arguments: [String]) throws {
    #expect(
      try ToolFixture().run(arguments)
        == .init(
          code: .success,
          output: """
            Commands:
              schema freeze       Keep versions of a schema as model files.
              schema check        Compare versions of a schema with their frozen models.
              schema new-version  Copy a version of a bundle under a new name, to edit it.
              schema from-model   Write a schema in Swift for a model.

            """,
          errors: ""))
  }

  /// Splits a line as a shell does, and stops at a pipe.
  private func words(of commandLine: String) -> [String] {
    var words: [String] = [""]
    var isQuoted = false
    for character in commandLine {
      if character == "'" {
        isQuoted.toggle()
      } else if isQuoted {
        words[words.count - 1].append(character)
      } else if character == "|" {
        break
      } else if character == " " {
        words.append("")
      } else {
        words[words.count - 1].append(character)
      }
    }
    return words.filter { !$0.isEmpty }
  }

  @Test func `the tool's help lists all commands`() throws {
    let fixture = try ToolFixture()
    let help = fixture.run("--help")
    #expect(help.code == .success)
    #expect(help == fixture.run("help") && help == fixture.run("-h"))
    for command in CommandLineTool.heavylift.commands {
      #expect(help.output.contains("  \(command.description.name) "))
    }
  }

  @Test func `a program can add a command of its own`() throws {
    struct Greet: Command {
      static let description = CommandDescription(name: "greet", abstract: "Say hello")
      init(_ arguments: ParsedArguments) throws(UsageError) {}
      func run(_ io: CommandIO) throws -> ExitCode {
        try io.write("hello\n")
        return .success
      }
    }
    var tool = CommandLineTool.heavylift
    tool.name = "library-tool"
    tool.commands.append(Greet.self)
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: try ToolFixture().folder.url)
    #expect(tool.run(["greet"], io) == .success)
    #expect(output.text == "hello\n")
    #expect(tool.run(["gret"], io) == .usage)
    #expect(errors.text.contains("did you mean 'greet'?\nsee 'library-tool --help'\n"))
  }
}
