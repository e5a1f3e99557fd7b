import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `plan` and `migrate` if a hop cannot be inferred but a jump can.
struct JumpCommandTests {
  /// Books must have a publisher in version 2, and need none in version 3.
  private func fixture() throws -> ToolFixture {
    let library = try ToolFixture()
    var models = [ToolFixture.firstModel, ToolFixture.firstModel, ToolFixture.firstModel]
    models[1].entities[1].attributes += [
      AttributeDescription(name: "publisher", type: .string, isOptional: false),
      AttributeDescription(name: "stars", type: .integer16, defaultValue: .integer(1)),
    ]
    models[2].entities[1].attributes += [
      AttributeDescription(name: "publisher", type: .string),
      AttributeDescription(name: "stars", type: .integer16, defaultValue: .integer(5)),
    ]
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: zip(["Library", "Library 2", "Library 3"], models).map { .init(name: $0, model: $1) },
      currentVersionName: "Library 3"
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
    return library
  }

  private static let skipped = """
        - a skipped hop cannot be inferred: attribute 'publisher' of entity 'Book' is new and mandatory, and has no \
    default value
        - attribute 'stars' of entity 'Book' gets 5 in all old objects; without the jump, it gets 1, the default of \
    'Library 2'
    """

  @Test func `a jump is offered with what it skips`() throws {
    let library = try fixture()
    let before = try library.files()
    for command in ["plan", "migrate"] {
      let run = library.run(command, "Library.sqlite", "--infer")
      #expect(run.code == (command == "plan" ? .negative : .failure))
      #expect(
        run.errors.contains(
          "\n  a jump 'Library' → 'Library 3' over 'Library 2' can be inferred, with these consequences:\n"
            + "\(Self.skipped)\n"))
      #expect(
        run.errors.hasSuffix(
          "\n  write a mapping file from 'Library' to 'Library 2', or accept what the jump skips with --allow-jumps\n"),
        "\(run.errors)")
    }
    #expect(try library.files() == before)
    #expect(library.run("plan", "Library.sqlite", "--allow-jumps").code == .usage)
  }

  @Test func `a jump that is allowed says what it skips`() throws {
    let library = try fixture()
    let plan = library.run("plan", "Library.sqlite", "--infer", "--allow-jumps")
    #expect(plan.code == .success)
    #expect(plan.output.contains("hop 1 of 1: 'Library' → 'Library 3', a jump over 'Library 2', inferred\n"), "\(plan)")
    let warning = """
      warning[migration.jump]: 'Library' → 'Library 3' is a jump over 'Library 2', with these consequences:
      \(Self.skipped)
        if this matters, write a mapping file for each hop that cannot be inferred

      """
    #expect(plan.output.contains(warning), "\(plan.output)")
    let run = library.run("migrate", "Library.sqlite", "--infer", "--allow-jumps")
    #expect(run.code == .success)
    #expect(run.errors.contains(warning), "\(run.errors)")
    #expect(run.output.contains("hop 1 of 1: 'Library' → 'Library 3'"), "\(run.output)")
  }
}
