import Foundation
import Heavylift
import Testing

/// `heavylift migrate --in-place`, as a user runs it.
struct InPlaceCommandTests {
  private let library: ToolFixture

  /// A library whose new version adds an attribute and removes another one.
  init() throws {
    library = try ToolFixture()
    var new = ToolFixture.firstModel
    for place in new.entities.indices {
      if new.entities[place].name == "Novel" { new.entities[place].attributes = [] }
      if new.entities[place].name == "Author" {
        new.entities[place].attributes.append(
          AttributeDescription(name: "rank", type: .integer16, isOptional: false, defaultValue: .integer(1)))
      }
    }
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: [.init(name: "Library", model: ToolFixture.firstModel), .init(name: "Library 2", model: new)],
      currentVersionName: "Library 2"
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
  }

  /// Output without sizes and times, which differ from run to run.
  private func plain(_ run: ToolFixture.Run) -> ToolFixture.Run {
    var run = run
    run.output = run.output.replacing(/\d+(\.\d+)? (kB|MB|GB|TB|B)\b/, with: "SIZE")
      .replacing(/took .*/, with: "took TIME").replacing(/in place, [\d.]+ m?s\b.*/, with: "in place, TIME")
    return run
  }

  @Test func `a plan lists the changes in the store`() throws {
    #expect(
      plain(library.run("plan", "Library.sqlite", "--infer", "--in-place"))
        == .init(
          code: .success,
          output: """
            Library.sqlite migrates from 'Library' to 'Library 2' in place; the store was identified by its version hashes

            hop 1 of 1: 'Library' → 'Library 2', inferred, because it has no mapping file
              adds column 'ZRANK' of table 'ZAUTHOR'
              fills ZRANK of table 'ZAUTHOR'
              drops column 'ZGENRE' of table 'ZBOOK'

            the store is SIZE; at most about SIZE is needed for the journal, SIZE free

            nothing would stop the migration, unless a new value breaks a rule of the model

            """, errors: ""))
  }

  @Test func `a plan finds values that break a new rule, and leaves alone what stays as it is`() throws {
    var new = ToolFixture.firstModel
    new.entities[1].attributes[1].validation.maximumLength = 8
    new.entities[1].versionHashModifier = "2"
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: [.init(name: "Library", model: ToolFixture.firstModel), .init(name: "Library 2", model: new)],
      currentVersionName: "Library 2"
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
    let run = library.run("plan", "Library.sqlite", "--infer", "--in-place", "--check-data")
    #expect(run.code == .negative, "\(run)")
    #expect(
      run.output.components(separatedBy: "this would stop the migration:\n").last == """
        error[migration.1660]: entity mapping 'BookToBook', property 'title': $source.title: 'title' is longer than 8 \
        characters, in 1 object
            Book/p1: title = "The Trial"
          shorten the text, or change the model

        """, "\(run)")
    // Mandatory in both versions.
    try library.change("Library.sqlite", "UPDATE ZBOOK SET ZTITLE = NULL")
    new.entities[1].attributes[1].validation.maximumLength = nil
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: [.init(name: "Library", model: ToolFixture.firstModel), .init(name: "Library 2", model: new)],
      currentVersionName: "Library 2"
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
    let kept = library.run("plan", "Library.sqlite", "--infer", "--in-place", "--check-data")
    #expect(kept.code == .success && kept.output.hasSuffix("\n\nnothing would stop the migration\n"), "\(kept)")
  }

  @Test func `a plan says why a hop needs a new store`() throws {
    let run = plain(
      library.run("plan", "Library.sqlite", "--infer", "--in-place", "--backup", "Old.sqlite"))
    #expect(
      run.output.contains(
        """
        it cannot be migrated in place

        this would stop the migration:
        error[migration.not-in-place]: store 'FOLDER/Library.sqlite' cannot be migrated in place: no backup would \
        remain, because the store itself is changed; copy the store first, or use no backup
          migrate it with a copy, which is the default; nothing was changed
        """), "\(run)")
    #expect(run.code == .negative)
  }

  @Test func `a migration reports the changes and the losses`() throws {
    let run = plain(library.run("migrate", "Library.sqlite", "--infer", "--in-place"))
    #expect(
      run.output == """
        Library.sqlite was migrated from 'Library' to 'Library 2'

        hop 1 of 1: 'Library' → 'Library 2', inferred, in place, TIME
          adds column 'ZRANK' of table 'ZAUTHOR'
          fills ZRANK of table 'ZAUTHOR', 1 row
          drops column 'ZGENRE' of table 'ZBOOK'

        took TIME

        """)
    #expect(run.code == .success)
    #expect(library.run("migrate", "Library.sqlite", "--infer", "--in-place").output.hasSuffix("nothing to do\n"))
  }

  @Test func `a dry run makes the same changes in a copy`() throws {
    let before = try Data(contentsOf: library.folder.appending("Library.sqlite"))
    let names = try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path).sorted()
    let run = plain(library.run("migrate", "Library.sqlite", "--infer", "--in-place", "--dry-run"))
    #expect(
      run.output == """
        Library.sqlite can be migrated from 'Library' to 'Library 2'

        hop 1 of 1: 'Library' → 'Library 2', inferred, in place, TIME
          adds column 'ZRANK' of table 'ZAUTHOR'
          fills ZRANK of table 'ZAUTHOR', 1 row
          drops column 'ZGENRE' of table 'ZBOOK'

        what would change
          entity  copied  changed  created  dropped  defaulted
          Author       1        0        0        0  rank
          Book         2        0        0        0
          Novel        1        0        0        0
          Author: new: rank
          Novel: lost: genre

        Library.sqlite was not changed, and nothing was left behind: the changes were made in a copy, which is gone
        took TIME

        """, "\(run.output)")
    #expect(run.code == .success)
    #expect(try Data(contentsOf: library.folder.appending("Library.sqlite")) == before)
    #expect(try FileManager.default.contentsOfDirectory(atPath: library.folder.url.path).sorted() == names)
  }

  @Test func `what waits for the next migration is listed`() throws {
    let run = library.run("migrate", "Library.sqlite", "--infer", "--in-place", "--defer-cleanup", "--json")
    #expect(run.code == .success)
    #expect(run.output.contains("\"kind\": \"defersColumn\""), "\(run.output)")
    let inspected = library.run("inspect", "Library.sqlite", "--model", "Library.xcdatamodeld")
    #expect(
      inspected.output.contains(
        """
        Also in the store
          waiting for 'finish-cleanup': drop column 'ZGENRE' of table 'ZBOOK'
          metadata 'theme': a string
        """), "\(inspected.output)")
    let json = library.run("inspect", "Library.sqlite", "--model", "Library.xcdatamodeld", "--json").output
    #expect(json.contains("\"formerName\": \"ZGENRE\""), "\(json)")
  }

  @Test func `a deferred cleanup is listed, and finished without a model`() throws {
    #expect(library.run("finish-cleanup", "Library.sqlite").output == "nothing to drop\n")
    _ = library.run("migrate", "Library.sqlite", "--infer", "--in-place", "--defer-cleanup")
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    #expect(
      library.run("finish-cleanup", "Library.sqlite", "--dry-run")
        == .init(code: .success, output: "would drop column 'ZGENRE' of table 'ZBOOK'\n", errors: ""))
    #expect(
      library.run("finish-cleanup", "Library.sqlite", "--dry-run", "--json").output == """
        {
          "store": "Library.sqlite",
          "dropped": [],
          "waiting": [
            {
              "table": "ZBOOK",
              "column": "HEAVYLIFT_LEFTOVER_1",
              "formerName": "ZGENRE"
            }
          ]
        }

        """)
    let user = try Database(path: library.folder.appending("Library.sqlite").path, mode: .readWrite)
    try user.execute("BEGIN IMMEDIATE")
    let refused = library.run("finish-cleanup", "Library.sqlite")
    #expect(
      refused.code == .failure && refused.errors.hasPrefix("error[migration.in-use]: "), "\(refused)")
    try user.execute("ROLLBACK")
    try user.close()
    #expect(
      library.run("finish-cleanup", "Library.sqlite", "--one")
        == .init(code: .success, output: "dropped column 'ZGENRE' of table 'ZBOOK'\n", errors: ""))
    #expect(library.run("finish-cleanup", "Library.sqlite").output == "nothing to drop\n")
    let database = try Database(path: library.folder.appending("Library.sqlite").path, mode: .readOnly)
    #expect(try database.columns(of: "ZBOOK").allSatisfy { !$0.name.hasPrefix("HEAVYLIFT") })
    try database.close()
  }

  @Test(arguments: [
    (
      ["--defer-cleanup"],
      """
      error[usage.useless-option]: option '--defer-cleanup' of 'migrate' needs '--in-place': a new store has nothing to \
      clean up
        use both or neither
      """
    ),
    (
      ["--in-place", "--to", "New.sqlite"],
      """
      error[usage.useless-option]: option '--in-place' of 'migrate' changes the store itself
        omit '--to', or omit '--in-place' to create a new store
      """
    ),
  ])
  func `options that contradict each other are mistakes`(options: [String], message: String) throws {
    let run = library.run(["migrate", "Library.sqlite", "--infer"] + options)
    #expect(run.code == .usage)
    #expect(run.errors.hasPrefix(message), "\(run.errors)")
  }
}
