import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

struct EvaluateCommandTests {
  private func run(_ arguments: String...) throws -> ToolFixture.Run {
    try ToolFixture().run(
      ["evaluate", "--store", "Library.sqlite", "--model", "Library.xcdatamodeld", "--entity", "Book"] + arguments)
  }

  @Test func `every object is shown with its value`() throws {
    #expect(
      try run("uppercase:(title)")
        == .init(
          code: .success,
          output: """
            Book/p1  "THE TRIAL"
            Novel/p2  "AMERIKA"
            Book/p3  "LETTERS"

            """, errors: ""))
  }

  @Test func `relationships, collections and nil are shown`() throws {
    #expect(
      try run("{$source.author, SELF.author.books.title, author.books[SIZE], nil}", "--limit", "1")
        == .init(
          code: .success, output: #"Book/p1  ["Author/p1",["The Trial","Amerika","Letters"],3,null]"# + "\n",
          errors: ""))
  }

  @Test func `an object ID is shown as its URI, and an entity by its name`() throws {
    let run = try run("{objectID, entity}", "--limit", "1")
    #expect(run.output.hasPrefix(#"Book/p1  ["x-coredata://"#) && run.output.hasSuffix(#"/Book/p1","Book"]"# + "\n"))
  }

  @Test func `a predicate is true or false, and another one chooses objects`() throws {
    #expect(
      try run("title CONTAINS 'r'", "--where", "title != 'Amerika'", "--json")
        == .init(
          code: .success,
          output: """
            {"entity":"Book","key":1,"value":true}
            {"entity":"Book","key":3,"value":true}

            """, errors: ""))
  }

  @Test func `the translation is shown`() throws {
    #expect(
      try run("pages > 100 AND author.name LIKE 'F*'", "--sql")
        == .init(
          code: .success,
          output: """
            SELECT t0.Z_PK
            FROM ZBOOK t0
            LEFT JOIN ZAUTHOR e1 ON e1.Z_PK = t0.ZAUTHOR
            WHERE (t0.ZPAGES > ?) AND (heavylift_like0_ss(e1.ZNAME, ?))
            with 100, 'F*'
            calling heavylift_like0_ss

            """, errors: ""))
  }

  @Test func `an untranslated expression is reported with the reason, and the exit code is negative`() throws {
    #expect(
      try run("pages + random()", "--sql")
        == .init(
          code: .negative,
          output: """
            not translated: function 'random' does not work on plain values
                pages + random()
                        ^~~~~~

            """, errors: ""))
  }

  @Test func `the translation as JSON`() throws {
    #expect(
      try run("pages * 2.5", "--sql", "--json")
        == .init(
          code: .success,
          output: """
            {
              "translated": true,
              "sql": "SELECT t0.Z_PK, (t0.ZPAGES * ?) FROM ZBOOK t0",
              "bindings": [
                "2.5"
              ],
              "functions": [],
              "mayFail": false
            }

            """, errors: ""))
  }

  @Test func `the tree needs no store`() throws {
    #expect(
      try ToolFixture().run("evaluate", "1 + 2 * a.b", "--tree")
        == .init(
          code: .success,
          output: """
            function add:to:
              constant 1
              function multiply:by:
                constant 2
                key path a.b

            """, errors: ""))
  }

  @Test func `a mistake in the text is marked`() throws {
    #expect(
      try run("pages >")
        == .init(
          code: .failure, output: "",
          errors: """
            error[expression.expected-expression]: the text ends where an expression is expected
              expected a constant, a key, a variable, a function, '(' or '{'
                pages >
                       ^

            """))
  }

  @Test func `a mistake in a value is reported with the object and the location`() throws {
    #expect(
      try run("100 / pages")
        == .init(
          code: .failure, output: "",
          errors: """
            error[expression.division-by-zero]: object 'Book/p1': '/' divides by zero
              test for zero with 'TERNARY' first
                100 / pages
                    ^

            """))
  }

  @Test func `a mistake as JSON has its place`() throws {
    #expect(
      try run("pages >", "--json").errors
        == #"{"errors":[{"severity":"error","code":"expression.expected-expression","#
        + #""problem":"the text ends where an expression is expected","#
        + #""remedy":"expected a constant, a key, a variable, a function, '(' or '{'","#
        + #""location":{"file":null,"line":1,"column":8}}]}"# + "\n")
  }

  @Test func `a key that does not exist is an error with a suggestion`() throws {
    #expect(
      try run("titel")
        == .init(
          code: .failure, output: "",
          errors: """
            error[expression.unknown-key]: object 'Book/p1': entity 'Book' has no key 'titel'
              did you mean 'title'?
                titel
                ^~~~~

            """))
  }

  @Test(
    arguments: [
      (["pages"], "'evaluate' needs the option '--store'\n  write '--store STORE'"),
      (["pages", "-s", "Library.sqlite"], "'evaluate' needs the option '--entity'\n  write '--entity NAME'"),
    ])
  func `store and entity are required`(arguments: [String], expected: String) throws {
    #expect(
      try ToolFixture().run(["evaluate"] + arguments)
        == .init(
          code: .usage, output: "",
          errors: "error[usage.missing-option]: \(expected)\nsee 'heavylift evaluate --help'\n"))
  }

  @Test(
    arguments: [
      (["1 + 2 * 3"], "7"), (["nil"], "nil"), (["1 > 2"], "false"), (["uppercase:('a')", "--json"], #"{"value":"A"}"#),
      (["CAST('12', NSNumber) + 1"], "13"), (["SUBQUERY({1, 2, 3}, $x, $x > 1).@count"], "2"),
    ])
  func `an expression without an object needs no store`(arguments: [String], expected: String) throws {
    #expect(
      try ToolFixture().run(["evaluate"] + arguments) == .init(code: .success, output: expected + "\n", errors: ""))
  }

  private final class Twice: EntityMigrationPolicy {
    override var functions: [String: PolicyFunction] {
      ["twice:": PolicyFunction { (number: Int) in 2 * number }]
    }
  }

  @Test(
    arguments: [
      (["FUNCTION($manager, 'half:', 8)"], ExitCode.success, "4\n", ""),
      (["FUNCTION($entityPolicy, 'twice:', 8)", "--policy", "Twice"], .success, "16\n", ""),
      (
        ["FUNCTION($entityPolicy, 'twice:', 8)", "--policy", "Thrice"], .failure, "",
        """
        error[migration.unknown-policy]: there is no policy 'Thrice'
          register the class with the PolicyRegistry; did you mean 'Twice'?

        """
      ),
      (
        ["$manager.sourceContext"], .failure, "",
        """
        error[expression.failed-key]: key 'sourceContext' cannot be read: error[migration.not-running]: the migration \
        manager has no objects: no migration is running
          use its objects in a policy or a function; to try out an expression, run 'heavylift migrate … --dry-run --samples 3'
            $manager.sourceContext
            ^~~~~~~~~~~~~~~~~~~~~~

        """
      ),
    ])
  func `a tool's own functions can be called`(
    arguments: [String], code: ExitCode, output: String, errors: String
  ) throws {
    var tool = CommandLineTool.heavylift
    tool.code = MigrationCode(
      policies: PolicyRegistry(Twice.self), functions: ["half:": MigrationFunction { (number: Int) in number / 2 }])
    let (written, told) = (MemorySink(), MemorySink())
    let result = tool.run(
      ["evaluate"] + arguments, CommandIO(output: written, errors: told, workingDirectory: Corpus.project))
    #expect(
      ToolFixture.Run(code: result, output: written.text, errors: told.text)
        == .init(code: code, output: output, errors: errors))
  }

  @Test func `a tool's own functions can be called with objects`() throws {
    let fixture = try ToolFixture()
    var tool = CommandLineTool.heavylift
    tool.code = MigrationCode(policies: PolicyRegistry(Twice.self))
    let output = MemorySink()
    let io = CommandIO(output: output, errors: MemorySink(), workingDirectory: fixture.folder.url)
    let arguments = [
      "evaluate", "FUNCTION($entityPolicy, 'twice:', length:(title))", "--policy", "Twice", "-s", "Library.sqlite",
      "-m", "Library.xcdatamodeld", "-e", "Novel",
    ]
    #expect(tool.run(arguments, io) == .success)
    #expect(output.text == "Novel/p2  14\n")
  }

  @Test func `a limit is a number`() throws {
    #expect(
      try run("pages", "--limit", "x")
        == .init(
          code: .usage, output: "",
          errors: """
            error[usage.bad-limit]: '--limit x' is not a valid number of objects
              write a number, such as '--limit 10'
            see 'heavylift evaluate --help'

            """))
  }
}
