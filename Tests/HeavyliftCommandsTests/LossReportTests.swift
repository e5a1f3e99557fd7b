import Foundation
import Heavylift
import HeavyliftTestSupport
import Testing

/// Data that is not migrated, as shown by `plan`, `migrate` and their JSON.
struct LossReportTests {
  private let library: ToolFixture

  init() throws {
    library = try ToolFixture()
    var new = ToolFixture.firstModel
    new.entities[1].attributes.removeFirst()
    try FileManager.default.removeItem(at: library.folder.appending("Library.xcdatamodeld"))
    try ModelBundle(
      versions: [.init(name: "Library", model: ToolFixture.firstModel), .init(name: "Library 2", model: new)],
      currentVersionName: "Library 2"
    ).write(to: library.folder.appending("Library.xcdatamodeld"))
  }

  @Test func `the report lists what plan lists`() throws {
    let lines = [
      "  2 values of 'pages' of entity 'Book' are not migrated: the destination does not have it",
      "  1 value of 'pages' of entity 'Novel' is not migrated: the destination does not have it",
    ]
    let plan = library.run("plan", "Library.sqlite", "--infer")
    #expect(plan.output.split(separator: "\n").map(String.init).filter { $0.contains("pages") } == lines, "\(plan)")
    let json = library.run("migrate", "Library.sqlite", "--infer", "--to", "Copy.sqlite", "--json").output
    let losses =
      try #require(
        (try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])?["hops"] as? [[String: Any]]
      ).first?["losses"] as? [[String: Any]]
    #expect(
      losses?.map { "\($0["entity"] ?? "") \($0["property"] ?? "") \($0["count"] ?? "")" } == [
        "Book pages 2", "Novel pages 1",
      ])
    let run = library.run("migrate", "Library.sqlite", "--infer")
    #expect(run.output.split(separator: "\n").map(String.init).filter { $0.contains("pages") } == lines, "\(run)")
  }

  @Test func `dangling links are a warning, and an error with --strict`() throws {
    try library.change("Library.sqlite", "UPDATE ZBOOK SET ZAUTHOR = 9999 WHERE Z_PK = 1")
    let problem = "1 link leads to an object that is not in the store: 1 in 'Book.author'"
    let warning = "warning[store.dangling-links]: \(problem)"
    let plan = library.run("plan", "Library.sqlite", "--infer")
    #expect(plan.code == .success)
    #expect(plan.output.contains(warning), "\(plan)")
    let strict = library.run("plan", "Library.sqlite", "--infer", "--strict")
    #expect(strict.code == .negative)
    #expect(strict.errors.contains("error[store.dangling-links]: \(problem)"), "\(strict)")
    let refused = library.run("migrate", "Library.sqlite", "--infer", "--strict")
    #expect(refused.code != .success)
    #expect(refused.errors.contains("error[store.dangling-links]: \(problem)"), "\(refused)")
    let run = library.run("migrate", "Library.sqlite", "--infer")
    #expect(run.code == .success)
    #expect(run.output.contains("  Book.author: 2 of 3 links carried over, 1 dangling\n"), "\(run)")
    #expect(run.output.contains("  warning: \(problem)\n"), "\(run)")
  }

  @Test func `data that is not in the model is refused by plan and migrate, and left behind on request`() throws {
    try library.change("Library.sqlite", "ALTER TABLE ZBOOK ADD COLUMN ZEXTRA; UPDATE ZBOOK SET ZEXTRA = 'x'")
    for command in [["plan"], ["migrate"]] {
      let refused = library.run(command[0], "Library.sqlite", "--infer")
      #expect(refused.code != .success)
      #expect(refused.errors.contains("column 'ZEXTRA' of table 'ZBOOK', 3 values"), "\(refused)")
      #expect(refused.errors.contains("with '--leave-behind' in the tool"), "\(refused)")
    }
    #expect(library.run("plan", "Library.sqlite", "--infer", "--leave-behind").code == .success)
    let run = library.run("migrate", "Library.sqlite", "--infer", "--leave-behind")
    #expect(run.code == .success)
    #expect(
      run.output.contains("left behind, as requested: column 'ZEXTRA' of table 'ZBOOK', 3 values"), "\(run)")
  }

  @Test func `a damaged store is refused, and --accept-damage says what was lost`() throws {
    let url = library.folder.appending("Library.sqlite")
    let database = try Database(path: url.path, mode: .readOnly)
    let sql = "SELECT (rootpage - 1) * (SELECT page_size FROM pragma_page_size) FROM sqlite_master WHERE type = 'index'"
    let start = try #require(try database.firstValue(sql))
    try database.close()
    guard case .integer(let place) = start else { return }
    var bytes = try Data(contentsOf: url)
    bytes.replaceSubrange(Int(place)..<Int(place) + 4_096, with: Data(count: 4_096))
    try bytes.write(to: url)
    let refused = library.run("migrate", "Library.sqlite", "--infer")
    #expect(refused.code == .failure, "\(refused)")
    #expect(refused.errors.contains("error[migration.damaged]: store '"), "\(refused)")
    #expect(try Data(contentsOf: url) == bytes)
    let run = library.run("migrate", "Library.sqlite", "--infer", "--accept-damage", "--backup", "Damaged.sqlite")
    #expect(run.code == .success, "\(run)")
    #expect(
      run.output.contains("and was migrated as far as possible: no row is known to be lost; rows of lost pages"),
      "\(run)")
    #expect(try Data(contentsOf: library.folder.appending("Damaged.sqlite")) == bytes)
  }
}
