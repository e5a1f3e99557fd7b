import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// `heavylift squash`, as a user or a script runs it.
struct SquashCommandTests {
  /// Five hops: inferred, by files that rename and compute, and inferred.
  private func history() throws -> HistoryFixture {
    let history = try HistoryFixture(
      HistoryFixture.replace("name", with: "fullName", in: "Author"),
      HistoryFixture.add("country", to: "Author", default: "?"), HistoryFixture.add("label", to: "Book"),
      { model in
        HistoryFixture.remove("genre", from: "Novel")(&model)
        for place in model.entities[0].attributes.indices where model.entities[0].attributes[place].name == "country" {
          model.entities[0].attributes[place].defaultValue = "none"
        }
      })
    try history.write(
      #"<entity-mapping source="Author" destination="Author"><attribute name="fullName" value="$source.name"/></entity-mapping>"#,
      from: "Library 2", to: "Library 3", as: "2-3.xml")
    try history.write(
      """
      <entity-mapping source="Book" destination="Book">
        <!-- shown in lists -->
        <attribute name="label" value="uppercase:($source.title)"/>
      </entity-mapping>
      <entity-mapping source="Novel" destination="Novel">
        <attribute name="label" value="'novel'"/>
      </entity-mapping>
      """, from: "Library 4", to: "Library 5", as: "4-5.xml")
    return history
  }

  @Test func `hops become one file that a person would write, and that the tool accepts`() throws {
    let history = try history()
    let run = history.run("squash", "Library.xcdatamodeld", "--store", "Library.sqlite", "-o", "1-6.xml")
    #expect(
      run
        == .init(
          code: .success,
          output: """
            Library.sqlite: the same 4 objects, hop by hop and squashed
            1-6.xml: 'Library' → 'Library 6' in one hop instead of 5 (3 inferred, by '2-3.xml', by '4-5.xml')

            """, errors: ""))
    #expect(
      try history.text("1-6.xml") == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!-- 'Library' → 'Library 6' in one hop instead of 5, written by 'heavylift squash'. Includes: -->
        <!--   'Library 2' → 'Library 3', by '2-3.xml' -->
        <!--   'Library 4' → 'Library 5', by '4-5.xml' -->
        <mapping-model source="Library" destination="Library 6">
          <entity-mapping source="Author" destination="Author">
            <!-- the default in 'Library 4' -->
            <attribute name="country" value='"?"'/>
            <!-- renamed in 'Library 3' -->
            <attribute name="fullName" value="$source.name"/>
          </entity-mapping>
          <entity-mapping source="Book" destination="Book">
            <!-- shown in lists -->
            <!-- computed in 'Library 5' -->
            <attribute name="label" value="uppercase:($source.title)"/>
          </entity-mapping>
          <entity-mapping source="Novel" destination="Novel">
            <!-- computed in 'Library 5' -->
            <attribute name="label" value='"novel"'/>
            <!-- removed in 'Library 6' -->
            <drop name="genre"/>
          </entity-mapping>
        </mapping-model>

        """)
    #expect(history.run("check", "1-6.xml").code == .success)
    #expect(history.run("format", "--check", "1-6.xml").code == .success)
    // The next migration uses the file.
    let plan = history.run("plan", "Library.sqlite")
    #expect(plan.output.contains("hop 1 of 1: 'Library' → 'Library 6', by '1-6.xml'"), "\(plan)")
    // Squashing again does not start from its own result.
    #expect(history.run("squash", "Library.xcdatamodeld", "-o", "1-6.xml").output.contains("instead of 5"))
  }

  @Test func `a hop that cannot be composed is named with the reason, and nothing is written`() throws {
    let history = try history()
    try history.write(
      #"<entity-mapping source="Book" destination="Book" policy="Labels"/>"#, from: "Library 4", to: "Library 5",
      as: "4-5.xml")
    let run = history.run("squash", "Library.xcdatamodeld", "-o", "1-6.xml")
    #expect(
      run
        == .init(
          code: .negative, output: "",
          errors: """
            error[squash.cut]: 'Library' → 'Library 6' cannot be one mapping; the fewest hops are 3:
              1. 'Library' → 'Library 4' in one hop instead of 3 (2 inferred, by '2-3.xml')
                 cut: 'Library 4' → 'Library 5': entity mapping 'BookToBook' has policy 'Labels', and what it does is not in the file
              2. 'Library 4' → 'Library 5', by '4-5.xml'
                 cut: 'Library 4' → 'Library 5': entity mapping 'BookToBook' has policy 'Labels', and what it does is not in the file
              3. 'Library 5' → 'Library 6', inferred, because it has no mapping file
              squash the parts on their own, such as with --from 'Library' --to 'Library 4'

            """))
    #expect(!history.exists("1-6.xml"))
    let json = history.run("squash", "Library.xcdatamodeld", "--json")
    #expect(json.code == .negative && json.output.contains(#""hop": "'Library 4' → 'Library 5'""#), "\(json)")
    let part = history.run("squash", "Library.xcdatamodeld", "--to", "Library 4", "-o", "1-4.xml")
    #expect(part.code == .success && history.exists("1-4.xml"), "\(part)")
  }

  @Test(arguments: [
    (
      #"<entity-mapping source="Book" destination="Book" where="pages &gt; 1"/><entity-mapping source="Book" type="remove" where="pages &lt;= 1"/>"#,
      "entity mapping 'BookToBook' takes only some objects: those with pages > 1"
    ),
    (
      #"<entity-mapping source="Book" destination="Book"><attribute name="label" value="$source.author.name"/></entity-mapping>"#,
      "attribute 'label' of entity 'Book' is computed in 'Library 4' from other objects: $source.author.name"
    ),
    (
      #"<entity-mapping source="Book" destination="Book"><attribute name="label" value="CAST($source.remark, 'NSString')"/></entity-mapping>"#,
      "attribute 'label' of entity 'Book' is computed in 'Library 4' from 'remark', which gets its value in 'Library 3'"
    ),
    (
      #"<entity-mapping source="Book" destination="Book"><attribute name="label" value="CAST($source.pages, 'NSString')"/></entity-mapping>"#,
      "attribute 'label' of entity 'Book' is computed in 'Library 4' from 'pages', whose type or rules change after 'Library'"
    ),
  ])
  func `what cannot be carried through is a cut`(mapping: String, reason: String) throws {
    let history = try HistoryFixture(
      HistoryFixture.add("remark", to: "Book", type: .integer32), HistoryFixture.add("label", to: "Book"))
    try history.write(
      #"<entity-mapping source="Book" destination="Book"><attribute name="remark" value="3"/></entity-mapping>"#,
      from: "Library 2", to: "Library 3", as: "2-3.xml")
    try history.write(mapping, from: "Library 3", to: "Library 4", as: "3-4.xml")
    let run = history.run("squash", "Library.xcdatamodeld", "-o", "1-4.xml")
    #expect(run.code == .negative && run.errors.contains("cut: 'Library 3' → 'Library 4': \(reason)\n"), "\(run)")
    #expect(!history.exists("1-4.xml"))
  }

  @Test func `text that a hop computes can be read by a later hop`() throws {
    let history = try HistoryFixture(
      HistoryFixture.add("remark", to: "Book"), HistoryFixture.add("label", to: "Book"))
    try history.write(
      #"<entity-mapping source="Book" destination="Book"><attribute name="remark" value="lowercase:($source.title)"/></entity-mapping>"#,
      from: "Library 2", to: "Library 3", as: "2-3.xml")
    try history.write(
      #"<entity-mapping source="Book" destination="Book"><attribute name="label" value="TERNARY($source.remark = 'x', 'none', $source.remark)"/></entity-mapping>"#,
      from: "Library 3", to: "Library 4", as: "3-4.xml")
    let run = history.run("squash", "Library.xcdatamodeld", "--store", "Library.sqlite", "-o", "1-4.xml")
    #expect(run.code == .success && run.output.hasPrefix("Library.sqlite: the same 4 objects"), "\(run)")
    #expect(
      try history.text("1-4.xml").contains(
        #"value='TERNARY(lowercase:($source.title) == "x", "none", lowercase:($source.title))'"#))
  }

  @Test func `what a version removes and a later one adds again is dropped by name`() throws {
    let history = try HistoryFixture(
      HistoryFixture.remove("genre", from: "Novel"),
      {
        HistoryFixture.add("genre", to: "Novel")(&$0)
        HistoryFixture.add("label", to: "Book")(&$0)
      })
    try history.library.change("Library.sqlite", "UPDATE ZBOOK SET ZGENRE = 'fiction' WHERE ZTITLE = 'Amerika'")
    let run = history.run("squash", "Library.xcdatamodeld", "--store", "Library.sqlite", "-o", "1-4.xml")
    #expect(run.code == .success, "\(run)")
    #expect(
      try history.text("1-4.xml").contains(
        """
          <entity-mapping source="Novel" destination="Novel">
            <attribute name="genre" copy="no"/>
            <!-- removed in 'Library 3' -->
            <drop name="genre"/>
          </entity-mapping>

        """))
    #expect(history.run("check", "1-4.xml").code == .success)
  }

  @Test func `a store of another version proves nothing`() throws {
    let history = try history()
    let run = history.run(
      "squash", "Library.xcdatamodeld", "--from", "Library 2", "--store", "Library.sqlite", "-o", "2-6.xml")
    #expect(
      run.errors == """
        error[squash.other-version]: store 'Library.sqlite' has version 'Library', and the mapping starts at 'Library 2'
          pass a store of 'Library 2', or squash with --from 'Library'

        """)
    #expect(run.code == .failure && !history.exists("2-6.xml"))
  }

  @Test func `a store that both ways refuse proves nothing, and the file is not written`() throws {
    let history = try history()
    try history.library.change("Library.sqlite", "UPDATE ZBOOK SET ZTITLE = NULL")
    let run = history.run("squash", "Library.xcdatamodeld", "--store", "Library.sqlite", "-o", "1-6.xml")
    #expect(run.code == .negative && !history.exists("1-6.xml"))
    #expect(run.output.contains("Library.sqlite: proves nothing, because it cannot be migrated"), "\(run)")
    #expect(run.output.hasSuffix("1-6.xml was not written\n"))
  }

  @Test func `a single hop is not squashed`() throws {
    let history = try HistoryFixture()
    let run = history.run("squash", "Library.xcdatamodeld")
    #expect(
      run.errors == """
        error[squash.single-hop]: 'Library' → 'Library 2' is a single hop already, inferred, because it has no mapping file
          there is nothing to squash; 'heavylift infer' writes a file for it

        """)
    #expect(history.run("squash", "Library.xcdatamodeld", "--to", "Library").errors.contains("squash.same-version"))
    // A squashed mapping under another name is the shortest path.
    let long = try self.history()
    #expect(long.run("squash", "Library.xcdatamodeld", "-o", "1-6.xml").code == .success)
    #expect(
      long.run("squash", "Library.xcdatamodeld", "-o", "other.xml").errors == """
        error[squash.single-hop]: 'Library' → 'Library 6' is a single hop already, by '1-6.xml'
          to squash the hops that it replaces again, write to that file: -o '1-6.xml'

        """)
  }

  @Test func `a missing hop is an error that offers no jump`() throws {
    let history = try HistoryFixture(
      { $0.entities[1].attributes[1].type = .date }, HistoryFixture.add("label", to: "Book"))
    let run = history.run("squash", "Library.xcdatamodeld")
    #expect(run.code == .failure && run.errors.contains("error[migration.no-path]"), "\(run)")
    #expect(!run.errors.contains("--allow-jumps") && !run.errors.contains("allowsJumps"), "\(run)")
  }
}
