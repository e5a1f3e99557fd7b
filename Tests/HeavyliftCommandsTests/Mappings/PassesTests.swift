import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Several mapping files of one hop: authors come first, and books of the second file refer to them.
struct PassesTests {
  private static let authors = """
    <?xml version="1.0" encoding="UTF-8"?>
    <mapping-model source="Library" destination="Library 2" pass="1">
      <entity-mapping source="Author" destination="Author"/>
    </mapping-model>

    """
  private static let books = """
    <?xml version="1.0" encoding="UTF-8"?>
    <mapping-model source="Library" destination="Library 2" pass="2">
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

  private func removePasses(_ fixture: ToolFixture) throws {
    for (name, text, pass) in [("1 authors", Self.authors, 1), ("2 books", Self.books, 2)] {
      try fixture.write(text.replacing(" pass=\"\(pass)\"", with: ""), to: "hops/\(name).xml")
    }
  }

  @Test func `a file is checked after those before it`() throws {
    let fixture = try fixture()
    let both = fixture.run("check", "--strict", "hops/1 authors.xml", "hops/2 books.xml")
    #expect(both == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
    // They run in the order that they state, in whatever order they are passed.
    let reversed = fixture.run("check", "--strict", "hops/2 books.xml", "hops/1 authors.xml")
    #expect(reversed == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
    let first = fixture.run("check", "--strict", "hops/1 authors.xml")
    #expect(first == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
    let alone = fixture.run("check", "hops/2 books.xml")
    // It does not mention authors, so 'AuthorToAuthor' copies them, as in the first pass.
    #expect(alone == .init(code: .success, output: "no errors, no warnings\n", errors: ""))
  }

  @Test func `files without pass numbers are refused, and both are named`() throws {
    let fixture = try fixture()
    try removePasses(fixture)
    let remedy =
      "  keep one of them; or, if they are passes that fill one store, write pass=\"1\", pass=\"2\" … on the <mapping-model> "
    for command in ["plan", "migrate"] {
      let run = fixture.run(command, "Library.sqlite", "--mappings", "hops", "--infer")
      #expect(run.code == .negative)
      #expect(
        run.errors.hasPrefix(
          """
          hops/2 books.xml:2:1: error[mapping.several-mappings]: 2 mappings in 'hops' lead from model 'Library' to model \
          'Library 2': '1 authors.xml' and '2 books.xml'
          \(remedy)of '1 authors.xml' and '2 books.xml'

          """), "\(run.errors)")
    }
    let check = fixture.run("check", "hops/1 authors.xml", "hops/2 books.xml")
    #expect(check.code == .negative)
    #expect(
      check.output.contains(
        """
        hops/2 books.xml:2:1: error[mapping.several-mappings]: 2 mappings in the files that are checked lead from model \
        'Library' to 'Library 2': 'hops/1 authors.xml' and 'hops/2 books.xml'
        \(remedy)of 'hops/1 authors.xml' and 'hops/2 books.xml'

        """), "\(check.output)")
  }

  @Test func `one file of several can be chosen, and several in the order given`() throws {
    let fixture = try fixture()
    try removePasses(fixture)
    let one = fixture.run("plan", "Library.sqlite", "--mappings", "hops", "--mapping", "hops/1 authors.xml")
    #expect(one.output.contains("hop 1 of 1: 'Library' → 'Library 2', by '1 authors.xml'\n"), "\(one)")
    // A bare name refers to the folder of mappings.
    let both = fixture.run(
      "plan", "Library.sqlite", "--mappings", "hops", "--mapping", "1 authors.xml", "--mapping", "2 books.xml")
    #expect(
      both.output.contains(
        "hop 1 of 1: 'Library' → 'Library 2', by '1 authors.xml' and '2 books.xml', one after the other\n"), "\(both)")
    try fixture.write(
      Self.authors.replacing("\"Library 2\"", with: "\"Library 3\""), to: "other.xml")
    let other = fixture.run(
      "plan", "Library.sqlite", "--mappings", "hops", "--mapping", "1 authors.xml", "--mapping", "other.xml")
    #expect(other.code == .negative)
    #expect(
      other.errors.hasPrefix(
        """
        this migration: error[migration.unused-mapping]: no hop from 'Library' to 'Library 2' uses 'other.xml', which \
        --mapping names
          remove it, or run 'heavylift check' to see which models it is for
        """), "\(other.errors)")
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
