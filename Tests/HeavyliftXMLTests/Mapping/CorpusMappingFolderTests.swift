import Foundation
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// Finds real mapping models for their models.
@Suite(.enabled(if: Corpus.isPresent, Comment(rawValue: Corpus.comment))) struct CorpusMappingFolderTests {
  static let mappings = Corpus.files(endingWith: ".xcmappingmodel")

  @Test(arguments: mappings) func `a mapping of Xcode is found for the models that it carries`(url: URL) throws {
    let reading = try XcodeMappingReader.read(contentsOf: url)
    let (source, destination) = (try #require(reading.sourceModel), try #require(reading.destinationModel))
    let folder = try MappingFolder(contentsOf: url.deletingLastPathComponent(), file: "Mappings")
    // Version 2 of Books has two.
    let found = try folder.search.choosing([url.lastPathComponent]).mappings(from: source, to: destination)
    #expect(found.map(\.file) == [url.lastPathComponent])
    // The models of another program, with other entities, have none.
    let other = ManagedObjectModel(name: "Other", entities: [EntityDescription(name: "NoSuchEntity")])
    #expect(throws: DiagnosticList.self) { try folder.mappings(from: other, to: other) }
  }

  @Test func `a compiled mapping is found by the version hashes that it states`() throws {
    let fixtures = Corpus.root.appending(path: "CoreDataPlus/Tests/Resources/SampleModel")
    let bundle = try ModelBundle(contentsOf: fixtures.appending(path: "SampleModel.xcdatamodeld"))
    func version(_ name: String) throws -> ManagedObjectModel {
      try #require(bundle.versions.first { $0.name == name }?.model)
    }
    let folder = try MappingFolder(contentsOf: fixtures.appending(path: "Fixtures"), file: "Fixtures")
    let (one, two, three) = (try version("SampleModel"), try version("SampleModel2"), try version("SampleModel3"))
    #expect(try folder.mapping(from: two, to: three).name == "V2toV3")
    #expect(throws: DiagnosticList.self) { try folder.mapping(from: one, to: two) }
    #expect(throws: DiagnosticList.self) { try folder.mapping(from: three, to: two) }
  }
}
