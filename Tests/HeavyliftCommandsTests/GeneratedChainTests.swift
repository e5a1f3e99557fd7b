import Foundation
import Heavylift
import HeavyliftCommands
import HeavyliftTestSupport
import HeavyliftVerification
import Testing

/// `heavylift generate-tests` for the pairs of a chain, and for mappings with filters.
struct GeneratedChainTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    let versions = Clinic.versions.map { ModelBundle.Version(name: $0.name ?? "", model: $0) }
    try ModelBundle(versions: versions, currentVersionName: "Clinic 3").write(
      to: folder.appending("Clinic.xcdatamodeld"))
    try Data(Clinic.split.utf8).write(to: folder.appending("1-2.xml"))
    try Data(Clinic.rename.utf8).write(to: folder.appending("2-3.xml"))
  }

  @discardableResult
  private func generate(_ mapping: String) -> ToolFixture.Run {
    let (output, errors) = (MemorySink(), MemorySink())
    let io = CommandIO(output: output, errors: errors, workingDirectory: folder.url)
    let name = "Clinic\(mapping.prefix(1))To\(mapping.suffix(1))Tests"
    let code = CommandLineTool.heavylift.run(
      ["generate-tests", "\(mapping).xml", "-o", "Tests/\(name).swift", "--graphs", "Graphs"], io)
    return ToolFixture.Run(code: code, output: output.text, errors: errors.text)
  }

  private func files() throws -> [String: Data] {
    try folder.contents().filter { $0.key.hasPrefix("Tests/") || $0.key.hasPrefix("Graphs/") }
  }

  /// Runs a generated test: returns its failures.
  private func failures(_ number: Int, _ source: String, _ destination: String) throws -> [String] {
    let pair = try MigrationPair(
      models: folder.appending("Clinic.xcdatamodeld"), from: "Clinic \(number)", to: "Clinic \(number + 1)",
      mappings: [folder.appending("\(number)-\(number + 1).xml")])
    let text = try String(
      contentsOf: folder.appending("Tests/Clinic\(number)To\(number + 1)Tests.swift"), encoding: .utf8)
    #expect(text.contains("\"Graphs/\(source).json\"") && text.contains("\"Graphs/\(destination).json\""))
    let graph = try ObjectGraph(contentsOf: folder.appending("Graphs/\(source).json"), model: pair.sourceModel)
    let expected = try ObjectGraph(
      contentsOf: folder.appending("Graphs/\(destination).json"), model: pair.destinationModel)
    return try pair.migrate(graph).failures(expecting: expected).map(\.description)
  }

  @Test func `a generated graph has objects on both sides of each filter`() throws {
    #expect(generate("1-2").code == .success)
    let model = Clinic.versions[0]
    let graph = try ObjectGraph(contentsOf: folder.appending("Graphs/graph-1.json"), model: model)
    let species = graph.objects.filter { $0.entityName == "Pet" }.map { $0.attributes["species"]?.string }
    #expect(species.filter { $0 == "dog" }.count >= 2 && species.filter { $0 == "cat" }.count >= 2)
    #expect(species.contains { $0 != "dog" && $0 != "cat" })
    // Nothing that the mapping says is without an object that shows it.
    let pair = try MigrationPair(
      models: folder.appending("Clinic.xcdatamodeld"), from: "Clinic 1", to: "Clinic 2",
      mappings: [folder.appending("1-2.xml")])
    let expected = try ObjectGraph(contentsOf: folder.appending("Graphs/graph-2.json"), model: pair.destinationModel)
    let report = try pair.mutate(graph, expecting: expected)
    #expect(report.failures == [])
  }

  @Test func `a graph that was written before its mapping got a filter is completed`() throws {
    try Data(Clinic.split.replacing("species == 'cat'", with: "species != 'dog'").utf8)
      .write(to: folder.appending("1-2.xml"))
    #expect(generate("1-2").code == .success)
    let graph = folder.appending("Graphs/graph-1.json")
    try Data(String(contentsOf: graph, encoding: .utf8).replacing("\"cat\"", with: "\"bird\"").utf8).write(to: graph)
    try Data(Clinic.split.utf8).write(to: folder.appending("1-2.xml"))
    let run = generate("1-2")
    #expect(run.code == .success)
    #expect(
      run.output.hasPrefix(
        """
        updated Graphs/graph-1.json:
          added object 'PetToCat pet' of entity 'Pet'
        updated Graphs/graph-2.json:
        """), "\(run.output)")
    let before = try files()
    generate("1-2")
    #expect(try files() == before)
  }

  @Test(arguments: [["1-2", "2-3"], ["2-3", "1-2"]])
  func `tests of a chain do not break each other, in any order`(order: [String]) throws {
    for mapping in order { #expect(generate(mapping).code == .success) }
    let first = try files()
    for mapping in ["1-2", "2-3", "1-2", "1-2", "2-3", "2-3", "1-2"] {
      let run = generate(mapping)
      #expect(run.code == .success)
      #expect(run.output.split(separator: "\n").allSatisfy { $0.hasPrefix("kept ") }, "\(run.output)")
      #expect(try files() == first, "after \(mapping)")
    }
    let isForward = order[0] == "1-2"
    #expect(try failures(1, "graph-1", isForward ? "graph-2" : "graph-2-expected") == [])
    #expect(try failures(2, isForward ? "graph-2-input" : "graph-2", "graph-3") == [])
    // The second pair's input has an object that the first pair cannot create.
    let input = try ObjectGraph(
      contentsOf: folder.appending(isForward ? "Graphs/graph-2-input.json" : "Graphs/graph-2.json"),
      model: Clinic.versions[1])
    #expect(input.objects.contains { $0.entityName == "Note" })
  }

  @Test func `a graph that suffices for the next pair is shared`() throws {
    var versions = Clinic.versions
    for index in 1...2 { versions[index].entities.removeAll { $0.name == "Note" } }
    versions[2].entities[0].attributes.append(AttributeDescription(name: "weight", type: .double))
    try ModelBundle(
      versions: versions.map { .init(name: $0.name ?? "", model: $0) }, currentVersionName: "Clinic 3"
    ).write(to: folder.appending("Clinic.xcdatamodeld"))
    try Data(#"<mapping-model source="Clinic 2" destination="Clinic 3"/>"#.utf8).write(to: folder.appending("2-3.xml"))
    generate("1-2")
    let run = generate("2-3")
    #expect(run.output.hasPrefix("kept Graphs/graph-2.json: nothing has changed\n"), "\(run.output)")
    #expect(try failures(2, "graph-2", "graph-3") == [])
    // A change of the first pair's result is one for the second pair, too.
    try Data(
      Clinic.split.replacing(
        #"where="species == 'cat'">"#,
        with: #"where="species == 'cat'"><attribute name="name" value="'Tom'"/><drop name="name"/>"#
      ).utf8
    ).write(to: folder.appending("1-2.xml"))
    #expect(
      generate("1-2").output.contains("\n  'Clinic2To3Tests' starts from it: generate that test again, too\n"))
    #expect(generate("2-3").output.contains("updated Graphs/graph-3.json"))
    #expect(try failures(2, "graph-2", "graph-3") == [])
  }
}
