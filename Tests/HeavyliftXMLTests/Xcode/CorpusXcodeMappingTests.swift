import Foundation
import HeavyliftArchive
import HeavyliftMapping
import HeavyliftModel
import HeavyliftTestSupport
import HeavyliftXML
import Testing

/// The mapping models that real programs came with.
@Suite(.enabled(if: Corpus.isPresent, "\(Corpus.comment)"))
struct CorpusXcodeMappingTests {
  static let files = Corpus.files(endingWith: "xcmapping.xml")

  @Test func `the corpus has mapping models`() {
    #expect(Self.files.count == 11)
  }

  @Test(arguments: files.map { Corpus.name(of: $0) })
  func `a real mapping model is read`(name: String) throws {
    let reading = try XcodeMappingReader.read(contentsOf: Corpus.root.appending(path: name))
    for d in reading.diagnostics { print(d) }
    print(name, reading.mappingModel.entityMappings.map { "\($0.name): \($0.propertyMappings.map { "\($0.name)=\($0.source)" })" })
    let source = try #require(reading.sourceModel), destination = try #require(reading.destinationModel)
    let complete = reading.mappingModel.complete(from: source, to: destination)
    for m in complete.entityMappings {
      print(m.name, m.type, m.sourceExpression?.description ?? "-")
      for p in m.attributeMappings + m.relationshipMappings { print("   ", p.name, p.valueExpression?.description ?? "-", p.origin) }
    }
    #expect(!reading.diagnostics.hasErrors)
  }
}
