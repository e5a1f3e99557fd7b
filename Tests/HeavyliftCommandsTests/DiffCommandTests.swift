import Foundation
import Heavylift
import HeavyliftCommands
import Testing

struct DiffCommandTests {
  private func changed() throws -> ToolFixture {
    let fixture = try ToolFixture()
    try fixture.copy("Library.sqlite", to: "After.sqlite")
    try fixture.change(
      "After.sqlite",
      """
      UPDATE ZBOOK SET ZPAGES = 9 WHERE Z_PK = 1; DELETE FROM ZBOOK WHERE Z_PK = 3;
      INSERT INTO ZAUTHOR (Z_PK, Z_ENT) VALUES (7, 1)
      """)
    return fixture
  }

  @Test func `stores with the same content do not differ`() throws {
    let fixture = try ToolFixture()
    try fixture.copy("Library.sqlite", to: "Copy.sqlite")
    #expect(
      fixture.run("diff", "Library.sqlite", "Copy.sqlite", "-m", "Library.xcdatamodeld")
        == .init(code: .success, output: "no difference in 4 objects\n", errors: ""))
  }

  @Test func `an error names the store that cannot be read`() throws {
    let fixture = try ToolFixture()
    try fixture.copy("Library.sqlite", to: "Damaged.sqlite")
    let url = fixture.folder.appending("Damaged.sqlite")
    let database = try Database(path: url.path, mode: .readOnly)
    let sql = "SELECT (rootpage - 1) * (SELECT page_size FROM pragma_page_size) FROM sqlite_master WHERE name = 'ZBOOK'"
    guard case .integer(let place)? = try database.firstValue(sql) else { return }
    try database.close()
    var bytes = try Data(contentsOf: url)
    bytes.replaceSubrange(Int(place)..<Int(place) + 4_096, with: Data(count: 4_096))
    try bytes.write(to: url)
    for stores in [["Damaged.sqlite", "Library.sqlite"], ["Library.sqlite", "Damaged.sqlite"]] {
      let run = fixture.run("diff", stores[0], stores[1], "-m", "Library.xcdatamodeld")
      #expect(run.code != .success && run.errors.contains("Damaged.sqlite' cannot be read"), "\(run)")
      #expect(!run.errors.contains("Library.sqlite"), "\(run)")
    }
  }

  @Test func `differing objects are counted and listed, without their values`() throws {
    #expect(
      try changed().run("diff", "Library.sqlite", "After.sqlite", "-m", "Library.xcdatamodeld")
        == .init(
          code: .negative,
          output: """
            4 objects of 2 entities differ, 1 is the same

              entity  same  added  removed  changed
              Author     0      1        0        1
              Book       0      0        1        1

            entity 'Author'
              added: p7
              changed: 'books' in 1
                p1: books

            entity 'Book'
              removed: p3
              changed: 'pages' in 1
                p1: pages

            """, errors: ""))
  }

  @Test func `values are shown on request`() throws {
    let run = try changed().run("diff", "Library.sqlite", "After.sqlite", "-m", "Library.xcdatamodeld", "--values")
    #expect(
      run.output.hasSuffix(
        """
        entity 'Author'
          added: p7
          changed: 'books' in 1
            p1: books
              books: ["Book/p1","Novel/p2","Book/p3"] → ["Book/p1","Novel/p2"]

        entity 'Book'
          removed: p3
          changed: 'pages' in 1
            p1: pages
              pages: 0 → 9

        """), "\(run.output)")
  }

  @Test func `examples can be left out`() throws {
    let run = try changed().run(
      "diff", "Library.sqlite", "After.sqlite", "-m", "Library.xcdatamodeld", "--examples=0")
    #expect(
      run.output.hasSuffix(
        """
        entity 'Author'
          added: 1 object
          changed: 'books' in 1
            and 1 more

        entity 'Book'
          removed: 1 object
          changed: 'pages' in 1
            and 1 more

        """), "\(run.output)")
  }

  @Test func `two versions of a bundle are compared down to the parameter`() throws {
    #expect(
      try ToolFixture().run("diff", "Library.xcdatamodeld", "--from", "Library")
        == .init(
          code: .negative,
          output: """
            from 'Library' (Library.xcdatamodeld) to 'Library 2' (Library.xcdatamodeld)

            entity 'Book': 2 changes; its version hash changes
              * attribute 'pages'  attributeType  Integer 16 → Integer 32
                attribute 'pages'  defaultValue   0 → 1

            entity 'Novel': no change of its own; its version hash changes
              * parent 'Book'  its version hash

            * changes the version hash

            """, errors: ""))
  }

  @Test func `a version compared with itself does not differ`() throws {
    #expect(
      try ToolFixture().run("diff", "Library.xcdatamodeld", "Library.xcdatamodeld/Library 2.xcdatamodel")
        == .init(
          code: .success,
          output: """
            from 'Library 2' (Library.xcdatamodeld) to 'Library 2' (Library.xcdatamodeld/Library 2.xcdatamodel)

            no differences

            """, errors: ""))
  }

  @Test(arguments: [
    (
      ["Library.xcdatamodeld", "--from", "Libary"],
      "error[model-file.unknown-version]: 'Library.xcdatamodeld' has no version 'Libary'\n  did you mean 'Library'?\n",
      ExitCode.failure
    ),
    (
      ["Undecided.xcdatamodeld", "Library.xcdatamodeld"],
      """
      error[model-file.no-current-version]: 'Undecided.xcdatamodeld' has 2 versions, none of which is marked as current
        choose one: --from 'Library', --from 'Library 2'

      """, .failure
    ),
    (
      ["Undecided.xcdatamodeld", "--from", "Library"],
      """
      error[model-file.no-current-version]: 'Undecided.xcdatamodeld' has 2 versions, none of which is marked as current
        choose one: --to 'Library', --to 'Library 2'

      """, .failure
    ),
    (
      ["Library.xcdatamodeld", "Library.sqlite"],
      """
      error[diff.mixed]: 'Library.sqlite' is a store and 'Library.xcdatamodeld' is a model
        give two stores or two models; 'heavylift inspect STORE --model MODEL' shows whether they belong together

      """, .failure
    ),
    (
      ["Library.sqlite", "Nowhere.sqlite"],
      "error[file.missing]: there is no file or folder 'Nowhere.sqlite'\n  check the path\n", .failure
    ),
    (
      ["Library.xcdatamodeld"],
      """
      error[usage.missing-argument]: 'diff' needs two versions to compare: a second model, --from or --to
        write 'diff A [B] [OPTIONS]'
      see 'heavylift diff --help'

      """, .usage
    ),
    (
      ["Library.sqlite", "Library.sqlite", "--to", "2"],
      """
      error[usage.useless-option]: options '--from' and '--to' of 'diff' are for models, and these are stores
        write 'diff A [B] [OPTIONS]'
      see 'heavylift diff --help'

      """, .usage
    ),
    (
      ["a", "b", "--examples", "many"],
      """
      error[usage.bad-number]: '--examples many' is not a number from 0 to 1000
        write a number, such as '--examples 20'
      see 'heavylift diff --help'

      """, .usage
    ),
  ])
  func `what cannot be compared is refused`(arguments: [String], errors: String, code: ExitCode) throws {
    let fixture = try ToolFixture()
    try fixture.copy("Library.xcdatamodeld", to: "Undecided.xcdatamodeld")
    try FileManager.default.removeItem(at: fixture.folder.appending("Undecided.xcdatamodeld/.xccurrentversion"))
    #expect(fixture.run(["diff"] + arguments) == .init(code: code, output: "", errors: errors))
  }
}
