import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Several mapping files of one hop: authors come first, and books of the second file lead to them.
struct PassesTests {
  private static let authors = """
    <?xml version="1.0" encoding="UTF-8"?>
    <mapping-model source="Library" destination="Library 2">
      <entity-mapping source="Author" destination="Author"/>
    </mapping-model>

    """
  private static let books = """
    <?xml version="1.0" encoding="UTF-8"?>
    <mapping-model source="Library" destination="Library 2">
      <entity-mapping source="Book" destination="Book">
        <relationship name="author" mapping="AuthorToAuthor"/>
      </entity-mapping>
      <entity-mapping source="Novel" destination="Novel"/>
    </mapping-model>

    """

  private func fixture() throws -> ToolFixture {
    let fixture = try ToolFixture()
    try FileManager.default.createDirectory(at: fixture.folder.appending("hops"), withIntermediateDirectories: false)
    try fixture.write(Self.authors, to: "hops/1 authors.xml")
    try fixture.write(Self.books, to: "hops/2 books.xml")
    return fixture
  }

  @Test func `a file is checked after those before it`() throws {
    let fixture = try fixture()
    let both = fixture.run("check", "--strict", "hops/1 authors.xml", "hops/2 books.xml")
    #expect(both == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
    let first = fixture.run("check", "--strict", "hops/1 authors.xml")
    #expect(first == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
    let alone = fixture.run("check", "hops/2 books.xml")
    #expect(alone.code == .negative)
    #expect(alone.output.contains("error[mapping.unknown-entity-mapping]"))
  }

  @Test func `a store goes through both, and keeps its relationships`() throws {
    let fixture = try fixture()
    let run = fixture.run("migrate", "Library.sqlite", "--mappings", "hops", "--quiet")
    #expect(run == .init(code: .success, output: "", errors: ""))
    let store = try PersistentStore(
      url: fixture.folder.appending("Library.sqlite"), models: [ToolFixture.secondModel], mode: .readOnly)
    let context = ManagedObjectContext(store: store)
    let authors = try context.fetch(FetchRequest(entityName: "Author"))
    #expect(authors.map { $0[toMany: "books"].map { $0["title"] } } == [["The Trial", "Amerika", "Letters"]])
  }
}
