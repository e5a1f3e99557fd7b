import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import Testing

/// Histories without mapping files, whose hops run as one.
struct ComposedPlanTests {
  private let library: ToolFixture

  init() throws { library = try ToolFixture() }

  /// Adds versions to the library's bundle, each of which changes the one before.
  private func add(_ changes: ((inout ManagedObjectModel) -> Void)...) throws {
    try library.addVersions(changes)
  }

  private static func add(_ name: String, default value: Value = .null) -> (inout ManagedObjectModel) -> Void {
    { model in
      model.entities[0].attributes.append(
        AttributeDescription(name: name, type: .string, isOptional: value.isNull, defaultValue: value))
    }
  }

  @Test func `a plan names the versions that a hop goes through, and the report counts one hop`() throws {
    try add(Self.add("born"), Self.add("country", default: "?"), Self.add("website"))
    let plan = library.run("plan", "Library.sqlite", "--infer")
    #expect(plan.code == .success)
    #expect(
      plan.output.contains("\nhop 1 of 1: 'Library' → 'Library 5', inferred, through 'Library 2', 'Library 3' and "))
    let json = library.run("plan", "Library.sqlite", "--infer", "--json").output
    let between = #/"versionsBetween": \[\s+"Library 2",\s+"Library 3",\s+"Library 4"\s+\]/#
    #expect(json.contains(between), "\(json)")
    let run = library.run("migrate", "Library.sqlite", "--infer", "--verify")
    #expect(run.code == .success, "\(run)")
    let dump = library.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "--entity", "Author")
    #expect(dump.output.contains(#""country":"?""#), "\(dump)")
  }

  @Test func `a composed hop keeps the default value that a version in between gave`() throws {
    try add(Self.add("country", default: "?")) { model in
      // Without the new attribute, the versions would have the same hashes.
      Self.add("born")(&model)
      Self.edit("country", of: &model) { $0.defaultValue = "none" }
    }
    let plan = library.run("plan", "Library.sqlite", "--infer")
    #expect(plan.output.contains("\nhop 1 of 1: "), "\(plan)")
    #expect(library.run("migrate", "Library.sqlite", "--infer", "--quiet").code == .success)
    #expect(
      library.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "--entity", "Author").output.contains(
        #""country":"?""#))
  }

  @Test func `a rule that only a version in between has keeps its hop`() throws {
    try add(
      {
        Self.add("born")(&$0)
        Self.edit("name", of: &$0) { $0.validation.maximum = .integer(40) }
      },
      {
        Self.add("website")(&$0)
        Self.edit("name", of: &$0) { $0.validation.maximum = nil }
      })
    let plan = library.run("plan", "Library.sqlite", "--infer")
    #expect(plan.output.contains("\nhop 1 of 2: 'Library' → 'Library 3', inferred, through 'Library 2'\n"), "\(plan)")
    #expect(
      plan.output.contains(
        "\n  not one hop with the next: attribute 'name' of entity 'Author' has a rule that only a version in between "
          + "has\n"), "\(plan.output)")
  }

  private static func edit(
    _ name: String, of model: inout ManagedObjectModel, _ change: (inout AttributeDescription) -> Void
  ) {
    for place in model.entities[0].attributes.indices where model.entities[0].attributes[place].name == name {
      change(&model.entities[0].attributes[place])
    }
  }

  @Test func `a question about one of the hops is asked about the composed one`() throws {
    // 'name' is not there any more when a version later adds something similar.
    try add({ model in model.entities[0].attributes[0].name = "fullName" }, Self.add("nickname"))
    let plan = library.run("plan", "Library.sqlite", "--infer")
    #expect(plan.output.contains("\nhop 1 of 1: "), "\(plan)")
    let questions = plan.output.split(separator: "\n").filter { $0.contains("warning[mapping.possible-renaming]") }
    #expect(questions.count == 1 && questions[0].contains("'name'") && questions[0].contains("'fullName'"), "\(plan)")
    #expect(!plan.output.contains("nickname'"), "\(plan)")
  }

  // MARK: Mapping files

  /// A label is computed in one version, and renamed in the next.
  private func history(label: String = "uppercase:($source.title)") throws -> HistoryFixture {
    let history = try HistoryFixture(
      HistoryFixture.add("label", to: "Book"), HistoryFixture.replace("label", with: "caption", in: "Book"),
      HistoryFixture.add("born"))
    func mapping(_ attribute: String, _ value: String) -> String {
      ["Book", "Novel"].map {
        "<entity-mapping source='\($0)' destination='\($0)'><attribute name='\(attribute)' value=\"\(value)\"/></entity-mapping>\n"
      }.joined()
    }
    try history.write(mapping("label", label), from: "Library 2", to: "Library 3", as: "2-3.xml")
    try history.write(mapping("caption", "$source.label"), from: "Library 3", to: "Library 4", as: "3-4.xml")
    return history
  }

  @Test func `mapping files are part of a composed hop, and what they compute is kept`() throws {
    let history = try history()
    let plan = history.run("plan", "Library.sqlite", "--infer")
    #expect(
      plan.output.contains(
        "\nhop 1 of 1: 'Library' → 'Library 5', by '2-3.xml' and '3-4.xml', the rest inferred, through 'Library 2', "
          + "'Library 3' and 'Library 4'\n"), "\(plan)")
    let json = history.run("plan", "Library.sqlite", "--infer", "--json").output
    #expect(json.contains(#/"mappings": \[\s+"2-3.xml",\s+"3-4.xml"\s+\],\s+"inferred": false/#), "\(json)")
    #expect(history.run("migrate", "Library.sqlite", "--infer", "--verify", "--quiet").code == .success)
    let dump = history.run("dump", "Library.sqlite", "-m", "Library.xcdatamodeld", "--entity", "Book")
    #expect(dump.output.contains(#""caption":"AMERIKA""#), "\(dump)")
  }

  @Test func `a warning about a mapping file names the file, although its hop is part of another`() throws {
    let history = try history(label: "CAST($source.title, 'NSNumber')")
    let plan = history.run("plan", "Library.sqlite", "--infer")
    let alone = history.run("check", "2-3.xml")
    #expect(alone.output.contains("2-3.xml:1:"), "\(alone)")
    let place = try #require(alone.output.firstMatch(of: #/2-3.xml:\d+:\d+/#)?.output)
    #expect((plan.output + plan.errors).contains(place), "\(plan)\n\(alone)")
  }

  @Test func `a value that cannot be computed names the file and the line, although its hop is part of another`() throws
  {
    let history = try history(label: "FUNCTION($source.title, 'substringToIndex:', 100)")
    let run = history.run("migrate", "Library.sqlite", "--infer")
    #expect(
      run.code == .failure
        && run.errors.contains(
          "failed: ./2-3.xml:1:139: entity mapping 'BookToBook', property 'caption', object 'Book/p1': "),
      "\(run)")
  }

  @Test func `what prevents a composition is a policy or a filter of the next hop`() throws {
    let history = try history()
    try history.write(
      #"<entity-mapping source="Book" destination="Book" where="pages &gt; 1"/><entity-mapping source="Book" type="remove" where="pages &lt;= 1"/>"#,
      from: "Library 4", to: "Library 5", as: "4-5.xml")
    let plan = history.run("plan", "Library.sqlite", "--infer")
    #expect(plan.output.contains("\nhop 1 of 2: 'Library' → 'Library 4', by"), "\(plan)")
    #expect(
      plan.output.contains(
        "\n  not one hop with the next: entity mapping 'BookToBook' takes only some objects: those with pages > 1\n"),
      "\(plan)")
  }
}
